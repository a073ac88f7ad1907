// Package crawl serves the files of a shop that search engines and price comparison sites read: robots.txt,
// sitemap.xml with its parts, and feeds of products, below /shops/DOMAIN/. The storefront, to whose pages the
// files link, forwards requests for its own /sitemap.xml and such files to this package.
//
// Long files are written in batches as records are read, so that no connection of the database is held for a
// slow client.
package crawl

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"storefront/ent"
	"storefront/internal/catalog"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/platform/share"
	"storefront/internal/platform/wire"
	"storefront/internal/record"
)

// Path is the prefix of the addresses.
const Path = "/shops/"

const (
	// mostAtOnce bounds the answers that are sent at once, because a slow client of a feed holds a few megabytes of
	// records in memory. A slow answer that has taken longer than quickly gives way to a new one.
	mostAtOnce = 64
	quickly    = 500 * time.Millisecond

	placeWait = 5 * time.Second // how long a request waits for its turn

	// longestPart bounds how long a part of a sitemap may take.
	longestPart = time.Minute
)

// Service serves the files.
type Service struct {
	records Records
	clock   func() time.Time
	log     *slog.Logger
	build   string // of the program, as another version may write other files
	places  *share.Slots
}

// New returns the service. build identifies the version of the program.
func New(records Records, clock func() time.Time, log *slog.Logger, build string) *Service {
	return &Service{records: records, clock: clock, log: log, build: build,
		places: share.NewYielding(mostAtOnce, mostAtOnce, quickly)}
}

// file writes one file of a shop.
type file func(ctx context.Context, of shop, w *answer) error

// shop is one shop with its addresses.
type shop struct {
	*ent.Tenant
	record.Site
}

// Handler serves the addresses below Path.
func (s *Service) Handler() http.Handler {
	mux := http.NewServeMux()
	for path, serve := range map[string]http.HandlerFunc{
		"robots.txt":            s.reading(s.robots),
		"sitemap.xml":           s.reading(s.index),
		"sitemaps/{file}":       s.reading(s.part),
		"feeds/{file}":          s.reading(s.feed),
		"torob_api/v3/products": s.torob,
	} {
		mux.HandleFunc(Path+"{domain}/"+path, serve)
		mux.HandleFunc(Path+"{domain}/"+path+"/{$}", serve)
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { wire.WriteError(w, r, noFile()) })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mux.ServeHTTP(w, r)
		r.Pattern = strings.TrimSuffix(r.Pattern, "/{$}")
		if r.Pattern == "/" {
			r.Pattern = "" // no route
		}
	})
}

func noFile() error { return fault.New(fault.NotFound, "there is no such file of a shop") }

// reading serves a file to GET and HEAD.
func (s *Service) reading(write file) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		out := &answer{ResponseWriter: w, request: r}
		err := s.read(out, write)
		switch {
		case err == nil || errors.Is(err, errNoBody):
		case !out.begun:
			s.refuse(w, r, err)
		default: // cut off, so that no part is taken for the whole
			s.log.WarnContext(r.Context(), "a file of a shop was cut off", "path", r.URL.Path, "error", err)
			panic(http.ErrAbortHandler)
		}
	}
}

func (s *Service) read(out *answer, write file) error {
	r := out.request
	if err := wire.OnlyRead(out, r); err != nil {
		return err
	}
	ctx, of, held, err := s.begin(r)
	if err != nil {
		return err
	}
	defer held.Leave()
	out.held = held
	defer held.Cut(func() { _ = http.NewResponseController(out.ResponseWriter).SetWriteDeadline(time.Now()) })()
	if s.isKnown(ctx, out, r, of) {
		return nil
	}
	return write(ctx, of, out)
}

// begin finds the shop of a request, and waits for its turn.
func (s *Service) begin(r *http.Request) (ctx context.Context, of shop, held *share.Held, err error) {
	ctx = catalog.WithScope(r.Context(), s.clock())
	t, err := s.records.Catalog.ShopAt(ctx, r.PathValue("domain"))
	if err != nil {
		return nil, of, nil, err
	}
	ctx = tenancy.In(ctx, t.ID)
	waiting, stop := context.WithTimeout(ctx, placeWait)
	defer stop()
	if held, err = s.places.Begin(waiting); err != nil {
		return nil, of, nil, tooMany(err)
	}
	return ctx, shop{t, record.NewSite(t.Domain, t.DefaultLocale, t.Pages)}, held, nil
}

func tooMany(err error) error {
	return fault.Wrap(fault.Unavailable, err, "too many files of shops are on their way; try again shortly").
		After(placeWait)
}

// isKnown answers 304 if the client has the current version of the file.
func (s *Service) isKnown(ctx context.Context, w http.ResponseWriter, r *http.Request, site shop) bool {
	from, sure := s.records.Catalog.Sources(ctx)
	if !sure {
		w.Header().Set("Cache-Control", "no-store")
		return false
	}
	return wire.Known(w, r, fmt.Appendf(nil, "%s %s %s %d %d", s.build, r.URL.Path, site.ID, site.ContentVersion,
		from.Until.UnixMicro()))
}

// refuse answers with an error, and logs what clients are not shown.
func (s *Service) refuse(w http.ResponseWriter, r *http.Request, err error) {
	named := transaction.Fault(err)
	switch ctx := r.Context(); {
	case named.Code == fault.Internal:
		s.log.ErrorContext(ctx, "a file of a shop failed", "error", err)
	case named.Code == fault.Unavailable && !errors.Is(ctx.Err(), context.Canceled): // the client still waits
		s.log.WarnContext(ctx, "a file of a shop was not answered", "error", err)
	}
	wire.WriteError(w, r, named)
}

// errNoBody stops writing a file when the request is a HEAD.
var errNoBody = errors.New("crawl: the header is all")

// answer writes a file. It sends the header with the first bytes: until then the answer may become an error.
type answer struct {
	http.ResponseWriter
	request     *http.Request
	held        *share.Held
	contentType string
	begun       bool
}

func (a *answer) Write(b []byte) (int, error) {
	if a.held.GaveWay() {
		return 0, tooMany(share.ErrGaveWay)
	}
	if !a.begun {
		a.begun = true
		a.Header().Set("Content-Type", a.contentType)
		if a.request.Method == http.MethodHead {
			a.WriteHeader(http.StatusOK)
			return 0, errNoBody
		}
	}
	n, err := a.ResponseWriter.Write(b)
	a.held.Did(n)
	return n, err
}
