package database_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"testing"

	"github.com/lib/pq"

	"storefront/internal/database"
)

// TestMayBeCommitted distinguishes a commit that was refused or never sent from one whose answer was lost.
func TestMayBeCommitted(t *testing.T) {
	state := func(code pq.ErrorCode) error { return &pq.Error{Code: code} }
	for _, c := range []struct {
		err  error
		want bool
	}{
		{driver.ErrBadConn, true}, {io.ErrUnexpectedEOF, true}, {errors.New("anything"), true},
		{&net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}, true},
		{state("08006"), true}, {state("57P01"), true}, {state("40003"), true},
		{state("53100"), false}, {state("23505"), false}, {state("40001"), false},
		{context.Canceled, false}, {fmt.Errorf("commit: %w", context.DeadlineExceeded), false},
		{sql.ErrTxDone, false},
	} {
		if got := database.MayBeCommitted(c.err); got != c.want {
			t.Errorf("%v: got %t, want %t", c.err, got, c.want)
		}
	}
}
