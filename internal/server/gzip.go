package server

import (
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzhttp"

	"storefront/internal/platform/wire"
)

// compress compresses responses of wire.GzipFrom bytes and more for clients that accept gzip. A compressed
// response has the ETag of the plain one with wire.GzipSuffix (contract 1.9). A response with a
// Content-Encoding is not changed, and 304 has no body to compress. HEAD is answered like GET, with the same
// headers; net/http leaves out the body.
func compress(next http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(gzhttp.MinSize(wire.GzipFrom), gzhttp.CompressionLevel(wire.GzipLevel),
		gzhttp.ContentTypeFilter(compressible), gzhttp.SuffixETag(wire.GzipSuffix))
	if err != nil {
		panic(err) // the options above are constants
	}
	compressed := wrap(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// streams are not computed for a HEAD, and events must not wait in the compressor's buffer
		if isLive(r) || r.Method == http.MethodHead && isStream(r) {
			next.ServeHTTP(w, r)
			return
		}
		if r.Method == http.MethodHead {
			r.Method = http.MethodGet
			defer func() { r.Method = http.MethodHead }() // for the log
		}
		compressed.ServeHTTP(w, r)
	})
}

// compressible reports whether a media type is text of some kind; images, fonts and archives are compressed
// already.
func compressible(contentType string) bool {
	kind, _, _ := strings.Cut(strings.ToLower(contentType), ";")
	kind = strings.TrimSpace(kind)
	return strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "json") ||
		strings.HasSuffix(kind, "javascript") || strings.HasSuffix(kind, "xml") // image/svg+xml among them
}
