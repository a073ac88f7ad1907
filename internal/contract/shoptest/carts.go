package shoptest

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"
)

// NobodysID is a well-formed id that no record has.
const NobodysID = "00000000-0000-7000-8000-000000000000"

// Adding returns the input that puts units of a variant of the tool shop into a cart.
func Adding(sku string, quantity int) string {
	return fmt.Sprintf(`{"storeItemVariantId": "<tools:variant:%s>", "quantity": %d}`, sku, quantity)
}

// Cart holds the members of a cart that tests read.
type Cart struct {
	ID    *string
	Items []struct {
		ID, StoreItemVariantID, Sku string
		Quantity, AvailableQuantity int
		UnitPrice, LineTotal        json.Number
		Warning                     string
	}
	TotalQuantity int
	Subtotal      json.Number
	PriceCurrency *string
	UpdatedAt     *time.Time
}

// Cart reads the cart.
func (s Shopper) Cart(t testing.TB) Cart {
	t.Helper()
	return s.Right(t, "Cart", "").Cart(t)
}

// Cart reads the cart in a reply.
func (r Reply) Cart(t testing.TB) Cart {
	t.Helper()
	var read struct{ Cart Cart }
	if err := json.Unmarshal([]byte(r.Said), &read); err != nil {
		t.Fatalf("%v: %s", err, r.Body)
	}
	return read.Cart
}

// Line returns the parameter that names the line of a variant in the cart.
func (s Shopper) Line(t testing.TB, sku string) string {
	t.Helper()
	for _, item := range s.Cart(t).Items {
		if item.Sku == sku {
			return "itemId=" + item.ID
		}
	}
	t.Fatalf("%s is not in the cart", sku)
	return ""
}

// Quantities returns the units of each variant in the cart.
func (s Shopper) Quantities(t testing.TB) string {
	t.Helper()
	text := ""
	for _, item := range s.Cart(t).Items {
		text += fmt.Sprintf("%s %d ", item.Sku, item.Quantity)
	}
	return text
}

// ToHome is the input of a checkout.
const ToHome = `{"shippingAddress": ` + HomeAddress + `, "payment": {"type": "cash"}}`

// Warnings returns the warnings of a cart's lines.
func (s Shopper) Warnings(t testing.TB) string {
	t.Helper()
	text := ""
	for _, item := range s.Cart(t).Items {
		text += fmt.Sprintf("%s %s ", item.Sku, item.Warning)
	}
	return text
}
