package contract_test

import "testing"

// The shops of testdata/*.bundle.json: one in Persian, one in English with slugs and SKUs of the first, one
// with nothing.
const (
	tools = "/tenants/tools.example"
	mugs  = "/tenants/mugs.example"
	bare  = "/tenants/xn--mgbp4e7t.example"
)

func TestTenant(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *place) {
		p.run(t, []step{
			{"whole", "GET " + tools, 200},
			{"without branding", "GET " + mugs, 200},
			{"in upper case with a dot", "GET /tenants/TOOLS.Example.", 200},
			{"in Unicode", "GET /tenants/دکان.example", 200},
			{"unknown", "GET /tenants/nobody.example", 404},
			{"with www", "GET /tenants/www.tools.example", 404},
			{"with a port", "GET /tenants/tools.example:443", 404},
			{"no host name", "GET /tenants/-tools-.example", 404},
			{"invalid UTF-8", "GET /tenants/%FF.example", 404},
			{"U+0000", "GET /tenants/tools.example%00", 404},
		})
	})
}

func TestHome(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *place) {
		p.run(t, []step{
			{"business info", "GET " + tools + "/website/business-info", 200},
			{"business info of few words", "GET " + mugs + "/website/business-info", 200},
			{"business info of none", "GET " + bare + "/website/business-info", 200},
			{"sliders", "GET " + tools + "/website/sliders", 200},
			{"no sliders", "GET " + bare + "/website/sliders", 200},
			{"category groups", "GET " + tools + "/website/category-groups", 200},
			{"no category groups", "GET " + bare + "/website/category-groups", 200},
			{"brand groups", "GET " + tools + "/website/brand-groups", 200},
			{"no brand groups", "GET " + bare + "/website/brand-groups", 200},
			{"specials", "GET " + tools + "/store-specials", 200},
			{"specials of the other shop", "GET " + mugs + "/store-specials", 200},
			{"no specials", "GET " + bare + "/store-specials", 200},
		})
	})
}
