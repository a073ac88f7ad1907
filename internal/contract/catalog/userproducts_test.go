package catalog_test

import (
	"testing"

	"storefront/internal/contract/shoptest"
)

func TestUserProducts(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		p.Run(t, []shoptest.Step{
			{"all", "GET " + shoptest.ToolsPath + "/user-products", 200},
			{"of the other shop", "GET " + shoptest.MugsPath + "/user-products", 200},
			{"second page of two", "GET " + shoptest.ToolsPath + "/user-products?page=2&pageSize=2", 200},
			{"past the end", "GET " + shoptest.ToolsPath + "/user-products?page=9&pageSize=500", 200},
			{"empty parameters", "GET " + shoptest.MugsPath +
				"/user-products?page=&pageSize=&name=&q=&categoryId=&cityId=" +
				"&countryId=&condition=&promoted=", 200},
			{"none", "GET " + shoptest.BarePath + "/user-products", 200},
			{"all parameters wrong", "GET " + shoptest.ToolsPath +
				"/user-products?page=x&pageSize=0&condition=used&promoted=2" +
				"&q=1&q=2&cityId=%00", 400},
			{"unknown shop", "GET /tenants/nobody.example/user-products", 404},
		})
	})
}

func TestUserProduct(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		p.Run(t, []shoptest.Step{
			{"whole", "GET " + shoptest.ToolsPath + "/user-products/lathe", 200},
			{"city alone", "GET " + shoptest.ToolsPath + "/user-products/mill", 200},
			{"province alone", "GET " + shoptest.ToolsPath + "/user-products/press", 200},
			{"country alone", "GET " + shoptest.ToolsPath + "/user-products/loader", 200},
			{"no place", "GET " + shoptest.ToolsPath + "/user-products/nowhere", 200},
			{"same slug in the other shop", "GET " + shoptest.MugsPath + "/user-products/lathe", 200},
			{"unknown", "GET " + shoptest.ToolsPath + "/user-products/nothing", 404},
			{"published later", "GET " + shoptest.ToolsPath + "/user-products/future", 404},
			{"draft", "GET " + shoptest.ToolsPath + "/user-products/drafted", 404},
			{"pending", "GET " + shoptest.ToolsPath + "/user-products/pending", 404},
			{"rejected", "GET " + shoptest.ToolsPath + "/user-products/rejected", 404},
			{"archived", "GET " + shoptest.ToolsPath + "/user-products/archived", 404},
			{"of the other shop", "GET " + shoptest.ToolsPath + "/user-products/kettle", 404},
			{"unknown shop", "GET /tenants/nobody.example/user-products/lathe", 404},
		})
	})
}

func TestUserProductTechnicalInfo(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		p.Run(t, []shoptest.Step{
			{"whole", "GET " + shoptest.ToolsPath + "/user-products/lathe/technical-info", 200},
			{"form without answers", "GET " + shoptest.ToolsPath + "/user-products/press/technical-info", 200},
			{"no category", "GET " + shoptest.ToolsPath + "/user-products/loader/technical-info", 200},
			{"unknown", "GET " + shoptest.ToolsPath + "/user-products/nothing/technical-info", 404},
			{"pending", "GET " + shoptest.ToolsPath + "/user-products/pending/technical-info", 404},
			{"of the other shop", "GET " + shoptest.ToolsPath + "/user-products/kettle/technical-info", 404},
			{"unknown shop", "GET /tenants/nobody.example/user-products/lathe/technical-info", 404},
		})
	})
}
