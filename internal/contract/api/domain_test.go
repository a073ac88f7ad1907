package api_test

import (
	"bytes"
	"net/url"
	"testing"

	"storefront/internal/contract/shoptest"
)

func TestDomainForms(t *testing.T) {
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		for domain, forms := range map[string][]string{
			"shop.example": {
				"SHOP.example", "Shop.Example", "shop.example.", "SHOP.EXAMPLE.", "%73hop.example", "shop%2Eexample",
				"shop.example%2E",
				"ｓｈｏｐ.example", "shop。example",
			},
			"xn--mgbtj4c7ad63e.example": {
				"XN--MGBTJ4C7AD63E.example", "xn--mgbtj4c7ad63e.example.", "فروشگاه.example",
				url.PathEscape("فروشگاه.example"),
				"فروشگاه.EXAMPLE.",
			},
		} {
			want := p.Get(t, "/tenants/"+domain)
			shoptest.WantStatus(t, want, 200)
			for _, form := range forms {
				got := p.At(t, "GET", "/api/v1/tenants/"+form)
				if got.Status != 200 || !bytes.Equal(got.Body, want.Body) {
					t.Errorf("%s: got %d %s", form, got.Status, got.Body)
				}
				shoptest.WantStatus(t, p.At(t, "GET", "/api/v1/tenants/"+form+"/products"), 200)
			}
		}
		for _, other := range []string{
			"no.example", "www.shop.example", "api.shop.example", "customer.shop.example", "shop.example:443",
			"shop.example:80", "shop",
			"example", "shop.example..", ".shop.example", "shop..example", "https:%2F%2Fshop.example",
			"shop.example%2F", "%20shop.example",
			"shop.example%20", "shop.example%0A", "shop_example", "shop%25example", "*", "%25", "%2A.example",
			"shop.ex_mple", "127.0.0.1",
			"%FF", "shop.example%00", "%00", "shop.%C3.example", "xn--mgbtj4c7ad63e", "xn--0.example",
			"%E2%80%AE.example", "null", "undefined",
			"shop.example%3Fx", "shop.example%23", "user@shop.example", "[::1]", "فروشگاه",
		} {
			for _, below := range []string{"", "/", "/products", "/products/drill", "/website/sliders",
				"/categories"} {
				if shoptest.WantFault(t, p.At(t, "GET", "/api/v1/tenants/"+other+below), 404,
					"NOT_FOUND"); t.Failed() {
					t.Fatalf("that was %s%s", other, below)
				}
			}
			shoptest.WantFault(t, p.Send(t, "POST", "/tenants/"+other+"/contact-submissions",
				shoptest.ContactForm), 404, "NOT_FOUND")
		}
	})
}
