// Package pictures serves the images of the demo shops, so that they need no other host: book covers, clothes,
// machines, buildings. They are SVG, in one file: a JSON object of their paths below Path.
package pictures

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"

	"storefront/internal/fault"
	"storefront/internal/platform/wire"
)

// Path is the prefix of the paths of all pictures, such as Path + "paperlane/products/PL-1000-1.svg".
const Path = "/demo/images/"

//go:embed pictures.json.gz
var packed []byte

// All returns the pictures by their paths below Path. It unpacks them at the first call.
var All = sync.OnceValues(func() (all map[string]string, err error) {
	from, err := gzip.NewReader(bytes.NewReader(packed))
	if err == nil {
		err = json.NewDecoder(from).Decode(&all)
	}
	return all, err
})

// Handler serves the pictures below Path. A picture that is opened as a page is sandboxed.
func Handler(w http.ResponseWriter, r *http.Request) {
	r.Pattern = Path
	if err := wire.OnlyRead(w, r); err != nil {
		wire.WriteError(w, r, err)
		return
	}
	pictures, err := All()
	if err != nil {
		wire.WriteError(w, r, err)
		return
	}
	picture, ok := pictures[strings.TrimPrefix(r.URL.Path, Path)]
	if !ok {
		wire.WriteError(w, r, fault.New(fault.NotFound, "there is no picture at this path"))
		return
	}
	h := w.Header()
	h.Set("Content-Type", "image/svg+xml")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	h.Set("Cache-Control", "public, max-age=604800")
	http.ServeContent(w, r, "", time.Time{}, strings.NewReader(picture))
}
