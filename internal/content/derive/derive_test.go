package derive_test

import (
	"bytes"
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/listing"
	"storefront/ent/product"
	"storefront/internal/content/derive"
	"storefront/internal/database/store"
	"storefront/internal/database/store/storetest"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
)

// shop is a tenant with three nested categories, and two products in the lowest.
type shop struct {
	*store.Store
	ctx        context.Context
	tenant     uuid.UUID
	categories [3]*ent.Category
	products   [2]*ent.Product
}

var published = time.Date(2026, 3, 21, 8, 0, 0, 0, time.UTC)

func newShop(t *testing.T, s *store.Store, name string) *shop {
	t.Helper()
	tenant := s.Client.Tenant.Create().SetDomain(name + ".ir").SetSlug(name).SetName(name).SetNameFa(name).
		SaveX(t.Context())
	made := &shop{Store: s, ctx: derive.Alone(tenancy.In(t.Context(), tenant.ID)), tenant: tenant.ID}
	var above *uuid.UUID
	for i, slug := range []string{"top", "middle", "low"} {
		made.categories[i] = s.Client.Category.Create().SetTenantID(tenant.ID).SetEntityType(record.Product).
			SetSlug(slug).SetName(slug).SetNameFa(slug).
			SetNillableParentID(above).SaveX(made.ctx)
		above = &made.categories[i].ID
	}
	for i, slug := range []string{"one", "two"} {
		made.products[i] = s.Client.Product.Create().SetTenantID(tenant.ID).SetSlug(slug).SetTitleFa(slug).
			SetSearchText(slug).
			SetTagKeys([]string{"red", "ab"}).SetPublishedAt(published).SetCategoryID(*above).SaveX(made.ctx)
	}
	return made
}

func (s *shop) variant(p *ent.Product, sku string, price int64, onSale bool) *ent.Variant {
	return s.Client.Variant.Create().SetTenantID(s.tenant).SetProductID(p.ID).SetSku(sku).SetPrice(price).
		SetPriceCurrency("IRR").
		SetOnSale(onSale).SetSkuText(derive.SKUText(sku)).SaveX(s.ctx)
}

func (s *shop) review(p *ent.Product, rate int, status record.Moderation) {
	s.Client.ExpertReview.Create().SetTenantID(s.tenant).SetProductID(p.ID).SetAuthorName("A").SetText("T").
		SetRate(rate).SetStatus(status).ExecX(s.ctx)
}

func (s *shop) derive(t *testing.T, change *derive.Change) {
	t.Helper()
	if change == nil {
		change = &derive.Change{Changed: s.Client.Product.Query().IDsX(s.ctx)}
	}
	err := derive.InShop(s.ctx, s.Client, s.tenant, func(ctx context.Context, tx *ent.Tx) error {
		if _, err := derive.Records(ctx, tx, s.tenant, *change); err != nil {
			return err
		}
		return derive.Raise(ctx, tx, s.tenant)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// facets returns the facets that a product is listed under, in order.
func (s *shop) facets(p *ent.Product) []string {
	var facets []string
	for _, row := range s.Client.Listing.Query().Where(listing.EntityID(p.ID)).
		Order(ent.Asc(listing.FieldFacet)).AllX(s.ctx) {
		if row.Kind == listing.KindProduct && row.PublishedAt.Equal(s.Client.Product.GetX(s.ctx,
			p.ID).PublishedAt) {
			facets = append(facets, row.Facet)
		}
	}
	return facets
}

// under returns the facets of a product in the lowest category.
func (s *shop) under(categories ...*ent.Category) []string {
	facets := []string{"tag:ab", "tag:red"}
	for _, c := range categories {
		facets = append(facets, "category:"+c.ID.String())
	}
	slices.Sort(facets)
	return facets
}

func each(t *testing.T, f func(t *testing.T, s *store.Store)) {
	storetest.Migrated.Each(t, func(t *testing.T, url string) { f(t, storetest.Open(t, url)) })
}

func TestTenant(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		a, b := newShop(t, s, "a"), newShop(t, s, "b")
		one, two := a.products[0], a.products[1]
		cheap, dear, off := a.variant(one, "A-1", 5, true), a.variant(one, "A-2", 9, true),
			a.variant(one, "A-3", 1, false)
		a.review(one, 8, record.Approved)
		a.review(one, 3, record.Approved)
		a.review(one, 1, record.Pending)
		a.derive(t, nil)

		got := s.Client.Product.GetX(a.ctx, one.ID)
		if *got.PriceMin != 5 || *got.PriceMax != 9 || *got.PriceCurrency != "IRR" || !got.InStore ||
			got.RatingSum != 11 || got.RatingCount != 2 {
			t.Errorf("the product is %v", got)
		}
		if got := s.Client.Product.GetX(a.ctx, two.ID); got.PriceMin != nil || got.InStore || got.RatingCount != 0 {
			t.Errorf("the product without variants is %v", got)
		}
		for _, v := range []*ent.Variant{cheap, dear} {
			if got := s.Client.Variant.GetX(a.ctx, v.ID); got.ListedAt == nil || !got.ListedAt.Equal(published) ||
				got.SearchText != derive.VariantText("one", v.SkuText) {
				t.Errorf("the variant is %v", got)
			}
		}
		if got := s.Client.Variant.GetX(a.ctx, off.ID); got.ListedAt != nil || got.SearchText != "one a3" {
			t.Errorf("the variant off sale is %v", got)
		}
		if got, want := a.facets(two), a.under(a.categories[:]...); !slices.Equal(got, want) {
			t.Errorf("the product stands under %v, want %v", got, want)
		}
		if got := s.Client.Tenant.GetX(a.ctx, a.tenant).ContentVersion; got != 1 {
			t.Errorf("the version is %d", got)
		}
		if n := s.Client.Listing.Query().CountX(b.ctx); n != 0 || s.Client.Tenant.GetX(b.ctx, b.tenant).
			ContentVersion != 0 {
			t.Errorf("another tenant has %d listings", n)
		}
	})
}

func TestRecords(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		a, b := newShop(t, s, "a"), newShop(t, s, "b")
		one, two := a.products[0], a.products[1]
		sold := a.variant(one, "A-1", 5, true)
		a.derive(t, &derive.Change{Changed: []uuid.UUID{one.ID, b.products[0].ID}})
		if len(a.facets(one)) != 5 || len(a.facets(two)) != 0 || len(b.facets(b.products[0])) != 0 {
			t.Errorf("after an addition they stand under %v, %v, %v", a.facets(one), a.facets(two),
				b.facets(b.products[0]))
		}
		b.derive(t, nil)

		later := published.Add(time.Hour)
		s.Client.Product.UpdateOne(one).SetPublishedAt(later).SetCategoryID(a.categories[0].ID).
			SetSearchText("new").ExecX(a.ctx)
		a.derive(t, &derive.Change{Changed: []uuid.UUID{one.ID, b.products[1].ID}})
		if got, want := a.facets(one), a.under(a.categories[0]); !slices.Equal(got, want) {
			t.Errorf("after a change it stands under %v, want %v", got, want)
		}
		if got := s.Client.Variant.GetX(a.ctx, sold.ID); !got.ListedAt.Equal(later) || got.SearchText != "new a1" {
			t.Errorf("after a change its variant is %v", got)
		}

		s.Client.Product.UpdateOne(one).SetStatus(record.Draft).ExecX(a.ctx)
		a.derive(t, &derive.Change{Changed: []uuid.UUID{one.ID}})
		if got := s.Client.Variant.GetX(a.ctx, sold.ID); len(a.facets(one)) != 0 || got.ListedAt != nil {
			t.Errorf("a draft stands under %v, its variant is %v", a.facets(one), got)
		}

		a.derive(t, &derive.Change{Changed: []uuid.UUID{two.ID}})
		s.Client.Product.Delete().Where(product.ID(two.ID)).ExecX(a.ctx)
		a.derive(t, &derive.Change{Changed: []uuid.UUID{two.ID}})
		if n := s.Client.Listing.Query().CountX(a.ctx); n != 0 {
			t.Errorf("a product that is gone stands in %d lists", n)
		}
		if len(b.facets(b.products[1])) != 5 || s.Client.Tenant.GetX(a.ctx, a.tenant).ContentVersion != 5 {
			t.Errorf("another tenant's product stands under %v", b.facets(b.products[1]))
		}
	})
}

func TestCircle(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		a := newShop(t, s, "a")
		s.Client.Category.UpdateOne(a.categories[0]).SetParentID(a.categories[2].ID).ExecX(a.ctx)
		a.derive(t, nil)
		if got, want := a.facets(a.products[0]), a.under(a.categories[:]...); !slices.Equal(got, want) {
			t.Errorf("it stands under %v, want %v", got, want)
		}
	})
}

func TestText(t *testing.T) {
	if got := derive.SearchText("کتاب\u200cخانه", "", "The Book 12"); got != "کتابخانه thebook12" {
		t.Errorf("the search text is %q", got)
	}
	if got := derive.VariantText("book", derive.SKUText("AB-12/c")); got != "book ab12c" {
		t.Errorf("the variant's text is %q", got)
	}
	if got := derive.TagKeys([]string{"Red", " red ", "-", "كتاب", "کتاب", "C#", "c++"}); !slices.Equal(got,
		[]string{"red", "کتاب", "c#", "c++"}) {
		t.Errorf("the tag keys are %q", got)
	}
}

// TestTitlesAreSorted sorts titles, some of which are prefixes of longer ones.
func TestTitlesAreSorted(t *testing.T) {
	titles := [][2]string{ // Farsi and English, in order
		{"۹", ""}, {"با", "Z"}, {"بی", ""}, {"ب中", "A"}, {"پا", ""}, {"پرده", ""},
		{"پرده", "Curtain"}, {"پرده ۱۲", ""}, {"پرده ۱۲", "Curtain 12"},
		{"پردهٔ آبی", "Blue curtain"}, {"پرز", ""}, {"کوه", ""},
		{"گوه", ""}, {"ویلا", ""}, {"هتل", ""},
	}
	for i := range titles[1:] {
		a, b := derive.SearchText(titles[i][:]...), derive.SearchText(titles[i+1][:]...)
		if bytes.Compare(derive.SortTitle(a), derive.SortTitle(b)) >= 0 {
			t.Errorf("%s comes not before %s", a, b)
		}
	}
	for _, c := range []struct {
		begin, title string
		in           bool
	}{
		{"ب", "بی", true}, {"ب", "ب中", true}, {"ب", "پا", false}, {"پ", "پا", true}, {"پ", "بی", false},
		{"بگ", "بگو", true}, {"بک", "بگو", false}, {"بک", "بکوب", true}, {"و", "هتل", false},
		{"پرده", "پرده", true},
	} {
		first, end := derive.TitlesFrom(c.begin)
		key := derive.SortTitle(derive.SearchText(c.title, "English"))
		if in := bytes.Compare(first, key) <= 0 && bytes.Compare(key, end) < 0; in != c.in {
			t.Errorf("%s begins with %s: %v, want %v", c.title, c.begin, in, c.in)
		}
	}
}
