// Package transaction runs work that must happen whole or not at all, and repeats it after a conflict
// (transaction.go); package database decides which errors are worth another try. A request with an Idempotency-Key has
// one joint transaction (joint.go), of which each transaction below it is a part (part.go); the driver sends the
// statements of its context there (driver.go).
package transaction

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	entsql "entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/accesstoken"
	"storefront/internal/database"
	"storefront/internal/fault"
	"storefront/internal/platform/share"
	"storefront/internal/request"
)

// kept is an error that is returned although the transaction is committed.
type kept struct{ error }

func (k kept) Unwrap() error { return k.error }

// Keep marks an error so that the transaction is committed all the same, such as that of a wrong guess,
// which must count. With an Idempotency-Key the key is freed in the same transaction.
func Keep(err error) error { return kept{err} }

// OnCommit calls f after the outermost commit of the writes of tx, and not at all if they are rolled
// back; a repeated transaction calls it once. AfterCommit does the same for a context.
func OnCommit(tx *ent.Tx, f func()) {
	tx.OnCommit(func(next ent.Committer) ent.Committer {
		return ent.CommitFunc(func(ctx context.Context, tx *ent.Tx) error {
			err := next.Commit(ctx, tx)
			if err == nil {
				AfterCommit(ctx, f)
			}
			return err
		})
	})
}

// unheard is the error of a commit whose outcome is not known.
type unheard struct{ error }

func (u unheard) Unwrap() error { return u.error }

// Unheard reports whether err is that of a transaction which may be committed, because the answer was lost.
func Unheard(err error) bool {
	_, is := errors.AsType[unheard](err)
	return is
}

// commitError marks the error of a commit, unless it says that the transaction was rolled back.
func commitError(err error) error {
	if database.MayBeCommitted(err) {
		return unheard{err}
	}
	return err
}

const tries = 5

// Run runs work in a transaction, and again after a conflict with another one: a deadlock, a failed
// serialization, a busy file. An error of work rolls it back, unless Keep marks the error, and is returned as
// it is. If the caller's session or token has ended meanwhile, Run rolls back and fails with UNAUTHENTICATED, and
// with FORBIDDEN if a member of staff has lost the role.
func Run(ctx context.Context, store *ent.Client, work func(tx *ent.Tx) error) error {
	for try := 1; ; try++ {
		err := runOnce(ctx, store, work)
		if answer, ok := errors.AsType[kept](err); ok {
			return answer.error
		}
		if try == tries || !database.IsRetryable(err) {
			return err
		}
	}
}

// Single runs a statement that is a transaction of its own. That saves the round trips of BEGIN and COMMIT, and
// holds no lock during one. It is run again after a conflict, as Run does.
func Single(statement func() error) error {
	for try := 1; ; try++ {
		if err := statement(); try == tries || !database.IsRetryable(err) {
			return err
		}
	}
}

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
	defer tx.Rollback() // does nothing after a commit
	defer held.Delete(tx.Raw())
	answer := work(tx)
	_, keeps := errors.AsType[kept](answer)
	if answer != nil && !keeps {
		return answer
	}
	if err := signedInStill(ctx, tx); err != nil {
		return err
	}
	if err := EmployedStill(ctx, tx); err != nil {
		return err
	}
	if keeps {
		keepRefused(ctx)
	}
	if err := tx.Commit(); err != nil {
		return commitError(err)
	}
	return answer
}

// held are the things that transactions of Run hold, each a *sync.Map, by the driver of the transaction.
var held sync.Map

// Hold notes that a transaction of Run holds something until it ends, such as a lock; what is comparable.
func Hold(tx *ent.Tx, what any) {
	things, _ := held.LoadOrStore(tx.Raw(), new(sync.Map))
	things.(*sync.Map).Store(what, true)
}

// Holds reports whether a transaction holds something. of is that of the transaction, or of a client in it.
func Holds(raw ent.Raw, what any) bool {
	things, ok := held.Load(raw)
	if ok {
		_, ok = things.(*sync.Map).Load(what)
	}
	return ok
}

// signedInStill fails with UNAUTHENTICATED if the caller's session has ended since it was checked: the
// writer may have lost the right to the account. A takeover locks the account's row, ends the sessions and
// clears the account. It waits for earlier transactions that wrote to the account, and clears their rows; a
// transaction that waited for the lock finds here that the session has ended.
//
// Likewise, a program's access token may have been revoked meanwhile. A token that merely expires meanwhile
// is still valid for the request.
func signedInStill(ctx context.Context, tx *ent.Tx) error {
	if p := request.Of(ctx).Program; p != nil {
		lives, err := tx.AccessToken.Query().Where(accesstoken.ID(p.Token), accesstoken.BusinessID(p.Business),
			accesstoken.RevokedAtIsNil()).Exist(ctx)
		if err == nil && !lives {
			err = request.UnknownToken()
		}
		return err
	}
	caller, err := request.CallerOf(ctx)
	if err != nil {
		return nil // no caller is signed in
	}
	var number int64
	lives, err := findLive.Row(ctx, tx.Raw(), database.Values{"session": caller.Session}, &number)
	if err == nil && !lives {
		err = request.Unauthenticated()
	}
	return err
}

// findLive is written by hand because every write of a customer runs it.
var findLive = database.Statement(`SELECT number FROM sessions WHERE id = $session AND ended_at IS NULL`)

var findRoles = database.Statement(`SELECT role FROM staff_members
	WHERE user_id = $user AND (business_id = $business OR business_id IS NULL)`)

// EmployedStill fails with FORBIDDEN if the member of staff of the context has lost the role since it was looked up,
// and has no other one that may do the same.
func EmployedStill(ctx context.Context, tx *ent.Tx) error {
	who, ok := request.StaffOf(ctx)
	if !ok || who.User == uuid.Nil {
		return nil // a program or a command, or no member of staff
	}
	employed, values := false, database.Values{"user": who.User, "business": who.Business}
	err := findRoles.Each(ctx, tx.Raw(), values, func(row *entsql.Rows) error {
		role := who.Role // for its type
		err := row.Scan(&role)
		employed = employed || role == who.Role || slices.Contains(who.Roles, role)
		return err
	})
	if err == nil && !employed {
		err = request.Forbidden(ctx, "")
	}
	return err
}

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
		errors.Is(err, share.ErrFull),
		database.IsRetryable(err),     // even after several tries
		errors.Is(err, sql.ErrTxDone): // its context ended between two statements, which rolls it back
		return fault.Wrap(fault.Unavailable, err, "the service cannot answer right now; try again in a moment").
			After(time.Second)
	case ent.IsConstraintError(err), database.IsUnique(err), database.IsReference(err):
		return fault.Wrap(fault.Conflict, err, "this conflicts with what is already stored")
	}
	return fault.From(err)
}
