package imports

import (
	"encoding/json"
	"fmt"
	"strings"

	"storefront/cmd/bench/catalog"
	"storefront/cmd/internal/must"
)

const (
	beside = "beside.example" // a small shop
	large  = catalog.Domain   // the shop that is imported
)

// write writes the bundles and returns their names by what is imported.
func (t *trial) write() map[string]string {
	shop := t.generated(t.products)
	other := strings.NewReplacer(large, beside, `"slug":"bench"`, `"slug":"beside"`)
	files := map[string]string{}
	for name, text := range map[string]string{
		"beside": other.Replace(t.generated(100)), "new": shop, "again": shop,
		"changed": strings.ReplaceAll(shop, `"titleFa":"`, `"titleFa":"نو `), "moved": belowANewOne(shop),
	} {
		files[name] = t.File(name+".json", []byte(text))
	}
	return files
}

func (t *trial) generated(products int) string {
	var text strings.Builder
	must.Do(catalog.Write(&text, products))
	return text.String()
}

// belowANewOne returns a bundle that moves all categories of the first level below a new one.
func belowANewOne(shop string) string {
	var all struct {
		Categories []struct{ EntityType, Slug, ParentSlug string }
	}
	must.Do(json.Unmarshal([]byte(shop), &all))
	var text strings.Builder
	fmt.Fprintf(&text, `{"format":"storefront-bundle/1","tenant":{"domain":%q},"categories":[`, large)
	text.WriteString(`{"entityType":"product","slug":"all","name":"All","nameFa":"همه"}`)
	for _, c := range all.Categories {
		if c.ParentSlug == "" {
			fmt.Fprintf(&text, `,{"entityType":"product","slug":%q,"parentSlug":"all"}`, c.Slug)
		}
	}
	text.WriteString("]}")
	return text.String()
}
