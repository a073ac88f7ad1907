package staff_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// TestErasingBesideTheCustomer erases a customer during a write of that customer that already holds the
// lock of the account or the cart. There must be no deadlock.
func TestErasingBesideTheCustomer(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		c.Accounts = c.Patient(t)
		owner := c.Staff(t, c.Tools, record.Owner)
		c.StockedUp(t, "D-13", 11)
		erasing := func(s shoptest.Shopper, waiting int) (erased chan struct{}) {
			erased = make(chan struct{})
			go func() {
				defer close(erased)
				if got := owner.Ask(t, eraseCustomer, map[string]any{"shop": c.Tools, "id": s.ID}); got.Code() != "" {
					t.Errorf("erasing: got %+v", got.Errors)
				}
			}()
			c.UntilWaiting(t, waiting, erased)
			return erased
		}

		s := c.REST().Shopper(t, 1)
		s.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
		var erased chan struct{}
		keyed := shoptest.Worker{API: c.Watched(t, func(text string) { // the key has locked the account
			if erased == nil && strings.Contains(text, "INTO cart_items") {
				erased = make(chan struct{})
				erased = erasing(s, 1)
			}
		}).GraphQL().With(s.Access).Key("a"), Customer: s.Customer}
		got := keyed.Ask(t, `mutation($in: CartItemInput!) {
			addToCart(businessId: "<tenant:tools>", items: [$in,
				{ storeItemVariantId: "<tools:variant:D-10>", quantity: 1 }]) { message } }`, map[string]any{
			"in": map[string]any{"storeItemVariantId": c.Named(t, "<tools:variant:D-13>"), "quantity": 1}})
		if got.Code() != "" || erased == nil {
			t.Errorf("with a key: got %+v", got.Errors)
		} else {
			<-erased
		}

		s = c.REST().Shopper(t, 3)
		gone := false
		late := c.Watched(t, func(text string) { // before the first write
			if !gone && strings.Contains(text, "idempotency_keys") {
				gone = true
				<-erasing(s, 0)
			}
		}).REST().With(s.Access).Key("b")
		if got := late.Ask(t, "createAddress", shoptest.HomeAddress); got.Code != "UNAUTHENTICATED" {
			t.Errorf("erased before it writes: got %d %s", got.Status, got.Body)
		}

		s = c.REST().Shopper(t, 2)
		s.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
		end := c.Holding(t, "UPDATE variants SET stock = stock WHERE id = $1",
			uuid.MustParse(c.Named(t, "<tools:variant:D-13>")))
		ordered := make(chan struct{})
		go func() { // holds the lock of the cart and waits for the variant
			defer close(ordered)
			if r := s.Ask(t, "Checkout", shoptest.ToHome); r.Code != "" {
				t.Errorf("checkout: %d %s", r.Status, r.Body)
			}
		}()
		c.UntilWaiting(t, 1, ordered)
		if c.Store.Dialect == "sqlite3" { // with a single writer, the order is placed first
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

// TestExportBesideErasing exports a customer who is erased at the same time. The export must fail, and leave
// no trace of the customer.
func TestExportBesideErasing(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := c.Staff(t, c.Tools, record.Owner)
		for n, before := range []string{"FROM users WHERE users.id IN", "orders"} {
			s := c.REST().Shopper(t, 1+n)
			s.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
			in := map[string]any{"shop": c.Tools, "id": s.ID}
			erased := false
			exporting := owner
			exporting.API = c.Watched(t, func(text string) {
				if !erased && strings.Contains(text, before) {
					erased = true
					if got := owner.Ask(t, eraseCustomer, in); got.Code() != "" {
						t.Errorf("erasing: got %+v", got.Errors)
					}
				}
			}).GraphQL().With(owner.Access)
			if got := exporting.Ask(t, customerExport, in); got.Code() != "NOT_FOUND" || !erased {
				t.Errorf("exporting: got %+v", got)
			}
			if found := traces(dump(t, c.Accounts), s.Customer.Cell); len(found) > 0 {
				t.Errorf("left are %q", found)
			}
		}
	})
}
