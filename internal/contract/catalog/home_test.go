package catalog_test

import (
	"testing"

	"storefront/internal/contract/shoptest"
)

func TestTenant(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		p.Run(t, []shoptest.Step{
			{"whole", "GET " + shoptest.ToolsPath, 200},
			{"without branding", "GET " + shoptest.MugsPath, 200},
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
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		p.Run(t, []shoptest.Step{
			{"business info", "GET " + shoptest.ToolsPath + "/website/business-info", 200},
			{"business info of few words", "GET " + shoptest.MugsPath + "/website/business-info", 200},
			{"business info of none", "GET " + shoptest.BarePath + "/website/business-info", 200},
			{"sliders", "GET " + shoptest.ToolsPath + "/website/sliders", 200},
			{"no sliders", "GET " + shoptest.BarePath + "/website/sliders", 200},
			{"category groups", "GET " + shoptest.ToolsPath + "/website/category-groups", 200},
			{"no category groups", "GET " + shoptest.BarePath + "/website/category-groups", 200},
			{"brand groups", "GET " + shoptest.ToolsPath + "/website/brand-groups", 200},
			{"no brand groups", "GET " + shoptest.BarePath + "/website/brand-groups", 200},
			{"specials", "GET " + shoptest.ToolsPath + "/store-specials", 200},
			{"specials of the other shop", "GET " + shoptest.MugsPath + "/store-specials", 200},
			{"no specials", "GET " + shoptest.BarePath + "/store-specials", 200},
		})
	})
}
