package bundle_test

import (
	"context"
	"slices"
	"testing"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/listing"
	"storefront/ent/product"
	"storefront/ent/userproduct"
	"storefront/ent/variant"
	"storefront/internal/content/derive"
	"storefront/internal/database/store"
	"storefront/internal/database/tenancy"
)

// change returns a bundle of the tenant of shop with some members.
func change(members string) string {
	return `{"format":"storefront-bundle/1","tenant":{"domain":"shop.ir"},` + members + `}`
}

// TestFaultsOfUpdates checks the faults that depend on existing records.
func TestFaultsOfUpdates(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store) {
		mustImport(t, s, text(shop))
		before := content(t, s, "shop.ir")
		for _, c := range []faultCase{
			{"another currency, old prices",
				change(`"products":[{"slug":"p1","variants":[{"sku":"P1-S","priceCurrency":"EUR","price":5}]}],
				"userProducts":[{"slug":"u1","priceCurrency":"IRR"}]`), `
products[0].variants[0].priceCurrency: changes from USD to EUR, so that compareAtPrice must be given too
userProducts[0].priceCurrency: changes from IRT to IRR, so that price must be given too`},
			{"another currency than the others",
				change(`"products":[{"slug":"p1","variants":[{"sku":"P1-XL","priceCurrency":"EUR"}]}]`),
				`products[0]: would have variants in EUR and USD; a product has one currency`},
			{"a circle with what is there",
				change(`"categories":[{"entityType":"product","slug":"top","parentSlug":"sub"}]`),
				"categories[0].parentSlug: is in a circle, or more than 10 levels deep"},
			{"an end before the start that is there", change(`"specials":[{"key":"s",
			"endsAt":"2025-01-01T00:00:00Z"}]`), "specials[0].endsAt: must end after it starts"},
			{"a value of a field that is no more",
				change(`"categories":[{"entityType":"product","slug":"top","form":{"fields":[]}}],
			"products":[{"slug":"p1","values":{"w":1}}]`),
				"products[0].values.w: is not a field of the category's form"},
			{"a province that the city is not in", change(`"userProducts":[{"slug":"u1","province":"fars"}]`),
				"userProducts[0].province: does not fit: the city tehran is not in the province fars"},
		} {
			t.Run(c.name, func(t *testing.T) {
				compareFaults(t, faultsOf(t, s, c.bundle), c.want)
				if after := content(t, s, "shop.ir"); after != before {
					t.Errorf("it changed %s", firstDifference([]byte(after), []byte(before)))
				}
			})
		}
	})
}

// facets returns the facets of a record's listings.
func facets(ctx context.Context, s *store.Store, kind listing.Kind, slug string) []string {
	var facets []string
	rows := s.Client.Listing.Query().Where(listing.KindEQ(kind),
		listing.EntityID(s.Client.Product.Query().Where(product.Slug(slug)).OnlyIDX(ctx))).
		Order(ent.Asc(listing.FieldFacet)).AllX(ctx)
	for _, row := range rows {
		facets = append(facets, row.Facet)
	}
	return facets
}

// deriveAll derives all of a tenant's content again, without raising its version.
func deriveAll(t *testing.T, s *store.Store, tenant uuid.UUID) {
	t.Helper()
	ctx := tenancy.In(t.Context(), tenant)
	all := slices.Concat(s.Client.Product.Query().IDsX(ctx), s.Client.UserProduct.Query().IDsX(ctx),
		s.Client.Blog.Query().IDsX(ctx), s.Client.Portfolio.Query().IDsX(ctx))
	for _, listed := range s.Client.Listing.Query().AllX(ctx) {
		all = append(all, listed.EntityID)
	}
	err := derive.InShop(ctx, s.Client, tenant, func(ctx context.Context, tx *ent.Tx) error {
		_, err := derive.Records(ctx, tx, tenant, derive.Change{Changed: all})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestDerived checks that the derived data after any change are the same as if they were derived from all
// content again.
func TestDerived(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store) {
		tenant := mustImport(t, s, text(shop)).Tenant
		ctx := tenancy.In(t.Context(), tenant)
		for _, c := range []struct{ name, bundle string }{
			{"nothing", change(`"brands":[]`)},
			{"a product is published",
				change(`"products":[{"slug":"p2","status":"published","category":"sub","tags":["a","A"]}]`)},
			{"a product is withdrawn", change(`"products":[{"slug":"p1","status":"archived"}]`)},
			{"it comes back later",
				change(`"products":[{"slug":"p1","status":"published","publishedAt":"2026-05-05T00:00:00Z"}]`)},
			{"a variant goes off sale",
				change(`"products":[{"slug":"p1","variants":[{"sku":"P1-S","onSale":false}]}]`)},
			{"another one goes on sale",
				change(`"products":[{"slug":"p1","variants":[{"sku":"P1-L","onSale":true,"price":3}]}]`)},
			{"a variant moves to another product",
				change(`"products":[{"slug":"p2","variants":[{"sku":"P1-L","options":{}}]}]`)},
			{"a category moves",
				change(`"categories":[{"entityType":"product","slug":"new","name":"N","nameFa":"N","parentSlug":"top"},
			{"entityType":"product","slug":"sub","parentSlug":"new"}]`)},
			{"a category becomes a root",
				change(`"categories":[{"entityType":"product","slug":"sub","parentSlug":null}]`)},
			{"titles change",
				change(`"products":[{"slug":"p1","titleEn":"Tome"}],"userProducts":[{"slug":"u1",` +
					`"description":null}]`)},
			{"reviews come",
				change(`"expertReviews":[{"product":"p1","authorName":"B","rate":3,"positivePoints":[],` +
					`"negativePoints":[],
			"text":"T"}]`)},
			{"a review is rejected", change(`"expertReviews":[{"product":"p1","authorName":"Ali","text":"خوب",
			"createdAt":"2026-01-02T00:00:00Z","status":"rejected"}]`)},
			{"a blog leaves its category", change(`"blogs":[{"slug":"n1","category":null}]`)},
		} {
			mustImport(t, s, text(c.bundle))
			after := content(t, s, "shop.ir")
			deriveAll(t, s, tenant)
			if anew := content(t, s, "shop.ir"); anew != after {
				t.Errorf("%s: deriving all changes %s", c.name, firstDifference([]byte(anew), []byte(after)))
			}
		}
		one := s.Client.Product.Query().Where(product.Slug("p1")).OnlyX(ctx)
		if one.InStore || one.PriceMin != nil || one.PriceCurrency != nil || one.RatingCount != 1 ||
			one.RatingSum != 3 || one.SearchText != "کتاب tome" {
			t.Errorf("the product is %v", one)
		}
		two := s.Client.Product.Query().Where(product.Slug("p2")).OnlyX(ctx)
		if !two.InStore || *two.PriceMin != 300 || *two.PriceMax != 300 || *two.PriceCurrency != "USD" {
			t.Errorf("the other product is %v", two)
		}
		if moved := s.Client.Variant.Query().Where(variant.Sku("P1-L")).OnlyX(ctx); moved.ProductID != two.ID ||
			moved.SearchText != "p2 p1l" || !moved.ListedAt.Equal(two.PublishedAt) {
			t.Errorf("the variant that moved is %v", moved)
		}
		if got := facets(ctx, s, listing.KindProduct, "p2"); len(got) != 2 ||
			got[0] != "category:"+two.CategoryID.String() || got[1] != "tag:a" {
			t.Errorf("the other product stands under %v", got)
		}
		if place := s.Client.UserProduct.Query().Where(userproduct.Slug("u1")).WithCountry().WithProvince().
			OnlyX(ctx); place.Edges.Country.Slug != "iran" || place.Edges.Province.Slug != "tehran" ||
			place.SearchText != "تراش" {
			t.Errorf("the listing is %v", place)
		}
	})
}
