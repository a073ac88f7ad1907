package catalog_test

import (
	"testing"

	"storefront/internal/contract/shoptest"
)

// TestGraph follows the edges that no route shows.
func TestGraph(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		p.Run(t, []shoptest.Step{
			{"product with its lists", shoptest.AboutTools(`product(slug: "drill") {
				slug category { slug itemCount } brand { slug }
				variations { key values { key inStock variantIds } }
				technicalInfo { form { title } values { key displayFa } }
				variants { sku price inStock options { value } }
				comments { authorName } expertReviews { authorName rate }
			}`), 200},
			{"related products", shoptest.AboutTools(`products {
				items {
					slug inStock
					related(first: 2) {
						slug inStock brandName
						variants { sku } comments { text } expertReviews { rate } technicalInfo { form { title } } ` +
				`variations { key }
						one: related(first: 1) { slug inStock }
						all: related { slug inStock variants { sku } }
					}
				}
			}`), 200},
			{"articles with their comments", shoptest.AboutTools(`
				blogs(pageSize: 2) { total items { slug commentCount comments { authorName entityId } } }
				portfolios { items { slug commentCount comments { authorName } } }
			`), 200},
			{"listings", shoptest.AboutTools(`userProducts(condition: needs_repair) { items { ` +
				`slug cityName technicalValues ` +
				`{ key display } technicalInfo { form { title } } } }`), 200},
			{"aliases", shoptest.AboutTools(`a: products(pageSize: 1) { items { slug } total } ` +
				`b: products(pageSize: 1, ` +
				`page: 2) { items { name: titleEn slug } total pageSize }`), 200},
			{"one of two is unknown", shoptest.AboutTools(`name product(slug: "tea") { slug }`), 200},
		})
	})
}
