package catalog_test

import (
	"testing"

	"storefront/internal/contract/shoptest"
)

func TestBlogs(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		p.Run(t, []shoptest.Step{
			{"all", "GET " + shoptest.ToolsPath + "/blogs", 200},
			{"of the other shop", "GET " + shoptest.MugsPath + "/blogs", 200},
			{"second page of one", "GET " + shoptest.ToolsPath + "/blogs?page=2&pageSize=1", 200},
			{"past the end", "GET " + shoptest.ToolsPath + "/blogs?page=9&pageSize=500", 200},
			{"none", "GET " + shoptest.BarePath + "/blogs", 200},
			{"all parameters wrong", "GET " + shoptest.ToolsPath +
				"/blogs?page=0&pageSize=0&type=essay&title=%00&categoryId=%FF",
				400},
			{"unknown shop", "GET /tenants/nobody.example/blogs", 404},
		})
	})
}

func TestBlog(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		p.Run(t, []shoptest.Step{
			{"whole", "GET " + shoptest.ToolsPath + "/blogs/hello", 200},
			{"with little", "GET " + shoptest.ToolsPath + "/blogs/oil", 200},
			{"same slug in the other shop", "GET " + shoptest.MugsPath + "/blogs/hello", 200},
			{"unknown", "GET " + shoptest.ToolsPath + "/blogs/nothing", 404},
			{"published later", "GET " + shoptest.ToolsPath + "/blogs/soon", 404},
			{"draft", "GET " + shoptest.ToolsPath + "/blogs/unfinished", 404},
			{"of the other shop", "GET " + shoptest.ToolsPath + "/blogs/teapots", 404},
			{"unknown shop", "GET /tenants/nobody.example/blogs/hello", 404},
		})
	})
}

func TestPortfolios(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		p.Run(t, []shoptest.Step{
			{"all", "GET " + shoptest.ToolsPath + "/portfolios", 200},
			{"of the other shop", "GET " + shoptest.MugsPath + "/portfolios", 200},
			{"second page of one", "GET " + shoptest.ToolsPath + "/portfolios?page=2&pageSize=1", 200},
			{"past the end", "GET " + shoptest.ToolsPath + "/portfolios?page=9&pageSize=500", 200},
			{"none", "GET " + shoptest.BarePath + "/portfolios", 200},
			{"all parameters wrong", "GET " + shoptest.ToolsPath +
				"/portfolios?page=0&pageSize=0&title=%00&categoryId=1" +
				"&categoryId=1", 400},
			{"unknown shop", "GET /tenants/nobody.example/portfolios", 404},
		})
	})
}

func TestPortfolio(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		p.Run(t, []shoptest.Step{
			{"whole", "GET " + shoptest.ToolsPath + "/portfolios/house", 200},
			{"with little", "GET " + shoptest.ToolsPath + "/portfolios/bridge", 200},
			{"same slug in the other shop", "GET " + shoptest.MugsPath + "/portfolios/house", 200},
			{"unknown", "GET " + shoptest.ToolsPath + "/portfolios/nothing", 404},
			{"published later", "GET " + shoptest.ToolsPath + "/portfolios/tower", 404},
			{"archived", "GET " + shoptest.ToolsPath + "/portfolios/shed", 404},
			{"of the other shop", "GET " + shoptest.ToolsPath + "/portfolios/kiosk", 404},
			{"unknown shop", "GET /tenants/nobody.example/portfolios/house", 404},
		})
	})
}
