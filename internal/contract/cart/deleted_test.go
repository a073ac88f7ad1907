package cart_test

import (
	"encoding/json"
	"strings"
	"testing"

	"storefront/ent"
	"storefront/internal/contract/shoptest"
)

// TestDeletedVariantStaysInCarts deletes variants that are in the carts of a customer and a guest, alone and with their
// product. The lines stay as they were, but that they cannot be bought, whatever gets their SKU later.
func TestDeletedVariantStaysInCarts(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		customer := shoptest.Crowd(t, 1, a)[0]
		for _, s := range customer.Everywhere(a) {
			for _, section := range []string{"variants", "products"} {
				washer := map[string]any{"publishedAt": "2026-11-01T00:00:00Z", "variants": []any{map[string]any{
					"sku": "WA-1", "price": 900, "priceCurrency": "IRT", "stock": 9, "imageUrl": "/washer.png",
					"options": map[string]any{"size": "s"},
				}}, "variations": []any{map[string]any{"key": "size", "name": "Size", "nameFa": "اندازه",
					"values": []any{map[string]any{"key": "s", "label": "S", "labelFa": "کوچک"}}}}}
				s.Amends(t, "washers", washer)
				s.Right(t, "ClearCart", "")
				s.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
				s.Right(t, "AddCartItem", shoptest.Adding("WA-1", 2))
				g := newGuest(t, a)
				if code := g.add(t, "WA-1", 1).code; code != "" {
					t.Fatalf("a guest's addition: %s", code)
				}
				before := itemsOf(t, s)
				s.Delete(t, section, map[string]string{"variants": "WA-1", "products": "washers"}[section])

				after := itemsOf(t, s)
				if len(after) != 2 || after[1]["warning"] != "UNAVAILABLE" || after[1]["unitPrice"] != nil {
					t.Fatalf("%s: the cart is %v", section, after)
				}
				for _, member := range []string{"id", "storeItemVariantId", "productId", "productSlug", "titleFa",
					"titleEn", "sku", "imageUrl", "quantity", "priceCurrency", "options"} {
					was, _ := json.Marshal(before[1][member])
					is, _ := json.Marshal(after[1][member])
					if string(is) != string(was) {
						t.Errorf("%s: %s was %s, and is %s", section, member, was, is)
					}
				}
				s.Wrong(t, "UpdateCartItem", `{"quantity": 1}`, "ITEM_UNAVAILABLE", s.Line(t, "WA-1"))
				short := s.Wrong(t, "Checkout", shoptest.ToHome, "ITEM_UNAVAILABLE").Short(t)
				if !strings.HasSuffix(short, " wants 2 of 0") {
					t.Errorf("%s: the checkout names %q", section, short)
				}

				s.Amends(t, "washers", washer) // a new variant of the same SKU
				s.Wrong(t, "Checkout", shoptest.ToHome, "ITEM_UNAVAILABLE")
				if got := g.read(t); len(got.Cart.Items) != 1 || *got.Cart.Items[0].Warning != "UNAVAILABLE" {
					t.Errorf("%s: the guest's cart is %+v", section, got.Cart)
				}
				left := g.merge(t, s.API).LeftOut
				if len(left) != 1 || left[0].Reason != "UNAVAILABLE" || left[0].Requested != 1 || left[0].Taken != 0 {
					t.Errorf("%s: a merge leaves out %+v", section, left)
				}
				s.Right(t, "AddCartItem", shoptest.Adding("WA-1", 1))
				if is := s.Warnings(t); is != "D-13  WA-1 UNAVAILABLE WA-1  " {
					t.Errorf("%s: the cart is %q", section, is)
				}
				s.Right(t, "RemoveCartItem", "", s.Line(t, "WA-1"))
				s.Right(t, "RemoveCartItem", "", s.Line(t, "WA-1"))
				s.Right(t, "Checkout", shoptest.ToHome)
				s.Delete(t, "products", "washers")
			}
		}
	})
}

// itemsOf returns the lines of the cart as objects.
func itemsOf(t *testing.T, s shoptest.Shopper) []map[string]any {
	t.Helper()
	var read struct {
		Cart struct{ Items []map[string]any }
	}
	if err := json.Unmarshal([]byte(s.Right(t, "Cart", "").Said), &read); err != nil {
		t.Fatal(err)
	}
	return read.Cart.Items
}

// TestCartOfTwoCurrencies gives one variant of a cart another currency: its lines may be made smaller, and once one
// is off sale the other may grow.
func TestCartOfTwoCurrencies(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		customer := shoptest.Crowd(t, 1, a)[0]
		for _, s := range customer.Everywhere(a) {
			var variants []any
			for _, sku := range []string{"N-0", "N-1"} {
				variants = append(variants, map[string]any{
					"sku": sku, "price": 5, "priceCurrency": "IRT", "stock": 100, "onSale": true,
				})
			}
			s.Amends(t, "nails", map[string]any{"publishedAt": "2026-11-01T00:00:00Z", "variants": variants})
			s.Right(t, "ClearCart", "")
			s.Right(t, "AddCartItem", shoptest.Adding("N-0", 5))
			s.Right(t, "AddCartItem", shoptest.Adding("N-1", 5))
			s.Variant(t, "N-0", func(u *ent.VariantUpdate) { u.SetPriceCurrency("USD") })
			s.Right(t, "UpdateCartItem", `{"quantity": 2}`, s.Line(t, "N-0"))
			s.Right(t, "UpdateCartItem", `{"quantity": 2}`, s.Line(t, "N-1"))
			s.Right(t, "UpdateCartItem", `{"quantity": 3}`, s.Line(t, "N-0"))
			s.Wrong(t, "UpdateCartItem", `{"quantity": 3}`, "ITEM_UNAVAILABLE", s.Line(t, "N-1"))
			s.Wrong(t, "AddCartItem", shoptest.Adding("D-13", 1), "CONFLICT")
			s.Variant(t, "N-0", func(u *ent.VariantUpdate) { u.SetOnSale(false).ClearListedAt() })
			s.Right(t, "UpdateCartItem", `{"quantity": 4}`, s.Line(t, "N-1"))
			if is := s.Quantities(t); is != "N-0 3 N-1 4 " {
				t.Errorf("the cart holds %q", is)
			}
		}
	})
}

// TestAddNamesEveryRefusedItem adds items that are refused for different reasons, with one that is not.
func TestAddNamesEveryRefusedItem(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		customer := shoptest.Crowd(t, 1, a)[0].Everywhere(a)[1] // by GraphQL
		add := func(skus ...string) shoptest.Reply {
			items := ""
			for _, sku := range skus {
				items += `{storeItemVariantId: "<tools:variant:` + sku + `>", quantity: 4} `
			}
			document := `mutation { addToCart(domain: "tools.example", items: [` + items + `]) { message } }`
			return customer.Read(t, customer.Send(t, "POST", "/graphql",
				shoptest.GraphQLBody(customer.Named(t, document), "{}"), customer.Headers...))
		}
		for _, c := range []struct {
			skus        []string
			code, short string
		}{
			{[]string{"D-16", "M-1", "S-1", "D-10", "D-13"}, "NOT_FOUND",
				"D-16 wants 4 of 0, M-1 wants 4 of 0, S-1 wants 4 of 0, D-10 wants 4 of 3"},
			{[]string{"M-1", "S-1", "D-10", "D-13"}, "ITEM_UNAVAILABLE",
				"M-1 wants 4 of 0, S-1 wants 4 of 0, D-10 wants 4 of 3"},
		} {
			got := add(c.skus...)
			if short := got.Short(t); got.Code != c.code || short != c.short {
				t.Errorf("%v: got %s, %s, want %s, %s", c.skus, got.Code, short, c.code, c.short)
			}
			if is := customer.Quantities(t); is != "" {
				t.Errorf("%v: the cart holds %q", c.skus, is)
			}
		}
	})
}
