package wire

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
)

// Known marks an answer as public data that anyone may keep, but must ask about before using it again (contract 1, Caching).
// Its ETag is of the parts that make the answer. Known is true when the client holds that answer already: then 304 is
// written, and nothing else may be.
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

// holds tells whether an If-None-Match header names the tag. Weak tags compare as strong ones, as RFC 9110 has it.
func holds(header []string, etag string) bool {
	for tag := range strings.SplitSeq(strings.Join(header, ","), ",") {
		tag = strings.TrimPrefix(strings.TrimSpace(tag), "W/")
		if tag == etag || tag == "*" {
			return true
		}
	}
	return false
}
