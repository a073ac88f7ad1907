// Package gateway speaks to payment gateways, in a file for each; All is the table of them. It keeps nothing, knows no
// order, and decides nothing: what a method needs of a payment is in an Attempt, which the caller reads from the
// payment's row, and the caller writes the Outcome. docs/gateways.md says how to add one.
package gateway

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"time"

	"github.com/google/uuid"

	"storefront/internal/fault"
	"storefront/internal/locale/money"
	"storefront/internal/platform/httpcall"
)

// Gateway is one payment gateway. A method that calls it sends each request once, for 8 seconds at most, and makes two
// requests at most; a context bounds them together. What it sends depends on the attempt alone, so a call that is
// repeated after a crash sends the same.
type Gateway interface {
	About() About

	// Live reports whether an account takes real money, by its credentials alone.
	Live(Account) bool

	// Bounds returns the least and the most that can be paid at once, in the smallest unit of a currency. Where the
	// gateway does not take the currency, refused says why; else it is empty.
	Bounds(currency string) (least, most int64, refused fault.Text)

	// Hosts returns sources, as a page's Content-Security-Policy spells them, of the pages to which customers are
	// sent and which those lead to: https://gateway.example.
	Hosts(Account) []string

	// Begin has the gateway await a payment. If the error is a *Refused, nobody can pay this attempt. After another
	// error perhaps somebody could, if they had been sent there, and the same call may be made again.
	Begin(context.Context, Attempt) (Begun, error)

	// Resume returns the page of an attempt that can still be paid.
	Resume(context.Context, Attempt) (redirect string, err error)

	// Read returns which attempt a customer who comes back says to come from. It proves nothing, and is empty where the
	// gateway adds nothing to Attempt.Callback.
	Read(*http.Request) Callback

	// Verify makes a payment final, or finds that it is; a payment that is never verified goes back to the customer.
	Verify(context.Context, Attempt) Outcome

	// Lookup asks for the state and changes nothing.
	Lookup(context.Context, Attempt) Outcome

	// End has the gateway refuse what is not paid yet, if it can, and returns the state.
	End(context.Context, Attempt) Outcome

	// Refunds returns all refunds and disputes of a paid payment, including refunds that were made in the gateway's
	// panel. A Part that is not among them was not refunded. If the error is a *Refused, the account may not call
	// Refunds; after another error it may do so again.
	Refunds(context.Context, Attempt) ([]Refund, error)

	// Check asks the gateway whether it accepts an account. It returns what is wrong and what to do; an empty text if
	// nothing is.
	Check(context.Context, Account) (wrong fault.Text)
}

// Refunder is a Gateway that gives money back. Where one is not, staff do so in its panel.
type Refunder interface {
	// Refund gives back a part of what Attempt.Settled names. The same part is given back once, however often it is
	// sent within 20 hours; later Refunds must be asked first.
	Refund(context.Context, Attempt, Part) Refund
}

// Notifier is a Gateway that calls us when something happens.
type Notifier interface {
	// Event reads such a call: its headers, and its body of MaxEvent bytes at most. It fails if the call is not by the
	// gateway about this account, or older than five minutes.
	Event(account Account, header http.Header, body []byte, now time.Time) (Event, error)
}

// About describes a gateway.
type About struct {
	Name    string // as rows keep it; never changed
	Title   fault.Text
	Fields  []Field
	Payable time.Duration // from its beginning, how long an attempt can be paid
	Watched time.Duration // how long after that late money may come in, so that one asks
	Repeats bool          // Begin of the same attempt gives the same page, as if it had been called once
}

// Field is a member of an account's credentials.
type Field struct {
	Name     string // in Account.Secrets; never changed
	Title    fault.Text
	Pattern  *regexp.Regexp // of the whole value
	Optional bool
	Choices  []string // the only values; nil: any that the pattern allows
}

// Takes reports whether a value may be stored; the empty one stands for none.
func (f Field) Takes(value string) bool {
	switch {
	case value == "":
		return f.Optional
	case f.Choices != nil:
		return slices.Contains(f.Choices, value)
	}
	return f.Pattern.MatchString(value)
}

// Account is what a shop proves itself with at a gateway.
type Account struct {
	ID      uuid.UUID
	Secrets Secrets
}

// Secrets are credentials by the names of fields. They do not show in what is printed, logged or written as JSON.
type Secrets map[string]string

const hidden = "(secret)"

func (Secrets) String() string { return hidden }

func (Secrets) GoString() string { return hidden }

// MarshalJSON hides them as well.
func (Secrets) MarshalJSON() ([]byte, error) { return json.Marshal(hidden) }

// Attempt is a customer's try to pay an order at a gateway, as its row has it.
type Attempt struct {
	Account      Account // with which it began
	Reference    string  // ours: random letters and digits, unique
	Theirs       string  // the gateway's; empty: not known, so nobody was sent there to pay
	Order        string  // the order's number
	Amount       money.Amount
	Callback     string    // where the gateway sends the customer back; it must name the attempt by itself
	PayableUntil time.Time // as Begin was told
	Settled      string    // Outcome.Code of its Paid; of refunds and disputes
	Now          time.Time // of this call, by the clock of PayableUntil
}

// Begun is an attempt that can be paid.
type Begun struct{ Theirs, Redirect string }

// Refused is an error of Refunds, and of Begin after which the attempt cannot be paid. It holds no secret.
type Refused struct {
	Reason fault.Text // for staff: what is wrong, and what to do
	Code   string     // the gateway's; empty: it was not reached
}

func (e *Refused) Error() string {
	return fmt.Sprintf("the gateway refuses (%s): %s", e.Code, e.Reason)
}

// Callback is what the address says with which a customer comes back.
type Callback struct {
	Reference string // Attempt.Reference; empty: it does not say
	Theirs    string // Attempt.Theirs; empty: it does not say
}

// Kind is the state of an attempt.
type Kind string

// The states. Only Paid, GivenBack and Dead are answers to rely on.
const (
	Paid      Kind = "paid"       // final: our amount, currency and reference, in our account
	Payable   Kind = "payable"    // not paid for now; it may still be
	Dead      Kind = "dead"       // not paid, and the gateway cannot take the money any more
	Pending   Kind = "pending"    // the customer did all, and the gateway waits for a bank
	Verifying Kind = "verifying"  // paid, but not verified: Verify makes it Paid, and without it the money goes back
	GivenBack Kind = "given_back" // the money went back or is on its way: not verified, reversed, or by the panel
	Mismatch  Kind = "mismatch"   // something is paid that is not what the attempt is for: staff must look
	Config    Kind = "config"     // the account is wrong: staff must act
	Unknown   Kind = "unknown"    // cut, late or unreadable: look again
)

// Outcome is the state of an attempt at its gateway.
type Outcome struct {
	Kind   Kind
	Amount money.Amount // Paid, Verifying, Mismatch: what was paid; zero: the gateway does not say
	Code   string       // Paid: what the accountant looks for at the gateway
	Card   string       // Paid: up to four last digits; may be empty
	Reason fault.Text   // Config, Mismatch: for staff
	Err    error        // Unknown: for the log

	WentBack bool // Paid: a part of it was refunded since; Refunds has it
}

// Part is a part of a payment to give back.
type Part struct {
	ID     uuid.UUID // of our row
	Amount money.Amount
}

// Refund is a part of a payment that goes back.
type Refund struct {
	Part   uuid.UUID // uuid.Nil: not ours, made in the gateway's panel
	Theirs string
	Amount money.Amount
	State  RefundState
	Reason fault.Text // RefundFailed, RefundDisputed, RefundInquiry: for staff
	Err    error      // RefundUnknown: for the log
}

// RefundState is the state of a Refund.
type RefundState string

// The states of a Refund. One that is done may still fail, days later.
const (
	RefundDone    RefundState = "done"
	RefundPending RefundState = "pending"
	RefundFailed  RefundState = "failed"  // the money has not gone back
	RefundUnknown RefundState = "unknown" // ask Refunds before it is sent again

	RefundDisputed RefundState = "disputed" // the customer contests it at the bank, which holds the money
	RefundInquiry  RefundState = "inquiry"  // the bank only asks about the payment, and the shop has the money
	RefundReversed RefundState = "reversed" // the payment was undone, as if it had never been made
)

// Event is a call of a gateway. It only says what to look up; the state that it gives is not used.
type Event struct {
	ID        string // unique in the account
	About     Subject
	Reference string // Attempt.Reference; empty: it does not say
	Theirs    string // Attempt.Theirs; empty: it does not say
	Settled   string // Attempt.Settled; empty: it does not say
}

// Subject is what an Event is about.
type Subject string

// The subjects.
const (
	AboutNothing Subject = ""        // what we do not follow
	AboutPayment Subject = "payment" // ask Lookup
	AboutRefund  Subject = "refund"  // ask Refunds
)

// MaxEvent is the size of a Notifier's call that is read.
const MaxEvent = 256 << 10 // bytes

// All returns the gateways in the order in which customers see them. addresses may give some another address, as
// GATEWAY_URLS does.
func All(addresses map[string]string) []Gateway {
	client := httpcall.New(maxAnswer)
	at := func(name string, title fault.Text) host { return newHost(client, name, title, addresses[name]) }
	return []Gateway{
		zarinpal{at("zarinpal", fault.Say("Zarinpal")), at("zarinpal-sandbox", fault.Say("Zarinpal"))},
		zibal{at("zibal", fault.Say("Zibal"))},
		stripe{at("stripe", fault.Say("Stripe"))},
	}
}
