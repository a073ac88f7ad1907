package wire

import (
	"net/http"

	"storefront/internal/fault"
)

// OnlyRead fails with METHOD_NOT_ALLOWED for a request that is neither a GET nor a HEAD, and sets the Allow header of
// the answer.
func OnlyRead(w http.ResponseWriter, r *http.Request) error {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return nil
	}
	w.Header().Set("Allow", "GET, HEAD")
	return fault.New(fault.MethodNotAllowed, "this path takes GET and HEAD")
}
