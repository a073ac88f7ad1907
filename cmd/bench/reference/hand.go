package reference

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	_ "github.com/lib/pq"  // registers "postgres"
	_ "modernc.org/sqlite" // registers "sqlite"
)

// Hand is the hand-written server of four routes. Each statement is prepared once. It keeps the totals of
// lists under the tenant's content version, as the service does: counting a long list anew would be the
// greater part of its work.
type Hand struct {
	db     *sql.DB
	mu     sync.Mutex
	kept   map[string]*sql.Stmt // by text
	totals map[string]int       // by tenant, version, statement and arguments
}

// NewHand opens a database by the URL that the service takes.
func NewHand(address string) (*Hand, error) {
	driver, source, connections := "postgres", address, 8 // as many as the service has on two cores
	if path, ok := strings.CutPrefix(address, "sqlite://"); ok {
		settings := url.Values{"_time_integer_format": {"unix_micro"}, "_inttotime": {"1"},
			"_pragma": {"query_only(1)", "cache_size(-32000)"}}
		driver, source, connections = "sqlite", "file:"+path+"?"+settings.Encode(), 4
	}
	db, err := sql.Open(driver, source)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return &Hand{db: db, kept: map[string]*sql.Stmt{}, totals: map[string]int{}}, nil
}

// Handler serves the routes.
func (h *Hand) Handler() http.Handler {
	mux := http.NewServeMux()
	for path, read := range map[string]func(*http.Request, shop) (any, error){
		"":                 func(_ *http.Request, s shop) (any, error) { return s.public, nil },
		"/products":        h.products,
		"/products/{slug}": h.product,
		"/store-items":     h.storeItems,
	} {
		mux.HandleFunc("GET /api/v1/tenants/{domain}"+path, func(w http.ResponseWriter, r *http.Request) {
			s, err := h.shop(r.Context(), r.PathValue("domain"))
			if err != nil {
				fail(w, err)
				return
			}
			v, err := read(r, s)
			if err != nil {
				fail(w, err)
				return
			}
			write(w, v)
		})
	}
	return mux
}

func fail(w http.ResponseWriter, err error) {
	if errors.Is(err, sql.ErrNoRows) {
		http.Error(w, "not found", http.StatusNotFound)
		return
	}
	http.Error(w, err.Error(), http.StatusInternalServerError)
}

// write answers as the contract has it, with an entity tag.
func write(w http.ResponseWriter, v any) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		fail(w, err)
		return
	}
	body := bytes.TrimSuffix(out.Bytes(), []byte("\n"))
	sum := sha256.Sum256(body)
	Answer{Body: body, ETag: `"` + hex.EncodeToString(sum[:16]) + `"`, ContentType: "application/json",
		CacheControl: "public, no-cache"}.write(w)
}

// prepared returns the statement of a text.
func (h *Hand) prepared(text string) (*sql.Stmt, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if st := h.kept[text]; st != nil {
		return st, nil
	}
	st, err := h.db.Prepare(text)
	if err == nil {
		h.kept[text] = st
	}
	return st, err
}

// total counts once for each version of the tenant's content.
func (h *Hand) total(ctx context.Context, s shop, from string, args ...any) (n int, err error) {
	key := fmt.Sprint(s.public.ID, s.version, from, args[2:]) // the first arguments are the tenant and now
	h.mu.Lock()
	n, ok := h.totals[key]
	h.mu.Unlock()
	if ok {
		return n, nil
	}
	st, err := h.prepared("SELECT COUNT(*) " + from)
	if err != nil {
		return 0, err
	}
	if err := st.QueryRowContext(ctx, args...).Scan(&n); err != nil {
		return 0, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.totals[key] = n
	return n, nil
}

// shop is a tenant and the version of its content.
type shop struct {
	public  tenant
	version int64
}

type tenant struct {
	ID            string  `json:"id"`
	Name          string  `json:"name"`
	NameFa        string  `json:"nameFa"`
	Slug          string  `json:"slug"`
	Domain        string  `json:"domain"`
	PrimaryColor  *string `json:"primaryColor"`
	DefaultLocale string  `json:"defaultLocale"`
	LogoURL       *string `json:"logoUrl"`
	FaviconURL    *string `json:"faviconUrl"`
}

func (h *Hand) shop(ctx context.Context, domain string) (s shop, err error) {
	st, err := h.prepared(`SELECT id, name, name_fa, slug, domain, primary_color, default_locale, logo_url, favicon_url, content_version
		FROM tenants WHERE domain = $1`)
	if err != nil {
		return s, err
	}
	t := &s.public
	err = st.QueryRowContext(ctx, domain).Scan(&t.ID, &t.Name, &t.NameFa, &t.Slug, &t.Domain, &t.PrimaryColor,
		&t.DefaultLocale,
		&t.LogoURL, &t.FaviconURL, &s.version)
	return s, err
}

// page is a page of a list.
type page[T any] struct {
	Items    []T `json:"items"`
	Total    int `json:"total"`
	Page     int `json:"page"`
	PageSize int `json:"pageSize"`
}

// number reads a parameter, and gives preset when there is none.
func number(values url.Values, name string, preset int) int {
	if n, err := strconv.Atoi(values.Get(name)); err == nil {
		return n
	}
	return preset
}

func now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }
