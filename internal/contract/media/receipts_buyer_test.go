package media_test

import (
	"bytes"
	"encoding/json"
	"image/jpeg"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/internal/contract/shoptest"
	"storefront/internal/database/tenancy"
)

const (
	createReceiptUpload = `mutation($shop: ID!, $order: ID!) {
		createReceiptUpload(businessId: $shop, orderId: $order) { url expiresAt maxBytes } }`
	removeReceipt = `mutation($shop: ID!, $order: ID!, $receipt: ID!) {
		removeReceipt(businessId: $shop, orderId: $order, receiptId: $receipt) {
			message order { payment { receipts { id } } } } }`
	ownReceipts = `query($shop: ID!, $order: ID!) { me { order(businessId: $shop, orderId: $order) {
		payment { receipts { id url width height uploadedAt } } } } }`
	shopReceipts = `query($shop: ID!, $order: ID!) { shopOrder(businessId: $shop, orderId: $order) { order {
		payment { receipts { id url width height uploadedAt } } } } }`
	markPayment = `mutation($shop: ID!, $order: ID!, $as: PaymentStatus!) { markPayment(businessId: $shop,
		orderId: $order, input: {status: $as}) { order { payment { receipts { id url } } } } }`
	eraseCustomer = `mutation($shop: ID!, $id: ID!) {
		eraseCustomer(businessId: $shop, customerId: $id) { orders } }`
	moveOrder = `mutation($shop: ID!, $order: ID!) { moveOrder(businessId: $shop, orderId: $order, status: cancelled) {
		message } }`
)

// buyer is a customer with an order.
type buyer struct {
	shoptest.Worker
	shopper     shoptest.Shopper
	shop, order string
}

// buys registers the nth customer, who places an order at the tool shop with the given way of paying.
func buys(t testing.TB, c *shoptest.Crew, n int, by string) buyer {
	t.Helper()
	s := c.REST().Shopper(t, n)
	w := shoptest.Worker{API: c.GraphQL().With(s.Access), Customer: s.Customer}
	return buyer{Worker: w, shopper: s, shop: c.Tools}.orders(t, by)
}

// orders places another order, and returns the customer with it.
func (b buyer) orders(t testing.TB, by string) buyer {
	t.Helper()
	b.shopper.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
	b.order = b.shopper.Right(t, "Checkout",
		strings.Replace(shoptest.ToHome, `"cash"`, `"`+by+`"`, 1)).Order(t).ID
	return b
}

func (b buyer) names(more ...string) map[string]any {
	named := map[string]any{"shop": b.shop, "order": b.order}
	for i := 0; i < len(more); i += 2 {
		named[more[i]] = more[i+1]
	}
	return named
}

// address creates an address for uploading receipts.
func (b buyer) address(t testing.TB) string {
	t.Helper()
	var got struct {
		Upload struct{ URL string } `json:"createReceiptUpload"`
	}
	b.Do(t, createReceiptUpload, b.names(), &got)
	return got.Upload.URL
}

// shownReceipt is a receipt as GraphQL shows it.
type shownReceipt struct {
	ID            string
	URL           *string
	Width, Height int
	UploadedAt    time.Time
}

type paidOrder struct {
	Payment struct{ Receipts []shownReceipt }
}

// receipts returns the receipts of the order as its customer sees them.
func (b buyer) receipts(t testing.TB) []shownReceipt {
	t.Helper()
	var got struct{ Me struct{ Order paidOrder } }
	b.Do(t, ownReceipts, b.names(), &got)
	return got.Me.Order.Payment.Receipts
}

// seenBy returns the receipts of the order as staff see them.
func (b buyer) seenBy(t testing.TB, w shoptest.Worker) []shownReceipt {
	t.Helper()
	var got struct{ ShopOrder struct{ Order paidOrder } }
	w.Do(t, shopReceipts, b.names(), &got)
	return got.ShopOrder.Order.Payment.Receipts
}

// wantReceipt checks that the link of a receipt returns its image, and returns that.
func wantReceipt(t testing.TB, a *shoptest.Accounts, link string, width int) []byte {
	t.Helper()
	got := a.Fetch(t, "GET", link, nil)
	for name, want := range map[string]string{
		"Content-Type": "image/jpeg", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
		"Content-Security-Policy": "default-src 'none'; sandbox", "Referrer-Policy": "no-referrer", "ETag": "",
	} {
		if has := got.Header.Get(name); has != want {
			t.Errorf("%s is %q, want %q", name, has, want)
		}
	}
	drawn, err := jpeg.DecodeConfig(bytes.NewReader(got.Body))
	if err != nil || got.Status != 200 || drawn.Width != width {
		t.Fatalf("got %d, %v, %d pixels wide, want %d: %.200q", got.Status, err, drawn.Width, width, got.Body)
	}
	return got.Body
}

// unseen checks that the link of a receipt is refused.
func unseen(t testing.TB, name string, a *shoptest.Accounts, link string, status int, code string) {
	t.Helper()
	got := a.Fetch(t, "GET", link, nil)
	var body struct{ Code string }
	if err := json.Unmarshal(got.Body, &body); err != nil || got.Status != status || body.Code != code ||
		got.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%s: got %d %.200s, want %d %s", name, got.Status, got.Body, status, code)
	}
}

// rows returns the number of receipts of the tool shop.
func rows(t testing.TB, c *shoptest.Crew) int {
	t.Helper()
	return shoptest.Must(c.Store.Client.Receipt.Query().Count(tenancy.In(t.Context(), uuid.MustParse(c.Tools))))(t)
}
