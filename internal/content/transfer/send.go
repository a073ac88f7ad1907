package transfer

import (
	"net/http"
	"time"

	"storefront/internal/content/sheet"
	"storefront/internal/fault"
)

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
