package app

import (
	"bytes"
	"net/http"
	"time"

	"storefront/internal/fault"
	"storefront/internal/openapi"
	"storefront/internal/pages"
	"storefront/internal/wire"
)

// pagesOf returns the handlers of the pages that are not part of the API, by path.
func pagesOf(o Options) (map[string]http.Handler, error) {
	document, err := openAPI()
	if err != nil {
		return nil, err
	}
	docs, err := pages.Docs(!o.NoExplorer)
	if err != nil {
		return nil, err
	}
	shown := map[string]http.Handler{"/openapi.json": document, "/docs/": docs}
	if o.NoExplorer {
		return shown, nil
	}
	shown["/playground/"], err = pages.Playground()
	return shown, err
}

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
			wire.WriteError(w, r, fault.New(fault.MethodNotAllowed, "this path takes GET and HEAD"))
			return
		}
		if wire.Known(w, r, document) {
			return
		}
		w.Header().Set("Content-Type", "application/json")
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(document))
	}), nil
}
