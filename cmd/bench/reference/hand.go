// Package reference holds the servers that the service is compared with: one that answers from memory, and
// one written by hand for a few routes, with net/http, database/sql and hand-written SQL.
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
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	_ "github.com/lib/pq"  // registers "postgres"
	_ "modernc.org/sqlite" // registers "sqlite"

	"storefront/cmd/internal/must"
	"storefront/internal/platform/token"
)

// Hand is the hand-written server of a few routes. Like the service it caches the totals of lists by the
// tenant's content version: counting a long list each time would be most of its work.
type Hand struct {
	db               *sql.DB
	readers, writers chan *connection // for visitors, and for customers
	tokens           *token.Issuer    // nil: no routes of customers
	mu               sync.Mutex
	totals           map[string]int // by tenant, version, statement and arguments

	begin, uuidType, forUpdate string // of the database's SQL
}

// connections is how many connections the service has on two cores.
const connections = 8

// NewHand opens the database with a DATABASE_URL as for the service. key is the service's TOKEN_SIGNING_KEY;
// without it there are no routes of customers.
func NewHand(address, key string) *Hand {
	h := &Hand{totals: map[string]int{}, begin: "BEGIN", uuidType: "uuid", forUpdate: " FOR UPDATE"}
	driver, source, writers := "postgres", address, connections
	if path, ok := strings.CutPrefix(address, "sqlite://"); ok {
		h.begin, h.uuidType, h.forUpdate = "BEGIN IMMEDIATE", "text", ""
		settings := url.Values{"_time_integer_format": {"unix_micro"}, "_inttotime": {"1"},
			"_pragma": {"cache_size(-32000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)",
				"busy_timeout(5000)"}}
		driver, source, writers = "sqlite", "file:"+path+"?"+settings.Encode(), 1
	}
	h.db = must.Get(sql.Open(driver, source))
	h.readers = h.connect(connections)
	if key != "" {
		h.tokens, h.writers = SignCustomers(key, time.Hour), h.connect(writers)
	}
	return h
}

// Close closes the database.
func (h *Hand) Close() error { return h.db.Close() }

// Gathered is the prefix of the customers' routes with as few round trips as possible. They exist only on
// PostgreSQL: SQLite has no round trips.
const Gathered = "/gathered"

// Handler serves the routes.
func (h *Hand) Handler() http.Handler {
	mux := http.NewServeMux()
	for path, read := range map[string]func(tx, *http.Request, shop) any{
		"":                 func(_ tx, _ *http.Request, s shop) any { return s.public },
		"/products":        products,
		"/products/{slug}": product,
		"/store-items":     storeItems,
	} {
		mux.HandleFunc("GET /api/v1/tenants/{domain}"+path, func(w http.ResponseWriter, r *http.Request) {
			answer(w, http.StatusOK, func() Answer {
				t, done := h.take(r, h.readers)
				defer done()
				body := encode(read(t, r, t.shop(r.PathValue("domain"))))
				sum := sha256.Sum256(body)
				return Answer{Body: body, ETag: `"` + hex.EncodeToString(sum[:16]) + `"`,
					ContentType: "application/json", CacheControl: "public, no-cache"}
			})
		})
	}
	if h.tokens != nil {
		const cart = "/api/v1/businesses/{business}/cart"
		mux.HandleFunc("POST "+cart+"/items", post(h, checked(add)))
		mux.HandleFunc("POST "+cart+"/checkout", post(h, checked(checkout)))
		mux.HandleFunc("POST "+Gathered+cart+"/items", post(h, addGathered))
		mux.HandleFunc("POST "+Gathered+cart+"/checkout", post(h, checkoutGathered))
	}
	return mux
}

// answer makes an answer and writes it, or the status of the error of make.
func answer(w http.ResponseWriter, status int, make func() Answer) {
	var a Answer
	err := must.Run(func() { a = make() })
	switch {
	case err == nil:
		a.write(w, status)
		return
	case errors.Is(err, errSignIn):
		status = http.StatusUnauthorized
	case errors.Is(err, sql.ErrNoRows):
		status = http.StatusNotFound
	case errors.Is(err, errUnavailable):
		status = http.StatusConflict
	default:
		status = http.StatusInternalServerError
	}
	http.Error(w, err.Error(), status)
}

func encode(v any) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	must.Do(encoder.Encode(v))
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

// connection prepares each statement once.
type connection struct {
	conn *sql.Conn
	kept map[string]*sql.Stmt
}

// connect opens connections.
func (h *Hand) connect(n int) chan *connection {
	all := make(chan *connection, n)
	for range n {
		all <- &connection{must.Get(h.db.Conn(context.Background())), map[string]*sql.Stmt{}}
	}
	return all
}

// tx is one request's use of a connection.
type tx struct {
	context.Context
	*connection
	h  *Hand
	at time.Time
}

// take takes a connection for a request, until done is called.
func (h *Hand) take(r *http.Request, from chan *connection) (t tx, done func()) {
	on := <-from
	// A client that leaves must not break the connection.
	return tx{context.WithoutCancel(r.Context()), on, h, now()}, func() { from <- on }
}

// statement returns the prepared statement of a text.
func (t tx) statement(text string) *sql.Stmt {
	st := t.kept[text]
	if st == nil {
		st = must.Get(t.conn.PrepareContext(t, text))
		t.kept[text] = st
	}
	return st
}

// row reads one row.
func (t tx) row(text string, args []any, to ...any) {
	must.Do(t.statement(text).QueryRowContext(t, args...).Scan(to...))
}

// each reads the rows of a statement.
func (t tx) each(text string, args []any, read func(scan func(...any) error)) {
	rows := must.Get(t.statement(text).QueryContext(t, args...))
	defer rows.Close()
	for rows.Next() {
		read(rows.Scan)
	}
	must.Do(rows.Err())
}

// total counts a list, once for each version of the tenant's content.
func (t tx) total(s shop, from string, args []any) int {
	key := fmt.Sprint(s.public.ID, s.version, from, args[2:]) // the first arguments are the tenant and now
	t.h.mu.Lock()
	n, ok := t.h.totals[key]
	t.h.mu.Unlock()
	if ok {
		return n
	}
	t.row("SELECT COUNT(*) "+from, args, &n)
	t.h.mu.Lock()
	defer t.h.mu.Unlock()
	t.h.totals[key] = n
	return n
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

func (t tx) shop(domain string) (s shop) {
	p := &s.public
	t.row(`SELECT id, name, name_fa, slug, domain, primary_color, default_locale, logo_url, favicon_url,
		content_version FROM tenants WHERE domain = $1`, []any{domain}, &p.ID, &p.Name, &p.NameFa, &p.Slug, &p.Domain,
		&p.PrimaryColor, &p.DefaultLocale, &p.LogoURL, &p.FaviconURL, &s.version)
	return s
}

// page is a page of a list.
type page[T any] struct {
	Items    []T `json:"items"`
	Total    int `json:"total"`
	Page     int `json:"page"`
	PageSize int `json:"pageSize"`
}

// number returns a numeric parameter, or preset if it is absent.
func number(values url.Values, name string, preset int) int {
	if n, err := strconv.Atoi(values.Get(name)); err == nil {
		return n
	}
	return preset
}

func now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

// Serve serves on a free port of this machine until ctx ends. It logs its address as the service does.
func Serve(ctx context.Context, h http.Handler) {
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))
	server := &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute}
	slog.New(slog.NewJSONHandler(os.Stderr, nil)).Info("listening", "url", "http://"+l.Addr().String())
	broken := make(chan error, 1)
	go func() { broken <- server.Serve(l) }()
	select {
	case err := <-broken:
		must.Do(err)
	case <-ctx.Done():
		must.Do(server.Close())
	}
}

// Answer is the service's answer for a target: its body, and the headers that the contract asks for.
type Answer struct {
	Body         []byte
	ETag         string
	ContentType  string
	CacheControl string
}

func (a Answer) write(w http.ResponseWriter, status int) {
	h := w.Header()
	if a.ETag != "" {
		h.Set("ETag", a.ETag)
	}
	h.Set("Cache-Control", a.CacheControl)
	h.Set("Content-Type", a.ContentType)
	h.Set("Content-Length", strconv.Itoa(len(a.Body)))
	w.WriteHeader(status)
	_, _ = w.Write(a.Body)
}

// Memory returns a handler that answers each target ("/path?query") from a file with a JSON object of answers
// by target.
func Memory(file string) http.Handler {
	answers := map[string]Answer{}
	must.Do(json.Unmarshal(must.Get(os.ReadFile(file)), &answers))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer, ok := answers[r.URL.RequestURI()]
		if !ok {
			http.NotFound(w, r)
			return
		}
		answer.write(w, http.StatusOK)
	})
}
