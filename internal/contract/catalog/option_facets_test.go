package catalog_test

import (
	"fmt"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

// TestOptionFacets compares the count of each option with the list that its filter finds, under other filters and with
// conditions on options.
func TestOptionFacets(t *testing.T) {
	shoptest.EachDemo(t, func(t *testing.T, p *shoptest.Place) {
		for _, list := range []string{"products", "storeItems"} {
			type facets struct {
				Data struct {
					Tenant struct {
						List struct {
							Facets struct {
								Options []struct {
									Key, Name, NameFa string
									Values            []struct {
										Value, Label, LabelFa string
										Count                 int
									}
								}
							}
						}
					}
				}
			}
			var got facets
			ask := func(arguments string) {
				t.Helper()
				got = facets{}
				p.Graph(t, shoptest.About(shoptest.PaperShop,
					fmt.Sprintf(`list: %s(pageSize: 1 %s) { facets { options { key name nameFa `+
						`values { value label labelFa count } } } }`, list, arguments)), &got)
			}
			ask("")
			variations := got.Data.Tenant.List.Facets.Options
			if len(variations) < 2 {
				t.Fatalf("%s has the variations %v", list, variations)
			}
			second := variations[1]
			for _, others := range []string{"", "maxPrice: 20", `categories: ["no-such"]`,
				fmt.Sprintf("{key: %q, anyOf: [%q]}", second.Key, second.Values[0].Value)} {
				with := func(condition string) string {
					if strings.HasPrefix(others, "{") {
						return "options: [" + others + condition + "]"
					}
					return others + " options: [" + condition + "]"
				}
				ask(with(""))
				for _, v := range got.Data.Tenant.List.Facets.Options {
					if v.Name == "" || v.NameFa == "" {
						t.Errorf("%s: no name of %s", list, v.Key)
					}
					for i, value := range v.Values {
						if strings.HasPrefix(others, "{") && v.Key == second.Key || i > 2 {
							continue // the facet ignores its own condition
						}
						condition := fmt.Sprintf("{key: %q, anyOf: [%q]}", v.Key, value.Value)
						if n := askFacets(t, p, shoptest.PaperShop, list, with(condition),
							"").Total; n != value.Count || value.Label == "" {
							t.Errorf("%s(%s): got %d, want the %[4]d of its facet %[5]v", list,
								with(condition), n, value.Count, value)
						}
					}
					if strings.HasPrefix(others, "{") && v.Key == second.Key && fmt.Sprint(v) != fmt.Sprint(second) {
						t.Errorf("%s: under its own condition %v, want %v", list, v, second)
					}
				}
			}
		}
	})
}
