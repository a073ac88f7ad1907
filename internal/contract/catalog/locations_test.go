package catalog_test

import (
	"testing"

	"storefront/internal/contract/shoptest"
)

func TestCities(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		p.Run(t, []shoptest.Step{
			{"provinces of a country", "GET /cities?parentSlug=iran", 200},
			{"cities of a province", "GET /cities?level=city&parentId=<location:province:alborz>", 200},
			{"all filters", "GET /cities?level=city&parentId=<location:province:alborz>&parentSlug=alborz", 200},
			{"filters that contradict", "GET /cities?level=city&parentId=<location:province:alborz>&parentSlug=tehran",
				200},
			{"countries below a province", "GET /cities?level=country&parentSlug=alborz", 200},
			{"below a city", "GET /cities?parentId=<location:city:karaj>", 200},
			{"slug of a city", "GET /cities?parentSlug=karaj", 200},
			{"unknown parent", "GET /cities?parentId=01890a5d-ac96-774b-bcce-b302099a8057", 200},
			{"malformed parent", "GET /cities?parentId=1", 200},
			{"unknown slug", "GET /cities?parentSlug=atlantis", 200},
			{"all parameters wrong", "GET /cities?level=village&parentId=1&parentId=2&parentSlug=%00", 400},
		})
	})
}

func TestCity(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		p.Run(t, []shoptest.Step{
			{"country", "GET /cities/<location:country:iran>", 200},
			{"province", "GET /cities/<location:province:alborz>", 200},
			{"city", "GET /cities/<location:city:karaj>", 200},
			{"unknown", "GET /cities/01890a5d-ac96-774b-bcce-b302099a8057", 404},
			{"malformed", "GET /cities/karaj", 404},
			{"record of a shop", "GET /cities/<tools:product:drill>", 404},
		})
	})
}
