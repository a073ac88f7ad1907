package live

import (
	"context"
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/internal/database"
	"storefront/internal/fault"
	"storefront/internal/record"
)

const (
	keptUnheard = 25 * time.Hour             // the events of a shop that nobody listens to any more
	writersTime = 5 * time.Second            // how long the first listener waits for transactions that are under way
	writersTick = 50 * time.Millisecond      // how often it looks
	noWebhook   = 100 * 365 * 24 * time.Hour // servers of before look for nothing to send there meanwhile
)

// bits are the events that subscriptions are told.
var bits = record.OrderPlaced.Bit() | record.OrderMoved.Bit() | record.PaymentMarked.Bit() |
	record.ReceiptUploaded.Bit()

var (
	endpointOf = database.Statement(`SELECT id, live_from, live_until FROM webhook_endpoints
		WHERE tenant_id = $tenant AND live_until IS NOT NULL AND active`)
	putOff = database.Statement(`UPDATE webhook_endpoints SET live_until = $until
		WHERE tenant_id = $tenant AND live_until IS NOT NULL AND active`)
	wake = database.Statement(`UPDATE webhook_endpoints SET live_until = $until, live_from = NULL, active = $active
		WHERE tenant_id = $tenant AND live_until IS NOT NULL AND NOT active`)
	add = database.Statement(`INSERT INTO webhook_endpoints
		(id, created_at, updated_at, tenant_id, url, secret, events, active, restarts, failures, paused_until,
			live_until)
		VALUES ($id, $now, $now, $tenant, '', $secret, $events, $active, 0, 0, $paused, $until) ON CONFLICT DO NOTHING`)
	begins = database.Statement(`UPDATE webhook_endpoints SET live_from = $from
		WHERE id = $id AND tenant_id = $tenant AND live_from IS NULL`)
	rest = database.Statement(`UPDATE webhook_endpoints SET active = $active WHERE live_until <= $now AND active`)
)

// keep sees to it that the events of a shop's orders are kept for a while from now on, and returns the place behind
// which all of them are there.
func (s *Service) keep(ctx context.Context, shop uuid.UUID) (from int64, err error) {
	now := s.now()
	values := database.Values{"tenant": shop, "now": now, "until": now.Add(keptUnheard), "active": true,
		"id": uuid.Must(uuid.NewV7()), "secret": []byte{}, "events": bits, "paused": now.Add(noWebhook)}
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
		case known && until.Sub(now) > keptUnheard-keepEvery:
			return *begun, nil
		case known:
			if n, err := putOff.Exec(ctx, s.store.Raw(), values); err != nil || n > 0 {
				return *begun, err
			}
		default:
			if n, err := wake.Exec(ctx, s.store.Raw(), values); err != nil {
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

// beginKeeping notes behind which place all events of a shop are there, for an endpoint that is committed: transactions
// that began before have not seen it.
func (s *Service) beginKeeping(ctx context.Context, id uuid.UUID, values database.Values) (from int64, err error) {
	if err := s.awaitWriters(ctx); err != nil {
		return 0, err
	}
	if from, err = newest(ctx, s.store.Raw(), s.now().UnixMicro()); err != nil {
		return 0, err
	}
	values["id"], values["from"] = id, from
	_, err = begins.Exec(ctx, s.store.Raw(), values)
	return from, err
}

var writers = database.Statement(`SELECT virtualtransaction FROM pg_locks
	WHERE relation = 'webhook_deliveries'::regclass AND mode = 'RowExclusiveLock'
		AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)

// awaitWriters waits for the transactions of PostgreSQL that write events at the moment: a statement locks its tables
// before it looks which endpoints there are. On SQLite nobody else writes meanwhile.
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
		case <-time.After(writersTick):
		}
	}
	return busy()
}

func busy() error {
	err := fault.New(fault.Unavailable, "too much is being written at the moment; try again shortly")
	err.RetryAfter = 2 * time.Second
	return err
}

// keepAll is keep for the shops that are still listened to.
func (s *Service) keepAll(ctx context.Context, shops []uuid.UUID) error {
	for _, shop := range shops {
		if _, err := s.keep(ctx, shop); err != nil {
			return err
		}
	}
	return nil
}

// Rest stops keeping the events of shops that nobody listens to any more.
func (s *Service) Rest(ctx context.Context) error {
	_, err := rest.Exec(ctx, s.store.Raw(), database.Values{"active": false, "now": s.now()})
	return err
}
