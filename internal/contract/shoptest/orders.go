package shoptest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/payment"
	"storefront/internal/database/tenancy"
	"storefront/internal/fault"
	"storefront/internal/record"
	"storefront/internal/sale/cart"
	"storefront/internal/sale/order"
)

// Moves returns the order service over the same database.
func (a *Accounts) Moves() *order.Service {
	return order.New(a.Store.Client, cart.New(a.Store.Client, a.Clock.Now), a.Clock.Now)
}

// Moved moves an order of the tool shop and returns the error's code.
func (s Shopper) Moved(t testing.TB, id string, to record.OrderStatus) string {
	t.Helper()
	note := "by hand"
	_, err := s.Moves().Move(t.Context(), uuid.MustParse(s.Named(t, "<tenant:tools>")),
		uuid.MustParse(id), to, &note)
	switch {
	case err == nil:
		return ""
	case ent.IsNotFound(err):
		return "NOT_FOUND"
	}
	return string(fault.From(err).Code)
}

// Cancel cancels an order as its customer. Only GraphQL can do so.
func (s Shopper) Cancel(t testing.TB, id string) Reply {
	t.Helper()
	const document = `mutation($b: ID!, $o: ID!) { body: cancelOrder(businessId: $b, orderId: $o) { ` +
		`message order {
		id status payment { status } history { status at note } updatedAt } } }`
	d := s.Accounts.GraphQL().With(s.Access)
	return d.Read(t, d.Send(t, "POST", "/graphql", GraphQLBody(document, fmt.Sprintf(`{"b": %q, "o": %q}`, s.Business,
		id)), d.Headers...))
}

// Statuses returns the statuses in the order's history.
func (o OrderOf) Statuses() string {
	var names []string
	for _, step := range o.History {
		names = append(names, step.Status)
	}
	return strings.Join(names, " ")
}

// StockedUp sets the stock of a variant of the tool shop.
func (a *Accounts) StockedUp(t testing.TB, sku string, units int) {
	t.Helper()
	a.REST().Nobody(t).Stocked(t, sku, units)
}

// Nobody returns a shopper of the tool shop who is not signed in.
func (d API) Nobody(t testing.TB) Shopper {
	t.Helper()
	return Shopper{API: d, Business: d.Named(t, "<tenant:tools>")}
}

// OrderOf holds the members of an order that tests read.
type OrderOf struct {
	ID, OrderNumber, Status string
	Items                   []struct {
		Sku, TitleFa         string
		Quantity             int
		UnitPrice, LineTotal json.Number
	}
	TotalQuantity   int
	Subtotal, Total json.Number
	Payment         struct {
		Status, Type string
		Amount       json.Number
		Notes        *string
	}
	CustomerNotes *string
	History       []struct {
		Status, At string
		Note       *string
	}
}

// Order reads the order in a reply.
func (r Reply) Order(t testing.TB) OrderOf {
	t.Helper()
	var read struct{ Order OrderOf }
	if err := json.Unmarshal([]byte(r.Said), &read); err != nil || read.Order.ID == "" {
		t.Fatalf("%v: %s", err, r.Body)
	}
	return read.Order
}

// Bought adds units of a variant to the cart and orders it.
func (s Shopper) Bought(t testing.TB, sku string, quantity int) OrderOf {
	t.Helper()
	s.Right(t, "AddCartItem", Adding(sku, quantity))
	return s.Right(t, "Checkout", ToHome).Order(t)
}

// Pays adds one unit of a variant to the cart and orders it, to be paid in a way.
func (s Shopper) Pays(t testing.TB, sku string, paid record.PaymentType) OrderOf {
	t.Helper()
	s.Right(t, "AddCartItem", Adding(sku, 1))
	return s.Right(t, "Checkout", strings.Replace(ToHome, `"cash"`, `"`+string(paid)+`"`, 1)).Order(t)
}

// Due sets all payments of the tool shop that are due some day to be due within a time.
func (c *Crew) Due(t testing.TB, within time.Duration) {
	t.Helper()
	in := tenancy.In(t.Context(), uuid.MustParse(c.Tools))
	c.Store.Client.Payment.Update().Where(payment.DueAtNotNil()).SetDueAt(c.Clock.Now().Add(within)).ExecX(in)
}

// Orders returns the ids of a page of orders.
func (r Reply) Orders(t testing.TB) (ids string) {
	t.Helper()
	var page struct{ Items []struct{ ID string } }
	if err := json.Unmarshal([]byte(r.Said), &page); err != nil {
		t.Fatal(err)
	}
	for i, order := range page.Items {
		if i > 0 {
			ids += " "
		}
		ids += order.ID
	}
	return ids
}

// Mutations of staff on orders and stock.
const (
	MoveOrder = `mutation($shop: ID!, $id: ID!, $to: OrderStatus!, $note: String) {
		moveOrder(businessId: $shop, orderId: $id, status: $to, note: $note) { order { status } } }`
	MarkPayment = `mutation($shop: ID!, $id: ID!, $in: PaymentMarkInput!) {
		markPayment(businessId: $shop, orderId: $id, input: $in) { order { payment { status reference markedAt } } } }`
	AdjustStock = `mutation($shop: ID!, $in: StockAdjustmentInput!) {
		adjustStock(businessId: $shop, input: $in) { items { sku before stock } } }`
)
