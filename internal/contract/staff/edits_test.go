package staff_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"storefront/internal/contract/shoptest"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
)

// TestSlugsOfStaff checks that slugs that would be stored differently are refused.
func TestSlugsOfStaff(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := c.Staff(t, c.Tools, record.Owner)
		const create = `mutation($shop: ID!, $slug: String!) {
			createBrand(businessId: $shop, slug: $slug, input: {name: "A", nameFa: "ا"}) { id } }`
		for _, slug := range []string{"a--b", "-a", "a-", "\u3164", "a\u1160", "a\uffa0b", "a１", "a१", "A", "a b"} {
			got := owner.Ask(t, create, map[string]any{"shop": c.Tools, "slug": slug})
			if got.Code() != "VALIDATION_FAILED" || shoptest.WrongIn(got) != "slug" {
				t.Errorf("%q: got %+v", slug, got.Errors)
			}
		}
		owner.Do(t, create, map[string]any{"shop": c.Tools, "slug": "a-1"}, nil)
	})
}

// TestSKUOfAnotherProduct checks that an edit with the SKU of another product's variant does not move that
// variant.
func TestSKUOfAnotherProduct(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := c.Staff(t, c.Tools, record.Owner)
		shop, before := map[string]any{"shop": c.Tools}, string(c.Exported(t))
		for _, document := range []string{
			`mutation($shop: ID!) { createProduct(businessId: $shop, slug: "other", input: {titleFa: "آ",
				variants: [{sku: "D-13", priceCurrency: "IRT", price: 5}]}) { id } }`,
			`mutation($shop: ID!) {
				updateProduct(businessId: $shop, slug: "saw", input: {variants: [{sku: "D-13"}]}) { id } }`,
		} {
			owner.Refused(t, "CONFLICT", document, shop)
		}
		if after := string(c.Exported(t)); after != before {
			t.Errorf("something changed:\n%s", after)
		}
	})
}

// TestImagesSentBack sends images and slides as they were read, whole and in part.
func TestImagesSentBack(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, public := c.Staff(t, c.Tools, record.Owner), shoptest.Worker{API: c.GraphQL()}
		const image = `url: "/lathe.png", alt: "A lathe", width: 800, height: 600, placeholderColor: "#aabbcc"`
		owner.Do(t, `mutation($shop: ID!) {
			createProduct(businessId: $shop, slug: "lathe", input: {titleFa: "تراش",
				images: [{`+image+`}, {url: "/2.png"}]}) { id }
			createSlider(businessId: $shop, key: "top", input: {slides: [{title: "A", subtitle: "B", linkUrl: "/a",
				buttonText: "C", position: 3, `+strings.Replace(image, "url", "imageUrl", 1)+`}]}) { id } }`,
			map[string]any{"shop": c.Tools}, nil)
		const look = `{ tenant(domain: "tools.example") {
			product(slug: "lathe") { images { mediaId url alt width height placeholderColor } }
			sliders { key slides { title subtitle imageUrl linkUrl buttonText position
				image { alt width height placeholderColor } } } } }`
		var seen struct {
			Tenant struct {
				Product struct{ Images []shoptest.Members }
				Sliders []struct {
					Key    string
					Slides []shoptest.Members
				}
			}
		}
		see := func() string {
			t.Helper()
			seen.Tenant.Product.Images, seen.Tenant.Sliders = nil, nil
			public.Do(t, look, nil, &seen)
			return fmt.Sprint(seen.Tenant)
		}
		want := see()
		if !strings.Contains(want, "width:800") { // an id may hold any digits
			t.Fatal(want)
		}
		slider := seen.Tenant.Sliders[len(seen.Tenant.Sliders)-1]
		for _, one := range seen.Tenant.Sliders {
			if one.Key == "top" {
				slider = one
			}
		}
		whole := shoptest.Members{}
		for name, value := range slider.Slides[0] {
			if name != "image" {
				whole[name] = value
			}
		}
		title := shoptest.Members{"imageUrl": whole["imageUrl"], "title": "A", "subtitle": "B",
			"linkUrl": "/a", "buttonText": "C",
			"position": 3}
		for name, value := range slider.Slides[0]["image"].(shoptest.Members) {
			whole[name] = value
		}
		images, ids := seen.Tenant.Product.Images, []any{}
		for _, one := range images {
			ids = append(ids, shoptest.Members{"url": one["url"], "mediaId": one["mediaId"]})
		}
		const send = `mutation($shop: ID!, $images: [ImageInput!], $slides: [SlideInput!]) {
			updateProduct(businessId: $shop, slug: "lathe", input: {images: $images}) { id }
			updateSlider(businessId: $shop, key: "top", input: {slides: $slides}) { id } }`
		for _, sent := range []shoptest.Members{
			{"images": images, "slides": []any{whole}},
			{"images": ids, "slides": []any{title}},
			{"images": []any{shoptest.Members{"url": "/lathe.png"}, shoptest.Members{"url": "/2.png"}},
				"slides": []any{title}},
		} {
			sent["shop"] = c.Tools
			owner.Do(t, send, sent, nil)
			if got := see(); got != want {
				t.Errorf("sent back %v: got %s, want %s", sent, got, want)
			}
		}
		owner.Do(t, send, shoptest.Members{"shop": c.Tools,
			"images": []any{shoptest.Members{"url": "/lathe.png", "width": nil, "alt": nil}},
			"slides": []any{shoptest.Members{"imageUrl": "/other.png"}}}, nil)
		got := see()
		if strings.Contains(got, "width:800") || strings.Contains(got, "A lathe") ||
			!strings.Contains(got, "height:600") {
			t.Errorf("got %s", got)
		}
	})
}

// TestGroupsOfWhatIsGone deletes records that are in groups and specials.
func TestGroupsOfWhatIsGone(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := c.Staff(t, c.Tools, record.Owner)
		shop := map[string]any{"shop": c.Tools}
		owner.Do(t, `mutation($shop: ID!) {
			a: createBrand(businessId: $shop, slug: "gone", input: {name: "G", nameFa: "گ"}) { id }
			b: createCategory(businessId: $shop, entityType: product, slug: "gone",
			input: {name: "G", nameFa: "گ"}) { id }
			c: createProduct(businessId: $shop, slug: "gone", input: {titleFa: "گ", variants: [
				{sku: "G-1", priceCurrency: "IRT"}, {sku: "G-2", priceCurrency: "IRT"}]}) { id }
			d: createBrandGroup(businessId: $shop, key: "g",
			input: {title: "G", brands: ["acme", "gone", "ronix"]}) { id }
			e: createCategoryGroup(businessId: $shop, key: "g",
			input: {title: "G", categories: ["gone", "saws"]}) { id }
			f: createStoreSpecial(businessId: $shop, key: "g",
			input: {title: "G", variants: ["G-1", "D-13", "G-2"]}) { id } }`,
			shop, nil)
		owner.Do(t, `mutation($shop: ID!) {
			deleteBrand(businessId: $shop, slug: "gone") { message }
			deleteCategory(businessId: $shop, entityType: product, slug: "gone") { message }
			deleteVariant(businessId: $shop, sku: "G-1") { message }
			deleteProduct(businessId: $shop, slug: "gone") { message } }`, shop, nil)
		ctx := tenancy.In(t.Context(), uuid.MustParse(c.Tools))
		lengths := []int{}
		for _, g := range c.Store.Client.BrandGroup.Query().AllX(ctx) {
			if g.Key == "g" {
				lengths = append(lengths, len(g.ItemIds))
			}
		}
		for _, g := range c.Store.Client.CategoryGroup.Query().AllX(ctx) {
			if g.Key == "g" {
				lengths = append(lengths, len(g.ItemIds))
			}
		}
		for _, g := range c.Store.Client.StoreSpecial.Query().AllX(ctx) {
			if g.Key == "g" {
				lengths = append(lengths, len(g.ItemIds))
			}
		}
		if fmt.Sprint(lengths) != "[2 1 1]" {
			t.Errorf("the groups have %v items", lengths)
		}
		c.ComesBack(t)
	})
}

// TestOptionsOnSale removes option values that variants on sale have, and gives two variants the same
// options.
func TestOptionsOnSale(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := c.Staff(t, c.Tools, record.Owner)
		shop := map[string]any{"shop": c.Tools}
		size := func(keys ...string) string {
			values := ""
			for _, key := range keys {
				values += `{key: "` + key + `", label: "L", labelFa: "ل"} `
			}
			return `variations: [{key: "size", name: "Size", nameFa: "اندازه", values: [` + values + `]}]`
		}
		variant := func(sku, value string, more string) string {
			return `{sku: "` + sku + `", options: [{variation: "size", value: "` + value +
				`"}], priceCurrency: "IRT" ` +
				more + `}`
		}
		update := func(input string) string {
			return `mutation($shop: ID!) { updateProduct(businessId: $shop, slug: "saw2", input: {` + input +
				`}) { id } }`
		}
		create := strings.Replace(update(`titleFa: "اره" `+size("s", "m")+
			` variants: [`+variant("S2-S", "s", "")+variant("S2-M", "m",
			"")+`]`), "updateProduct", "createProduct", 1)
		twice := owner.Refused(t, "VALIDATION_FAILED", strings.Replace(create, `value: "m"`, `value: "s"`, 1), shop)
		if got := shoptest.WrongIn(twice); got != "input.variants.1.options" {
			t.Errorf("got %s", got)
		}
		owner.Do(t, create, shop, nil)
		owner.Refused(t, "CONFLICT", update(size("s")), shop)
		owner.Refused(t, "CONFLICT", update(`variations: []`), shop)
		owner.Refused(t, "VALIDATION_FAILED", update(`variants: [`+variant("S2-X", "m", "")+`]`), shop)
		owner.Refused(t, "VALIDATION_FAILED", update(`variants: [`+variant("S2-S", "m", "")+`]`), shop)
		// A variant off sale keeps its options and conflicts with none.
		owner.Do(t, update(size("s")+` variants: [{sku: "S2-M", onSale: false}, `+
			variant("S2-S2", "s", "onSale: false")+`]`), shop, nil)
		c.ComesBack(t)
		const offer = `mutation($shop: ID!) { updateOffers(businessId: $shop,
			input: [{sku: "SKU", onSale: true}]) { message } }`
		for _, sku := range []string{"S2-M", "S2-S2"} {
			got := owner.Refused(t, "VALIDATION_FAILED", strings.Replace(offer, "SKU", sku, 1), shop)
			if shoptest.WrongIn(got) != "input.0.onSale" {
				t.Errorf("%s: %s", sku, shoptest.WrongIn(got))
			}
		}
		owner.Do(t, update(size("s", "m")), shop, nil)
		owner.Do(t, strings.Replace(offer, "SKU", "S2-M", 1), shop, nil)
		c.ComesBack(t)
	})
}
