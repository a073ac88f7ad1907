package catalog_test

import (
	"bytes"
	"testing"

	"storefront/cmd/bench/catalog"
	"storefront/internal/content/bundle"
	"storefront/internal/database/store/storetest"
)

func TestShopIsTheSameEachTimeAndCanBeImported(t *testing.T) {
	var first, second bytes.Buffer
	for _, b := range []*bytes.Buffer{&first, &second} {
		if err := catalog.Write(b, 300); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("two shops of one size differ")
	}
	s := storetest.Open(t, storetest.Migrated.SQLite(t))
	summary, err := bundle.Import(t.Context(), s, bundle.Bytes(first.Bytes()), nil)
	if err != nil {
		t.Fatal(err)
	}
	for section, want := range map[string]int{"products": 300, "variants": 450, "brands": 200,
		"categories": 248} {
		if got := summary.Sections[section].Created; got != want {
			t.Errorf("%s: %d, want %d", section, got, want)
		}
	}
}
