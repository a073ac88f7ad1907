package contract_test

import (
	"encoding/json"
	"testing"
)

// aboutTools is a document about the first shop.
func aboutTools(query string) string {
	body, _ := json.Marshal(map[string]string{"query": `{ tenant(domain: "tools.example") { ` + query + ` } }`})
	return "POST /graphql " + string(body)
}

// TestGraph follows the edges that no route shows.
func TestGraph(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *place) {
		p.run(t, []step{
			{"product with its lists", aboutTools(`product(slug: "drill") {
				slug category { slug itemCount } brand { slug }
				variations { key values { key inStock variantIds } }
				technicalInfo { form { title } values { key displayFa } }
				variants { sku price inStock options { value } }
				comments { authorName } expertReviews { authorName rate }
			}`), 200},
			{"related products", aboutTools(`products {
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
			{"articles with their comments", aboutTools(`
				blogs(pageSize: 2) { total items { slug commentCount comments { authorName entityId } } }
				portfolios { items { slug commentCount comments { authorName } } }
			`), 200},
			{"listings", aboutTools(`userProducts(condition: needs_repair) { items { slug cityName technicalValues ` +
				`{ key display } technicalInfo { form { title } } } }`), 200},
			{"aliases", aboutTools(`a: products(pageSize: 1) { items { slug } total } b: products(pageSize: 1, ` +
				`page: 2) { items { name: titleEn slug } total pageSize }`), 200},
			{"one of two is unknown", aboutTools(`name product(slug: "tea") { slug }`), 200},
		})
	})
}
