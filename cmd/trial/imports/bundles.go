package imports

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"storefront/cmd/bench/catalog"
)

const (
	beside = "beside.example" // a small shop
	large  = catalog.Domain   // the shop that is imported
)

// write writes the bundles and returns their names by what is imported.
func (t *trial) write() (map[string]string, error) {
	files := map[string]string{}
	var text strings.Builder
	keep := func(name, text string) (err error) {
		files[name], err = t.File(name+".json", []byte(text))
		return err
	}
	if err := catalog.Write(&text, 100); err != nil {
		return nil, err
	}
	small := strings.NewReplacer(large, beside, `"slug":"bench"`, `"slug":"beside"`).Replace(text.String())
	text.Reset()
	if err := catalog.Write(&text, t.products); err != nil {
		return nil, err
	}
	moved, err := belowANewOne(text.String())
	return files, errors.Join(err, keep("beside", small), keep("new", text.String()), keep("again", text.String()),
		keep("changed", strings.ReplaceAll(text.String(), `"titleFa":"`, `"titleFa":"نو `)), keep("moved", moved))
}

// belowANewOne returns a bundle that moves all categories of the first level below a new one.
func belowANewOne(shop string) (string, error) {
	var all struct {
		Categories []struct{ EntityType, Slug, ParentSlug string }
	}
	if err := json.Unmarshal([]byte(shop), &all); err != nil {
		return "", err
	}
	var text strings.Builder
	fmt.Fprintf(&text, `{"format":"storefront-bundle/1","tenant":{"domain":%q},"categories":[`, large)
	text.WriteString(`{"entityType":"product","slug":"all","name":"All","nameFa":"همه"}`)
	for _, c := range all.Categories {
		if c.ParentSlug == "" {
			fmt.Fprintf(&text, `,{"entityType":"product","slug":%q,"parentSlug":"all"}`, c.Slug)
		}
	}
	text.WriteString("]}")
	return text.String(), nil
}
