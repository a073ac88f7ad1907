package contract_test

import "testing"

func TestBlogs(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *place) {
		p.run(t, []step{
			{"all", "GET " + tools + "/blogs", 200},
			{"of the other shop", "GET " + mugs + "/blogs", 200},
			{"second page of one", "GET " + tools + "/blogs?page=2&pageSize=1", 200},
			{"past the end", "GET " + tools + "/blogs?page=9&pageSize=500", 200},
			{"none", "GET " + bare + "/blogs", 200},
			{"all parameters wrong", "GET " + tools + "/blogs?page=0&pageSize=0&type=essay&title=%00&categoryId=%FF",
				400},
			{"unknown shop", "GET /tenants/nobody.example/blogs", 404},
		})
	})
}

func TestBlog(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *place) {
		p.run(t, []step{
			{"whole", "GET " + tools + "/blogs/hello", 200},
			{"with little", "GET " + tools + "/blogs/oil", 200},
			{"same slug in the other shop", "GET " + mugs + "/blogs/hello", 200},
			{"unknown", "GET " + tools + "/blogs/nothing", 404},
			{"published later", "GET " + tools + "/blogs/soon", 404},
			{"draft", "GET " + tools + "/blogs/unfinished", 404},
			{"of the other shop", "GET " + tools + "/blogs/teapots", 404},
			{"unknown shop", "GET /tenants/nobody.example/blogs/hello", 404},
		})
	})
}

func TestPortfolios(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *place) {
		p.run(t, []step{
			{"all", "GET " + tools + "/portfolios", 200},
			{"of the other shop", "GET " + mugs + "/portfolios", 200},
			{"second page of one", "GET " + tools + "/portfolios?page=2&pageSize=1", 200},
			{"past the end", "GET " + tools + "/portfolios?page=9&pageSize=500", 200},
			{"none", "GET " + bare + "/portfolios", 200},
			{"all parameters wrong", "GET " + tools + "/portfolios?page=0&pageSize=0&title=%00&categoryId=1" +
				"&categoryId=1", 400},
			{"unknown shop", "GET /tenants/nobody.example/portfolios", 404},
		})
	})
}

func TestPortfolio(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *place) {
		p.run(t, []step{
			{"whole", "GET " + tools + "/portfolios/house", 200},
			{"with little", "GET " + tools + "/portfolios/bridge", 200},
			{"same slug in the other shop", "GET " + mugs + "/portfolios/house", 200},
			{"unknown", "GET " + tools + "/portfolios/nothing", 404},
			{"published later", "GET " + tools + "/portfolios/tower", 404},
			{"archived", "GET " + tools + "/portfolios/shed", 404},
			{"of the other shop", "GET " + tools + "/portfolios/kiosk", 404},
			{"unknown shop", "GET /tenants/nobody.example/portfolios/house", 404},
		})
	})
}
