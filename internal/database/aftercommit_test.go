package database_test

import (
	"context"
	"errors"
	"testing"

	"entgo.io/ent/dialect"

	"storefront/internal/database"
)

// TestAfterCommit holds that what waits for a commit is done once, after it, and not at all where all is undone.
func TestAfterCommit(t *testing.T) {
	refused := errors.New("no")
	for name, c := range map[string]struct {
		end   func(j *database.Joint) error
		calls int
		fails error
	}{
		"committed":    {func(j *database.Joint) error { return j.Commit(nothingButInsert("last")) }, 1, nil},
		"undone":       {func(j *database.Joint) error { j.Rollback(); return nil }, 0, nil},
		"without last": {func(j *database.Joint) error { return j.Commit(failing(refused)) }, 0, refused},
	} {
		t.Run(name, func(t *testing.T) {
			joined(t, func(t *testing.T, ctx context.Context, db dialect.Driver, j *database.Joint) {
				calls := 0
				tx, err := db.Tx(ctx)
				if err != nil {
					t.Fatal(err)
				}
				exec(t, tx, "INSERT INTO things VALUES ('a')")
				if err := tx.Commit(); err != nil {
					t.Fatal(err)
				}
				database.AfterCommit(ctx, func() {
					calls++
					holds(t, t.Context(), db, "a first last old ")
				})
				if calls != 0 {
					t.Error("called before the commit")
				}
				if err := c.end(j); !errors.Is(err, c.fails) {
					t.Error(err)
				}
				j.Rollback()
				if calls != c.calls {
					t.Errorf("called %d times, want %d", calls, c.calls)
				}
				database.AfterCommit(ctx, func() { calls++ }) // an ordinary context now
				if calls != c.calls+1 {
					t.Error("not called at once where nothing is open")
				}
			})
		})
	}
}

func failing(err error) database.Act {
	return func(context.Context, dialect.ExecQuerier) error { return err }
}
