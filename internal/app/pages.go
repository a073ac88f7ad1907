package app

import (
	"bytes"
	"cmp"
	"context"
	"io/fs"
	"net/http"
	"sync"
	"time"

	"storefront"
	"storefront/internal/demo/pictures"
	"storefront/internal/lookup"
	"storefront/internal/openapi"
	"storefront/internal/pages"
	"storefront/internal/wire"
)

// openAPIPath is where the OpenAPI document of the REST routes is served.
const openAPIPath = "/openapi.json"

// The pages are the same for every App of a process. They are compressed once, because that takes a while.
var (
	document          = sync.OnceValues(openapi.Document)
	types             = sync.OnceValues(clientTypes)
	favicon           = sync.OnceValue(pages.Favicon)
	guides            = sync.OnceValues(func() (http.Handler, error) { return guidesOf(storefront.Guides) })
	playground        = sync.OnceValues(pages.Playground)
	staffPage         = sync.OnceValues(pages.Staff)
	docs              = sync.OnceValues(func() (http.Handler, error) { return pages.Docs(false) })
	docsAndPlayground = sync.OnceValues(func() (http.Handler, error) { return pages.Docs(true) })
)

// pagesOf returns the handlers of the pages that are not part of the API, by path.
func pagesOf(o Options, tenants *lookup.Tenants) (map[string]http.Handler, error) {
	description, err := document()
	if err != nil {
		return nil, err
	}
	known, err := types()
	if err != nil {
		return nil, err
	}
	reference := docsAndPlayground
	if o.NoExplorer {
		reference = docs
	}
	home, err := pages.Home(cmp.Or(o.Version, "unknown"), !o.NoExplorer, func(ctx context.Context) []pages.Shop {
		return shopsOf(ctx, tenants, o.Shops)
	})
	if err != nil {
		return nil, err
	}
	shown := map[string]http.Handler{
		"/": home, "/favicon.ico": favicon(), "/robots.txt": pages.Robots(),
		pictures.Path: http.HandlerFunc(pictures.Handler),
		openAPIPath:   serveJSON(openAPIPath, description), clientTypesPath: serveJSON(clientTypesPath, known),
	}
	if shown["/staff/"], err = staffPage(); err != nil {
		return nil, err
	}
	if shown["/guides/"], err = guides(); err != nil {
		return nil, err
	}
	if shown["/docs/"], err = reference(); err != nil || o.NoExplorer {
		return shown, err
	}
	shown["/playground/"], err = playground()
	return shown, err
}

// guidesOf returns the handler of the documents in the folder docs.
func guidesOf(all fs.FS) (http.Handler, error) {
	docs, err := fs.Sub(all, "docs")
	if err != nil {
		return nil, err
	}
	return pages.Guides(docs)
}

// shopsOf returns the shops with the given domains that exist. It returns none while the database does not
// answer.
func shopsOf(ctx context.Context, tenants *lookup.Tenants, domains []string) []pages.Shop {
	if len(domains) == 0 {
		return nil
	}
	found, _ := tenants.FindAll(ctx, domains)
	var shops []pages.Shop
	for _, domain := range domains {
		if t := found[domain]; t != nil {
			shops = append(shops, pages.Shop{Domain: domain, Name: t.Name, NameFa: t.NameFa})
		}
	}
	return shops
}

// serveJSON returns a handler of a constant JSON text at a path.
func serveJSON(path string, text []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Pattern = path
		if err := wire.OnlyRead(w, r); err != nil {
			wire.WriteError(w, r, err)
			return
		}
		if wire.Known(w, r, text) {
			return
		}
		w.Header().Set("Content-Type", "application/json")
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(text))
	})
}
