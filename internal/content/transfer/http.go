package transfer

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"storefront/internal/content/sheet"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/platform/wire"
	"storefront/internal/request"
	"storefront/internal/shop/staff"
)

// Path is the prefix of the addresses.
const Path = "/sheets/"

// Handler serves the addresses of links: GET sends a sheet, POST and PUT receive one.
func (s *Service) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc(Path+"{kind}", s.serve)
	mux.HandleFunc(Path+"{kind}/{$}", s.serve)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { wire.WriteError(w, r, noSuchSheet()) })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Cache-Control", "no-store")
		h.Set("Referrer-Policy", "no-referrer") // the address has the link
		mux.ServeHTTP(w, r)
		if r.Pattern == "/" {
			r.Pattern = "" // no route
		}
	})
}

func noSuchSheet() error {
	return fault.New(fault.NotFound, "there are no such sheets; there are products, offers, orders and customers")
}

func (s *Service) serve(w http.ResponseWriter, r *http.Request) {
	kind := sheet.Kind(r.PathValue("kind"))
	if !kind.Known() {
		wire.WriteError(w, r, noSuchSheet())
		return
	}
	var err error
	switch reads := r.Method == http.MethodGet || r.Method == http.MethodHead; {
	case reads && s.isForImport(r):
		w.Header().Set("Allow", "POST, PUT")
		err = fault.New(fault.MethodNotAllowed, "this link takes a sheet: send it here by PUT or POST, as "+
			"curl -T sheet.csv LINK does")
	case reads:
		err = s.send(w, r, kind)
	case (r.Method == http.MethodPost || r.Method == http.MethodPut) && kind.Imported():
		err = s.receive(w, r, kind)
	case kind.Imported():
		w.Header().Set("Allow", "GET, HEAD, POST, PUT")
		err = fault.New(fault.MethodNotAllowed, "this path takes GET, HEAD, POST and PUT")
	default:
		w.Header().Set("Allow", "GET, HEAD")
		err = fault.New(fault.MethodNotAllowed, "sheets of this kind are only exported; this path takes GET and HEAD")
	}
	if err != nil {
		s.refuse(w, r, err)
	}
}

// refuse answers with an error, and logs the details that clients are not shown.
func (s *Service) refuse(w http.ResponseWriter, r *http.Request, err error) {
	named := transaction.Fault(err)
	switch ctx := r.Context(); {
	case named.Code == fault.Internal:
		s.log.ErrorContext(ctx, "a sheet failed", "error", err)
	case named.Code == fault.Unavailable && !errors.Is(ctx.Err(), context.Canceled): // the client is still there
		s.log.WarnContext(ctx, "a sheet was not answered", "error", err)
	}
	wire.WriteError(w, r, named)
}

func asked(r *http.Request) (url.Values, error) {
	query, err := wire.ReadQuery(r, func(name string) bool { return name == "link" || name == "check" })
	if err == nil && (len(query["link"]) > 1 || len(query["check"]) > 1) {
		err = fault.New(fault.BadRequest, "a parameter stands in the address twice")
	}
	return query, err
}

// isForImport reports whether the link of a request is valid for an import.
func (s *Service) isForImport(r *http.Request) bool {
	query, err := asked(r)
	if err == nil {
		_, err = s.links.Signer.Read(importing, query.Get("link"))
	}
	return err == nil
}

func (s *Service) begin(r *http.Request, purpose string, kind sheet.Kind) (context.Context, *staff.Pass, error) {
	query, err := asked(r)
	if err != nil {
		return nil, nil, err
	}
	ctx := r.Context()
	pass, err := s.admit(ctx, purpose, kind, query.Get("link"))
	if err != nil {
		return nil, nil, err
	}
	request.Of(ctx).Note.For(pass.Shop.Domain)
	return tenancy.In(pass.Acting(ctx), pass.Shop.ID), pass, nil
}

// send sends a sheet. If that fails on the way, it cuts the connection, so that no part is mistaken for the
// whole.
func (s *Service) send(w http.ResponseWriter, r *http.Request, kind sheet.Kind) error {
	if !r.ProtoAtLeast(1, 1) {
		return fault.New(fault.BadRequest, "sheets are sent by HTTP/1.1 alone, where an answer that was cut off can "+
			"be told; a proxy may have to be set to it")
	}
	ctx, pass, err := s.begin(r, exporting, kind)
	if err != nil {
		return err
	}
	done, ok := s.out.TakeAtOnce(ofShop(pass))
	if !ok {
		return fault.New(fault.Conflict,
			"%d sheets of this shop are on their way already; wait until one has ended", mostOut).After(5 * time.Second)
	}
	defer done()
	out := &download{ResponseWriter: w,
		name: pass.Shop.Domain + "-" + string(kind) + "-" + s.clock().UTC().Format("2006-01-02") + ".csv"}
	if r.Method == http.MethodHead {
		out.begin()
		return nil
	}
	err = sheet.Export(ctx, s.store, pass.Shop, kind, out, pass.Again)
	if err == nil || !out.begun {
		return err
	}
	s.log.WarnContext(ctx, "a sheet was cut off", "kind", kind, "error", err)
	panic(http.ErrAbortHandler)
}

// download is the response with a sheet. Its header is written with the first bytes: until then it may still
// become an error.
type download struct {
	http.ResponseWriter
	name  string // of the file: a domain's letters, no others
	begun bool
}

func (d *download) begin() {
	d.begun = true
	h := d.Header()
	h.Set("Content-Type", "text/csv; charset=utf-8")
	h.Set("Content-Disposition", `attachment; filename="`+d.name+`"`)
}

func (d *download) Write(b []byte) (int, error) {
	if !d.begun {
		d.begin()
	}
	return d.ResponseWriter.Write(b)
}
