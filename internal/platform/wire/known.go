package wire

import (
	"crypto/sha256"
	"encoding/hex"
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// GzipSuffix is the end, within the quotes, of the ETag of an answer that was compressed with gzip: a strong
// ETag identifies the bytes sent, so the plain and the compressed answer need different ones.
const GzipSuffix = "-gzip"

// Known marks an answer as public data that caches may store but must revalidate before each use (contract
// 1.9). The ETag is a hash of the parts that determine the answer. Known reports whether the client has that
// answer already, plain or, if it accepts gzip, compressed; then it has written 304 with the ETag of that
// answer, and the caller must write nothing.
func Known(w http.ResponseWriter, r *http.Request, parts ...[]byte) bool {
	return known(w, r, hashOf(parts))
}

func hashOf(parts [][]byte) string {
	sum := sha256.New()
	for _, part := range parts {
		_, _ = sum.Write(part) // never fails
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

func known(w http.ResponseWriter, r *http.Request, hash string) bool {
	etag := `"` + hash + `"`
	h := w.Header()
	h["Etag"] = []string{etag}
	h["Cache-Control"] = revalidated
	held := r.Header["If-None-Match"]
	if len(held) == 0 {
		return false
	}
	if !holds(held, etag) {
		compressed := `"` + hash + GzipSuffix + `"`
		if !AcceptsGzip(r.Header) || !holds(held, compressed) {
			return false
		}
		h.Set("ETag", compressed)
	}
	w.WriteHeader(http.StatusNotModified)
	return true
}

var revalidated = []string{"public, no-cache"} // shared by many responses, and never changed

// holds reports whether an If-None-Match header names the tag. It compares weakly, as RFC 9110 requires.
func holds(header []string, etag string) bool {
	for tag := range strings.SplitSeq(strings.Join(header, ","), ",") {
		tag = strings.TrimPrefix(strings.TrimSpace(tag), "W/")
		if tag == etag || tag == "*" {
			return true
		}
	}
	return false
}

// AcceptsGzip reports whether the Accept-Encoding of a request accepts gzip.
func AcceptsGzip(h http.Header) bool {
	for offered := range strings.SplitSeq(strings.Join(h.Values("Accept-Encoding"), ","), ",") {
		name, parameters, _ := strings.Cut(offered, ";")
		weight, weighed := strings.CutPrefix(strings.TrimSpace(parameters), "q=")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			q, err := strconv.ParseFloat(weight, 64)
			return !weighed || err == nil && q > 0
		}
	}
	return false
}

// Qualities returns the qualities of an Accept header by media range (RFC 9110, 12.5.1). Parameters other than q are
// ignored, and so are ranges that cannot be read.
func Qualities(accept []string) map[string]float64 {
	ranges := map[string]float64{}
	for sent := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		media, parameters, err := mime.ParseMediaType(sent)
		if err != nil {
			continue
		}
		quality := 1.0
		if q, stated := parameters["q"]; stated {
			if quality, err = strconv.ParseFloat(q, 64); err != nil || !(quality >= 0 && quality <= 1) {
				continue
			}
		}
		ranges[media] = max(ranges[media], quality)
	}
	return ranges
}
