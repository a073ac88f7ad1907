package wire

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
)

// Known marks an answer as public data that caches may store but must revalidate before each use (contract 1,
// Caching). The ETag is a hash of the parts that determine the answer. Known reports whether the client has
// that answer already; 304 has been written then, and the caller must write nothing.
func Known(w http.ResponseWriter, r *http.Request, parts ...[]byte) bool {
	sum := sha256.New()
	for _, part := range parts {
		_, _ = sum.Write(part) // never fails
	}
	etag := `"` + hex.EncodeToString(sum.Sum(nil)[:16]) + `"`
	w.Header().Set("ETag", etag)
	w.Header().Set("Cache-Control", "public, no-cache")
	if !holds(r.Header.Values("If-None-Match"), etag) {
		return false
	}
	w.WriteHeader(http.StatusNotModified)
	return true
}

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
