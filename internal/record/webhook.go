package record

import (
	"io"
	"slices"
	"strings"
)

// WebhookEvent is a type of what happens in a shop and can be sent to a webhook.
type WebhookEvent string

const (
	OrderPlaced      WebhookEvent = "order_placed"
	OrderMoved       WebhookEvent = "order_moved"
	PaymentMarked    WebhookEvent = "payment_marked"
	ReceiptUploaded  WebhookEvent = "receipt_uploaded"
	CommentSubmitted WebhookEvent = "comment_submitted"
	ReviewSubmitted  WebhookEvent = "review_submitted"
	ListingSubmitted WebhookEvent = "listing_submitted"
	ContactReceived  WebhookEvent = "contact_received"
	StockLow         WebhookEvent = "stock_low"
	TestEvent        WebhookEvent = "test" // of an endpoint that staff try; none subscribes to it
)

// Values lists every WebhookEvent. Endpoints are stored by places in this list: a new one comes last.
func (WebhookEvent) Values() []string {
	return []string{"order_placed", "order_moved", "payment_marked", "comment_submitted", "review_submitted",
		"listing_submitted", "contact_received", "stock_low", "test", "receipt_uploaded"}
}

// Bit is the type's bit among those that an endpoint wants.
func (e WebhookEvent) Bit() int { return 1 << slices.Index(e.Values(), string(e)) }

// Wire is the type as receivers get it: order.placed, test.
func (e WebhookEvent) Wire() string { return strings.Replace(string(e), "_", ".", 1) }

// WebhookEvents are the types of some bits that an endpoint can want.
func WebhookEvents(bits int) (events []WebhookEvent) {
	for i, name := range WebhookEvent("").Values() {
		if bits&(1<<i) != 0 && WebhookEvent(name) != TestEvent {
			events = append(events, WebhookEvent(name))
		}
	}
	return events
}

// WebhookFailure says why an attempt to reach a webhook failed.
type WebhookFailure string

const (
	FailedStatus     WebhookFailure = "status"     // the answer was none of 200 to 299
	FailedTimeout    WebhookFailure = "timeout"    // no answer in time
	FailedName       WebhookFailure = "name"       // the host has no address
	FailedAddress    WebhookFailure = "address"    // the address is not a public one
	FailedTLS        WebhookFailure = "tls"        // no safe connection
	FailedConnection WebhookFailure = "connection" // no connection, or one that broke
)

// Values lists every WebhookFailure.
func (WebhookFailure) Values() []string {
	return []string{"status", "timeout", "name", "address", "tls", "connection"}
}

// LowStock is the stock that is low, as are fewer units, of a variant that says nothing else.
const LowStock = 5

// LowAt returns the stock at which that of a variant is low, by its own threshold.
func LowAt(own *int) int {
	if own != nil {
		return *own
	}
	return LowStock
}

// BecameLow reports whether a stock that fell is to be reported: to what is low by the variant's own threshold, or to
// none.
func BecameLow(from, to int, own *int) bool {
	low := LowAt(own)
	return to < from && (from > low && to <= low || to == 0)
}

func (e WebhookEvent) MarshalGQL(w io.Writer)      { marshal(w, e) }
func (e *WebhookEvent) UnmarshalGQL(v any) error   { return unmarshal(e, v) }
func (f WebhookFailure) MarshalGQL(w io.Writer)    { marshal(w, f) }
func (f *WebhookFailure) UnmarshalGQL(v any) error { return unmarshal(f, v) }
