package idempotency

import (
	"bytes"
	"context"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"

	"storefront/ent"
	"storefront/ent/idempotencykey"
	"storefront/internal/database"
	"storefront/internal/database/sweep"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/request"
)

// These are the limits of stored answers. Beyond them the request is recorded without its answer: it does
// not run twice, and sending it again fails with CONFLICT. Short answers do not count, so any number of
// requests is possible.
const (
	longAnswer    = 4 << 10  // bytes; longer answers count
	longestAnswer = 1 << 20  // bytes
	ofOneCustomer = 16 << 20 // bytes of long answers; answers to programs are not stored
)

// find returns the stored answer of a key; nil if there is none.
func (s *Store) find(ctx context.Context, k key) ([]byte, error) {
	row, err := s.client.IdempotencyKey.Query().Where(idempotencykey.ID(k.id),
		idempotencykey.ExpiresAtGT(s.clock.Now())).Only(ctx)
	switch {
	case ent.IsNotFound(err):
		return nil, nil
	case err != nil:
		return nil, err
	case !bytes.Equal(row.Fingerprint, k.fingerprint):
		return nil, fault.New(fault.KeyReused,
			"this Idempotency-Key was used for another request")
	case k.private:
		return nil, done{fault.New(fault.Conflict,
			"this was done before with this Idempotency-Key; answers to staff, and those with a secret, are not kept")}
	case row.Answer == nil:
		return nil, done{fault.New(fault.Conflict,
			"this was done before with this Idempotency-Key, and its answer is not kept")}
	}
	return []byte(*row.Answer), nil
}

// claim inserts the row of a key in the transaction that begins. It waits for another transaction that holds
// the key, as others wait for this one. It fails with CONFLICT if the key is taken.
func (s *Store) claim(k key) transaction.Act {
	return func(ctx context.Context, tx dialect.ExecQuerier) error {
		waiting, stop := s.patience(ctx)
		defer stop()
		table := sql.Table(idempotencykey.Table)
		table.SetDialect(s.db.Dialect)
		text, args := sql.Dialect(s.db.Dialect).Insert(idempotencykey.Table).
			Columns(idempotencykey.FieldID, idempotencykey.FieldUserID, idempotencykey.FieldTokenID,
				idempotencykey.FieldFingerprint, idempotencykey.FieldAnswer, idempotencykey.FieldSize,
				idempotencykey.FieldExpiresAt).
			Values(k.id, k.user, k.token, k.fingerprint, nil, 0, k.until).
			OnConflict(sql.ConflictColumns(idempotencykey.FieldID), sql.ResolveWithNewValues(),
				sql.UpdateWhere(sql.LTE(table.C(idempotencykey.FieldExpiresAt), s.clock.Now()))).
			Query()
		var result sql.Result
		err := tx.Exec(waiting, text, args, &result)
		if err != nil && (waiting.Err() != nil || database.IsHeldUp(err)) {
			return stillRunning()
		}
		if database.IsReference(err) { // the account was erased meanwhile
			return request.Unauthenticated()
		}
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n > 0 {
			return err
		}
		return stillRunning()
	}
}

// free takes the row of a key out, of a request whose refusal keeps what it wrote.
func (s *Store) free(k key) transaction.Act {
	return func(ctx context.Context, tx dialect.ExecQuerier) error {
		text, args := sql.Dialect(s.db.Dialect).Delete(idempotencykey.Table).
			Where(sql.EQ(idempotencykey.FieldID, k.id)).Query()
		return tx.Exec(ctx, text, args, nil)
	}
}

// keep stores the answer.
func (s *Store) keep(k key, answer []byte) transaction.Act {
	return func(ctx context.Context, tx dialect.ExecQuerier) error {
		if k.private || k.user == nil {
			return nil
		}
		size := 0
		if len(answer) > longAnswer {
			size = len(answer)
			fits, err := s.fits(ctx, tx, k, size)
			if err != nil || !fits {
				return err
			}
		}
		text, args := sql.Dialect(s.db.Dialect).Update(idempotencykey.Table).
			Set(idempotencykey.FieldAnswer, string(answer)).Set(idempotencykey.FieldSize, size).
			Where(sql.EQ(idempotencykey.FieldID, k.id)).Query()
		return tx.Exec(ctx, text, args, nil)
	}
}

// fits reports whether a long answer may be stored.
func (s *Store) fits(ctx context.Context, tx dialect.ExecQuerier, k key, size int) (bool, error) {
	text, args := sql.Dialect(s.db.Dialect).Select().AppendSelectExpr(sql.Raw("COALESCE(SUM(size), 0)")).
		From(sql.Table(idempotencykey.Table)).
		Where(sql.And(sql.EQ(idempotencykey.FieldUserID, *k.user), sql.GT(idempotencykey.FieldSize, 0))).Query()
	rows := new(sql.Rows)
	if err := tx.Query(ctx, text, args, rows); err != nil {
		return false, err
	}
	defer rows.Close()
	stored, err := sql.ScanInt(rows)
	return size <= longestAnswer && stored+size <= ofOneCustomer, err
}

// Old returns the jobs that delete expired answers.
func (s *Store) Old() []sweep.Job {
	return []sweep.Job{sweep.Before(idempotencykey.Table, idempotencykey.FieldExpiresAt, s.clock.Now())}
}
