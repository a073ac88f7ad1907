package customer

import (
	"fmt"
	"slices"
	"time"
)

// Domain is that of the shop which Shop makes.
const Domain = "shop.example"

// Products is how many products the shop has that AlwaysInStock makes.
const Products = 40

// AlwaysInStock is the bundle of a shop whose products never run out.
func AlwaysInStock() []byte { return Shop(slices.Repeat([]int{100_000_000}, Products)...) }

// Shop is the bundle of a shop of products with one variant each, product-0 with V-0 and so on, of which so
// many units are in stock.
func Shop(stocks ...int) []byte {
	var products []any
	for i, stock := range stocks {
		products = append(products, map[string]any{
			"slug": fmt.Sprintf("product-%d", i), "titleFa": fmt.Sprintf("کالای %d", i),
			"publishedAt": time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
			"variants": []any{map[string]any{"sku": fmt.Sprintf("V-%d", i), "price": 1000 + 7*i, "priceCurrency": "IRT",
				"stock": stock}},
		})
	}
	return JSON(map[string]any{
		"format": "storefront-bundle/1",
		"tenant": map[string]any{"domain": Domain, "slug": "shop", "name": "Shop", "nameFa": "فروشگاه",
			"defaultLocale": "fa"},
		"products": products,
	})
}
