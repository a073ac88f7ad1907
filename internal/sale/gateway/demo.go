package gateway

import (
	"context"
	"net/http"
	"regexp"
	"slices"
	"sync"
	"time"

	"storefront/internal/fault"
	"storefront/internal/locale/money"
)

// Demo is a gateway of a service that only shows itself: a person chooses on its page, Path, whether the payment
// succeeds. It forgets everything when the service stops.
type Demo struct {
	mu    sync.Mutex
	tries map[string]Kind // by Attempt.Reference: Payable, Verifying or Paid

	refunds map[string][]Refund // by Attempt.Reference
}

// DemoPage is what the addresses of its pages end with, behind Attempt.Callback.
const DemoPage = "/demo"

// NewDemo returns a gateway without payments.
func NewDemo() *Demo { return &Demo{tries: map[string]Kind{}, refunds: map[string][]Refund{}} }

// Choose pays a try, or leaves it as it is. It reports whether the try could still be paid.
func (d *Demo) Choose(reference string, pay bool) (isOpen bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	isOpen = d.tries[reference] == Payable
	if isOpen && pay {
		d.tries[reference] = Verifying
	}
	return isOpen
}

// About implements Gateway.
func (d *Demo) About() About {
	return About{
		Name: "demo", Title: fault.Say("the gateway of this demo, without money"),
		Fields: []Field{{
			Name: "name", Title: fault.Say("the gateway of this demo, without money"),
			Pattern: regexp.MustCompile(`^demo$`),
		}},
		Payable: 30 * time.Minute, Watched: time.Hour,
	}
}

// Live implements Gateway.
func (d *Demo) Live(Account) bool { return false }

// Bounds implements Gateway.
func (d *Demo) Bounds(string) (least, most int64, refused fault.Text) {
	return 1, money.Max, fault.Words("")
}

// Hosts implements Gateway: its page is the service's own.
func (d *Demo) Hosts(Account) []string { return nil }

// Begin implements Gateway.
func (d *Demo) Begin(_ context.Context, a Attempt) (Begun, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.tries[a.Reference] = Payable
	return Begun{Theirs: a.Reference, Redirect: a.Callback + DemoPage}, nil
}

// Resume implements Gateway. It begins a try again that was begun before a restart.
func (d *Demo) Resume(_ context.Context, a Attempt) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.tries[a.Reference] == "" {
		d.tries[a.Reference] = Payable
	}
	return a.Callback + DemoPage, nil
}

// Read implements Gateway.
func (d *Demo) Read(*http.Request) Callback { return Callback{} }

// Verify implements Gateway.
func (d *Demo) Verify(_ context.Context, a Attempt) Outcome {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.tries[a.Reference] == Verifying {
		d.tries[a.Reference] = Paid
	}
	return d.stateOf(a)
}

// Lookup implements Gateway.
func (d *Demo) Lookup(_ context.Context, a Attempt) Outcome {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.stateOf(a)
}

func (d *Demo) stateOf(a Attempt) Outcome {
	switch kind := d.tries[a.Reference]; kind {
	case Verifying, Paid:
		return Outcome{Kind: kind, Amount: a.Amount, Code: a.Reference}
	}
	return a.unpaid()
}

// End implements Gateway.
func (d *Demo) End(ctx context.Context, a Attempt) Outcome { return d.Lookup(ctx, a) }

// Check implements Gateway.
func (d *Demo) Check(context.Context, Account) fault.Text { return fault.Words("") }

// Refunds implements Gateway.
func (d *Demo) Refunds(_ context.Context, a Attempt) ([]Refund, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.refunds[a.Reference]), nil
}

// Refund implements Refunder.
func (d *Demo) Refund(_ context.Context, a Attempt, part Part) Refund {
	d.mu.Lock()
	defer d.mu.Unlock()
	made := Refund{Part: part.ID, Theirs: part.ID.String(), Amount: part.Amount, State: RefundDone}
	d.refunds[a.Reference] = append(d.refunds[a.Reference], made)
	return made
}
