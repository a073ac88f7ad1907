// Package sweep deletes rows that no rule reads any more, so that tables do not grow with time. Each package
// with such rows returns jobs (Job); internal/app runs all jobs regularly, on one server at a time.
package sweep

import (
	"context"
	"errors"
	"fmt"
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"

	"storefront/internal/database"
)

// most is how many rows one statement deletes: few enough that neither SQLite's writer nor a row lock is held for long.
const most = 1000

// Job deletes one kind of rows.
type Job struct {
	Name  string // of the table
	old   []func(*sql.Selector)
	order string // an indexed column; the oldest go first
}

// Before returns the job that deletes the rows of a table with an id column whose time in an indexed column is
// not after a given one. All further conditions must hold, too.
func Before(table, column string, moment time.Time, further ...func(*sql.Selector)) Job {
	return Job{table, append(further, sql.FieldLTE(column, moment)), column}
}

// ByDay is Before for a time that has no index: its day (UTC) is in another, indexed column, on SQLite as
// the number of days since 1970.
func ByDay(table, day, column string, moment time.Time, further ...func(*sql.Selector)) Job {
	until := func(s *sql.Selector) {
		if s.Dialect() == dialect.SQLite {
			s.Where(sql.LTE(s.C(day), moment.Unix()/(24*60*60)))
		} else {
			s.Where(sql.LTE(s.C(day), moment.UTC().Format(time.DateOnly)))
		}
	}
	return Job{table, append(further, until, sql.FieldLTE(column, moment)), day}
}

// Run runs jobs one after the other, and continues after one that fails. It calls done, unless that is nil,
// after each job with the number of deleted rows.
func Run(ctx context.Context, on database.Executor, jobs []Job, done func(job string, deleted int64, err error)) error {
	var failures []error
	for _, j := range jobs {
		deleted, err := j.run(ctx, on)
		if done != nil {
			done(j.Name, deleted, err)
		}
		if err != nil {
			failures = append(failures, fmt.Errorf("delete old rows of %s: %w", j.Name, err))
		}
	}
	return errors.Join(failures...)
}

// run deletes in batches until nothing is left. A batch that takes too long, because rows of other tables are
// deleted with it, is tried again with fewer rows.
func (j Job) run(ctx context.Context, on database.Executor) (deleted int64, err error) {
	for batch := most; ; {
		n, err := j.delete(ctx, on, batch)
		deleted += n
		switch {
		case err == nil && n < int64(batch):
			return deleted, nil
		case err != nil && (!database.IsHeldUp(err) || ctx.Err() != nil || batch == 1):
			return deleted, err
		case err != nil:
			batch = max(1, batch/8)
		}
	}
}

// delete deletes a batch of rows. On PostgreSQL it locks them first: a lock checks the conditions again on the
// current row, which a DELETE that has waited for a row does not, and it skips the rows that others are using.
// On SQLite only one transaction writes at a time.
func (j Job) delete(ctx context.Context, on database.Executor, batch int) (deleted int64, err error) {
	oldest := sql.Dialect(on.Dialect()).Select("id").From(sql.Table(j.Name)).OrderBy(j.order).Limit(batch)
	for _, where := range j.old {
		where(oldest)
	}
	database.ForUpdateSkipLocked(oldest)
	text, args := oldest.Query()
	text = "WITH old AS (" + text + ") DELETE FROM " + j.Name + " WHERE id IN (SELECT id FROM old)"
	var result sql.Result
	if err := on.Exec(ctx, text, args, &result); err != nil {
		return 0, err
	}
	return result.RowsAffected()
}
