package database_test

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"sync"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"

	"storefront/internal/database"
	"storefront/internal/testdb"
)

// joined runs f with a table of things, and a context that shares a joint transaction, whose first step
// adds the thing "first".
func joined(t *testing.T, f func(t *testing.T, ctx context.Context, db dialect.Driver, j *database.Joint)) {
	t.Parallel()
	testdb.Each(t, func(t *testing.T, url string) {
		db := open(t, url)
		exec(t, db.Driver(), "CREATE TABLE things (name text PRIMARY KEY)")
		exec(t, db.Driver(), "INSERT INTO things VALUES ('old')")
		ctx, j := db.Join(t.Context(), nothingButInsert("first"))
		defer j.Rollback()
		f(t, ctx, db.Driver(), j)
	})
}

func nothingButInsert(name string) database.Act {
	return func(ctx context.Context, tx dialect.ExecQuerier) error {
		return try(ctx, tx, "INSERT INTO things VALUES ('"+name+"')")
	}
}

func countThings(t testing.TB, ctx context.Context, db dialect.ExecQuerier) string {
	t.Helper()
	rows := new(entsql.Rows)
	if err := db.Query(ctx, "SELECT name FROM things ORDER BY name", []any{}, rows); err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var all string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		all += name + " "
	}
	if rows.Err() != nil {
		t.Error(rows.Err())
	}
	return all
}

func holds(t testing.TB, ctx context.Context, db dialect.ExecQuerier, want string) {
	t.Helper()
	if got := countThings(t, ctx, db); got != want {
		t.Errorf("there are %q, want %q", got, want)
	}
}

// returning adds a thing by a query.
func returning(ctx context.Context, db dialect.ExecQuerier, name string) error {
	_, err := tryAsk[string](ctx, db, "INSERT INTO things VALUES ('"+name+"') RETURNING name")
	return err
}

func TestJointKeepsAllTogether(t *testing.T) {
	joined(t, func(t *testing.T, ctx context.Context, db dialect.Driver, j *database.Joint) {
		holds(t, ctx, db, "old ") // a read is no write
		if try(ctx, db, "INSERT INTO things VALUES ('old')") == nil {
			t.Error("written twice")
		}
		if err := returning(ctx, db, "old"); !database.IsUnique(err) {
			t.Errorf("a query that writes twice: %v", err)
		}
		holds(t, ctx, db, "first old ")
		if err := try(ctx, db, "INSERT INTO things VALUES ('a')"); err != nil {
			t.Error(err)
		}
		if err := returning(ctx, db, "b"); err != nil {
			t.Error(err)
		}
		if _, err := db.(entsql.ExecQuerier).ExecContext(ctx, "INSERT INTO things VALUES ('c')"); err != nil {
			t.Error(err)
		}
		holds(t, ctx, db, "a b c first old ")
		holds(t, t.Context(), db, "old ")

		last := errors.New("no")
		if err := j.Commit(func(context.Context, dialect.ExecQuerier) error { return last }); !errors.Is(err,
			last) {
			t.Error(err)
		}
		holds(t, t.Context(), db, "old ")
		if err := try(ctx, db, "INSERT INTO things VALUES ('after')"); err != nil { // an ordinary context now
			t.Error(err)
		}
		holds(t, t.Context(), db, "after old ")
	})
}

func TestJointCommits(t *testing.T) {
	joined(t, func(t *testing.T, ctx context.Context, db dialect.Driver, j *database.Joint) {
		for _, name := range []string{"a", "b"} {
			tx, err := db.Tx(ctx)
			if err != nil {
				t.Fatal(err)
			}
			exec(t, tx, "INSERT INTO things VALUES ('"+name+"')")
			if err := try(t.Context(), tx, "INSERT INTO things VALUES ('old')"); !database.IsUnique(err) {
				t.Errorf("twice: %v", err)
			}
			// PostgreSQL refuses all that follows in a transaction that is not undone
			if err := tx.Rollback(); err != nil {
				t.Error(err)
			}
			if tx, err = db.Tx(ctx); err != nil {
				t.Fatal(err)
			}
			exec(t, tx, "INSERT INTO things VALUES ('kept "+name+"')")
			holds(t, t.Context(), tx, map[string]string{"a": "first kept a old ",
				"b": "first kept a kept b old "}[name])
			if err := tx.Commit(); err != nil {
				t.Error(err)
			}
			if err := tx.Rollback(); !errors.Is(err, sql.ErrTxDone) {
				t.Errorf("rolled back after the end: %v", err)
			}
		}
		if err := j.Commit(nothingButInsert("last")); err != nil {
			t.Error(err)
		}
		j.Rollback()
		holds(t, t.Context(), db, "first kept a kept b last old ")
	})
}

// TestJointWithoutWrites checks that the owner's steps run in one transaction even if nothing else was
// written.
func TestJointWithoutWrites(t *testing.T) {
	joined(t, func(t *testing.T, ctx context.Context, db dialect.Driver, j *database.Joint) {
		if err := j.Commit(nothingButInsert("last")); err != nil || j.Failed() != nil {
			t.Errorf("got %v, %v", err, j.Failed())
		}
		if err := j.Commit(nothingButInsert("more")); !errors.Is(err, sql.ErrTxDone) {
			t.Errorf("ended twice: %v", err)
		}
		holds(t, t.Context(), db, "first last old ")
	})
}

func TestJointThatDoesNotBegin(t *testing.T) {
	t.Parallel()
	testdb.Each(t, func(t *testing.T, url string) {
		db := open(t, url)
		exec(t, db.Driver(), "CREATE TABLE things (name text PRIMARY KEY)")
		calls, refused := 0, errors.New("no")
		ctx, j := db.Join(t.Context(), func(ctx context.Context, tx dialect.ExecQuerier) error {
			calls++
			return errors.Join(try(ctx, tx, "INSERT INTO things VALUES ('first')"), refused)
		})
		for range 2 {
			if err := try(ctx, db.Driver(), "INSERT INTO things VALUES ('a')"); !errors.Is(err, refused) {
				t.Error(err)
			}
			if _, err := db.Driver().Tx(ctx); !errors.Is(err, refused) {
				t.Error(err)
			}
		}
		if err := j.Commit(nothingButInsert("last")); !errors.Is(err, refused) || !errors.Is(j.Failed(), refused) ||
			calls != 1 {
			t.Errorf("%v, %v, begun %d times", err, j.Failed(), calls)
		}
		j.Rollback()
		holds(t, t.Context(), db.Driver(), "")
	})
}

// TestJointIsShared reads and writes from many goroutines, each read with rows open for a while.
func TestJointIsShared(t *testing.T) {
	joined(t, func(t *testing.T, ctx context.Context, db dialect.Driver, j *database.Joint) {
		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() {
				for n := range 5 {
					name := strconv.Itoa(i) + "-" + strconv.Itoa(n)
					if err := try(ctx, db, "INSERT INTO things VALUES ('"+name+"')"); err != nil {
						t.Error(err)
					}
					countThings(t, ctx, db)
					tx, err := db.Tx(ctx)
					if err != nil {
						t.Error(err)
						return
					}
					if err := try(ctx, tx, "INSERT INTO things VALUES ('x"+name+"')"); err != nil {
						t.Error(err)
					}
					if err := tx.Rollback(); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		if err := j.Commit(nothingButInsert("last")); err != nil {
			t.Error(err)
		}
		if n := ask[int](t, db, "SELECT count(*) FROM things"); n != 103 {
			t.Errorf("%d things", n)
		}
	})
}

// TestJointPartExcludesWrites checks that no other write gets into an open part, which may be rolled back.
func TestJointPartExcludesWrites(t *testing.T) {
	joined(t, func(t *testing.T, ctx context.Context, db dialect.Driver, j *database.Joint) {
		tx, err := db.Tx(ctx)
		if err != nil {
			t.Fatal(err)
		}
		short, stop := context.WithTimeout(ctx, 50*time.Millisecond)
		defer stop()
		if err := try(short, db, "INSERT INTO things VALUES ('a')"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("wrote beside another's transaction: %v", err)
		}
		if err := tx.Rollback(); err != nil {
			t.Fatal(err)
		}
		exec(t, joining{ctx, db}, "INSERT INTO things VALUES ('a')")
		if err := j.Commit(nothingButInsert("last")); err != nil {
			t.Error(err)
		}
		holds(t, t.Context(), db, "a first last old ")
	})
}

// joining runs every statement of a driver with a fixed context.
type joining struct {
	ctx context.Context
	dialect.Driver
}

func (j joining) Exec(_ context.Context, text string, args, v any) error {
	return j.Driver.Exec(j.ctx, text, args, v)
}

// TestJointCost counts the statements that a joint transaction adds: the transaction, the owner's steps, and
// a savepoint for each write.
func TestJointCost(t *testing.T) {
	p, url := testdb.Through(t, testdb.Postgres(t))
	db := open(t, with(url, "pool_size=1"))
	exec(t, db.Driver(), "CREATE TABLE things (name text PRIMARY KEY)")
	count := func(work func(ctx context.Context)) int {
		return p.Trips(func() {
			ctx, j := db.Join(t.Context(), nothingButInsert("first"))
			defer j.Rollback()
			work(ctx)
			if err := j.Commit(func(ctx context.Context, tx dialect.ExecQuerier) error {
				return try(ctx, tx,
					"DELETE FROM things")
			}); err != nil {
				t.Error(err)
			}
		})
	}
	if n := count(func(context.Context) {}); n != 4 { // BEGIN, first, last, COMMIT
		t.Errorf("%d round trips without work", n)
	}
	if n := count(func(ctx context.Context) {
		_ = try(ctx, db.Driver(),
			"INSERT INTO things VALUES ('a')")
	}); n != 7 {
		t.Errorf("%d round trips with a write", n)
	}
}
