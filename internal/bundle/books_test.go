package bundle_test

import (
	"maps"
	"testing"

	"storefront/internal/bundle"
	"storefront/internal/store"
)

// books are 10,000 products with 15,000 variants of 3,852 brands in 85 categories.
var books = bundle.File("../../data/books.bundle.json.gz")

func TestBooks(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store) {
		var last bundle.Progress
		first, err := bundle.Import(t.Context(), s, books, func(p bundle.Progress) { last = p })
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]bundle.Counts{"tenant": {Created: 1}, "brands": {Created: 3852},
			"categories": {Created: 85},
			"products":   {Created: 10000}, "variants": {Created: 15000}}
		if !maps.Equal(first.Sections, want) || !first.Created {
			t.Errorf("the first import: %+v", first)
		}
		if last != (bundle.Progress{Section: "products", Done: 10000, Total: 10000}) {
			t.Errorf("the last progress is %+v", last)
		}
		again, err := bundle.Import(t.Context(), s, books, nil)
		if err != nil {
			t.Fatal(err)
		}
		want = map[string]bundle.Counts{"tenant": {Unchanged: 1}, "brands": {Unchanged: 3852},
			"categories": {Unchanged: 85},
			"products":   {Unchanged: 10000}, "variants": {Unchanged: 15000}}
		if !maps.Equal(again.Sections, want) || again.Created || again.Changed() || again.Tenant != first.Tenant {
			t.Errorf("the second import: %+v", again)
		}
	})
}
