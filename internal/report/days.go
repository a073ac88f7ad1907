package report

import (
	"context"
	stdsql "database/sql"
	"fmt"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/database"
	"storefront/internal/fault"
)

// dayTime is the length of a day.
const dayTime = 24 * time.Hour

// dayOf returns the number of the day (UTC) of a moment.
func dayOf(moment time.Time) int64 {
	day := moment.Unix() / int64(dayTime/time.Second)
	if beginOf(day).After(moment) { // before 1970
		day--
	}
	return day
}

// beginOf returns the beginning of a day.
func beginOf(day int64) time.Time { return time.Unix(day*int64(dayTime/time.Second), 0).UTC() }

var (
	daysToRead = database.Statement(`SELECT day FROM order_days
		WHERE tenant_id = $tenant AND day >= $first AND day <= $last
			AND (figures IS NULL OR day = $first AND $cutfirst OR day = $last AND $cutlast)
		ORDER BY day`)

	keptDays = database.Statement(`SELECT day, figures FROM order_days
		WHERE tenant_id = $tenant AND day >= $first AND day <= $last AND figures IS NOT NULL
		ORDER BY day`)
)

// readTime is how long a report may spend on reading orders of days without figures, out of the 8 s of a
// request.
const readTime = 4 * time.Second

// eachDay calls add for each day of a period with orders, the earliest first. add must not keep the day,
// whose memory is reused.
func eachDay(
	ctx context.Context, tx *ent.Tx, business uuid.UUID, from, until time.Time, add func(*day) error,
) error {
	first, last := dayOf(from), dayOf(until.Add(-time.Microsecond))
	values := database.Values{"tenant": business, "first": first, "last": last,
		"cutfirst": from.After(beginOf(first)), "cutlast": until.Before(beginOf(last + 1))}
	read, err := readDays(ctx, tx, values, func(day int64) (*day, error) {
		return ordersBetween(ctx, tx.Raw(), business, later(from, beginOf(day)), earlier(until, beginOf(day+1)))
	})
	if err != nil {
		return err
	}
	kept := new(day)
	err = keptDays.Each(ctx, tx.Raw(), values, func(row *sql.Rows) error {
		var number int64
		var figures stdsql.RawBytes
		if err := row.Scan(&number, &figures); err != nil {
			return err
		}
		for len(read) > 0 && read[0].number < number {
			if err := add(read[0].day); err != nil {
				return err
			}
			read = read[1:]
		}
		if len(read) > 0 && read[0].number == number { // the rest of a day that was read in parts
			return nil
		}
		if err := kept.read(figures, beginOf(number).UnixMicro()); err != nil {
			return fmt.Errorf("the day %s: %w", beginOf(number).Format(time.DateOnly), err)
		}
		return add(kept)
	})
	for _, one := range read {
		if err == nil {
			err = add(one.day)
		}
	}
	return err
}

// numbered is a day with its number.
type numbered struct {
	number int64
	*day
}

// readDays reads from their orders the days without stored figures, and the days of which a report covers
// only a part.
func readDays(ctx context.Context, tx *ent.Tx, values database.Values,
	read func(day int64) (*day, error)) (days []numbered, err error) {
	var numbers []int64
	err = daysToRead.Each(ctx, tx.Raw(), values, func(row *sql.Rows) error {
		var number int64
		err := row.Scan(&number)
		numbers = append(numbers, number)
		return err
	})
	if err != nil {
		return nil, err
	}
	for began := time.Now(); len(numbers) > 0; numbers = numbers[1:] {
		if time.Since(began) > readTime {
			busy := fault.New(fault.Unavailable,
				"the orders of %d days are still being added up; ask again in a minute", len(numbers))
			busy.RetryAfter = time.Minute
			return nil, busy
		}
		one, err := read(numbers[0])
		if err != nil {
			return nil, err
		}
		days = append(days, numbered{numbers[0], one})
	}
	return days, nil
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
