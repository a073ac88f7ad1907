package pages

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"

	"storefront/internal/platform/wire"
)

// file is a file to serve, held in memory compressed with gzip.
type file struct {
	mediaType string
	hash      string // of the content, for its ETags
	packed    []byte
	plain     func() []byte // uncompressed, for the few clients that do not accept gzip
}

// mediaTypes maps the file name extensions of the pages to media types.
var mediaTypes = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".json": "application/json", ".svg": "image/svg+xml", ".ico": "image/x-icon", ".txt": "text/plain; charset=utf-8",
}

// pack returns the file with the content.
func pack(name string, content []byte) *file {
	var packed bytes.Buffer
	to, _ := gzip.NewWriterLevel(&packed,
		gzip.BestCompression) // the level is valid, and writing to a buffer never fails
	_, _ = to.Write(content)
	_ = to.Close()
	return packedFile(name, packed.Bytes())
}

// packedFile returns the file with the content that packed holds compressed; name has no .gz.
func packedFile(name string, packed []byte) *file {
	sum := sha256.Sum256(packed)
	return &file{
		mediaType: mediaTypes[path.Ext(name)],
		hash:      hex.EncodeToString(sum[:16]),
		packed:    packed,
		plain: sync.OnceValue(func() []byte {
			content, _ := unpack(packed) // a test unpacks every embedded file, so this does not fail
			return content
		}),
	}
}

func unpack(packed []byte) ([]byte, error) {
	from, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(from)
}

// filesOf returns the files of an embedded folder by name, and the icon of the pages. Those whose name ends in .gz are
// compressed already.
func filesOf(all embed.FS, folder string) (map[string]*file, error) {
	files := map[string]*file{"icon.svg": pack("icon.svg", icon)}
	entries, err := all.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		content, err := all.ReadFile(folder + "/" + entry.Name())
		if err != nil {
			return nil, err
		}
		if name, packed := strings.CutSuffix(entry.Name(), ".gz"); packed {
			files[name] = packedFile(name, content)
		} else {
			files[name] = pack(name, content)
		}
	}
	return files, nil
}

// Fixed returns the handler of a file at a path, whose extension determines the Content-Type. cache is the
// Cache-Control.
func Fixed(path string, content []byte, cache string) http.Handler {
	f := pack(path, content)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Pattern = path
		if reads(w, r) {
			w.Header().Set("Cache-Control", cache)
			f.serve(w, r)
		}
	})
}

// serve answers a GET or HEAD, compressed if the client accepts gzip, and with 304 if it has the file. The
// server sets Vary, as for every answer that may be compressed.
func (f *file) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", f.mediaType)
	content, hash := f.packed, f.hash+wire.GzipSuffix
	if wire.AcceptsGzip(r.Header) {
		h.Set("Content-Encoding", "gzip")
	} else {
		content, hash = f.plain(), f.hash
	}
	h.Set("ETag", `"`+hash+`"`)
	whole := r.Clone(r.Context())
	whole.Header.Del("Range") // parts of different encodings would not fit together
	h.Set("Content-Length", strconv.Itoa(len(content)))
	http.ServeContent(w, whole, "", time.Time{}, bytes.NewReader(content))
}
