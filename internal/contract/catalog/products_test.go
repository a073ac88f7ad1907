// Package catalog_test checks what a shop shows: its lists, filters, facets, searches and contents.
package catalog_test

import (
	"testing"

	"storefront/internal/contract/shoptest"
)

func TestCategories(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		p.Run(t, []shoptest.Step{
			{"of products", "GET " + shoptest.ToolsPath + "/categories", 200},
			{"of blogs", "GET " + shoptest.ToolsPath + "/categories?entityType=blog", 200},
			{"of portfolios", "GET " + shoptest.ToolsPath + "/categories?entityType=portfolio", 200},
			{"of the other shop", "GET " + shoptest.MugsPath + "/categories?entityType=product", 200},
			{"of an empty kind", "GET " + shoptest.ToolsPath + "/categories?entityType=", 200},
			{"of an empty shop", "GET " + shoptest.BarePath + "/categories", 200},
			{"of no kind there is", "GET " + shoptest.ToolsPath + "/categories?entityType=Product", 400},
			{"of two kinds", "GET " + shoptest.ToolsPath + "/categories?entityType=blog&entityType=product", 400},
			{"of an unknown shop", "GET /tenants/nobody.example/categories", 404},
		})
	})
}

func TestProducts(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		p.Run(t, []shoptest.Step{
			{"all", "GET " + shoptest.ToolsPath + "/products", 200},
			{"of the other shop", "GET " + shoptest.MugsPath + "/products", 200},
			{"second page of two", "GET " + shoptest.ToolsPath + "/products?page=2&pageSize=2", 200},
			{"past the end", "GET " + shoptest.ToolsPath + "/products?page=1000000000&pageSize=100", 200},
			{"more than a page may have", "GET " + shoptest.MugsPath + "/products?pageSize=500", 200},
			{"empty parameters", "GET " + shoptest.MugsPath +
				"/products?page=&pageSize=&name=&categoryId=&brandId=&tag=" +
				"&inStore=&unknown=", 200},
			{"none", "GET " + shoptest.BarePath + "/products", 200},
			{"all parameters wrong", "GET " + shoptest.ToolsPath +
				"/products?page=0&pageSize=-1&inStore=yes&name=a&name=b&tag=%00",
				400},
			{"numbers that are none", "GET " + shoptest.ToolsPath + "/products?page=1.5&pageSize=ten", 400},
			{"numbers too large", "GET " + shoptest.ToolsPath +
				"/products?page=2147483648&pageSize=99999999999999999999", 400},
			{"query that cannot be read", "GET " + shoptest.ToolsPath + "/products?name=%zz", 400},
			{"invalid UTF-8", "GET " + shoptest.ToolsPath + "/products?name=%FF", 400},
			{"unknown shop", "GET /tenants/nobody.example/products", 404},
			{"unknown shop and a wrong parameter", "GET /tenants/nobody.example/products?page=0", 400},
		})
	})
}

func TestProduct(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		p.Run(t, []shoptest.Step{
			{"whole", "GET " + shoptest.ToolsPath + "/products/drill", 200},
			{"with little", "GET " + shoptest.ToolsPath + "/products/plain", 200},
			{"free and out of stock", "GET " + shoptest.ToolsPath + "/products/saw", 200},
			{"price on request", "GET " + shoptest.ToolsPath + "/products/mallet", 200},
			{"largest price", "GET " + shoptest.ToolsPath + "/products/آچار-کلیدی", 200},
			{"slug in Arabic letters", "GET " + shoptest.ToolsPath + "/products/آچار-كليدي", 200},
			{"published this moment", "GET " + shoptest.ToolsPath + "/products/mug", 200},
			{"same slug in the other shop", "GET " + shoptest.MugsPath + "/products/mug", 200},
			{"unknown", "GET " + shoptest.ToolsPath + "/products/nothing", 404},
			{"published later", "GET " + shoptest.ToolsPath + "/products/future-drill", 404},
			{"draft", "GET " + shoptest.ToolsPath + "/products/draft-drill", 404},
			{"archived", "GET " + shoptest.ToolsPath + "/products/old-drill", 404},
			{"of the other shop", "GET " + shoptest.ToolsPath + "/products/tea", 404},
			{"by id", "GET " + shoptest.ToolsPath + "/products/<tools:product:drill>", 404},
			{"invalid UTF-8", "GET " + shoptest.ToolsPath + "/products/%FF", 404},
			{"unknown shop", "GET /tenants/nobody.example/products/drill", 404},
		})
	})
}

func TestVariations(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		p.Run(t, []shoptest.Step{
			{"two", "GET " + shoptest.ToolsPath + "/products/drill/variations", 200},
			{"one", "GET " + shoptest.MugsPath + "/products/mug/variations", 200},
			{"none", "GET " + shoptest.ToolsPath + "/products/saw/variations", 200},
			{"unknown", "GET " + shoptest.ToolsPath + "/products/nothing/variations", 404},
			{"published later", "GET " + shoptest.ToolsPath + "/products/future-drill/variations", 404},
			{"of the other shop", "GET " + shoptest.ToolsPath + "/products/tea/variations", 404},
			{"unknown shop", "GET /tenants/nobody.example/products/drill/variations", 404},
		})
	})
}

func TestTechnicalInfo(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		p.Run(t, []shoptest.Step{
			{"form of a category above", "GET " + shoptest.ToolsPath + "/products/drill/technical-info", 200},
			{"form of its own category", "GET " + shoptest.ToolsPath + "/products/saw/technical-info", 200},
			{"form without answers", "GET " + shoptest.ToolsPath + "/products/hammer/technical-info", 200},
			{"no form", "GET " + shoptest.ToolsPath + "/products/mug/technical-info", 200},
			{"no category", "GET " + shoptest.ToolsPath + "/products/plain/technical-info", 200},
			{"unknown", "GET " + shoptest.ToolsPath + "/products/nothing/technical-info", 404},
			{"draft", "GET " + shoptest.ToolsPath + "/products/draft-drill/technical-info", 404},
			{"of the other shop", "GET " + shoptest.ToolsPath + "/products/tea/technical-info", 404},
			{"unknown shop", "GET /tenants/nobody.example/products/drill/technical-info", 404},
		})
	})
}
