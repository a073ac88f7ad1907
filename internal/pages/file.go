package pages

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"
)

// file is a file to serve, held in memory compressed with gzip.
type file struct {
	mediaType string
	etag      string
	packed    []byte
	plain     func() []byte // uncompressed, for the few clients that do not accept gzip
}

// mediaTypes maps the file name extensions of the pages to media types.
var mediaTypes = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".json": "application/json", ".svg": "image/svg+xml", ".txt": "text/plain; charset=utf-8",
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
		etag:      `"` + hex.EncodeToString(sum[:16]) + `"`,
		packed:    packed,
		plain: sync.OnceValue(func() []byte {
			content, _ := unpack(packed) // a test unpacks every embedded file
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

// packAll returns the files of a folder by name. Those whose name ends in .gz are compressed already.
func packAll(folder fs.FS) (map[string]*file, error) {
	files := map[string]*file{}
	entries, err := fs.ReadDir(folder, ".")
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		content, err := fs.ReadFile(folder, entry.Name())
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

// serve answers a GET or HEAD, compressed where the client accepts gzip, and 304 where it has the file. The
// server sets Vary, as for every answer that may be compressed.
func (f *file) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", f.mediaType)
	h.Set("ETag", f.etag)
	content := f.packed
	if takesGzip(r.Header.Values("Accept-Encoding")) {
		h.Set("Content-Encoding", "gzip")
	} else {
		content = f.plain()
	}
	whole := r.Clone(r.Context())
	whole.Header.Del("Range") // parts of two encodings would not fit together
	h.Set("Content-Length", strconv.Itoa(len(content)))
	http.ServeContent(w, whole, "", time.Time{}, bytes.NewReader(content))
}

// takesGzip reports whether an Accept-Encoding header accepts gzip.
func takesGzip(header []string) bool {
	for offered := range strings.SplitSeq(strings.Join(header, ","), ",") {
		name, parameters, _ := strings.Cut(offered, ";")
		weight, weighed := strings.CutPrefix(strings.TrimSpace(parameters), "q=")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			q, err := strconv.ParseFloat(weight, 64)
			return !weighed || err == nil && q > 0
		}
	}
	return false
}
