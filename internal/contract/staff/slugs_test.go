package staff_test

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"storefront/internal/content/bundle"
	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// TestChangeSlug changes the slugs of records of all kinds. Earlier slugs are answered with the newest one
// over REST and GraphQL, in filters and in older bundles, until another record takes them.
func TestChangeSlug(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, public := c.Staff(t, c.Tools, record.Owner), shoptest.Worker{API: c.GraphQL()}
		shop := map[string]any{"shop": c.Tools}
		owner.Do(t, `mutation($shop: ID!) {
			createCategory(businessId: $shop, entityType: product, slug: "c-1", input: {name: "C", nameFa: "پ"}) { id }
			createBrand(businessId: $shop, slug: "b-1", input: {name: "B", nameFa: "ب"}) { id }
			createProduct(businessId: $shop, slug: "p-1", input: {titleFa: "ک", category: "c-1", brand: "b-1"}) { id }
			createUserProduct(businessId: $shop, slug: "u-1",
				input: {titleFa: "آ", priceCurrency: "IRT", condition: stock}) { id }
			createBlog(businessId: $shop, slug: "n-1", input: {type: article, titleFa: "و", body: "B"}) { id }
			createPortfolio(businessId: $shop, slug: "f-1", input: {titleFa: "ن", body: "B"}) { id } }`, shop, nil)
		older := c.Exported(t)
		for _, s := range []struct{ field, more, slug, read, path string }{
			{"changeProductSlug", "", "p", `product(slug: "%s") { slug }`, "products"},
			{"changeUserProductSlug", "", "u", `userProduct(slug: "%s") { slug }`, "user-products"},
			{"changeBlogSlug", "", "n", `blog(slug: "%s") { slug }`, "blogs"},
			{"changePortfolioSlug", "", "f", `portfolio(slug: "%s") { slug }`, "portfolios"},
			{"changeBrandSlug", "", "b", `brand(slug: "%s") { slug }`, ""},
			{"changeCategorySlug", "entityType: product, ", "c",
				`category(slug: "%s", entityType: product) { slug }`, ""},
		} {
			change := func(from, to string) string {
				return fmt.Sprintf(`mutation($shop: ID!) {
					%s(businessId: $shop, %sslug: "%s", newSlug: "%s") { version } }`,
					s.field, s.more, s.slug+from, s.slug+to)
			}
			version := contentVersion(t, c)
			owner.Do(t, change("-1", "-2"), shop, nil)
			owner.Do(t, change("-2", "-3"), shop, nil)
			if contentVersion(t, c) == version {
				t.Errorf("%s: the version of the content stays", s.field)
			}
			if to := movedTo(owner.Refused(t, "NOT_FOUND", change("-1", "-4"), shop)); to != s.slug+"-3" {
				t.Errorf("%s: got movedTo %q, want %s-3", s.field, to, s.slug)
			}
			wrong := owner.Refused(t, "VALIDATION_FAILED", change("-3", " A"), shop)
			if at := shoptest.WrongIn(wrong); at != "newSlug" {
				t.Errorf("%s: got a fault of %s, want newSlug", s.field, at)
			}
			for from, want := range map[string]string{"-1": s.slug + "-3", "-2": s.slug + "-3", "-3": "", "-4": ""} {
				read := fmt.Sprintf(`{ tenant(domain: "tools.example") { `+s.read+` } }`, s.slug+from)
				if got := movedTo(public.Ask(t, read, nil)); got != want {
					t.Errorf("%s%s: got movedTo %q, want %q", s.slug, from, got, want)
				}
				if s.path == "" {
					continue
				}
				path := shoptest.ToolsPath + "/" + s.path + "/"
				for _, end := range []string{"?a=b", "/"} {
					rest := c.Send(t, "GET", path+s.slug+from+end, "")
					got := redirected(t, rest, "https://api.example/v1"+path+s.slug+from+end)
					if to := strings.TrimSuffix(path+want+end, "/"); want == "" && got != "" ||
						want != "" && (rest.Status != 301 || got != "https://api.example/v1"+to) {
						t.Errorf("%s%s%s: got %d to %q", path, s.slug+from, end, rest.Status, got)
					}
				}
			}
		}
		var listed struct {
			Tenant struct{ Products struct{ Total int } }
		}
		public.Do(t, `{ tenant(domain: "tools.example") { products(categories: ["c-1"], brands: ["b-2"]) { total } } }`,
			nil, &listed)
		if listed.Tenant.Products.Total != 1 {
			t.Errorf("got %d products by older slugs, want 1", listed.Tenant.Products.Total)
		}
		const publish = `mutation($shop: ID!, $in: String!) { changeProducts(businessId: $shop, countOnly: true,
			select: {filter: {category: $in}}, change: {status: published}) { left } }`
		var chosen struct{ ChangeProducts struct{ Left int } }
		owner.Do(t, publish, map[string]any{"shop": c.Tools, "in": "c-1"}, &chosen)
		if chosen.ChangeProducts.Left != 1 {
			t.Errorf("got %d products chosen by an older slug, want 1", chosen.ChangeProducts.Left)
		}
		technical := c.Send(t, "GET", shoptest.ToolsPath+"/products/p-1/technical-info", "")
		at := "https://api.example/v1/products/p-1/technical-info"
		if to := redirected(t, technical, at); to != "https://api.example/v1/products/p-3/technical-info" {
			t.Errorf("got %d to %q", technical.Status, to)
		}
		newer := string(c.Exported(t))
		if _, err := bundle.Import(context.Background(), c.Store, bundle.Bytes(older), nil); err != nil {
			t.Fatal(err)
		}
		if after := string(c.Exported(t)); after != newer {
			t.Errorf("an older export changes the shop:\n%s\n%s", after, newer)
		}
		owner.Refused(t, "CONFLICT", `mutation($shop: ID!) {
			changeProductSlug(businessId: $shop, slug: "p-3", newSlug: "saw") { version } }`, shop)
		owner.Do(t, `mutation($shop: ID!) {
			createProduct(businessId: $shop, slug: "p-1", input: {titleFa: "تازه"}) { id }
			back: changeProductSlug(businessId: $shop, slug: "p-3", newSlug: "p-2") { version } }`, shop, nil)
		var got struct {
			Tenant struct{ Product struct{ Slug string } }
		}
		for _, slug := range []string{"p-1", "p-2"} {
			public.Do(t, `{ tenant(domain: "tools.example") { product(slug: "`+slug+`") { slug } } }`, nil, &got)
			if got.Tenant.Product.Slug != slug {
				t.Errorf("got %s, want %s", got.Tenant.Product.Slug, slug)
			}
		}
		owner.Do(t, `mutation($shop: ID!) { deleteProduct(businessId: $shop, slug: "p-2") { message } }`, shop, nil)
		if gone := c.Send(t, "GET", shoptest.ToolsPath+"/products/p-3", ""); gone.Status != 404 {
			t.Errorf("got %d of a deleted product's older slug, want 404", gone.Status)
		}
		c.Staff(t, c.Mugs, record.Owner).Refused(t, "FORBIDDEN", `mutation($shop: ID!) {
			changeProductSlug(businessId: $shop, slug: "saw", newSlug: "p-9") { version } }`, shop)
		c.ComesBack(t)
	})
}

// redirected returns the address to which an answer redirects a client behind a proxy that strips a prefix
// of the path, or "" if it does not redirect.
func redirected(t *testing.T, answer shoptest.Answer, at string) string {
	t.Helper()
	location := answer.Header.Get("Location")
	if location == "" {
		return ""
	}
	from, err := url.Parse(at)
	if err == nil {
		from, err = from.Parse(location)
	}
	if err != nil {
		t.Fatal(err)
	}
	return from.String()
}

// movedTo returns where an answer says that a record is now; empty: it does not.
func movedTo(got shoptest.Answered) string {
	if len(got.Errors) == 0 {
		return ""
	}
	return got.Errors[0].Extensions.MovedTo
}

// TestStaffFollowSlugs reads, changes and deletes records by their earlier slugs. Staff are given the
// current slug; another shop's staff, and the public for a draft, are not.
func TestStaffFollowSlugs(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := c.Staff(t, c.Tools, record.Owner)
		shop := map[string]any{"shop": c.Tools}
		owner.Do(t, `mutation($shop: ID!) {
			c: createCategory(businessId: $shop, entityType: blog, slug: "c-1", input: {name: "C", nameFa: "پ"}) { id }
			b: createBrand(businessId: $shop, slug: "b-1", input: {name: "B", nameFa: "ب"}) { id }
			p: createProduct(businessId: $shop, slug: "p-1", input: {titleFa: "ک", status: draft}) { id }
			u: createUserProduct(businessId: $shop, slug: "u-1",
				input: {titleFa: "آ", priceCurrency: "IRT", condition: stock, status: draft}) { id }
			n: createBlog(businessId: $shop, slug: "n-1", input: {type: article, titleFa: "و", body: "B",
				status: draft}) { id }
			f: createPortfolio(businessId: $shop, slug: "f-1", input: {titleFa: "ن", body: "B", status: draft}) { id }
			cc: changeCategorySlug(businessId: $shop, entityType: blog, slug: "c-1", newSlug: "c-2") { id }
			bb: changeBrandSlug(businessId: $shop, slug: "b-1", newSlug: "b-2") { id }
			pp: changeProductSlug(businessId: $shop, slug: "p-1", newSlug: "p-2") { id }
			uu: changeUserProductSlug(businessId: $shop, slug: "u-1", newSlug: "u-2") { id }
			nn: changeBlogSlug(businessId: $shop, slug: "n-1", newSlug: "n-2") { id }
			ff: changePortfolioSlug(businessId: $shop, slug: "f-1", newSlug: "f-2") { id } }`, shop, nil)
		for kind, s := range map[string]struct{ slug, more string }{
			"Category": {"c", ", entityType: blog"}, "Brand": {"b", ""}, "Product": {"p", ""}, "UserProduct": {"u", ""},
			"Blog": {"n", ""}, "Portfolio": {"f", ""},
		} {
			read := strings.Replace(kind, "UserProduct", "Listing", 1)
			of := fmt.Sprintf(`(businessId: $shop, slug: "%s-1"%s`, s.slug, s.more)
			for _, document := range []string{
				`query($shop: ID!) { staff` + read + of + `) { version } }`,
				`mutation($shop: ID!) { update` + kind + of + `, input: {}) { id } }`,
				`mutation($shop: ID!) { delete` + kind + of + `) { message } }`,
			} {
				got := owner.Refused(t, "NOT_FOUND", document, shop)
				if to := movedTo(got); to != s.slug+"-2" {
					t.Errorf("%s: got movedTo %q, want %s-2", document, to, s.slug)
				}
			}
			unknown := owner.Refused(t, "NOT_FOUND", `mutation($shop: ID!) { delete`+kind+
				strings.Replace(of, "-1", "-0", 1)+`) { message } }`, shop)
			if to := movedTo(unknown); to != "" {
				t.Errorf("%s: got movedTo %q of a slug that none had", kind, to)
			}
		}
		other := c.Staff(t, c.Mugs, record.Owner)
		theirs := other.Refused(t, "NOT_FOUND", `query($shop: ID!) { staffProduct(businessId: $shop, slug: "p-1") {
			version } }`, map[string]any{"shop": c.Mugs})
		if to := movedTo(theirs); to != "" {
			t.Errorf("another shop's staff got the slug %q, want none", to)
		}
		public := shoptest.Worker{API: c.GraphQL()}.Refused(t, "NOT_FOUND",
			`{ tenant(domain: "tools.example") { product(slug: "p-1") { slug } } }`, nil)
		if to := movedTo(public); to != "" {
			t.Errorf("the public got the slug %q of a draft, want none", to)
		}
	})
}
