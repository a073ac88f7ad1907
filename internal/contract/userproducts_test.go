package contract_test

import "testing"

func TestUserProducts(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *place) {
		p.run(t, []step{
			{"all", "GET " + tools + "/user-products", 200},
			{"of the other shop", "GET " + mugs + "/user-products", 200},
			{"second page of two", "GET " + tools + "/user-products?page=2&pageSize=2", 200},
			{"past the end", "GET " + tools + "/user-products?page=9&pageSize=500", 200},
			{"empty parameters", "GET " + mugs + "/user-products?page=&pageSize=&name=&q=&categoryId=&cityId=" +
				"&countryId=&condition=&promoted=", 200},
			{"none", "GET " + bare + "/user-products", 200},
			{"all parameters wrong", "GET " + tools + "/user-products?page=x&pageSize=0&condition=used&promoted=2" +
				"&q=1&q=2&cityId=%00", 400},
			{"unknown shop", "GET /tenants/nobody.example/user-products", 404},
		})
	})
}

func TestUserProduct(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *place) {
		p.run(t, []step{
			{"whole", "GET " + tools + "/user-products/lathe", 200},
			{"city alone", "GET " + tools + "/user-products/mill", 200},
			{"province alone", "GET " + tools + "/user-products/press", 200},
			{"country alone", "GET " + tools + "/user-products/loader", 200},
			{"no place", "GET " + tools + "/user-products/nowhere", 200},
			{"same slug in the other shop", "GET " + mugs + "/user-products/lathe", 200},
			{"unknown", "GET " + tools + "/user-products/nothing", 404},
			{"published later", "GET " + tools + "/user-products/future", 404},
			{"draft", "GET " + tools + "/user-products/drafted", 404},
			{"pending", "GET " + tools + "/user-products/pending", 404},
			{"rejected", "GET " + tools + "/user-products/rejected", 404},
			{"archived", "GET " + tools + "/user-products/archived", 404},
			{"of the other shop", "GET " + tools + "/user-products/kettle", 404},
			{"unknown shop", "GET /tenants/nobody.example/user-products/lathe", 404},
		})
	})
}

func TestUserProductTechnicalInfo(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *place) {
		p.run(t, []step{
			{"whole", "GET " + tools + "/user-products/lathe/technical-info", 200},
			{"form without answers", "GET " + tools + "/user-products/press/technical-info", 200},
			{"no category", "GET " + tools + "/user-products/loader/technical-info", 200},
			{"unknown", "GET " + tools + "/user-products/nothing/technical-info", 404},
			{"pending", "GET " + tools + "/user-products/pending/technical-info", 404},
			{"of the other shop", "GET " + tools + "/user-products/kettle/technical-info", 404},
			{"unknown shop", "GET /tenants/nobody.example/user-products/lathe/technical-info", 404},
		})
	})
}
