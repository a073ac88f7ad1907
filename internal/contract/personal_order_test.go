package contract_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"storefront/internal/record"
)

// TestErasingBesideTheCustomer erases a customer who is just writing, and already holds the account or the
// cart: nobody waits in a circle.
func TestErasingBesideTheCustomer(t *testing.T) {
	eachCrew(t, func(t *testing.T, c *crew) {
		c.accounts = c.patient(t)
		owner := c.staff(t, c.tools, record.Owner)
		c.stockedUp(t, "D-13", 11)
		erasing := func(s shopper, waiting int) (erased chan struct{}) {
			erased = make(chan struct{})
			go func() {
				defer close(erased)
				if got := owner.ask(t, eraseCustomer, map[string]any{"shop": c.tools, "id": s.id}); got.code() != "" {
					t.Errorf("erasing: %+v", got.Errors)
				}
			}()
			c.untilWaiting(t, waiting, erased)
			return erased
		}

		s := c.rest().shopper(t, 1)
		s.right(t, "AddCartItem", adding("D-13", 1))
		var erased chan struct{}
		keyed := worker{c.watched(t, func(text string) { // the account is held since the first field
			if erased == nil && strings.Contains(text, "INTO cart_items") {
				erased = make(chan struct{})
				erased = erasing(s, 1)
			}
		}).graphQL().with(s.access).key("a"), s.customer}
		got := keyed.ask(t, `mutation($in: CartItemInput!) {
			addFavorite(businessId: "<tenant:tools>", input: { productId: "<tools:product:drill>" }) { message }
			addCartItem(businessId: "<tenant:tools>", input: $in) { message } }`, map[string]any{
			"in": map[string]any{"storeItemVariantId": c.named(t, "<tools:variant:D-13>"), "quantity": 1}})
		if got.code() != "" || erased == nil {
			t.Errorf("with a key: %+v", got.Errors)
		} else {
			<-erased
		}

		s = c.rest().shopper(t, 2)
		s.right(t, "AddCartItem", adding("D-13", 1))
		end := c.holding(t, "UPDATE variants SET stock = stock WHERE id = $1",
			uuid.MustParse(c.named(t, "<tools:variant:D-13>")))
		ordered := make(chan struct{})
		go func() { // waits for the variant, and holds its cart
			defer close(ordered)
			if r := s.ask(t, "Checkout", toHome); r.code != "" {
				t.Errorf("checkout: %d %s", r.status, r.body)
			}
		}()
		c.untilWaiting(t, 1, ordered)
		if c.store.Dialect == "sqlite3" { // one writer at a time: the order is placed, and then erased
			end()
			<-ordered
			<-erasing(s, 0)
			return
		}
		erased = erasing(s, 2)
		end()
		<-ordered
		<-erased
	})
}

// TestExportBesideErasing exports a customer who is erased meanwhile: nothing is given out, and the audit log
// has no name.
func TestExportBesideErasing(t *testing.T) {
	eachCrew(t, func(t *testing.T, c *crew) {
		owner := c.staff(t, c.tools, record.Owner)
		s := c.rest().shopper(t, 1)
		s.right(t, "AddCartItem", adding("D-13", 1))
		in := map[string]any{"shop": c.tools, "id": s.id}
		erased := false
		exporting := owner
		exporting.door = c.watched(t, func(text string) {
			if !erased && strings.Contains(text, "orders") {
				erased = true
				if got := owner.ask(t, eraseCustomer, in); got.code() != "" {
					t.Errorf("erasing: %+v", got.Errors)
				}
			}
		}).graphQL().with(owner.access)
		if got := exporting.ask(t, customerExport, in); got.code() != "NOT_FOUND" || !erased {
			t.Errorf("exporting: %+v", got)
		}
		if found := traces(c.dump(t), s.customer.cell); len(found) > 0 {
			t.Errorf("left are %q", found)
		}
	})
}
