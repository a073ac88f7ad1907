package record

import (
	"slices"
	"strings"
)

// WebhookEvent is a type of event in a shop that can be sent to a webhook.
type WebhookEvent string

// The types of events. In webhooks the first underscore is a dot.
const (
	OrderPlaced      WebhookEvent = "order_placed"
	OrderMoved       WebhookEvent = "order_moved"
	PaymentMarked    WebhookEvent = "payment_marked"
	MoneyRefunded    WebhookEvent = "payment_refunded"
	ReceiptUploaded  WebhookEvent = "receipt_uploaded"
	CommentSubmitted WebhookEvent = "comment_submitted"
	ReviewSubmitted  WebhookEvent = "review_submitted"
	ListingSubmitted WebhookEvent = "listing_submitted"
	ContactReceived  WebhookEvent = "contact_received"
	StockLow         WebhookEvent = "stock_low"
	TestEvent        WebhookEvent = "test" // sent when staff try an endpoint; none subscribes to it
)

// Values lists every WebhookEvent. The bits of endpoints are positions in this list, so a new one is added
// at the end.
func (WebhookEvent) Values() []string {
	return []string{"order_placed", "order_moved", "payment_marked", "comment_submitted", "review_submitted",
		"listing_submitted", "contact_received", "stock_low", "test", "receipt_uploaded", "payment_refunded"}
}

// Bit returns the type's bit in the events that an endpoint subscribes to.
func (e WebhookEvent) Bit() int { return 1 << slices.Index(e.Values(), string(e)) }

// Wire returns the type in the form that receivers get: order.placed, test.
func (e WebhookEvent) Wire() string { return strings.Replace(string(e), "_", ".", 1) }

// WebhookEvents returns the types of the bits of an endpoint's subscription.
func WebhookEvents(bits int) (events []WebhookEvent) {
	for i, name := range WebhookEvent("").Values() {
		if bits&(1<<i) != 0 && WebhookEvent(name) != TestEvent {
			events = append(events, WebhookEvent(name))
		}
	}
	return events
}

// WebhookFailure is why a delivery to a webhook failed.
type WebhookFailure string

const (
	FailedStatus     WebhookFailure = "status"     // the answer's status was not 200 to 299
	FailedTimeout    WebhookFailure = "timeout"    // no answer in time
	FailedName       WebhookFailure = "name"       // the host has no address
	FailedAddress    WebhookFailure = "address"    // the address is not a public one
	FailedTLS        WebhookFailure = "tls"        // no safe connection
	FailedConnection WebhookFailure = "connection" // no connection, or one that broke
)

// LowStock is the default threshold: a stock of so many units or fewer is low.
const LowStock = 5

// LowAt returns the threshold of a variant: its own, or LowStock.
func LowAt(own *int) int {
	if own != nil {
		return *own
	}
	return LowStock
}

// BecameLow reports whether a change of a stock must be reported: it fell to the variant's threshold or
// below, or to 0.
func BecameLow(from, to int, own *int) bool {
	low := LowAt(own)
	return to < from && (from > low && to <= low || to == 0)
}
