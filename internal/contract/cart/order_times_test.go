package cart_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/orderevent"
	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
	"storefront/internal/sale/cart"
	"storefront/internal/sale/order"
)

// TestOrderRaceOfMoves moves an order and marks its payment at several servers at once, one with a clock that
// is a minute late. The order's history must be in the order of the changes.
func TestOrderRaceOfMoves(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.Clock.Ticks.Store(true)
		a.StockedUp(t, "D-13", 1000)
		s := shoptest.Crowd(t, 1, a)[0]
		shop := uuid.MustParse(a.Named(t, "<tenant:tools>"))
		in := tenancy.In(t.Context(), shop)
		late := func() time.Time { return a.Clock.Now().Add(-time.Minute) }
		servers := []*order.Service{a.Moves(), order.New(a.Store.Client, cart.New(a.Store.Client, late), late)}
		steps := []record.OrderStatus{record.OrderConfirmed, record.OrderProcessing, record.OrderCancelled,
			record.OrderShipped,
			record.OrderDelivered}
		wrong := 0
		for round := range 4 * *shoptest.Rounds {
			id := uuid.MustParse(s.Bought(t, "D-13", 1).ID)
			shoptest.Together(2*len(steps), func(i int) (err error) {
				server := servers[(i+round)%2]
				for range 3 {
					if i < len(steps) {
						_, err = server.Move(t.Context(), shop, id, steps[i], nil)
					} else {
						status := []record.PaymentStatus{record.PaymentFailed, record.PaymentPaid,
							record.PaymentRefunded}[i%3]
						_, err = server.MarkPayment(t.Context(), shop, id, order.Mark{Status: status})
					}
				}
				return err
			})
			found := a.Store.Client.Order.GetX(in, id)
			history := found.QueryEvents().Order(orderevent.ByAt(), orderevent.ByID()).AllX(in)
			written := slices.SortedFunc(slices.Values(history), func(b,
				c *ent.OrderEvent) int {
				return b.At.Compare(c.At)
			})
			at := time.Time{}
			for n, step := range written {
				if !step.At.After(at) || n > 0 && !follows(written[n-1].Status, step.Status) ||
					found.UpdatedAt.Before(step.At) {
					wrong++
					t.Logf("round %d: %s at %s, after %s", round, step.Status, step.At, at)
				}
				at = step.At
			}
			if last := written[len(written)-1]; last.Status != found.Status {
				wrong++
			}
		}
		if wrong > 0 {
			t.Errorf("%d steps are out of order in %d rounds", wrong, 4**shoptest.Rounds)
		}
	})
}

// follows reports whether an order may change from one status to another, or keep it when late money comes.
func follows(was, is record.OrderStatus) bool {
	switch is {
	case record.OrderConfirmed:
		return was == record.OrderPending
	case record.OrderProcessing:
		return was == record.OrderConfirmed
	case record.OrderShipped:
		return was == record.OrderProcessing
	case record.OrderDelivered:
		return was == record.OrderShipped
	}
	return is == record.OrderCancelled && was != record.OrderShipped && was != record.OrderDelivered
}

// TestTimesAreAsStored compares times that are answered with those that are stored: of a new account, and of
// a cart that two servers write, one with a clock that is late.
func TestTimesAreAsStored(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.Clock.Ticks.Store(true)
		d := a.REST()
		made := d.Ask(t, "register", shoptest.Registering(d.Cell(1), shoptest.GoodPassword, shoptest.ToolsShop))
		stored := a.Store.Client.User.GetX(t.Context(), uuid.MustParse(made.Member(t, "user.id"))).CreatedAt
		if is := made.Member(t, "user.createdAt"); is != stored.UTC().Format(time.RFC3339Nano) {
			t.Errorf("got the account's createdAt %s, want %s as it is stored", is, stored)
		}
		late := a.Instance(t, func(o *app.Options) {
			o.Clock = func() time.Time { return a.Clock.Now().Add(-time.Minute) }
		})
		s := shoptest.Crowd(t, 1, a)[0]
		before := time.Time{}
		for n, shopper := range append(s.Everywhere(a, late), s.Everywhere(a, late)...) {
			operation, body := "AddCartItem", shoptest.Adding("D-13", 1)
			if n%3 == 2 {
				operation, body = "ClearCart", ""
			}
			answered := shopper.Right(t, operation, body).Cart(t).UpdatedAt
			if stored := s.Cart(t).UpdatedAt; answered == nil || stored == nil || !stored.Equal(*answered) ||
				stored.Before(before) {
				t.Errorf("write %d: updatedAt is %v, and %v was answered; before it was %s", n, stored,
					answered, before)
			} else {
				before = *stored
			}
		}
	})
}
