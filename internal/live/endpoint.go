package live

import (
	"context"
	"errors"
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/internal/database"
	"storefront/internal/fault"
	"storefront/internal/record"
)

const (
	keptUnused  = 25 * time.Hour             // how long events are kept after the last listener of a shop has left
	writersTime = 5 * time.Second            // how long the first listener of a shop waits for running transactions
	waitTick    = 50 * time.Millisecond      // between two looks while waiting
	noWebhook   = 100 * 365 * 24 * time.Hour // keeps servers of an older version from sending to the endpoint
)

// bits are the types of events that subscriptions receive.
var bits = record.OrderPlaced.Bit() | record.OrderMoved.Bit() | record.PaymentMarked.Bit() |
	record.ReceiptUploaded.Bit()

var (
	endpointOf = database.Statement(`SELECT id, live_from, live_until FROM webhook_endpoints
		WHERE tenant_id = $tenant AND live_until IS NOT NULL AND active`)
	extend = database.Statement(`UPDATE webhook_endpoints SET live_until = $until
		WHERE tenant_id = $tenant AND live_until IS NOT NULL AND active`)
	activate = database.Statement(`UPDATE webhook_endpoints SET live_until = $until, live_from = NULL, active = $active
		WHERE tenant_id = $tenant AND live_until IS NOT NULL AND NOT active`)
	add = database.Statement(`INSERT INTO webhook_endpoints
		(id, created_at, updated_at, tenant_id, url, secret, events, active, restarts, failures, paused_until,
			live_until)
		VALUES ($id, $now, $now, $tenant, '', $secret, $events, $active, 0, 0, $paused, $until) ON CONFLICT DO NOTHING`)
	setFrom = database.Statement(`UPDATE webhook_endpoints SET live_from = $from
		WHERE id = $id AND tenant_id = $tenant AND live_from IS NULL`)
	deactivate = database.Statement(`UPDATE webhook_endpoints SET active = $active WHERE live_until <= $now AND active`)
)

// keep makes the outbox keep the events of a shop's orders for the next keptUnused. It returns the number after which
// no event is missing.
func (s *Service) keep(ctx context.Context, shop uuid.UUID) (from int64, err error) {
	now := s.now()
	values := database.Values{"tenant": shop, "now": now, "until": now.Add(keptUnused), "active": true,
		"id": record.NewID(), "secret": []byte{}, "events": bits, "paused": now.Add(noWebhook)}
	for range 5 {
		var id uuid.UUID
		var begun *int64
		var until time.Time
		known, err := endpointOf.Row(ctx, s.store.Raw(), values, &id, &begun, &until)
		switch {
		case err != nil:
			return 0, err
		case known && begun == nil:
			return s.beginKeeping(ctx, id, values)
		case known && until.Sub(now) > keptUnused-keepEvery:
			return *begun, nil
		case known:
			if n, err := extend.Exec(ctx, s.store.Raw(), values); err != nil || n > 0 {
				return *begun, err
			}
		default:
			if n, err := activate.Exec(ctx, s.store.Raw(), values); err != nil {
				return 0, err
			} else if n == 0 {
				if _, err := add.Exec(ctx, s.store.Raw(), values); err != nil {
					return 0, err
				}
			}
		}
	}
	return 0, busy()
}

// beginKeeping sets live_from of a committed endpoint, after the transactions that may not have seen the endpoint have
// ended.
func (s *Service) beginKeeping(ctx context.Context, id uuid.UUID, values database.Values) (from int64, err error) {
	if err := s.awaitWriters(ctx); err != nil {
		return 0, err
	}
	if from, err = newest(ctx, s.store.Raw(), s.now().UnixMicro()); err != nil {
		return 0, err
	}
	values["id"], values["from"] = id, from
	_, err = setFrom.Exec(ctx, s.store.Raw(), values)
	return from, err
}

var writers = database.Statement(`SELECT virtualtransaction FROM pg_locks
	WHERE relation = 'webhook_deliveries'::regclass AND mode = 'RowExclusiveLock'
		AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)

// awaitWriters waits for the PostgreSQL transactions that hold a write lock on webhook_deliveries: a statement takes
// its table locks before its snapshot, so later writers see the endpoint. SQLite has one writer at a time.
func (s *Service) awaitWriters(ctx context.Context) error {
	if s.store.Raw().Dialect() == dialect.SQLite {
		return nil
	}
	var before map[string]bool
	for end := time.Now().Add(writersTime); time.Now().Before(end); {
		now := map[string]bool{}
		err := writers.Each(ctx, s.store.Raw(), nil, func(row *sql.Rows) error {
			var transaction string
			err := row.Scan(&transaction)
			if before == nil || before[transaction] {
				now[transaction] = true
			}
			return err
		})
		if err != nil || len(now) == 0 {
			return err
		}
		before = now
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(waitTick):
		}
	}
	return busy()
}

func busy() error {
	err := fault.New(fault.Unavailable, "too much is being written at the moment; try again shortly")
	err.RetryAfter = 2 * time.Second
	return err
}

// keepAll calls keep for several shops.
func (s *Service) keepAll(ctx context.Context, shops []uuid.UUID) (err error) {
	for _, shop := range shops {
		_, failed := s.keep(ctx, shop)
		err = errors.Join(err, failed)
	}
	return err
}

// Deactivate stops keeping events for the shops that have had no listener for a day.
func (s *Service) Deactivate(ctx context.Context) error {
	_, err := deactivate.Exec(ctx, s.store.Raw(), database.Values{"active": false, "now": s.now()})
	return err
}
