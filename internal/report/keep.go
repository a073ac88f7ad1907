package report

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	entsql "entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/internal/database"
	"storefront/internal/tenancy"
)

// The figures of a day are stored in three steps: mark the day, read its orders, and store the figures if
// the mark is still there. A change of an order of the day deletes the mark and the figures (the triggers in
// internal/database/versions, order_days.sql). So nobody waits while a day is read, and figures that were
// read before a change are not stored after it.
//
// On PostgreSQL a transaction that changes an order but has not committed may neither have seen the mark nor
// be visible to the reader. So each holds a shared lock until it commits, and a day is marked only while
// nobody holds it. The triggers use the same key. SQLite's transactions write one after the other.
var (
	daysToKeep = database.Statement(`SELECT tenant_id, day FROM order_days
		WHERE figures IS NULL AND day <= $day AND (day < $day OR tenant_id > $tenant)
		ORDER BY day DESC, tenant_id LIMIT $most`)

	markDay = database.Texts{
		SQLite: database.Statement(`UPDATE order_days SET mark = $mark
			WHERE tenant_id = $tenant AND day = $day AND figures IS NULL`),
		Postgres: database.Statement(`WITH writers AS MATERIALIZED (
				SELECT pg_try_advisory_xact_lock(order_day_lock($tenant, $day)) AS none)
			UPDATE order_days SET mark = $mark FROM writers
			WHERE writers.none AND tenant_id = $tenant AND day = $day AND figures IS NULL`),
	}

	keepDay = database.Statement(`UPDATE order_days SET figures = $figures, mark = NULL
		WHERE tenant_id = $tenant AND day = $day AND mark = $mark`)
)

// daysAtOnce is how many days without figures one query returns.
const daysAtOnce = 100

// Keep stores the figures of past days, of all shops, the latest day first, and returns how many days it
// stored. Several servers may call it at the same time. A day whose orders change meanwhile is left for the
// next call.
func (s *Service) Keep(ctx context.Context) (kept int, err error) {
	type ref struct {
		tenant uuid.UUID
		day    int64
	}
	last := ref{day: dayOf(s.clock()) - 1}
	var failed error
	for {
		var found []ref
		values := database.Values{"day": last.day, "tenant": last.tenant, "most": daysAtOnce}
		err := daysToKeep.Each(ctx, s.store.Raw(), values, func(row *entsql.Rows) error {
			var one ref
			err := row.Scan(&one.tenant, &one.day)
			found = append(found, one)
			return err
		})
		if err != nil {
			return kept, err
		}
		for _, one := range found {
			done, err := s.keep(tenancy.In(ctx, one.tenant), one.tenant, one.day)
			switch {
			case err == nil || errors.Is(err, errTooMuch):
			case ctx.Err() != nil || database.IsUnavailable(err):
				return kept, err
			case failed == nil: // a failure does not stop the other days
				failed = fmt.Errorf("the orders of day %d of shop %s: %w", one.day, one.tenant, err)
			}
			if done {
				kept++
			}
		}
		if len(found) < daysAtOnce {
			return kept, failed
		}
		last = found[len(found)-1]
	}
}

// keep stores the figures of a day, and reports whether it could: not if an order changed meanwhile.
func (s *Service) keep(ctx context.Context, business uuid.UUID, day int64) (done bool, err error) {
	values := database.Values{"tenant": business, "day": day, "mark": uuid.New()}
	marked, err := markDay.Of(s.store.Raw()).Exec(ctx, s.store.Raw(), values)
	if err != nil || marked == 0 {
		return false, err
	}
	begin := beginOf(day)
	of, err := s.ordersOf(ctx, business, begin)
	if err != nil {
		return false, err
	}
	values["figures"] = of.append(nil, begin.UnixMicro())
	n, err := keepDay.Exec(ctx, s.store.Raw(), values)
	return n > 0, err
}

// ordersOf reads the orders of a day in one snapshot.
func (s *Service) ordersOf(ctx context.Context, business uuid.UUID, begin time.Time) (*day, error) {
	tx, err := s.store.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer tx.Rollback() // it only reads
	return ordersBetween(ctx, tx.Raw(), business, begin, begin.Add(dayTime))
}
