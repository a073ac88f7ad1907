package stored

import (
	"context"
	"errors"
	"time"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/tenant"
	"storefront/internal/database"
)

// StepSize is how many records, at most, are written in one transaction, so that customers hardly notice waiting for
// it. On PostgreSQL only checkouts of the same variants wait. On SQLite a transaction locks the whole file.
const StepSize = 500

// ErrOvertaken ends a transaction that must be planned again: a checkout changed a stock before its row was locked.
var ErrOvertaken = errors.New("the stock of a variant was changed meanwhile")

// Patiently runs a transaction again after conflicts with those of customers. Each run is up to five tries of package
// transaction.
func Patiently(ctx context.Context, run func() error) error {
	const runs = 10
	for n := 1; ; n++ {
		err := run()
		if err == nil || n == runs || ctx.Err() != nil ||
			!database.IsRetryable(err) && !database.IsHeldUp(err) && !errors.Is(err, ErrOvertaken) {
			return err
		}
	}
}

// ContentVersion returns the version of a shop's content, 0 if the shop does not exist yet.
func ContentVersion(ctx context.Context, tx *ent.Tx, shop uuid.UUID) (int64, error) {
	row, err := tx.Tenant.Query().Where(tenant.ID(shop)).Select(tenant.FieldContentVersion).Only(ctx)
	if ent.IsNotFound(err) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return row.ContentVersion, nil
}

// Pause is how long SQLite's lock is left to customers between two transactions of a larger work.
const Pause = 5 * time.Millisecond

// Rest waits on SQLite, so that customers can take its lock of the whole file.
func Rest(ctx context.Context, client *ent.Client, pause time.Duration) error {
	if client.Raw().Dialect() != dialect.SQLite {
		return nil
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(pause):
		return nil
	}
}
