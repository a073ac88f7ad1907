package service_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

// most is the maximum number of SQL statements of a request: of the first one after a start or a change of
// content, and of later ones.
type most struct{ first, then int }

// statements holds the limits by operation, whatever the size of the page. In addition a request may wait
// for one query for the shops, which concurrent requests share (internal/catalog/lookup).
var statements = map[string]most{
	"Tenant":                   {0, 0},
	"BusinessInfo":             {1, 1},
	"Sliders":                  {1, 1},
	"CategoryGroups":           {4, 2},
	"BrandGroups":              {2, 2},
	"StoreSpecials":            {2, 2},
	"Categories":               {3, 1},
	"Products":                 {3, 1},
	"Product":                  {1, 1},
	"ProductVariations":        {2, 2},
	"ProductTechnicalInfo":     {2, 1},
	"UserProducts":             {3, 1},
	"UserProduct":              {2, 1},
	"UserProductTechnicalInfo": {2, 1},
	"StoreItems":               {3, 1},
	"StoreItem":                {2, 2},
	"StoreVariant":             {1, 1},
	"Blogs":                    {3, 1},
	"Blog":                     {1, 1},
	"Portfolios":               {3, 1},
	"Portfolio":                {1, 1},
	"BlogComments":             {2, 2},
	"CreateBlogComment":        {5, 5},
	"PortfolioComments":        {2, 2},
	"CreatePortfolioComment":   {5, 5},
	"Comments":                 {2, 2},
	"CreateComment":            {5, 5},
	"ExpertReviews":            {2, 2},
	"CreateExpertReview":       {5, 5},
	"SubmitContact":            {4, 4},
	"Cities":                   {1, 1},
	"City":                     {1, 1},
}

// TestStatements counts the statements of each route, on a service that has just started.
func TestStatements(t *testing.T) {
	t.Parallel()
	shoptest.DemoShops.Each(t, func(t *testing.T, url string) {
		s, counter := shoptest.OpenCounted(t, url)
		names := shoptest.StartWith(t, s, shoptest.Uncached)
		_, operations := shoptest.Operations(t)
		for _, route := range publicRoutes() {
			request := names.Named(t, demoRequests[route.Operation])
			requests := []string{request}
			if operations.Operations.ForName(route.Operation).VariableDefinitions.ForName("pageSize") != nil {
				list, _, _ := strings.Cut(request, "?")
				requests = []string{list + "?pageSize=2", list + "?pageSize=50", list + "?page=2&pageSize=50",
					list + "?page=2&pageSize=2"}
			}
			for _, request := range requests {
				p := shoptest.StartWith(t, s, shoptest.Uncached)
				holds(t, counter, request, statements[route.Operation], func() {
					if got := p.Ask(t, request); got.Status != route.Status {
						t.Errorf("%s: got %d %s", request, got.Status, got.Body)
					}
				})
			}
		}
	})
}

// documents holds documents with nested lists. Each is sent with a small and a large page.
var documents = []struct {
	name, text string
	most       most
}{
	{"home page", `query ($domain: String!, $size: Int!) {
		tenant(domain: $domain) {
			name
			businessInfo { name phones }
			sliders { key slides { imageUrl } }
			categoryGroups { key items { slug itemCount } }
			brandGroups { key items { slug } }
			storeSpecials { key items { sku titleFa price options { value } } }
			products(pageSize: $size) { total items { slug price inStock categoryName brandName } }
			blogs(pageSize: $size) { total items { slug commentCount } }
		}
	}`, most{15, 10}},
	{"products with their lists", `query ($domain: String!, $size: Int!) {
		tenant(domain: $domain) {
			products(pageSize: $size) {
				items {
					slug inStock
					variations { key values { key inStock variantIds } }
					variants { sku price options { value } }
					comments { text }
					expertReviews { rate }
					technicalInfo { form { title } values { key displayFa } }
					category { slug itemCount }
					brand { slug }
				}
			}
		}
	}`, most{8, 5}},
	{"related products", `query ($domain: String!, $size: Int!) {
		tenant(domain: $domain) {
			products(pageSize: $size) { items { slug related(first: 4) { slug price categoryName brandName ` +
		`brandNameFa } } }
		}
	}`, most{3, 3}},
	{"related products with their lists", `query ($domain: String!, $size: Int!) {
		tenant(domain: $domain) {
			products(pageSize: $size) {
				items {
					slug
					related(first: 3) {
						slug inStock brandName
						comments { text }
						expertReviews { rate }
						variants { sku }
						variations { key values { inStock } }
						technicalInfo { form { title } }
						one: related(first: 1) { slug inStock }
						two: related(first: 2) { slug inStock variants { sku } categoryName }
					}
				}
			}
		}
	}`, most{13, 12}},
	{"connection with its lists", `query ($domain: String!, $size: Int!) {
		tenant(domain: $domain) {
			productsConnection(first: $size, sort: price_desc) {
				totalCount
				pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
				edges {
					cursor
					node {
						slug price inStock
						variants { sku price }
						brand { slug name }
						category { slug name itemCount }
						comments { text }
						commentsConnection(first: 2) { totalCount pageInfo { hasNextPage } nodes { text } }
						technicalInfo { form { title } }
						related(first: 1) { slug inStock commentsConnection(first: 1) { totalCount } }
					}
				}
			}
		}
	}`, most{13, 8}},
	{"connections of everything", `query ($domain: String!, $size: Int!) {
		tenant(domain: $domain) {
			storeItemsConnection(first: $size, sort: discount) { totalCount edges { node { sku titleFa imageUrl ` +
		`price discountPercent options { value } } } }
			userProductsConnection(first: $size) { totalCount edges { node { slug cityName categoryName ` +
		`technicalValues { key } technicalInfo { form { title } } } } }
			blogsConnection(last: $size) { totalCount edges { node { slug categoryName commentCount comments { ` +
		`text } commentsConnection { totalCount nodes { text } } } } }
			portfoliosConnection(first: $size) { totalCount edges { node { slug commentCount commentsConnection { ` +
		`totalCount } } } }
		}
	}`, most{14, 8}},
	{"facets", `query ($domain: String!, $size: Int!) {
		tenant(domain: $domain) {
			productsConnection(first: $size, inStore: true, minPrice: 1, values: [{key: "coolant", anyOf: ` +
		`["true"]}, {key: "power", min: 1}]) {
				totalCount nodes { slug } facets { ...facets fields { key options { value count } min max } }
			}
			storeItems(pageSize: $size) { total items { sku }
			facets { categories { category { slug itemCount } count } brands { ` +
		`brand { slug } count } prices { buckets { min max count } } } }
		}
	}
	fragment facets on ProductFacets { categories { category { slug } count }
	brands { brand { slug } count } prices { ` +
		`currency buckets { min max count } } }`, most{18, 2}},
	{"product page", `query ($domain: String!, $size: Int!) {
		tenant(domain: $domain) {
			name
			product(slug: "ph-60-hydraulic-press") {
				slug titleFa description images { url } seo { title description } price maxPrice inStock ` +
		`ratingAverage ratingCount
				category { slug name nameFa } brand { slug name }
				variations { name values { label inStock variantIds } }
				technicalInfo { form { title fields { label } } values { key displayFa } }
				variants { sku price compareAtPrice discountPercent inStock stockQuantity options { nameFa labelFa } }
				commentsConnection(first: $size) { totalCount pageInfo { hasNextPage endCursor } nodes { ` +
		`authorName text createdAt } }
				expertReviews { authorName rate positivePoints negativePoints text }
				related(first: 8) { slug titleFa imageUrl price maxPrice inStock ratingAverage
				categoryName brandName ` +
		`variants { sku } }
			}
		}
	}`, most{10, 9}},
	{"categories with counts", `query ($domain: String!) {
		tenant(domain: $domain) {
			of: categories { slug itemCount }
			blogs: categories(entityType: blog) { slug itemCount }
			portfolios: categories(entityType: portfolio) { slug itemCount }
		}
	}`, most{9, 3}},
	{"listings and articles", `query ($domain: String!, $size: Int!) {
		tenant(domain: $domain) {
			userProducts(pageSize: $size) { items { slug cityName countryName categoryName technicalValues { key } ` +
		`technicalInfo { form { title } } } }
			blogs(pageSize: $size) { items { slug categoryName commentCount comments { text } } }
			portfolios(pageSize: $size) { items { slug categoryName commentCount comments { text } } }
		}
	}`, most{6, 5}},
}

// TestNestedStatements counts the statements of documents with many lists.
func TestNestedStatements(t *testing.T) {
	t.Parallel()
	shoptest.DemoShops.Each(t, func(t *testing.T, url string) {
		s, counter := shoptest.OpenCounted(t, url)
		for _, document := range documents {
			for _, size := range []int{2, 20} {
				p := shoptest.StartWith(t, s, shoptest.Uncached)
				body, _ := json.Marshal(map[string]any{
					"query": document.text, "variables": map[string]any{"domain": "sanat-mashin.example",
						"size": size},
				})
				if !strings.Contains(document.text, "$size") {
					body, _ = json.Marshal(map[string]any{"query": document.text,
						"variables": map[string]any{"domain": "sanat-mashin.example"}})
				}
				holds(t, counter, document.name, document.most, func() {
					if got := p.Send(t, "POST", "/graphql", string(body)); bytes.Contains(got.Body,
						[]byte(`"errors"`)) {
						t.Errorf("%s: got %s", document.name, got.Body)
					}
				})
			}
		}
	})
}

// TestPagesStayWithinLimits asks for each whole page twice in one document: pages stay far below the
// limits.
func TestPagesStayWithinLimits(t *testing.T) {
	shoptest.EachDemo(t, func(t *testing.T, p *shoptest.Place) {
		for _, document := range documents {
			head, rest, _ := strings.Cut(document.text, "{")
			page, fragments, _ := strings.Cut(rest, "\n\t}\n\tfragment")
			if fragments != "" {
				fragments = "fragment" + fragments
			} else {
				page = strings.TrimSuffix(strings.TrimSpace(page), "}")
			}
			again := head + "{"
			for _, name := range []string{"one", "two"} {
				again += " " + name + ": " + strings.TrimSpace(page)
			}
			body, _ := json.Marshal(map[string]any{"query": again + " } " + fragments,
				"variables": map[string]any{"domain": shoptest.MachineShop, "size": 20}})
			if got := p.Send(t, "POST", "/graphql", string(body)); bytes.Contains(got.Body, []byte(`"errors"`)) {
				t.Errorf("%s: %.500s", document.name, got.Body)
			}
		}
	})
}

// holds sends a request twice and checks the number of its statements each time.
func holds(t *testing.T, c *shoptest.Counter, what string, limit most, send func()) {
	t.Helper()
	for i, limit := range []int{limit.first, limit.then} {
		c.Taken()
		send()
		if sent := c.Taken(); len(sent) > limit {
			t.Errorf("%s, time %d: %d statements, at most %d:\n%s", what, i+1, len(sent), limit,
				strings.Join(slices.Sorted(slices.Values(sent)), "\n"))
		}
	}
}
