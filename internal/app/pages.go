package app

import (
	"cmp"
	"context"
	"net/http"
	"sync"

	"storefront"
	"storefront/internal/catalog/lookup"
	"storefront/internal/demo/pictures"
	"storefront/internal/pages"
	"storefront/internal/pages/openapi"
)

const (
	openAPIPath     = "/openapi.json"       // serves the OpenAPI document of the REST routes
	clientTypesPath = "/graphql-types.json" // serves the types that clients must know beforehand (contract 3.5)
)

// The pages are the same for every App of a process. They are compressed once, because that takes a while.
var (
	document          = sync.OnceValue(func() http.Handler { return jsonAt(openAPIPath, openapi.Document) })
	types             = sync.OnceValue(func() http.Handler { return jsonAt(clientTypesPath, openapi.ClientTypes) })
	favicon           = sync.OnceValue(pages.Favicon)
	guides            = sync.OnceValues(func() (http.Handler, error) { return pages.Guides(storefront.Guides) })
	playground        = sync.OnceValues(pages.Playground)
	staffPage         = sync.OnceValues(pages.Staff)
	docs              = sync.OnceValues(func() (http.Handler, error) { return pages.Docs(false) })
	docsAndPlayground = sync.OnceValues(func() (http.Handler, error) { return pages.Docs(true) })
)

// jsonAt returns the handler of a JSON text at a path.
func jsonAt(path string, text []byte) http.Handler {
	return pages.Fixed(path, text, "public, no-cache")
}

// pagesOf returns the handlers of the pages that are not part of the API, by path.
func pagesOf(o Options, tenants *lookup.Tenants) (shown map[string]http.Handler, err error) {
	shops := func(ctx context.Context) []pages.Shop { return shopsOf(ctx, tenants, o.Shops) }
	shown = map[string]http.Handler{
		"/":            pages.Home(cmp.Or(o.Version, "unknown"), !o.NoExplorer, shops),
		"/favicon.ico": favicon(), "/robots.txt": pages.Robots(), pictures.Path: http.HandlerFunc(pictures.Handler),
		openAPIPath: document(), clientTypesPath: types(),
	}
	made := map[string]func() (http.Handler, error){
		"/staff/": staffPage, "/guides/": guides, "/docs/": docs,
	}
	if !o.NoExplorer {
		made["/docs/"], made["/playground/"] = docsAndPlayground, playground
	}
	for path, of := range made {
		if shown[path], err = of(); err != nil {
			return nil, err
		}
	}
	return shown, nil
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
