package account

import (
	"testing"
	"testing/synctest"
	"time"

	"storefront/internal/fault"
	"storefront/internal/platform/share"
)

// TestATurnThatDoesNotCome waits behind another request's password: the customer has done nothing too often, so the
// service says that it is busy.
func TestATurnThatDoesNotCome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := share.NewBounded(1, 1, 1)
		busy := fault.Say("too many passwords are being checked right now")
		leave, err := enter(t.Context(), turns, asStranger, busy)
		if err != nil {
			t.Fatal(err)
		}
		defer leave()
		began := time.Now()
		_, err = enter(t.Context(), turns, asKnown, busy)
		refused := fault.From(err)
		if refused.Code != fault.Unavailable || refused.RetryAfter != time.Second || time.Since(began) != waitingTime {
			t.Errorf("got %v after %v, want UNAVAILABLE and when to try again", err, time.Since(began))
		}
	})
}
