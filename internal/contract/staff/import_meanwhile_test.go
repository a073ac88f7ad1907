package staff_test

import (
	"strings"
	"testing"

	"storefront/ent/brand"
	"storefront/ent/category"
	"storefront/ent/comment"
	"storefront/ent/product"
	"storefront/ent/tenant"
	"storefront/ent/variant"
	"storefront/internal/content/bundle"
	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// importMeanwhile imports sections of a bundle, and calls meanwhile when the bundle was checked and before it
// is written.
func (r *contentRace) importMeanwhile(t *testing.T, sections string, meanwhile func(),
	options ...bundle.Option) string {
	t.Helper()
	text := `{"format": "storefront-bundle/1", "tenant": {"domain": "tools.example", "primaryColor": "#123456"}, ` +
		sections + `}`
	checked := func(p bundle.Progress) {
		if p.Section == "expertReviews" && !p.Writing { // the last section
			meanwhile()
		}
	}
	if _, err := bundle.Import(t.Context(), r.Store, bundle.Bytes([]byte(text)), checked, options...); err != nil {
		return err.Error()
	}
	return ""
}

const lastSection = `"expertReviews": [{"product": "racer", "authorName": "Last", "rate": 5, "positivePoints": [],
	"negativePoints": [], "text": "T"}]`

// TestImportKeepsWhatStaffDo has staff change a shop between the check of a bundle and its writing. Records
// and members that the bundle does not name keep the changes of staff, those that it names become as it
// says, and deleted records are not created again but reported.
func TestImportKeepsWhatStaffDo(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		r := newContentRace(t, c)
		client := r.Store.Client
		r.must(t, createProduct, shoptest.Members{"slug": "gone", "in": shoptest.Members{"titleFa": "gone",
			"category": "left",
			"variants": []shoptest.Members{{"sku": "GONE", "price": 5, "priceCurrency": "USD"}}}})
		r.must(t, updateProduct, shoptest.Members{"slug": "racer",
			"in": shoptest.Members{"variants": []shoptest.Members{
				{"sku": "RACE-C", "price": 7, "priceCurrency": "USD"}}}})
		r.must(t, `mutation($shop: ID!) {
			createBrand(businessId: $shop, slug: "maker", input: {name: "M", nameFa: "M"}) { id }
				}`, shoptest.Members{})
		refused := r.importMeanwhile(t, `
			"brands": [{"slug": "maker", "name": "Bundle"}],
			"categories": [{"entityType": "product", "slug": "moved", "name": "Bundle"}],
			"products": [
				{"slug": "racer", "titleEn": "Bundle", "summary": "Bundle",
				"variants": [{"sku": "RACE-B", "compareAtPrice": 400}]},
				{"slug": "gone", "titleFa": "Bundle"},
				{"slug": "fresh", "titleFa": "fresh", "category": "left",
					"variants": [{"sku": "FRESH", "price": 5, "priceCurrency": "USD"}]},
				{"slug": "drill", "variants": [{"sku": "LATE", "price": 5000, "priceCurrency": "IRT"}]}],
			"comments": [{"entityType": "product", "entity": "gone", "authorName": "A", "text": "T"}],
			`+lastSection, func() {
			r.must(t, `mutation($shop: ID!) { updateShop(businessId: $shop, input: {name: "Staff"}) { id } }`,
				shoptest.Members{})
			r.must(t, `mutation($shop: ID!) {
				updateBrand(businessId: $shop, slug: "maker", input: {nameFa: "Staff", name: "Staff"}) {
					id } }`, shoptest.Members{})
			r.must(t, updateCategory, shoptest.Members{"slug": "moved",
				"in": shoptest.Members{"nameFa": "Staff", "parentSlug": "left"}})
			r.must(t, updateProduct, shoptest.Members{"slug": "racer",
				"in": shoptest.Members{"titleFa": "staff", "summary": "Staff",
					"status": "archived", "variants": []shoptest.Members{{"sku": "RACE-A", "price": 999},
						{"sku": "RACE-B", "price": 333}}}})
			r.must(t, `mutation($shop: ID!) { deleteVariant(businessId: $shop, sku: "RACE-C") { message } }`,
				shoptest.Members{})
			r.must(t, deleteProduct, shoptest.Members{"slug": "gone"})
		})
		if !strings.Contains(refused, "products[1]: was deleted during the import") ||
			!strings.Contains(refused, "run it again") ||
			!strings.Contains(refused, "comments[0].entity: names no product") ||
			strings.Contains(refused, "products[2]") {
			t.Fatalf("the import says %q", refused)
		}
		shop := client.Tenant.Query().Where(tenant.Domain("tools.example")).OnlyX(r.ctx)
		if shop.Name != "Staff" || shop.PrimaryColor == nil || *shop.PrimaryColor != "#123456" {
			t.Errorf("the shop is %v", shop)
		}
		if one := client.Brand.Query().Where(brand.Slug("maker")).OnlyX(r.ctx); one.Name != "Bundle" ||
			one.NameFa != "Staff" {
			t.Errorf("the brand is %v", one)
		}
		moved := client.Category.Query().Where(category.Slug("moved")).WithParent().OnlyX(r.ctx)
		if moved.Name != "Bundle" || moved.NameFa != "Staff" || moved.Edges.Parent == nil ||
			moved.Edges.Parent.Slug != "left" {
			t.Errorf("the category is %v", moved)
		}
		p := client.Product.Query().Where(product.Slug("racer")).OnlyX(r.ctx)
		if p.TitleFa != "staff" || *p.TitleEn != "Bundle" || *p.Summary != "Bundle" || p.Status != record.Archived {
			t.Errorf("the product is %v", p)
		}
		a := client.Variant.Query().Where(variant.Sku("RACE-A")).OnlyX(r.ctx)
		b := client.Variant.Query().Where(variant.Sku("RACE-B")).OnlyX(r.ctx)
		if *a.Price != 99900 || *b.Price != 33300 || *b.CompareAtPrice != 40000 {
			t.Errorf("the variants are %v, %v", a, b)
		}
		if n := client.Product.Query().Where(product.Slug("gone")).CountX(r.ctx); n != 0 {
			t.Error("a deleted product is there again")
		}
		if n := client.Variant.Query().Where(variant.SkuIn("GONE", "RACE-C")).CountX(r.ctx); n != 0 {
			t.Error("deleted variants are there again")
		}
		if n := client.Comment.Query().Where(comment.AuthorName("A"), comment.Text("T")).CountX(r.ctx); n != 0 {
			t.Error("a comment on a deleted product is there")
		}
		if n := client.Variant.Query().Where(variant.SkuIn("FRESH", "LATE")).CountX(r.ctx); n != 2 {
			t.Error("what staff did not touch is not imported")
		}
		if difference := r.derivedAnew(t); difference != "" {
			t.Errorf("deriving all changes %s", difference)
		}

		// An atomic import is all or nothing. The product of a deleted variant stays as it was.
		refused = r.importMeanwhile(t, `"products": [
			{"slug": "racer", "titleEn": "Atomic"}, {"slug": "fresh", "titleFa": "Atomic"}],
			`+strings.Replace(lastSection, "Last", "Atomic", 1), func() {
			r.must(t, deleteProduct, shoptest.Members{"slug": "fresh"})
		}, bundle.Atomic)
		if !strings.Contains(refused, "products[1]: was deleted") ||
			*client.Product.Query().Where(product.Slug("racer")).OnlyX(r.ctx).TitleEn != "Bundle" {
			t.Errorf("an atomic import says %q", refused)
		}
		refused = r.importMeanwhile(t, `"products": [
			{"slug": "racer", "titleEn": "Third", "variants": [{"sku": "RACE-B", "price": 1}]}],
			`+strings.Replace(lastSection, "Last", "Third", 1), func() {
			r.must(t, `mutation($shop: ID!) { deleteVariant(businessId: $shop, sku: "RACE-B") { message } }`,
				shoptest.Members{})
		})
		if !strings.Contains(refused, "products[0].variants[0]: was deleted during the import") ||
			*client.Product.Query().Where(product.Slug("racer")).OnlyX(r.ctx).TitleEn != "Bundle" ||
			client.Variant.Query().Where(variant.Sku("RACE-B")).ExistX(r.ctx) {
			t.Errorf("an import of a deleted variant says %q", refused)
		}
	})
}

// TestImportsRaceStaff has staff change prices, archive and delete while a bundle that does not name these
// members is imported. Their changes must stay.
func TestImportsRaceStaff(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		r := newContentRace(t, c)
		n := 12 * *shoptest.Rounds
		undone := map[string]int{}
		for round := range n {
			r.edit(t, deleteProduct, shoptest.Members{"slug": "guest"})
			r.must(t, createProduct, shoptest.Members{"slug": "guest",
				"in": shoptest.Members{"titleFa": "guest", "category": "left"}})
			price, status := 100+round%700, anyOf(round, "archived", "published")
			did := make([]string, 4)
			shoptest.Together(2, func(side int) string {
				if side == 0 {
					return r.bundled(t, `"products": [{"slug": "racer", "titleEn": "`+anyOf(round, "A", "B")+`"},
						{"slug": "guest", "summary": "`+anyOf(round, "A", "B")+`"}]`)
				}
				did[0] = r.edit(t, updateOffers,
					shoptest.Members{"in": []shoptest.Members{{"sku": "RACE-A", "price": price}}})
				did[1] = r.edit(t, updateProduct, shoptest.Members{"slug": "racer",
					"in": shoptest.Members{"status": status}})
				did[2] = r.edit(t, deleteProduct, shoptest.Members{"slug": "guest"})
				return ""
			})
			if did[0]+did[1]+did[2] != "" {
				t.Fatalf("staff get %q", did)
			}
			if one := r.Store.Client.Variant.Query().Where(variant.Sku("RACE-A")).
				OnlyX(r.ctx); *one.Price != int64(price)*100 {
				undone["price"]++
			}
			if one := r.Store.Client.Product.Query().Where(product.Slug("racer")).
				OnlyX(r.ctx); string(one.Status) != status {
				undone["status"]++
			}
			if r.Store.Client.Product.Query().Where(product.Slug("guest")).ExistX(r.ctx) {
				undone["deletion"]++
			}
		}
		if len(undone) > 0 {
			t.Errorf("of %d rounds imports undid %v", n, undone)
		}
		t.Logf("of %d rounds imports undid %v", n, undone)
	})
}
