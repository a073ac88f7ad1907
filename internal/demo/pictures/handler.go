package pictures

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"maps"
	"net/http"
	"sync"
	"time"

	"storefront/internal/demo"
	"storefront/internal/fault"
	"storefront/internal/wire"
)

// all returns the pictures of all demo shops, by path.
var all = sync.OnceValues(func() (map[string]Picture, error) {
	found := map[string]Picture{}
	for _, b := range demo.Bundles() {
		from, err := gzip.NewReader(bytes.NewReader(b.Data))
		if err != nil {
			return nil, fmt.Errorf("the bundle of %s: %w", b.Domain, err)
		}
		text, err := io.ReadAll(from)
		if err != nil {
			return nil, fmt.Errorf("the bundle of %s: %w", b.Domain, err)
		}
		pictures, err := Of(text)
		if err != nil {
			return nil, fmt.Errorf("the bundle of %s: %w", b.Domain, err)
		}
		maps.Copy(found, pictures)
	}
	return found, nil
})

// Handler serves the pictures below Path. A picture that is opened as a page is sandboxed.
func Handler(w http.ResponseWriter, r *http.Request) {
	r.Pattern = Path
	if err := wire.OnlyRead(w, r); err != nil {
		wire.WriteError(w, r, err)
		return
	}
	pictures, err := all()
	if err != nil {
		wire.WriteError(w, r, err)
		return
	}
	p, ok := pictures[r.URL.Path]
	if !ok {
		wire.WriteError(w, r, fault.New(fault.NotFound, "there is no picture at this path"))
		return
	}
	text := p.SVG()
	h := w.Header()
	h.Set("Content-Type", "image/svg+xml")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	h.Set("Cache-Control", "public, max-age=604800")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(text))
}
