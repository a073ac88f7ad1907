package contract_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// FuzzShopperBodies sends arbitrary bodies to the routes of a signed-in customer, who shops between them.
func FuzzShopperBodies(f *testing.F) {
	service := startFuzzed(f)
	var registered struct {
		AccessToken        string
		RegisteredBusiness struct{ ID string }
	}
	service.read(f, "POST", "/auth/register", registering("+989120000001", goodPassword, "shop.example"),
		&registered)
	service.token = registered.AccessToken
	var listed struct{ Items []struct{ ID string } }
	service.read(f, "GET", shopPath+"/store-items?inStock=true", "", &listed)
	shop := "/api/v1/businesses/" + registered.RegisteredBusiness.ID
	routes := []struct{ method, path string }{
		{"POST", shop + "/cart/items"}, {"PATCH", shop + "/cart/items/" + nobodys},
		{"POST", shop + "/cart/checkout"}, {"POST", shop + "/favorites"},
	}
	adding := `{"storeItemVariantId": "` + listed.Items[0].ID + `", "quantity": 1}`
	for _, body := range []string{
		adding, toHome, fullCheckout, `{"productId": "` + service.product + `"}`, `{"quantity": 2}`,
		`{"quantity": 1.0}`, `{"quantity": -9223372036854775809}`,
		`{"storeItemVariantId": 5, "quantity": "۲"}`, `{"payment": {"type": "cash"}, "addressId": "x"}`,
		`{"payment": {"type": ["cash"]}, "shippingAddress": [{}]}`,
		strings.Replace(toHome, `"payment"`, `"customerNotes": "०००००००००००००००२ 6037-9911-9950-0590 \u0660", `+
			`"payment"`, 1),
		strings.Replace(toHome, "cash", "\\ud83d", 1), strings.Replace(toHome, "تهران", "\\u0000", 1), "", "{}",
		"[]", "null",
	} {
		for i := range routes {
			f.Add(uint8(i), body)
		}
	}
	f.Fuzz(func(t *testing.T, route uint8, body string) {
		to := routes[int(route)%len(routes)]
		service.ask(t, "POST", routes[0].path, "application/json", adding) // so that there is something to order
		status, answer := service.ask(t, to.method, to.path, "application/json", body)
		switch status {
		case 200, 201:
			if !json.Valid([]byte(body)) {
				t.Errorf("%s %q: %.300s", to.path, body, answer)
			}
		case 400, 404, 409, 413, 415:
		default:
			t.Errorf("%s %q: %d", to.path, body, status)
		}
	})
}
