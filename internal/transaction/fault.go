package transaction

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"storefront/ent"
	"storefront/internal/database"
	"storefront/internal/fault"
)

// Fault returns the fault in an error: one that the service made, or one for an error of ent or the
// database.
func Fault(err error) *fault.Error {
	if known, ok := errors.AsType[*fault.Error](err); ok {
		return known
	}
	switch {
	case ent.IsNotFound(err):
		return fault.Wrap(fault.NotFound, err, "there is no such record")
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled), database.IsUnavailable(err),
		database.IsRetryable(err),     // even after several tries
		errors.Is(err, sql.ErrTxDone): // its context ended between two statements, which rolls it back
		return fault.Wrap(fault.Unavailable, err, "the service cannot answer right now; try again in a moment").
			After(time.Second)
	case ent.IsConstraintError(err), database.IsReference(err):
		return fault.Wrap(fault.Conflict, err, "this conflicts with what is already stored")
	}
	return fault.From(err)
}
