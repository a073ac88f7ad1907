// Package transaction runs work that must happen whole or not at all, again when the database asks for it.
// It knows ent's client only; internal/database decides which errors are worth another try.
package transaction

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"storefront/ent"
	"storefront/ent/session"
	"storefront/internal/auth"
	"storefront/internal/database"
)

// kept is an error that is returned although the transaction is committed.
type kept struct{ error }

func (k kept) Unwrap() error { return k.error }

// Keep marks an error with which the transaction is committed all the same: a wrong guess must count. Where
// it is part of a joint one, which a refusal undoes, the work is run once more after that, and committed if
// its error is marked again.
func Keep(err error) error { return kept{err} }

// AfterCommit has f called once what tx writes is committed for good: after the outermost commit, not at all
// where it is undone or run again. Outside of a transaction that is database.AfterCommit.
func AfterCommit(tx *ent.Tx, f func()) {
	tx.OnCommit(func(next ent.Committer) ent.Committer {
		return ent.CommitFunc(func(ctx context.Context, tx *ent.Tx) error {
			err := next.Commit(ctx, tx)
			if err == nil {
				database.AfterCommit(ctx, f)
			}
			return err
		})
	})
}

// timeAfterRefusal bounds the work that is kept of a refusal.
const timeAfterRefusal = 5 * time.Second

// tries is how often a transaction is run that conflicts with another one.
const tries = 5

// Run runs work in a transaction, again after a conflict with another one: a deadlock, a failed
// serialization, a busy file. An error of work rolls it back, unless Keep marks the error, and is returned
// as it is. What a caller writes whose session has ended meanwhile is rolled back with UNAUTHENTICATED.
func Run(ctx context.Context, store *ent.Client, work func(tx *ent.Tx) error) error {
	for try := 1; ; try++ {
		err := runOnce(ctx, store, work)
		if answer, ok := errors.AsType[kept](err); ok {
			database.AfterRefusal(ctx, func() { // the answer is given, and its client may have hung up
				after, stop := context.WithTimeout(context.WithoutCancel(ctx), timeAfterRefusal)
				defer stop()
				_ = Run(after, store, onlyKept(work))
			})
			return answer.error
		}
		if try == tries || !database.IsRetryable(err) {
			return err
		}
	}
}

// errNotKept undoes work that was to be kept and has come out otherwise.
var errNotKept = errors.New("transaction: there is nothing to keep")

// onlyKept is work that is undone unless its error is marked by Keep.
func onlyKept(work func(tx *ent.Tx) error) func(tx *ent.Tx) error {
	return func(tx *ent.Tx) error {
		err := work(tx)
		if err == nil {
			err = errNotKept
		}
		return err
	}
}

// Single runs a statement that is a transaction of its own, which spares the round trips of a beginning and an end, and
// holds its locks over none. It is run again after a conflict, as Run does.
func Single(statement func() error) error {
	for try := 1; ; try++ {
		if err := statement(); try == tries || !database.IsRetryable(err) {
			return err
		}
	}
}

// runOnce runs work in one transaction.
func runOnce(ctx context.Context, store *ent.Client, work func(tx *ent.Tx) error) (err error) {
	tx, err := store.Tx(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if errors.Is(err, sql.ErrTxDone) && ctx.Err() != nil { // rolled back because ctx ended
			err = fmt.Errorf("%w: %w", ctx.Err(), err)
		}
	}()
	defer tx.Rollback() // after a commit it does nothing
	answer := work(tx)
	if _, ok := errors.AsType[kept](answer); answer != nil && !ok {
		return answer
	}
	if err := signedInStill(ctx, tx); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return answer
}

// signedInStill fails with UNAUTHENTICATED where the session of the caller has ended since it was looked at: what the
// transaction has written may be of somebody who has no part in the account any more. Whoever takes an account over
// locks its row, ends the sessions and clears what is there. A transaction that has written something of the account
// before is waited for, and cleared; one that has waited for the row finds here that the session is over.
func signedInStill(ctx context.Context, tx *ent.Tx) error {
	caller, err := auth.CallerOf(ctx)
	if err != nil {
		return nil // it is nobody's
	}
	lives, err := tx.Session.Query().Where(session.ID(caller.Session), session.EndedAtIsNil()).Exist(ctx)
	if err == nil && !lives {
		err = auth.Unauthenticated()
	}
	return err
}
