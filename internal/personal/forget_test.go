package personal

import (
	"fmt"
	"testing"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/record"
)

// TestOrdersOfPlacesComeInOrder checks that places are in the order of their first orders, each time.
func TestOrdersOfPlacesComeInOrder(t *testing.T) {
	orders := make([]*ent.Order, 40)
	for i := range orders {
		orders[i] = &ent.Order{ID: uuid.UUID{byte(i)},
			ShippingAddress: record.ShippingAddress{Province: "Fars", City: fmt.Sprint(i % 20), Address: fmt.Sprint(i)}}
	}
	got := byPlace(orders)
	if len(got) != 20 {
		t.Fatalf("got %d places, want 20", len(got))
	}
	for i, one := range got {
		if one.province != "Fars" || one.city != fmt.Sprint(i) || len(one.orders) != 2 ||
			one.orders[0] != orders[i].ID || one.orders[1] != orders[i+20].ID {
			t.Errorf("place %d: got %v", i, one)
		}
	}
}
