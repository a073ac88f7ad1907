package engine

import (
	"context"
	"database/sql"
	"fmt"
	"testing"

	"storefront/internal/fault"
)

// TestEndedRequestsAreUnavailable checks that no request that ran out of time is answered with INTERNAL,
// whatever it was doing in its transaction.
func TestEndedRequestsAreUnavailable(t *testing.T) {
	for _, err := range []error{context.Canceled, context.DeadlineExceeded, sql.ErrTxDone} {
		if got := asFault(fmt.Errorf("write the order: %w", err)).Code; got != fault.Unavailable {
			t.Errorf("%v is %s, want %s", err, got, fault.Unavailable)
		}
	}
	if got := asFault(sql.ErrConnDone).Code; got != fault.Internal {
		t.Errorf("another error is %s, want %s", got, fault.Internal)
	}
}
