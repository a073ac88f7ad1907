package order

import (
	"slices"
	"testing"

	"storefront/ent"
	"storefront/internal/record"
)

// TestCounting chooses the payment that an order is shown with, in every order of its payments.
func TestCounting(t *testing.T) {
	for _, c := range []struct {
		states []record.PaymentState // the first is what the customer declared
		want   int
	}{
		{[]record.PaymentState{record.StatePending}, 0},
		{[]record.PaymentState{record.StatePending, record.StateFailed, record.StateSent}, 0},
		{[]record.PaymentState{record.StateCancelled, record.StatePaid, record.StateReview}, 1},
		{[]record.PaymentState{record.StateCancelled, record.StateReview, record.StatePaid}, 2},
		{[]record.PaymentState{record.StateCancelled, record.StateRefunded, record.StateReview}, 2},
		{[]record.PaymentState{record.StateCancelled, record.StateExpired, record.StateRefunded}, 2},
		{[]record.PaymentState{record.StateCancelled, record.StateGivenBack, record.StateSuperseded}, 0},
		{[]record.PaymentState{record.StateRefunded, record.StateFailed}, 0},
	} {
		rows := make([]*ent.Payment, len(c.states))
		for i, state := range c.states {
			rows[i] = &ent.Payment{ID: record.NewID(), Status: state}
		}
		want := rows[c.want]
		for range 2 {
			if got := Counting(rows); got != want {
				t.Errorf("of %v got the one that is %s, want number %d", c.states, got.Status, c.want)
			}
			slices.Reverse(rows)
		}
	}
}
