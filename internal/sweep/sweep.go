// Package sweep deletes rows that no rule reads any more, so that tables do not grow with time. Each room that has such
// rows says which ones (Job); internal/app runs all jobs every now and then, on one server at a time.
package sweep

import (
	"context"
	"errors"
	"fmt"
	"time"

	"entgo.io/ent/dialect/sql"

	"storefront/internal/database"
)

// most is how many rows one statement deletes: few enough that neither SQLite's writer nor a row lock is held for long.
const most = 1000

// Job is a kind of rows that are deleted.
type Job struct {
	Name  string // of the table
	old   []func(*sql.Selector)
	order string // an indexed column; the oldest go first
}

// Before is the job that deletes the rows of a table, with ids, whose time in an indexed column is at or
// before a moment. All further conditions must hold, too.
func Before(table, column string, moment time.Time, further ...func(*sql.Selector)) Job {
	return Job{table, append(further, sql.FieldLTE(column, moment)), column}
}

// Run runs jobs, one after the other, and goes on after one that fails. It calls done, unless that is nil,
// after each with the number of rows that were deleted.
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

// run deletes in batches until nothing is left. A batch that takes too long, as rows of other tables go with
// its own, is tried again with fewer rows.
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

// delete deletes a batch of rows. PostgreSQL locks them first: that looks at the conditions again in what a
// row is by then, which a DELETE that waits for a row does not, and leaves out the rows that others hold, who
// are just using them. SQLite's transactions write alone.
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
