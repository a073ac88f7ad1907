package site

import (
	"bytes"
	"net/http"
	"time"

	"storefront/internal/fault"
	"storefront/internal/openapi"
	"storefront/rest"
)

// openAPI serves the OpenAPI document of the REST routes.
func openAPI() (http.Handler, error) {
	document, err := openapi.Document()
	if err != nil {
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Pattern = "/openapi.json"
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			rest.WriteError(w, r, fault.New(fault.MethodNotAllowed, "this path takes GET and HEAD"))
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "public, no-cache")
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(document))
	}), nil
}
