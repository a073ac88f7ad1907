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

// file is something to serve, kept by gzip.
type file struct {
	mediaType string
	etag      string
	packed    []byte
	plain     func() []byte // for the few who do not take gzip
}

// mediaTypes are those of the files of pages, by the end of the name.
var mediaTypes = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".json": "application/json", ".svg": "image/svg+xml", ".txt": "text/plain; charset=utf-8",
}

// pack makes a file of content.
func pack(name string, content []byte) *file {
	var packed bytes.Buffer
	to, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // a level that there is, and a buffer takes everything
	_, _ = to.Write(content)
	_ = to.Close()
	return packedFile(name, packed.Bytes())
}

// packedFile makes a file of content by gzip; name is the file's own, without .gz.
func packedFile(name string, packed []byte) *file {
	sum := sha256.Sum256(packed)
	return &file{
		mediaType: mediaTypes[path.Ext(name)],
		etag:      `"` + hex.EncodeToString(sum[:16]) + `"`,
		packed:    packed,
		plain: sync.OnceValue(func() []byte {
			content, _ := unpack(packed) // that it can be unpacked is tested
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

// packAll makes files of all in a folder, by name. What ends in .gz is packed already.
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

// serve answers a GET or HEAD: by gzip to those who take it, 304 to those who have it. Vary is the server's, as for all
// that may go by gzip.
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

// takesGzip reads Accept-Encoding.
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
