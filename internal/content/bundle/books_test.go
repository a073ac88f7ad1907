package bundle_test

import (
	"bytes"
	"maps"
	"testing"

	"storefront/internal/content/bundle"
	"storefront/internal/database/store"
)

// books are 10,000 products with 15,000 variants of 3,852 brands in 85 categories.
var books = bundle.File("../../../data/books.bundle.json.gz")

// TestBooks imports the books, exports them, and imports the export over them, which changes nothing. Both
// databases export the same bytes.
func TestBooks(t *testing.T) {
	var exported []byte
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
		if last != (bundle.Progress{Section: "products", Done: 10000, Total: 10000, Writing: true}) {
			t.Errorf("the last progress is %+v", last)
		}
		got := export(t, s, first.Domain)
		if exported == nil {
			exported = got
		} else if !bytes.Equal(got, exported) {
			t.Errorf("the databases export different bundles: %s", firstDifference(got, exported))
		}
		again := mustImport(t, s, bundle.Bytes(exported))
		want = map[string]bundle.Counts{"tenant": {Unchanged: 1}, "brands": {Unchanged: 3852},
			"categories": {Unchanged: 85},
			"products":   {Unchanged: 10000}, "variants": {Unchanged: 15000}}
		if !maps.Equal(again.Sections, want) || again.Created || again.Changed() || again.Tenant != first.Tenant {
			t.Errorf("the second import: %+v", again)
		}
	})
}
