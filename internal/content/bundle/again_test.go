package bundle_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"testing"

	"storefront/ent"
	"storefront/ent/brand"
	"storefront/ent/product"
	"storefront/ent/tenant"
	"storefront/ent/variant"
	"storefront/internal/content/bundle"
	"storefront/internal/content/document"
	"storefront/internal/database/store"
	"storefront/internal/database/tenancy"
)

// text returns an Opener of a bundle given as text.
func text(bundleText string) bundle.Opener { return bundle.Bytes([]byte(bundleText)) }

// shop is a small bundle with all members.
const shop = `{"format":"storefront-bundle/1",
"tenant":{"domain":"shop.ir","slug":"shop","name":"Shop","nameFa":"فروشگاه","primaryColor":"#aabbcc",` +
	`"defaultLocale":"fa",
 "logoUrl":"/logo.png"},
"profile":{"about":"About","phones":["021"],"addresses":[{"address":"Azadi","latitude":35.7,"longitude":51.3}],
 "socialLinks":[{"type":"instagram","url":"https://i.example/shop"}]},
"brands":[{"slug":"b1","name":"B1","nameFa":"ب۱","logoUrl":"/b1.png"},{"slug":"b2","name":"B2","nameFa":"ب۲"}],
"categories":[{"entityType":"product","slug":"sub","parentSlug":"top","name":"Sub","nameFa":"زیر"},
 {"entityType":"product","slug":"top","name":"Top","nameFa":"رو","form":{"title":"F","titleFa":"ف",
  "fields":[{"key":"w","label":"W","labelFa":"و","type":"number","unit":"kg"}]}},
 {"entityType":"blog","slug":"top","name":"News","nameFa":"خبر"}],
"products":[{"slug":"p1","titleFa":"کتاب","titleEn":"Book","summary":"S","category":"sub","brand":"b1",` +
	`"tags":["Tag","كتاب"],
 "images":[{"url":"/1.jpg"},{"mediaId":"m2","url":"/2.jpg","alt":"two"}],"seo":{"title":"SEO"},` +
	`"publishedAt":"2026-01-01T00:00:00Z",
  "values":{"w":1.50},
 "variations":[{"key":"size","name":"Size","nameFa":"اندازه","values":[{"key":"s","label":"S","labelFa":"S"},
  {"key":"l","label":"L","labelFa":"L","colorHex":"#000000"}]}],
 "variants":[{"sku":"P1-S","options":{"size":"s"},"price":12.5,"compareAtPrice":20,"priceCurrency":"USD","stock":7,` +
	`"taxCategory":"books"},{"sku":"P1-L",
  "options":{"size":"l"},"priceCurrency":"USD","onSale":false}]},
 {"slug":"p2","titleFa":"P2","status":"draft"}],
"userProducts":[{"slug":"u1","titleFa":"تراش","description":"D","price":1000,"priceCurrency":"IRT",` +
	`"condition":"needs_repair",
 "category":"sub","city":"tehran","values":{"w":3}}],
"blogs":[{"slug":"n1","type":"news","titleFa":"خبر","body":"Body","category":"top","authorName":"A"}],
"portfolios":[{"slug":"w1","titleFa":"کار","body":"Body","clientName":"C","completedOn":"2025-12-31"}],
"sliders":[{"key":"home","slides":[{"imageUrl":"/b.png","position":2},{"imageUrl":"/a.png","position":1,"title":"A"}]}],
"categoryGroups":[{"key":"g","title":"G","categories":["top","sub"]}],
"brandGroups":[{"key":"g","title":"G","brands":["b2","b1"]}],
"deliveryMethods":[{"key":"post","name":"Post","nameFa":"پست","kind":"steps","priceCurrency":"IRT",` +
	`"provinces":["tehran"],"cities":["tehran"],"steps":[{"upTo":1000,"price":40000}],"freeFrom":900000,"daysFrom":1,` +
	`"daysTo":3,"position":2,"active":false}],
"taxRates":[{"key":"vat","category":"standard","name":"VAT","nameFa":"مالیات","rate":90000,"until":"2026-03-21"},
 {"key":"books","category":"books","name":"None","nameFa":"هیچ","rate":0,"from":"2026-03-21"}],
"specials":[{"key":"s","title":"S","startsAt":"2026-01-01T00:00:00Z","endsAt":"2026-02-01T00:00:00Z",` +
	`"variants":["P1-L","P1-S"]}],
"comments":[{"entityType":"product","entity":"p1","authorName":"Ali","authorEmail":"ali@x.ir","text":"خوب",
 "createdAt":"2026-01-02T00:00:00.123456Z"},
 {"entityType":"blog","entity":"n1","authorName":"Ali","text":"خوب","status":"pending",` +
	`"createdAt":"2026-01-02T00:00:00Z"}],
"expertReviews":[{"product":"p1","authorName":"Ali","rate":8,"positivePoints":["a","b"],"negativePoints":[],
 "text":"خوب","createdAt":"2026-01-02T00:00:00Z"}]}`

// content returns a tenant's records with their ids, times of change and content version, which an import
// without changes must not change.
func content(t *testing.T, s *store.Store, domain string) string {
	t.Helper()
	ctx := t.Context()
	shop := s.Client.Tenant.Query().Where(tenant.Domain(domain)).OnlyX(ctx)
	var all strings.Builder
	write(&all, []*ent.Tenant{shop})
	ctx = tenancy.In(ctx, shop.ID)
	write(&all, s.Client.BusinessProfile.Query().AllX(ctx))
	write(&all, s.Client.Brand.Query().Order(ent.Asc("id")).AllX(ctx))
	write(&all, s.Client.Category.Query().Order(ent.Asc("id")).AllX(ctx))
	write(&all, s.Client.Product.Query().Order(ent.Asc("id")).AllX(ctx))
	write(&all, s.Client.Variant.Query().Order(ent.Asc("id")).AllX(ctx))
	write(&all, s.Client.UserProduct.Query().Order(ent.Asc("id")).AllX(ctx))
	write(&all, s.Client.Blog.Query().Order(ent.Asc("id")).AllX(ctx))
	write(&all, s.Client.Portfolio.Query().Order(ent.Asc("id")).AllX(ctx))
	write(&all, s.Client.Slider.Query().Order(ent.Asc("id")).AllX(ctx))
	write(&all, s.Client.CategoryGroup.Query().Order(ent.Asc("id")).AllX(ctx))
	write(&all, s.Client.BrandGroup.Query().Order(ent.Asc("id")).AllX(ctx))
	write(&all, s.Client.StoreSpecial.Query().Order(ent.Asc("id")).AllX(ctx))
	rates, err := s.Client.TaxRate.Query().Order(ent.Asc("id")).All(ctx)
	if err != nil {
		t.Fatal(err)
	}
	write(&all, rates)
	write(&all, s.Client.Comment.Query().Order(ent.Asc("id")).AllX(ctx))
	write(&all, s.Client.ExpertReview.Query().Order(ent.Asc("id")).AllX(ctx))
	write(&all, s.Client.Listing.Query().Order(ent.Asc("id")).AllX(ctx))
	return all.String()
}

func write[R any](all *strings.Builder, rows []R) {
	for _, row := range rows {
		line, err := json.Marshal(row)
		if err != nil {
			panic(err)
		}
		all.Write(append(line, '\n'))
	}
}

func TestAgain(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store) {
		first := mustImport(t, s, text(shop))
		if !first.Created || first.Domain != "shop.ir" ||
			first.Sections["comments"] != (bundle.Counts{Created: 2}) {
			t.Errorf("the first import: %+v", first)
		}
		before := content(t, s, "shop.ir")
		again := mustImport(t, s, text(shop))
		if again.Changed() || again.Created || again.Tenant != first.Tenant {
			t.Errorf("the second import: %+v", again)
		}
		for section, counts := range again.Sections {
			if counts.Unchanged != first.Sections[section].Created {
				t.Errorf("%s: got %+v, want %d unchanged", section, counts, first.Sections[section].Created)
			}
		}
		if after := content(t, s, "shop.ir"); after != before {
			t.Errorf("the second import changed %s", firstDifference([]byte(after), []byte(before)))
		}
	})
}

// TestPartial checks that members in a bundle are updated with stable ids, absent ones are unchanged, and
// null clears.
func TestPartial(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store) {
		ctx := tenancy.In(t.Context(), mustImport(t, s, text(shop)).Tenant)
		before := s.Client.Product.Query().Where(product.Slug("p1")).OnlyX(ctx)
		small := s.Client.Variant.Query().Where(variant.Sku("P1-S")).OnlyX(ctx)
		slider := s.Client.Slider.Query().OnlyX(ctx)
		summary := mustImport(t, s, text(`{"format":"storefront-bundle/1","tenant":{"domain":"shop.ir","logoUrl":null},
			"brands":[{"slug":"b1","logoUrl":null,"name":null}],
			"products":[{"slug":"p1","titleFa":"کتاب نو","titleEn":null,"summary":"","brand":null,`+
			`"seo":{"description":"D"},
			"images":[{"url":"/0.jpg"},{"url":"/1.jpg"}],
			"variations":[{"key":"size","name":"Size","nameFa":"اندازه",`+
			`"values":[{"key":"xl","label":"XL","labelFa":"XL"},
			{"key":"s","label":"Small","labelFa":"S"}]}],
			"variants":[{"sku":"P1-S","price":10}]}],"sliders":[{"key":"home","slides":[{"imageUrl":"/c.png"}]}]}`))
		want := map[string]bundle.Counts{"tenant": {Updated: 1}, "brands": {Updated: 1}, "products": {Updated: 1},
			"variants": {Updated: 1}, "sliders": {Updated: 1}}
		if !maps.Equal(summary.Sections, want) {
			t.Errorf("the sections are %+v", summary.Sections)
		}
		shop := s.Client.Tenant.Query().OnlyX(ctx)
		if shop.LogoURL != nil || *shop.PrimaryColor != "#aabbcc" || shop.Name != "Shop" ||
			shop.ContentVersion != 2 {
			t.Errorf("the tenant is %v", shop)
		}
		if one := s.Client.Brand.Query().Where(brand.Slug("b1")).OnlyX(ctx); one.LogoURL != nil ||
			one.Name != "B1" {
			t.Errorf("the brand is %v", one)
		}
		after := s.Client.Product.Query().Where(product.Slug("p1")).OnlyX(ctx)
		if after.ID != before.ID || after.TitleEn != nil || after.Summary != nil || after.BrandID != nil ||
			*after.CategoryID != *before.CategoryID ||
			*after.Seo.Title != "SEO" || *after.Seo.Description != "D" || after.SearchText != "کتابنو" ||
			*after.PriceMin != 1000 ||
			!after.CreatedAt.Equal(before.CreatedAt) || !after.UpdatedAt.After(before.UpdatedAt) {
			t.Errorf("the product is %v", after)
		}
		if len(after.Images) != 2 || after.Images[1].MediaID != before.Images[0].MediaID ||
			after.Images[0].MediaID == "" {
			t.Errorf("got the images %+v, want those of before: %+v", after.Images, before.Images)
		}
		size := after.Variations[0]
		if size.ID != before.Variations[0].ID || size.Values[1].ID != before.Variations[0].Values[0].ID ||
			size.Values[1].Label != "Small" ||
			size.Values[0].ID == before.Variations[0].Values[1].ID {
			t.Errorf("the variations were %+v, and are %+v", before.Variations, after.Variations)
		}
		if one := s.Client.Variant.GetX(ctx, small.ID); *one.Price != 1000 || *one.CompareAtPrice != 2000 ||
			one.Stock != 7 || *one.PriceMilli != 10_000 || one.SearchText != "کتابنو p1s" {
			t.Errorf("the variant is %v", one)
		}
		if other := s.Client.Variant.Query().Where(variant.Sku("P1-L")).
			OnlyX(ctx); other.SearchText != "کتابنو p1l" || other.ListedAt != nil {
			t.Errorf("the variant that is not in the file is %v", other)
		}
		if slides := s.Client.Slider.Query().OnlyX(ctx).Slides; len(slides) != 1 ||
			slides[0].ID != slider.Slides[0].ID || slides[0].Title != nil || slides[0].ImageURL != "/c.png" {
			t.Errorf("the slides are %+v", slides)
		}
	})
}

// shuffled returns shop with its members in reverse order.
func shuffled() string {
	lines := strings.Split(strings.Trim(shop, "{}"), ",\n\"")
	var members []string
	for i := len(lines) - 1; i >= 0; i-- {
		members = append(members, `"`+strings.TrimPrefix(lines[i], `"`))
	}
	return "{" + strings.Join(members, ",\n") + "}"
}

func TestOrderOfMembers(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store) {
		if strings.Index(shuffled(), `"format"`) < strings.Index(shuffled(), `"tenant"`) {
			t.Fatalf("the format does not come last: %s", shuffled())
		}
		mustImport(t, s, text(shuffled()))
		if again := mustImport(t, s, text(shop)); len(again.Sections) != 17 ||
			again.Sections["products"] != (bundle.Counts{Unchanged: 2}) {
			t.Errorf("in another order it is another content: %+v", again)
		}
	})
}

func TestSecondTenant(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store) {
		mustImport(t, s, text(shop))
		before := content(t, s, "shop.ir")
		other := strings.Replace(shop, `"domain":"shop.ir"`, `"domain":"other.ir"`, 1)
		_, err := bundle.Import(t.Context(), s, text(other), nil)
		if err == nil || !strings.Contains(err.Error(),
			"\n  tenant.slug: is the one of another tenant (line 2, column 38)") {
			t.Errorf("the import gives %v", err)
		}
		other = strings.Replace(other, `"slug":"shop"`, `"slug":"other"`, 1)
		bad := strings.Replace(other, `"rate":8`, `"rate":80`, 1)
		if _, err := bundle.Import(t.Context(), s, text(bad), nil); err == nil {
			t.Error("a bad bundle is imported")
		}
		bad = strings.Replace(shop, `"rate":8`, `"rate":80`, 1)
		if _, err := bundle.Import(t.Context(), s, text(strings.Replace(bad, "About", "Changed", 1)),
			nil); err == nil {
			t.Error("a bad bundle is imported")
		}
		if after := content(t, s, "shop.ir"); after != before || s.Client.Tenant.Query().CountX(t.Context()) != 1 {
			t.Errorf("bad bundles changed %s", firstDifference([]byte(after), []byte(before)))
		}
		want := strings.Replace(string(export(t, s, "shop.ir")), `"domain":"shop.ir","slug":"shop"`,
			`"domain":"other.ir","slug":"other"`, 1)
		mustImport(t, s, text(want))
		if after := content(t, s, "shop.ir"); after != before {
			t.Errorf("another tenant's bundle changed %s", firstDifference([]byte(after), []byte(before)))
		}
		if got := export(t, s, "other.ir"); string(got) != want {
			t.Errorf("the tenants differ: %s", firstDifference(got, []byte(want)))
		}
	})
}

func TestGzip(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store) {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		if _, err := w.Write([]byte(shop)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		cut := packed.Bytes()[:packed.Len()-20]
		_, err := bundle.Import(t.Context(), s, bundle.Bytes(cut), nil)
		if _, isFault := errors.AsType[*document.Faults](err); err == nil || isFault {
			t.Errorf("half a file gives %v", err)
		}
		checkEmpty(t, s)
		mustImport(t, s, bundle.Bytes(packed.Bytes()))
	})
}

func TestExportUnknown(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store) {
		if err := bundle.Export(t.Context(), s, "nobody.ir", new(bytes.Buffer)); !ent.IsNotFound(err) {
			t.Errorf("the export gives %v", err)
		}
	})
}
