package bundle_test

import (
	"bytes"
	"errors"
	"testing"

	"storefront/ent/variant"
	"storefront/internal/content/bundle"
	"storefront/internal/content/document"
	"storefront/internal/database/store"
	"storefront/internal/database/store/storetest"
	"storefront/internal/database/tenancy"
	"storefront/internal/demo"
)

// export returns the bundle of a tenant.
func export(t *testing.T, s *store.Store, domain string) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := bundle.Export(t.Context(), s, domain, &out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// mustImport imports a bundle that has no fault.
func mustImport(t *testing.T, s *store.Store, open bundle.Opener) bundle.Summary {
	t.Helper()
	summary, err := bundle.Import(t.Context(), s, open, nil)
	if err != nil {
		t.Fatal(err)
	}
	return summary
}

// TestRoundTrip checks that an export imported into an empty database, of either kind, is exported as the
// same bytes.
func TestRoundTrip(t *testing.T) {
	for _, one := range append(demo.Bundles(), demo.Bundle{Domain: "shop.ir", Data: []byte(shop)}) {
		t.Run(one.Domain, func(t *testing.T) {
			first := storetest.Open(t, storetest.Migrated.SQLite(t))
			domain := mustImport(t, first, bundle.Bytes(one.Data)).Domain
			want := export(t, first, domain)
			storetest.Migrated.Each(t, func(t *testing.T, url string) {
				s := storetest.Open(t, url)
				mustImport(t, s, bundle.Bytes(want))
				if got := export(t, s, domain); !bytes.Equal(got, want) {
					t.Errorf("it comes out another way: %s", firstDifference(got, want))
				}
				if again := mustImport(t, s, bundle.Bytes(want)); again.Changed() {
					t.Errorf("importing it again changes what is there: %+v", again)
				}
			})
		})
	}
}

// TestUnseenTextsTravel checks that a shop with names of earlier versions, in which nothing is visible, can still be
// imported as it was exported.
func TestUnseenTextsTravel(t *testing.T) {
	given := []byte(`{"format": "storefront-bundle/1",
		"tenant": {"domain": "lamps.example", "slug": "lamps", "name": "Lamps", "nameFa": "چراغ‌ها",
			"defaultLocale": "fa"},
		"brands": [{"slug": "sun", "name": "\u202e", "nameFa": "\u200c"}],
		"products": [{"slug": "lamp", "titleFa": "\u202e", "titleEn": "\u2060", "status": "draft"}]}`)
	storetest.Migrated.Each(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url)
		mustImport(t, s, bundle.Bytes(given))
		want := export(t, s, "lamps.example")
		if !bytes.Contains(want, []byte("\u2060")) {
			t.Errorf("got an export without the English title: %s", want)
		}
		if again := mustImport(t, s, bundle.Bytes(want)); again.Changed() {
			t.Errorf("importing the export changes what is there: %+v", again)
		}
	})
}

// TestExportsGiveNoStockBack imports an export after a sale: only a stock that was changed in the file counts, and
// not if the shop has sold meanwhile.
func TestExportsGiveNoStockBack(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store) {
		ctx := tenancy.In(t.Context(), mustImport(t, s, text(shop)).Tenant)
		whole := export(t, s, "shop.ir")
		more := bytes.Replace(whole, []byte(`"stock":7`), []byte(`"stock":9`), 1)
		set := func(stock int) {
			_, err := s.Client.ExecContext(ctx, "UPDATE variants SET stock = $1 WHERE sku = 'P1-S'", stock)
			if err != nil {
				t.Fatal(err)
			}
		}
		left := func(want int) {
			t.Helper()
			if got := s.Client.Variant.Query().Where(variant.Sku("P1-S")).OnlyX(ctx).Stock; got != want {
				t.Errorf("got %d in stock, want %d", got, want)
			}
		}
		set(4)
		if again := mustImport(t, s, bundle.Bytes(whole)); again.Changed() {
			t.Errorf("importing the export changes what is there: %+v", again)
		}
		left(4)
		_, err := bundle.Import(t.Context(), s, bundle.Bytes(more), nil)
		refused, _ := errors.AsType[*document.Faults](err)
		if refused == nil || len(refused.List) != 1 || refused.List[0].Path != "products[0].variants[0].stock" {
			t.Errorf("got %v, want a fault of the stock", err)
		}
		left(4)
		set(7)
		mustImport(t, s, bundle.Bytes(more))
		left(9)
		mustImport(t, s, text(change(`"products":[{"slug":"p1","variants":[{"sku":"P1-S","stock":2}]}]`)))
		left(2)
	})
}

// firstDifference returns the first line in which two texts differ.
func firstDifference(got, want []byte) string {
	gotLines, wantLines := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range min(len(gotLines), len(wantLines)) {
		if !bytes.Equal(gotLines[i], wantLines[i]) {
			return string(gotLines[i]) + "\nwant " + string(wantLines[i])
		}
	}
	return "one is longer"
}
