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

// Who adds up a day marks it first, reads its orders then, and keeps their figures if the mark is still there. A change
// of an order of the day takes the mark away as it does the figures (the triggers in internal/database/versions,
// order_days.sql). So nobody waits while a day is read, and figures that were read before a change are not kept after
// it.
//
// On PostgreSQL a change that is not committed yet could not have seen the mark, nor could its order be seen. So each
// holds a shared lock until it is committed, and a day is marked only while nobody holds it. The key of the lock is
// that of the triggers. SQLite's transactions write one after the other.
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

// daysAtOnce is how many days that are to be added up are looked for at once.
const daysAtOnce = 100

// Keep adds up the orders of the days that are over, of all shops, the latest day first, and returns how many days it
// kept. Several servers may do so at the same time. A day whose orders change at that moment is left for the next time.
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
			case failed == nil: // the other days are added up still
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

// keep adds up the orders of a day, unless they change meanwhile.
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

// ordersOf reads the orders of a day as they are at one moment.
func (s *Service) ordersOf(ctx context.Context, business uuid.UUID, begin time.Time) (*day, error) {
	tx, err := s.store.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer tx.Rollback() // it reads
	return ordersBetween(ctx, tx.Raw(), business, begin, begin.Add(dayTime))
}
