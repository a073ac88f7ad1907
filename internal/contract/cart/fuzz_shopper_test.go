package cart_test

import (
	"encoding/json"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

// FuzzShopperBodies sends arbitrary bodies to the routes of a signed-in customer, with valid requests between
// them.
func FuzzShopperBodies(f *testing.F) {
	service := shoptest.StartFuzzed(f)
	var registered struct {
		AccessToken        string
		RegisteredBusiness struct{ ID string }
	}
	service.Read(f, "POST", "/auth/register", shoptest.Registering("+989120000001", shoptest.GoodPassword,
		"shop.example"),
		&registered)
	service.Token = registered.AccessToken
	var listed struct{ Items []struct{ ID string } }
	service.Read(f, "GET", shoptest.ShopPath+"/store-items?inStock=true", "", &listed)
	shop := "/api/v1/businesses/" + registered.RegisteredBusiness.ID
	routes := []struct{ method, path string }{
		{"POST", shop + "/cart/items"}, {"PATCH", shop + "/cart/items/" + shoptest.NobodysID},
		{"POST", shop + "/cart/checkout"}, {"POST", shop + "/favorites"},
	}
	adding := `{"storeItemVariantId": "` + listed.Items[0].ID + `", "quantity": 1}`
	for _, body := range []string{
		adding, shoptest.ToHome, fullCheckout, `{"productId": "` + service.Product + `"}`, `{"quantity": 2}`,
		`{"quantity": 1.0}`, `{"quantity": -9223372036854775809}`,
		`{"storeItemVariantId": 5, "quantity": "۲"}`, `{"payment": {"type": "cash"}, "addressId": "x"}`,
		`{"payment": {"type": ["cash"]}, "shippingAddress": [{}]}`,
		strings.Replace(shoptest.ToHome, `"payment"`,
			`"customerNotes": "०००००००००००००००२ 6037-9911-9950-0590 \u0660", `+
				`"payment"`, 1),
		strings.Replace(shoptest.ToHome, "cash", "\\ud83d", 1), strings.Replace(shoptest.ToHome, "تهران",
			"\\u0000", 1), "", "{}",
		"[]", "null",
	} {
		for i := range routes {
			f.Add(uint8(i), body)
		}
	}
	f.Fuzz(func(t *testing.T, route uint8, body string) {
		to := routes[int(route)%len(routes)]
		service.Ask(t, "POST", routes[0].path, "application/json", adding) // so that there is something to order
		status, answer := service.Ask(t, to.method, to.path, "application/json", body)
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
