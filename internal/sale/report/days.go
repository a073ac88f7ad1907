package report

import (
	"context"
	stdsql "database/sql"
	"fmt"
	"math"
	"slices"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/database"
	"storefront/internal/database/transaction"
	"storefront/internal/event/outbox"
	"storefront/internal/fault"
)

// beginOf returns the beginning of a day.
func beginOf(day int64) time.Time { return time.Unix(day*24*60*60, 0).UTC() }

// daysSQL finds the days with orders, from one to the next by the index of the shop's list. The %s are the beginning of
// the day after that of the moment at.
const daysSQL = `WITH RECURSIVE firsts(at) AS (
		SELECT (SELECT o.created_at FROM orders AS o WHERE o.tenant_id = $tenant AND o.created_at >= $from
			ORDER BY o.created_at LIMIT 1)
		UNION ALL
		SELECT (SELECT o.created_at FROM orders AS o WHERE o.tenant_id = $tenant AND o.created_at >= %s
			ORDER BY o.created_at LIMIT 1)
		FROM firsts WHERE firsts.at < $until
	)
	SELECT at FROM firsts WHERE at < $until`

var (
	daysWithOrders = database.Texts{
		SQLite: database.Statement(fmt.Sprintf(daysSQL, "(firsts.at / 86400000000 + 1) * 86400000000")),
		Postgres: database.Statement(fmt.Sprintf(daysSQL,
			"(date_trunc('day', firsts.at AT TIME ZONE 'UTC') + interval '1 day') AT TIME ZONE 'UTC'")),
	}

	numbersOfDays = database.Statement(`SELECT day, number FROM order_days
		WHERE tenant_id = $tenant AND day >= $first AND day <= $last`)

	keptDays = database.Statement(`SELECT day, figures FROM order_days
		WHERE tenant_id = $tenant AND day >= $first AND day <= $last ORDER BY day`)

	// An event without a number comes after all others.
	eventsOfDays = database.Statement(fmt.Sprintf(`
		SELECT day, max(number) FROM shop_events
		WHERE tenant_id = $tenant AND number > $after AND day >= $first AND day <= $last GROUP BY day
		UNION ALL SELECT DISTINCT day, CAST(%d AS bigint) FROM shop_events
		WHERE tenant_id = $tenant AND number IS NULL AND day >= $first AND day <= $last`, math.MaxInt64))
)

// readTime is how long a report may spend on reading orders of days without figures, out of the 8 s of a
// request.
const readTime = 4 * time.Second

// reading reads the days of a report in one snapshot.
type reading struct {
	on          database.Executor
	business    uuid.UUID
	from, until time.Time
	today       int64
	last        int64 // number of the last event before the snapshot

	read []dayRead // from their orders
}

// dayRead is a day whose orders were read.
type dayRead struct {
	number  int64 // days since 1970
	figures []byte
	whole   bool
}

// eachDay calls add for each day of the period with orders, the earliest first. add must not keep the day,
// whose memory is reused. It fails with UNAVAILABLE if reading orders takes too long; r.read has what was read.
func (r *reading) eachDay(ctx context.Context, add func(*day) error) (err error) {
	if r.last, err = outbox.Last(ctx, r.on); err != nil {
		return err
	}
	first, last := outbox.DayOf(r.from), outbox.DayOf(r.until.Add(-time.Microsecond))
	values := database.Values{"tenant": r.business, "first": first, "last": last, "from": r.from, "until": r.until}
	good, err := r.goodDays(ctx, values)
	if err != nil {
		return err
	}
	var missing []int64
	err = daysWithOrders.Of(r.on).Each(ctx, r.on, values, func(row *sql.Rows) error {
		var at database.Moment
		err := row.Scan(&at)
		if number := outbox.DayOf(at.Time); !good[number] {
			missing = append(missing, number)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("the days of a report: %w", err)
	}
	if err := r.readDays(ctx, missing); err != nil {
		return err
	}
	return r.addDays(ctx, values, good, add)
}

// isWhole reports whether the whole day is in the period.
func (r *reading) isWhole(day int64) bool {
	return !r.from.After(beginOf(day)) && !r.until.Before(beginOf(day+1))
}

// goodDays returns the whole days whose stored figures no later event outdates.
func (r *reading) goodDays(ctx context.Context, values database.Values) (good map[int64]bool, err error) {
	numbers, after := map[int64]int64{}, int64(math.MaxInt64)
	scan := func(keep func(day, number int64)) func(*sql.Rows) error {
		return func(row *sql.Rows) error {
			var day, number int64
			err := row.Scan(&day, &number)
			keep(day, number)
			return err
		}
	}
	err = numbersOfDays.Each(ctx, r.on, values, scan(func(day, number int64) {
		numbers[day], after = number, min(after, number)
	}))
	if err != nil || len(numbers) == 0 {
		return map[int64]bool{}, err
	}
	values["after"] = after
	err = eventsOfDays.Each(ctx, r.on, values, scan(func(day, number int64) {
		if kept, is := numbers[day]; is && kept < number {
			delete(numbers, day)
		}
	}))
	good = make(map[int64]bool, len(numbers))
	for day := range numbers {
		good[day] = r.isWhole(day)
	}
	return good, err
}

// readDays reads days from their orders.
func (r *reading) readDays(ctx context.Context, days []int64) error {
	for began := time.Now(); len(days) > 0; days = days[1:] {
		if time.Since(began) > readTime {
			return fault.New(fault.Unavailable,
				"the orders of %d days are still being added up; ask again in a few seconds", len(days)).
				After(time.Second)
		}
		number := days[0]
		from, until := beginOf(number), beginOf(number+1)
		if r.from.After(from) {
			from = r.from
		}
		if r.until.Before(until) {
			until = r.until
		}
		d, err := ordersBetween(ctx, r.on, r.business, from, until)
		if err != nil {
			return err
		}
		r.read = append(r.read, dayRead{number, d.append(nil, beginOf(number).UnixMicro()), r.isWhole(number)})
	}
	return nil
}

// addDays adds the days that were read and the stored ones that are good.
func (r *reading) addDays(
	ctx context.Context, values database.Values, good map[int64]bool, add func(*day) error,
) error {
	read, d := r.read, new(day)
	figures := func(number int64, figures []byte) error {
		if err := d.read(figures, beginOf(number).UnixMicro()); err != nil {
			return fmt.Errorf("the day %s: %w", beginOf(number).Format(time.DateOnly), err)
		}
		return add(d)
	}
	upTo := func(number int64) error {
		for ; len(read) > 0 && read[0].number < number; read = read[1:] {
			if err := figures(read[0].number, read[0].figures); err != nil {
				return err
			}
		}
		return nil
	}
	err := keptDays.Each(ctx, r.on, values, func(row *sql.Rows) error {
		var number int64
		var kept stdsql.RawBytes
		if err := row.Scan(&number, &kept); err != nil {
			return err
		}
		if err := upTo(number); err != nil || !good[number] {
			return err
		}
		return figures(number, kept)
	})
	if err != nil {
		return err
	}
	return upTo(math.MaxInt64)
}

// keepDay stores the figures of a day. Those of a report with a later snapshot stay.
var keepDay = database.Statement(`INSERT INTO order_days (tenant_id, day, figures, number)
	VALUES ($tenant, $day, $figures, $number)
	ON CONFLICT (tenant_id, day) DO UPDATE SET figures = excluded.figures, number = excluded.number
	WHERE order_days.number < excluded.number`)

// keptTogether is how many days one transaction stores.
const keptTogether = 32

// keep stores the figures of the days that are over and were read as a whole.
func (r *reading) keep(ctx context.Context, store *ent.Client) error {
	over := slices.DeleteFunc(r.read, func(d dayRead) bool { return !d.whole || d.number >= r.today })
	for days := range slices.Chunk(over, keptTogether) {
		err := transaction.Run(ctx, store, func(tx *ent.Tx) error {
			for _, d := range days {
				_, err := keepDay.Exec(ctx, tx.Raw(), database.Values{"tenant": r.business, "day": d.number,
					"figures": d.figures, "number": r.last})
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
