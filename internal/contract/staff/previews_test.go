package staff_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// previewed creates a preview of a record of the tool shop, and returns its token.
func previewed(t *testing.T, w shoptest.Worker, shop, mutation, slug string, seconds int) string {
	t.Helper()
	var made struct {
		Body struct{ Preview, ExpiresAt string }
	}
	w.Do(t, fmt.Sprintf(`mutation($shop: ID!) { body: %s(businessId: $shop, slug: %q, expiresInSeconds: %d) {
		preview expiresAt } }`, mutation, slug, seconds), map[string]any{"shop": shop}, &made)
	if until, err := time.Parse(time.RFC3339, made.Body.ExpiresAt); err != nil || made.Body.Preview == "" {
		t.Fatalf("%s: got %q until %v (%v)", mutation, made.Body.Preview, until, err)
	}
	return made.Body.Preview
}

// TestPreview checks that only clients with a preview see a draft, over REST and GraphQL.
func TestPreview(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, public := c.Staff(t, c.Tools, record.Owner), shoptest.Worker{API: c.GraphQL()}
		shop := map[string]any{"shop": c.Tools}
		owner.Do(t, `mutation($shop: ID!) {
			createProduct(businessId: $shop, slug: "p-1", input: {titleFa: "ک", status: draft, variants: [
				{sku: "PRE-1", priceCurrency: "USD", price: 3, stock: 2},
				{sku: "PRE-2", priceCurrency: "USD", price: 4, stock: 2, onSale: false}]}) { id }
			other: createProduct(businessId: $shop, slug: "p-9", input: {titleFa: "ک", status: draft}) { id }
			createUserProduct(businessId: $shop, slug: "u-1",
				input: {titleFa: "آ", priceCurrency: "IRT", condition: stock, status: draft}) { id }
			createBlog(businessId: $shop, slug: "n-1",
				input: {type: article, titleFa: "و", body: "B", status: draft}) { id }
			createPortfolio(businessId: $shop, slug: "f-1",
				input: {titleFa: "ن", body: "B", status: archived}) { id } }`,
			shop, nil)
		texts := map[string]string{}
		kinds := []struct{ mutation, slug, field, path string }{
			{"createProductPreview", "p-1", "product", "products"},
			{"createUserProductPreview", "u-1", "userProduct", "user-products"},
			{"createBlogPreview", "n-1", "blog", "blogs"},
			{"createPortfolioPreview", "f-1", "portfolio", "portfolios"},
		}
		for _, k := range kinds {
			texts[k.field] = previewed(t, owner, c.Tools, k.mutation, k.slug, 3600)
		}
		read := func(field, slug, text string) (shoptest.Answered, shoptest.Answer) {
			document := fmt.Sprintf(`query($preview: String) { tenant(domain: "tools.example") {
				%s(slug: %q, preview: $preview) { slug } } }`, field, slug)
			for _, k := range kinds {
				if k.field == field {
					return public.Ask(t, document, map[string]any{"preview": text}),
						c.Send(t, "GET", shoptest.ToolsPath+"/"+k.path+"/"+slug+"?preview="+url.QueryEscape(text), "")
				}
			}
			panic(field)
		}
		for _, k := range kinds {
			for of, text := range texts {
				graphQL, rest := read(k.field, k.slug, text)
				if of == k.field {
					if graphQL.Code() != "" || rest.Status != http.StatusOK {
						t.Errorf("%s: got %q and %d: %s", k.field, graphQL.Code(), rest.Status, rest.Body)
					}
					if kept := rest.Header.Get("Cache-Control"); kept != "no-store" || rest.Header.Get("ETag") != "" {
						t.Errorf("%s: got Cache-Control %q and ETag %q", k.field, kept, rest.Header.Get("ETag"))
					}
				} else if graphQL.Code() != "NOT_FOUND" || rest.Status != http.StatusNotFound {
					t.Errorf("%s by a preview of a %s: got %q and %d", k.field, of, graphQL.Code(), rest.Status)
				}
			}
			for _, wrong := range []string{"", "x", texts[k.field] + "x", strings.Repeat("x", 2000)} {
				graphQL, rest := read(k.field, k.slug, wrong)
				if graphQL.Code() != "NOT_FOUND" || rest.Status != http.StatusNotFound {
					t.Errorf("%s by %.10q: got %q and %d", k.field, wrong, graphQL.Code(), rest.Status)
				}
			}
		}
		graphQL, rest := read("product", "p-9", texts["product"])
		if graphQL.Code() != "NOT_FOUND" || rest.Status != http.StatusNotFound {
			t.Errorf("another product by a preview: got %q and %d", graphQL.Code(), rest.Status)
		}

		var shown struct {
			Tenant struct {
				Product struct {
					InStock  bool
					Variants []struct {
						SKU     string
						Product struct {
							InStock  bool
							Variants []struct{ SKU string }
						}
					}
				}
			}
		}
		const variants = `query($preview: String) { tenant(domain: "tools.example") {
			product(slug: "p-1", preview: $preview) {
				inStock variants { sku product { inStock variants { sku } } } } } }`
		public.Do(t, variants, map[string]any{"preview": texts["product"]}, &shown)
		if p := shown.Tenant.Product; !p.InStock || len(p.Variants) != 1 || p.Variants[0].SKU != "PRE-1" ||
			!p.Variants[0].Product.InStock || len(p.Variants[0].Product.Variants) != 1 {
			t.Errorf("got %+v, want what would be on sale", p)
		}

		values, err := json.Marshal(map[string]string{"preview": texts["product"]})
		if err != nil {
			t.Fatal(err)
		}
		got := c.At(t, "GET", "/graphql?"+url.Values{"query": {variants}, "variables": {string(values)}}.Encode())
		if got.Status != http.StatusOK || got.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("by GET: got %d with Cache-Control %q: %s", got.Status, got.Header.Get("Cache-Control"), got.Body)
		}

		// It shows the record by the slugs that it has and had, and what is written meanwhile.
		owner.Do(t, `mutation($shop: ID!) {
			changeProductSlug(businessId: $shop, slug: "p-1", newSlug: "p-2") { version } }`, shop, nil)
		for _, slug := range []string{"p-1", "p-2"} {
			if graphQL, rest := read("product", slug, texts["product"]); graphQL.Code() != "" || rest.Status != 200 {
				t.Errorf("%s after it was renamed: got %q and %d", slug, graphQL.Code(), rest.Status)
			}
		}

		other := c.Staff(t, c.Mugs, record.Owner)
		other.Refused(t, "FORBIDDEN", `mutation($shop: ID!) {
			createProductPreview(businessId: $shop, slug: "p-2") { preview } }`, shop)
		owner.Refused(t, "NOT_FOUND", `mutation($shop: ID!) {
			createProductPreview(businessId: $shop, slug: "none") { preview } }`, shop)

		c.Clock.Pass(3601 * time.Second)
		graphQL, rest = read("product", "p-2", texts["product"])
		if graphQL.Code() != "NOT_FOUND" || rest.Status != http.StatusNotFound {
			t.Errorf("after it has expired: got %q and %d", graphQL.Code(), rest.Status)
		}
	})
}

// TestPreviewEndsWithTheRight checks that a preview ends when its author loses the permission, but not when
// their session ends.
func TestPreviewEndsWithTheRight(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, editor := c.Staff(t, c.Tools, record.Owner), c.Customer(t)
		id := hire(t, owner, c.Tools, editor, "editor")
		public := shoptest.Worker{API: c.GraphQL()}
		shop := map[string]any{"shop": c.Tools}
		owner.Do(t, `mutation($shop: ID!) {
			createBlog(businessId: $shop, slug: "n-1",
				input: {type: article, titleFa: "و", body: "B", status: draft}) { id } }`, shop, nil)
		text := previewed(t, editor, c.Tools, "createBlogPreview", "n-1", 86400)
		ask := func() string {
			return public.Ask(t, `query($preview: String) { tenant(domain: "tools.example") {
				blog(slug: "n-1", preview: $preview) { slug body } } }`, map[string]any{"preview": text}).Code()
		}
		editor.Do(t, `mutation { logout { message } }`, nil, nil)
		if got := ask(); got != "" {
			t.Errorf("after its maker has signed out: got %q", got)
		}
		guarded(t, c, owner)
		owner.Do(t, require, map[string]any{"shop": c.Tools, "is": true}, nil)
		if got := ask(); got != "NOT_FOUND" {
			t.Errorf("once its maker needs a second factor: got %q, want NOT_FOUND", got)
		}
		owner.Do(t, require, map[string]any{"shop": c.Tools, "is": false}, nil)
		owner.Do(t, changeStaff, map[string]any{"shop": c.Tools, "id": id, "role": "support"}, nil)
		if got := ask(); got != "NOT_FOUND" {
			t.Errorf("once its maker may not edit: got %q, want NOT_FOUND", got)
		}
	})
}
