// Package transaction runs work that must happen whole or not at all.
package transaction

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"storefront/ent"
	"storefront/internal/database"
)

// kept is an error that is answered although what was written stays.
type kept struct{ error }

func (k kept) Unwrap() error { return k.error }

// Keep marks an error that undoes nothing: a wrong guess must count, a price that was shown stays seen.
func Keep(err error) error { return kept{err} }

// tries is how often a transaction is begun anew that met another one.
const tries = 5

// Run runs work in a transaction, anew when it meets another one: a deadlock, a failed serialization, a busy file. An error
// of work undoes what it wrote, unless Keep marks it, and is returned as work gave it.
func Run(ctx context.Context, store *ent.Client, work func(tx *ent.Tx) error) error {
	for try := 1; ; try++ {
		err := once(ctx, store, work)
		if answer, ok := errors.AsType[kept](err); ok {
			return answer.error
		}
		if try == tries || !database.IsRetryable(err) {
			return err
		}
	}
}

func once(ctx context.Context, store *ent.Client, work func(tx *ent.Tx) error) (err error) {
	tx, err := store.Tx(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if errors.Is(err, sql.ErrTxDone) && ctx.Err() != nil { // it was undone because the context ended
			err = fmt.Errorf("%w: %w", ctx.Err(), err)
		}
	}()
	defer tx.Rollback() // after a commit it does nothing
	answer := work(tx)
	if _, ok := errors.AsType[kept](answer); answer != nil && !ok {
		return answer
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return answer
}
