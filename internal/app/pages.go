package app

import (
	"cmp"
	"context"
	"encoding/json"
	"io/fs"
	"net/http"
	"slices"
	"sync"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront"
	"storefront/internal/catalog/lookup"
	"storefront/internal/demo/pictures"
	"storefront/internal/pages"
	"storefront/internal/pages/openapi"
)

// openAPIPath is where the OpenAPI document of the REST routes is served.
const openAPIPath = "/openapi.json"

// The pages are the same for every App of a process. They are compressed once, because that takes a while.
var (
	document = sync.OnceValue(func() http.Handler { return jsonAt(openAPIPath, openapi.Document) })
	types    = sync.OnceValues(func() (http.Handler, error) {
		text, err := clientTypes()
		return jsonAt(clientTypesPath, text), err
	})
	favicon           = sync.OnceValue(pages.Favicon)
	guides            = sync.OnceValues(func() (http.Handler, error) { return guidesOf(storefront.Guides) })
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
		openAPIPath: document(),
	}
	made := map[string]func() (http.Handler, error){
		clientTypesPath: types, "/staff/": staffPage, "/guides/": guides, "/docs/": docs,
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

// clientTypesPath serves the types that clients must know beforehand (contract 3.5).
const clientTypesPath = "/graphql-types.json"

// clientTypes returns, as JSON, the types of the schema that the caches of clients must know beforehand:
// possibleTypes, the objects of each interface and union by its name, and typesWithoutId, the objects that have no
// id. Both are sorted.
func clientTypes() ([]byte, error) {
	schema, err := gqlparser.LoadSchema(&ast.Source{Input: storefront.Schema})
	if err != nil {
		return nil, err
	}
	var types struct {
		PossibleTypes  map[string][]string `json:"possibleTypes"`
		TypesWithoutID []string            `json:"typesWithoutId"`
	}
	types.PossibleTypes = map[string][]string{}
	for _, d := range schema.Types {
		switch {
		case d.BuiltIn || d == schema.Query || d == schema.Mutation || d == schema.Subscription:
		case d.IsAbstractType():
			for _, possible := range schema.GetPossibleTypes(d) {
				types.PossibleTypes[d.Name] = append(types.PossibleTypes[d.Name], possible.Name)
			}
			slices.Sort(types.PossibleTypes[d.Name])
		case d.Kind == ast.Object && d.Fields.ForName("id") == nil:
			types.TypesWithoutID = append(types.TypesWithoutID, d.Name)
		}
	}
	slices.Sort(types.TypesWithoutID)
	return json.Marshal(types)
}
