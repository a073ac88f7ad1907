package contract_test

import "testing"

func TestCategories(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *place) {
		p.run(t, []step{
			{"of products", "GET " + tools + "/categories", 200},
			{"of blogs", "GET " + tools + "/categories?entityType=blog", 200},
			{"of portfolios", "GET " + tools + "/categories?entityType=portfolio", 200},
			{"of the other shop", "GET " + mugs + "/categories?entityType=product", 200},
			{"of an empty kind", "GET " + tools + "/categories?entityType=", 200},
			{"of an empty shop", "GET " + bare + "/categories", 200},
			{"of no kind there is", "GET " + tools + "/categories?entityType=Product", 400},
			{"of two kinds", "GET " + tools + "/categories?entityType=blog&entityType=product", 400},
			{"of an unknown shop", "GET /tenants/nobody.example/categories", 404},
		})
	})
}

func TestProducts(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *place) {
		p.run(t, []step{
			{"all", "GET " + tools + "/products", 200},
			{"of the other shop", "GET " + mugs + "/products", 200},
			{"second page of two", "GET " + tools + "/products?page=2&pageSize=2", 200},
			{"past the end", "GET " + tools + "/products?page=1000000000&pageSize=100", 200},
			{"more than a page may have", "GET " + mugs + "/products?pageSize=500", 200},
			{"empty parameters", "GET " + mugs + "/products?page=&pageSize=&name=&categoryId=&brandId=&tag=" +
				"&inStore=&unknown=", 200},
			{"none", "GET " + bare + "/products", 200},
			{"all parameters wrong", "GET " + tools + "/products?page=0&pageSize=-1&inStore=yes&name=a&name=b&tag=%00",
				400},
			{"numbers that are none", "GET " + tools + "/products?page=1.5&pageSize=ten", 400},
			{"numbers too large", "GET " + tools + "/products?page=2147483648&pageSize=99999999999999999999", 400},
			{"query that cannot be read", "GET " + tools + "/products?name=%zz", 400},
			{"invalid UTF-8", "GET " + tools + "/products?name=%FF", 400},
			{"unknown shop", "GET /tenants/nobody.example/products", 404},
			{"unknown shop and a wrong parameter", "GET /tenants/nobody.example/products?page=0", 400},
		})
	})
}

func TestProduct(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *place) {
		p.run(t, []step{
			{"whole", "GET " + tools + "/products/drill", 200},
			{"with little", "GET " + tools + "/products/plain", 200},
			{"free and out of stock", "GET " + tools + "/products/saw", 200},
			{"price on request", "GET " + tools + "/products/mallet", 200},
			{"largest price", "GET " + tools + "/products/آچار-کلیدی", 200},
			{"slug in Arabic letters", "GET " + tools + "/products/آچار-كليدي", 200},
			{"published this moment", "GET " + tools + "/products/mug", 200},
			{"same slug in the other shop", "GET " + mugs + "/products/mug", 200},
			{"unknown", "GET " + tools + "/products/nothing", 404},
			{"published later", "GET " + tools + "/products/future-drill", 404},
			{"draft", "GET " + tools + "/products/draft-drill", 404},
			{"archived", "GET " + tools + "/products/old-drill", 404},
			{"of the other shop", "GET " + tools + "/products/tea", 404},
			{"by id", "GET " + tools + "/products/<tools:product:drill>", 404},
			{"invalid UTF-8", "GET " + tools + "/products/%FF", 404},
			{"unknown shop", "GET /tenants/nobody.example/products/drill", 404},
		})
	})
}

func TestVariations(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *place) {
		p.run(t, []step{
			{"two", "GET " + tools + "/products/drill/variations", 200},
			{"one", "GET " + mugs + "/products/mug/variations", 200},
			{"none", "GET " + tools + "/products/saw/variations", 200},
			{"unknown", "GET " + tools + "/products/nothing/variations", 404},
			{"published later", "GET " + tools + "/products/future-drill/variations", 404},
			{"of the other shop", "GET " + tools + "/products/tea/variations", 404},
			{"unknown shop", "GET /tenants/nobody.example/products/drill/variations", 404},
		})
	})
}

func TestTechnicalInfo(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *place) {
		p.run(t, []step{
			{"form of a category above", "GET " + tools + "/products/drill/technical-info", 200},
			{"form of its own category", "GET " + tools + "/products/saw/technical-info", 200},
			{"form without answers", "GET " + tools + "/products/hammer/technical-info", 200},
			{"no form", "GET " + tools + "/products/mug/technical-info", 200},
			{"no category", "GET " + tools + "/products/plain/technical-info", 200},
			{"unknown", "GET " + tools + "/products/nothing/technical-info", 404},
			{"draft", "GET " + tools + "/products/draft-drill/technical-info", 404},
			{"of the other shop", "GET " + tools + "/products/tea/technical-info", 404},
			{"unknown shop", "GET /tenants/nobody.example/products/drill/technical-info", 404},
		})
	})
}
