package cart_test

import (
	"fmt"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

// TestCartBodies sends invalid bodies; the error names each invalid member, and the cart stays unchanged.
func TestCartBodies(t *testing.T) {
	shoptest.EachShopper(t, func(t *testing.T, s shoptest.Shopper) {
		s.Right(t, "AddCartItem", shoptest.Adding("D-13", 5))
		line := s.Line(t, "D-13")
		if !s.GraphQL { // where 0 takes the line out
			s.Wrong(t, "UpdateCartItem", `{"quantity": 0}`, "VALIDATION_FAILED", line).Blames(t, "quantity")
		}
		s.Wrong(t, "AddCartItem", `{"storeItemVariantId": "<tools:variant:D-13>", "quantity": 0}`,
			"VALIDATION_FAILED").Blames(t, "quantity")
		for _, quantity := range []string{"-1", "10000", "1.5", "1e1", `"2"`, `"۲"`, "true", "[1]", "{}",
			"99999999999999999999", `"x"`} {
			s.Wrong(t, "AddCartItem", `{"storeItemVariantId": "<tools:variant:D-13>", "quantity": `+quantity+`}`,
				"VALIDATION_FAILED").Blames(t, "quantity")
			s.Wrong(t, "UpdateCartItem", `{"quantity": `+quantity+`}`, "VALIDATION_FAILED", line).Blames(t,
				"quantity")
		}
		for _, quantity := range []string{`null`, `""`} {
			s.Wrong(t, "UpdateCartItem", `{"quantity": `+quantity+`}`, "VALIDATION_FAILED", line).Blames(t,
				"quantity")
		}
		s.Wrong(t, "UpdateCartItem", `{}`, "VALIDATION_FAILED", line).Blames(t, "quantity")
		for _, id := range []string{`null`, `5`, `true`, `[]`, `{}`} {
			s.Wrong(t, "AddCartItem", `{"storeItemVariantId": `+id+`, "quantity": 1}`, "VALIDATION_FAILED").
				Blames(t, "storeItemVariantId")
		}
		s.Wrong(t, "AddCartItem", `{"quantity": 0}`, "VALIDATION_FAILED").
			Blames(t, "storeItemVariantId", "quantity")
		if is := s.Quantities(t); is != "D-13 5 " {
			t.Errorf("the cart holds %s", is)
		}

		if s.GraphQL { // which has no null in the place of a default, and no members but its own
			return
		}
		for _, quantity := range []string{"null", `""`} {
			s.Right(t, "AddCartItem", `{"storeItemVariantId": "<tools:variant:D-13>", "quantity": `+quantity+`}`)
		}
		s.Right(t, "AddCartItem", `{"storeItemVariantId": "<tools:variant:D-13>", "price": 1, "unitPrice": 1, `+
			`"userId": "`+shoptest.NobodysID+`", "status": "x", "Quantity": 5}`)
		s.Right(t, "UpdateCartItem", `{"quantity": 9, "storeItemVariantId": "<tools:variant:D-10>", "price": 1}`,
			line)
		if is := s.Quantities(t); is != "D-13 9 " || s.Cart(t).Subtotal != "13050000" {
			t.Errorf("the cart holds %s for %s", is, s.Cart(t).Subtotal)
		}
	})
}

// checkoutFaults are invalid bodies of checkouts with their invalid members.
var checkoutFaults = map[string]string{
	`{}`:                            "addressId payment",
	`{"payment": null}`:             "addressId payment",
	`{"payment": {}}`:               "addressId payment.type",
	`{"payment": {"type": "gold"}}`: "addressId payment.type",
	`{"payment": {"type": 5, "notes": 5}, "customerNotes": 5, ` +
		`"addressId": 5}`: "addressId customerNotes payment.notes payment.type",
	`{"payment": {"type": "cash"}, ` +
		`"shippingAddress": {}}`: "shippingAddress.address shippingAddress.city shippingAddress.province",
	`{"payment": {"type": "cash"}, "shippingAddress": {"province": " ", "city": "", "address": null, ` +
		`"postalCode": 5, "landline": []}}`: "shippingAddress.address shippingAddress.city " +
		"shippingAddress.landline shippingAddress.postalCode shippingAddress.province",
	`{"payment": "cash", "shippingAddress": ` +
		`"home"}`: "payment shippingAddress",
	`{"payment": {"type": ` +
		`"cash"}}`: "addressId",
	`{"payment": {"type": "cash"}, "addressId": null, ` +
		`"shippingAddress": null}`: "addressId",
	`{"payment": {"type": "cash"}, "addressId": "", ` +
		`"shippingAddress": ""}`: "addressId",
	strings.Replace(shoptest.ToHome, `"payment"`, `"customerNotes": "`+strings.Repeat("x", 1001)+`", "payment"`,
		1): "customerNotes",
	strings.Replace(shoptest.ToHome, `"cash"`, `"cash", "notes": "`+strings.Repeat("x", 1001)+`"`,
		1): "payment.notes",
	strings.Replace(shoptest.ToHome, `"cash"`, `"cash", "transferRefNumber": "`+strings.Repeat("x", 101)+`"`,
		1): "payment.transferRefNumber",
	strings.Replace(shoptest.ToHome, `"city"`, `"landline": "`+strings.Repeat("x", 101)+`", "city"`,
		1): "shippingAddress.landline",
}

func TestCheckoutBodies(t *testing.T) {
	shoptest.EachShopper(t, func(t *testing.T, s shoptest.Shopper) {
		s.Right(t, "AddCartItem", shoptest.Adding("D-13", 5))
		for body, fields := range checkoutFaults {
			s.Wrong(t, "Checkout", body, "VALIDATION_FAILED").Blames(t, strings.Fields(fields)...)
			if t.Failed() {
				t.Fatalf("that was %.300s", body)
			}
		}
		for _, id := range []string{shoptest.NobodysID, "x", "<tools:variant:D-13>"} {
			s.Wrong(t, "Checkout", fmt.Sprintf(`{"payment": {"type": "cash"}, "addressId": %q}`, id), "NOT_FOUND")
		}
		if is := s.Quantities(t); is != "D-13 5 " || s.Stock(t, "D-13") != 11 {
			t.Errorf("the cart holds %s, the stock %d", is, s.Stock(t, "D-13"))
		}
		long := strings.Replace(shoptest.ToHome, `"payment"`, `"customerNotes": "`+strings.Repeat("ی",
			1000)+`", "payment"`,
			1)
		if !s.GraphQL {
			long = strings.Replace(long, `"payment"`, `"total": 1, "subtotal": 1, "status": "delivered", "userId": "`+
				shoptest.NobodysID+`", "orderNumber": "1", "items": [], "payment"`, 1)
			long = strings.Replace(long, `"cash"`, `"cash", "status": "paid", "amount": 1`, 1)
		}
		made := s.Right(t, "Checkout", long).Order(t)
		if made.Status != "pending" || made.Total != "7250000" || made.Payment.Status != "pending" ||
			made.Payment.Amount != "7250000" || len(made.Items) != 1 || made.OrderNumber == "1" {
			t.Errorf("got %+v", made)
		}
	})
}

// TestOrderNotesKeepNoCards writes numbers into the notes: those of bank cards are masked, others stay.
func TestOrderNotesKeepNoCards(t *testing.T) {
	const otherDigits = "६०३७ ९९११ ९९५० ०५९०"
	foreign := "" // digits that are not folded; taken for numbers, one of these would be right
	for last := '०'; last <= '९'; last++ {
		foreign += "६०३७९९११९९५००५९" + string(last) + ", "
	}
	foreign = strings.TrimSuffix(foreign, ", ")
	shoptest.EachShopper(t, func(t *testing.T, s shoptest.Shopper) {
		const sheba = "شبا ۴۴۰۱ ۲۰۰۰ ۰۰۰۰ ۰۰۳۳ ۴۰۱۸ ۷۸۰۱"
		for text, want := range map[string]string{
			"6037991199500590":                                      "****0590",
			"card 6037-9911-9950-0590, thanks":                      "card ****0590, thanks",
			"۶۰۳۷ ۹۹۱۱ ۹۹۵۰ ۰۵۹۰":                                   "****0590",
			"5 6037991199500590":                                    "5 ****0590",
			"6037\u00a09911\u00a09950\u00a00590":                    "****0590",
			"6037  9911 - 9950 - 0590":                              "****0590",
			"6037–9911–9950–0590":                                   "****0590",
			"۶۰۳۷ـ۹۹۱۱ـ۹۹۵۰ـ۰۵۹۰":                                   "****0590",
			"\u20676037\u200e-\u200e9911\u200c9950\u200c0590\u2069": "\u2067****0590\u2069",
			"6037.9911/9950\n0590":                                  "6037.9911/9950\n0590",
			"1234 6037991199500590 2000":                            "1234 ****0590 2000",
			"6037991199500590 5022291000000009":                     "****0590 5022291000000009",
			"6037 9911 9950 0591":                                   "6037 9911 9950 0591",
			"IR060960000000100324200001":                            "IR060960000000100324200001",
			"order 12345678901234567890":                            "order 12345678901234567890",
			"09123456789":                                           "09123456789",
			otherDigits:                                             otherDigits,
			strings.Repeat("٤٢", 8):                                 "****4242",
			strings.Repeat("\U0001D7D2\U0001D7D0", 8):               "****4242",
			strings.Repeat("0", 16):                                 strings.Repeat("0", 16),
			"IR44 0120 0000 0000 3340 1878 01":                      "IR44 0120 0000 0000 3340 1878 01",
			sheba:                                                   sheba,
			"card 6037-9911-9950-0590, IR060960000000100324200001":  "card ****0590, IR060960000000100324200001",
			foreign: foreign,
		} {
			s.Stocked(t, "D-13", 1)
			s.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
			body := strings.Replace(shoptest.ToHome, `"payment"`,
				`"customerNotes": `+shoptest.JSONText(text)+`, "payment"`, 1)
			made := s.Right(t, "Checkout", strings.Replace(body, `"cash"`,
				`"cash", "notes": `+shoptest.JSONText(text), 1)).
				Order(t)
			kept := s.Right(t, "Order", "", "orderId="+made.ID).Order(t)
			for _, is := range []*string{made.CustomerNotes, made.Payment.Notes, kept.CustomerNotes,
				kept.Payment.Notes} {
				if is == nil || *is != want {
					t.Errorf("%q is kept as %q, want %q", text, *is, want)
				}
			}
		}
	})
}
