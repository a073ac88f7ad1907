package contract_test

import "testing"

func TestDemoShopsAnswer(t *testing.T) {
	eachDemo(t, func(t *testing.T, p *place) {
		for _, path := range []string{"/tenants/sanat-mashin.example", "/tenants/paperlane.example/products", "/cities"} {
			if got := p.get(t, path); got.status != 200 {
				t.Errorf("%s: %d %s", path, got.status, got.body)
			}
		}
	})
}
