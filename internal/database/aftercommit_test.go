package database_test

import (
	"context"
	"errors"
	"testing"

	"entgo.io/ent/dialect"

	"storefront/internal/database"
)

// TestAfterCommit checks that f is called once, after the commit, and never after a rollback.
func TestAfterCommit(t *testing.T) {
	refused := errors.New("no")
	for name, c := range map[string]struct {
		end   func(j *database.Joint) error
		calls int
		fails error
	}{
		"committed":    {func(j *database.Joint) error { return j.Commit(nothingButInsert("last")) }, 1, nil},
		"undone":       {func(j *database.Joint) error { j.Rollback(); return nil }, 0, nil},
		"refused":      {func(j *database.Joint) error { j.Refuse(); return nil }, 0, nil},
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

// TestBeforeCommit checks that a deferred write is done once: before the next write that does not skip it,
// else at the end.
func TestBeforeCommit(t *testing.T) {
	joined(t, func(t *testing.T, ctx context.Context, db dialect.Driver, j *database.Joint) {
		off := func(value string) {
			if !database.BeforeCommit(ctx, "things", value, func(ctx context.Context, values []any) error {
				name := ""
				for _, v := range values {
					name += v.(string)
				}
				return try(ctx, db, "INSERT INTO things VALUES ('"+name+"')")
			}) {
				t.Error("written at once")
			}
		}
		exec(t, joining{database.SkipDeferred(ctx), db}, "INSERT INTO things VALUES ('a')")
		off("b")
		exec(t, joining{database.SkipDeferred(ctx), db}, "INSERT INTO things VALUES ('c')")
		off("d")
		holds(t, ctx, db, "a c first old ")
		exec(t, joining{ctx, db}, "INSERT INTO things VALUES ('e')")
		holds(t, ctx, db, "a bd c e first old ")
		off("f")
		if err := j.Commit(nothingButInsert("last")); err != nil {
			t.Error(err)
		}
		holds(t, t.Context(), db, "a bd c e f first last old ")
		if database.BeforeCommit(ctx, "things", "g", nil) {
			t.Error("put off where nothing is open")
		}
	})
}
