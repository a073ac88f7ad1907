package catalog_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

// boundAPIs holds functions that return requests for the store items of the mugs shop between two prices,
// each a JSON number or empty: over REST, and in GraphQL with variables and with literals.
var boundAPIs = map[string]func(lowest, highest string) (method, path, body string){
	"REST": func(lowest, highest string) (string, string, string) {
		return "GET", "/api/v1" + shoptest.MugsPath + "/store-items?" +
			url.Values{"minPrice": {lowest}, "maxPrice": {highest}}.Encode(), ""
	},
	"variables": func(lowest, highest string) (string, string, string) {
		var members []string
		if lowest != "" {
			members = append(members, `"minPrice": `+lowest)
		}
		if highest != "" {
			members = append(members, `"maxPrice": `+highest)
		}
		return "POST", "/graphql", shoptest.GraphQLBody(`query($minPrice: Decimal, $maxPrice: Decimal) { `+
			`body: tenant(domain: "`+shoptest.MugsShop+`") {
			storeItems(minPrice: $minPrice, maxPrice: $maxPrice) { total } } }`, "{"+strings.Join(members, ", ")+"}")
	},
	"document": func(lowest, highest string) (string, string, string) {
		arguments := "page: 1"
		if lowest != "" {
			arguments += ", minPrice: " + lowest
		}
		if highest != "" {
			arguments += ", maxPrice: " + highest
		}
		return "POST", "/graphql", shoptest.GraphQLBody(`{ body: tenant(domain: "`+
			shoptest.MugsShop+`") { storeItems(`+arguments+`) { total } } }`, "")
	},
}

// boundAnswer returns the number of items, or the fault, in an answer to one of boundAPIs.
func boundAnswer(t testing.TB, body []byte) string {
	t.Helper()
	var got struct {
		Total  *int
		Code   string
		Errors []struct {
			Field, Message string
			Extensions     struct {
				Code   string
				Errors []struct{ Field, Message string }
			}
		}
		Data struct {
			Body struct{ StoreItems struct{ Total *int } }
		}
	}
	if err := json.Unmarshal(body, &got); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	for _, total := range []*int{got.Total, got.Data.Body.StoreItems.Total} {
		if total != nil {
			return fmt.Sprint(*total, " items")
		}
	}
	if len(got.Errors) == 0 {
		return got.Code
	}
	if in := got.Errors[0].Extensions; in.Code != "" {
		return fmt.Sprint(in.Code, " ", in.Errors)
	}
	var fields []struct{ Field, Message string }
	for _, e := range got.Errors {
		fields = append(fields, struct{ Field, Message string }{e.Field, e.Message})
	}
	return fmt.Sprint(got.Code, " ", fields)
}

const (
	negativeMinPrice = "VALIDATION_FAILED [{minPrice must be at least 0}]"
	negativeMaxPrice = "VALIDATION_FAILED [{maxPrice must be at least 0}]"
	crossedPrices    = "VALIDATION_FAILED [{minPrice must not be above maxPrice}]"
)

// TestPriceBoundsAreExact checks that the bounds of a price filter are compared as exact decimals over REST
// and GraphQL. The mugs cost 12.50, 12.501 (which is 12.50 in dollars), 13 and 13.01.
func TestPriceBoundsAreExact(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		for _, c := range []struct{ lowest, highest, want string }{
			{"-1e-324", "", negativeMinPrice},
			{"", "-1e-324", negativeMaxPrice},
			{"-1e-999999999", "", negativeMinPrice},
			{"-0." + strings.Repeat("0", 500) + "1", "", negativeMinPrice},
			{"", "-0." + strings.Repeat("0", 500) + "1", negativeMaxPrice},
			{"-1", "", negativeMinPrice},
			{"-1e400", "", negativeMinPrice},
			{"-0", "", "4 items"},
			{"-0.000", "-0e5", "0 items"},
			{"1e-324", "", "4 items"},
			{"", "1e-324", "0 items"},
			{"1e400", "", "0 items"},
			{"", "1e400", "4 items"},
			{"", "99999999999999999999", "4 items"},
			{"1e999999999", "1e400", crossedPrices},
			{"9007199254740993", "9007199254740992", crossedPrices},
			{"12.50000000000000000001", "12.5", crossedPrices},
			{"12.5", "12.50000000000000000001", "1 items"},
			{"1e-324", "0", crossedPrices},
			{"0", "-0", "0 items"},
		} {
			for api, ask := range boundAPIs {
				method, path, body := ask(c.lowest, c.highest)
				got := p.Send(t, method, strings.TrimPrefix(path, "/api/v1"), body)
				if said := boundAnswer(t, got.Body); said != c.want || got.Status >= 500 {
					t.Errorf("%s, %.30s to %.30s: %d %s, want %s", api, c.lowest, c.highest, got.Status,
						said, c.want)
				}
			}
		}
	})
}

// FuzzPriceBounds requests items between arbitrary prices through all boundAPIs. None may fail, and their
// answers must agree.
func FuzzPriceBounds(f *testing.F) {
	service := shoptest.StartFuzzedOn(f, shoptest.Shops)
	for _, seed := range []string{"-1e-324", "-0", "0.000001", "12.5", "1e400", "9007199254740993",
		"-1e999999999", "1E+2", ""} {
		f.Add(seed, "12.50")
		f.Add("0", seed)
	}
	f.Fuzz(func(t *testing.T, lowest, highest string) {
		for _, text := range []string{lowest, highest} {
			var number json.Number
			if text != "" && (json.Unmarshal([]byte(text), &number) != nil || string(number) != text) {
				return
			}
		}
		first, firstAPI := "", ""
		for api, ask := range boundAPIs {
			method, path, body := ask(lowest, highest)
			contentType := ""
			if method == http.MethodPost {
				contentType = "application/json"
			}
			_, got := service.Ask(t, method, path, contentType, body)
			said := boundAnswer(t, got)
			if first == "" {
				first, firstAPI = said, api
			}
			if said != first || strings.Contains(said, "INTERNAL") {
				t.Errorf("%q to %q: %s: got %s, want %s as %s says", lowest, highest, api, said, first, firstAPI)
			}
		}
	})
}
