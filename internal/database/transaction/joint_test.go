package transaction_test

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
	"storefront/internal/database/dbtest"
	"storefront/internal/database/transaction"
	"storefront/internal/testkit/testdb"
)

// joined runs f with a table of things, and a context that shares a joint transaction, whose first step
// adds the thing "first", which a refusal takes out.
func joined(t *testing.T, f func(t *testing.T, ctx context.Context, db dialect.Driver, j *transaction.Joint)) {
	t.Parallel()
	testdb.Each(t, func(t *testing.T, url string) {
		db := dbtest.Open(t, url)
		dbtest.Exec(t, db.Driver(), "CREATE TABLE things (name text PRIMARY KEY)")
		dbtest.Exec(t, db.Driver(), "INSERT INTO things VALUES ('old')")
		ctx, j := transaction.Join(t.Context(), db, acts)
		defer j.Rollback()
		f(t, ctx, transaction.Driver(db), j)
	})
}

var acts = transaction.Acts{First: running("INSERT INTO things VALUES ('first')"),
	Refused: running("DELETE FROM things WHERE name = 'first'")}

func running(text string) transaction.Act {
	return func(ctx context.Context, tx dialect.ExecQuerier) error { return dbtest.Try(ctx, tx, text) }
}

var last = running("INSERT INTO things VALUES ('last')")

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

// adding adds a thing in a transaction, which ends by end.
func adding(t testing.TB, ctx context.Context, db dialect.Driver, name string, end func(dialect.Tx) error) {
	t.Helper()
	tx, err := db.Tx(ctx)
	if err != nil {
		t.Fatal(err)
	}
	dbtest.Exec(t, tx, "INSERT INTO things VALUES ('"+name+"')")
	if err := end(tx); err != nil {
		t.Error(err)
	}
	if err := tx.Rollback(); !errors.Is(err, sql.ErrTxDone) {
		t.Errorf("rolled back after the end: %v", err)
	}
}

func TestJointKeepsAllTogether(t *testing.T) {
	joined(t, func(t *testing.T, ctx context.Context, db dialect.Driver, j *transaction.Joint) {
		holds(t, ctx, db, "old ") // a read begins nothing
		if err := dbtest.Try(ctx, db, "INSERT INTO things VALUES ('a')"); err != nil {
			t.Error(err)
		}
		if _, err := dbtest.TryAsk[string](ctx, db, "INSERT INTO things VALUES ('b') RETURNING name"); err != nil {
			t.Error(err)
		}
		if _, err := db.(entsql.ExecQuerier).ExecContext(ctx, "INSERT INTO things VALUES ('c')"); err != nil {
			t.Error(err)
		}
		adding(t, ctx, db, "d", dialect.Tx.Commit)
		holds(t, ctx, db, "a b c d first old ")
		holds(t, t.Context(), db, "old ")
		if _, err := db.(entsql.ExecQuerier).QueryContext(ctx, "SELECT 1"); err == nil {
			t.Error("rows were given whose end is not learned of")
		}
		if err := j.Commit(last); err != nil || !j.Committed() {
			t.Error(err)
		}
		j.Rollback()
		holds(t, t.Context(), db, "a b c d first last old ")
		if err := dbtest.Try(ctx, db, "INSERT INTO things VALUES ('e')"); err != nil { // an ordinary context now
			t.Error(err)
		}
		holds(t, t.Context(), db, "a b c d e first last old ")
	})
}

// TestJointEndsByAFailure checks that what fails undoes all of it. A first failure lets it begin again; a later one
// has undone what was kept, and so all that follows fails.
func TestJointEndsByAFailure(t *testing.T) {
	joined(t, func(t *testing.T, ctx context.Context, db dialect.Driver, j *transaction.Joint) {
		for range 2 {
			if err := dbtest.Try(ctx, db, "INSERT INTO things VALUES ('old')"); !database.IsUnique(err) {
				t.Errorf("written twice: %v", err)
			}
			_, err := dbtest.TryAsk[string](ctx, db, "INSERT INTO things VALUES ('old') RETURNING name")
			if !database.IsUnique(err) {
				t.Errorf("written twice: %v", err)
			}
			adding(t, ctx, db, "a", dialect.Tx.Rollback)
			holds(t, ctx, db, "old ")
		}
		adding(t, ctx, db, "b", dialect.Tx.Commit)
		calls := 0
		transaction.AfterCommit(ctx, func() { calls++ })
		adding(t, ctx, db, "c", dialect.Tx.Rollback)
		for range 2 {
			if err := dbtest.Try(ctx, db, "INSERT INTO things VALUES ('d')"); err == nil || j.Failed() == nil {
				t.Errorf("got %v, %v after what was written before is undone", err, j.Failed())
			}
		}
		if err := j.Commit(last); err == nil || calls != 0 || j.Committed() {
			t.Errorf("got %v, %d calls", err, calls)
		}
		holds(t, t.Context(), db, "old ")
	})
}

// TestJointIsSynced checks that a joint transaction ignores WithoutSync.
func TestJointIsSynced(t *testing.T) {
	joined(t, func(t *testing.T, ctx context.Context, db dialect.Driver, j *transaction.Joint) {
		setting, not := "PRAGMA synchronous", "1"
		if db.Dialect() == dialect.Postgres {
			setting, not = "SELECT source FROM pg_settings WHERE name = 'synchronous_commit'", "session"
		}
		if err := dbtest.Try(database.WithoutSync(ctx), db, "INSERT INTO things VALUES ('a')"); err != nil {
			t.Fatal(err)
		}
		if got, err := dbtest.TryAsk[string](ctx, db, setting); got == not || err != nil {
			t.Errorf("%s: %s, %v", setting, got, err)
		}
	})
}

// TestJointReadsOnly checks that a transaction that only reads undoes nothing at its end.
func TestJointReadsOnly(t *testing.T) {
	joined(t, func(t *testing.T, ctx context.Context, db dialect.Driver, j *transaction.Joint) {
		reading := func(want string) {
			tx, err := db.(interface {
				BeginTx(context.Context, *sql.TxOptions) (dialect.Tx, error)
			}).BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
			if err != nil {
				t.Fatal(err)
			}
			holds(t, ctx, tx, want)
			if err := tx.Rollback(); err != nil {
				t.Error(err)
			}
		}
		reading("old ")
		adding(t, ctx, db, "a", dialect.Tx.Commit)
		reading("a first old ")
		if err := j.Commit(last); err != nil {
			t.Error(err)
		}
		holds(t, t.Context(), db, "a first last old ")
	})
}

// TestJointWithoutWrites checks that the owner's steps run in one transaction even if nothing else was
// written.
func TestJointWithoutWrites(t *testing.T) {
	joined(t, func(t *testing.T, ctx context.Context, db dialect.Driver, j *transaction.Joint) {
		if err := j.Commit(last); err != nil || j.Failed() != nil {
			t.Errorf("got %v, %v", err, j.Failed())
		}
		if err := j.Commit(last); !errors.Is(err, sql.ErrTxDone) {
			t.Errorf("ended twice: %v", err)
		}
		holds(t, t.Context(), db, "first last old ")
	})
}

// TestJointRefusal keeps what a refusal wrote, without the owner's first step.
func TestJointRefusal(t *testing.T) {
	joined(t, func(t *testing.T, ctx context.Context, db dialect.Driver, j *transaction.Joint) {
		calls := 0
		transaction.AfterCommit(ctx, func() { calls++; holds(t, ctx, db, "a old ") })
		adding(t, ctx, db, "a", func(tx dialect.Tx) error {
			transaction.KeepRefused(ctx)
			return tx.Commit()
		})
		if !j.Committed() || transaction.Joined(ctx) || calls != 1 {
			t.Errorf("it is not the end: %d calls", calls)
		}
		holds(t, t.Context(), db, "a old ")
	})
}

// TestJointApart writes beside a joint transaction that has not begun.
func TestJointApart(t *testing.T) {
	joined(t, func(t *testing.T, ctx context.Context, db dialect.Driver, j *transaction.Joint) {
		adding(t, transaction.Apart(ctx), db, "a", dialect.Tx.Commit)
		holds(t, t.Context(), db, "a old ")
		adding(t, ctx, db, "b", dialect.Tx.Commit)
		j.Rollback()
		holds(t, t.Context(), db, "a old ")
	})
}

// TestJointEarly commits when everything is written.
func TestJointEarly(t *testing.T) {
	t.Parallel()
	testdb.Each(t, func(t *testing.T, url string) {
		db := dbtest.Open(t, url)
		dbtest.Exec(t, transaction.Driver(db), "CREATE TABLE things (name text PRIMARY KEY)")
		early := acts
		early.Early = true
		ctx, j := transaction.Join(t.Context(), db, early)
		adding(t, ctx, transaction.Driver(db), "a", dialect.Tx.Commit)
		holds(t, t.Context(), transaction.Driver(db), "")
		if err := transaction.Written(ctx); err != nil || !j.Committed() {
			t.Error(err)
		}
		holds(t, ctx, transaction.Driver(db), "a first ")
		ctx, j = transaction.Join(t.Context(), db, acts)
		defer j.Rollback()
		if err := transaction.Written(ctx); err != nil || j.Committed() {
			t.Errorf("%v: it is committed early", err)
		}
	})
}

func TestJointThatDoesNotBegin(t *testing.T) {
	t.Parallel()
	testdb.Each(t, func(t *testing.T, url string) {
		db := dbtest.Open(t, url)
		dbtest.Exec(t, transaction.Driver(db), "CREATE TABLE things (name text PRIMARY KEY)")
		calls, refused := 0, errors.New("no")
		begin := func(ctx context.Context, tx dialect.ExecQuerier) error {
			calls++
			return errors.Join(dbtest.Try(ctx, tx, "INSERT INTO things VALUES ('first')"), refused)
		}
		ctx, j := transaction.Join(t.Context(), db, transaction.Acts{First: begin})
		for range 2 {
			err := dbtest.Try(ctx, transaction.Driver(db), "INSERT INTO things VALUES ('a')")
			if !errors.Is(err, refused) {
				t.Error(err)
			}
			if _, err := transaction.Driver(db).Tx(ctx); !errors.Is(err, refused) {
				t.Error(err)
			}
		}
		if err := j.Commit(last); !errors.Is(err, refused) || !errors.Is(j.Failed(), refused) || calls != 1 {
			t.Errorf("%v, %v, begun %d times", err, j.Failed(), calls)
		}
		j.Rollback()
		holds(t, t.Context(), transaction.Driver(db), "")
	})
}

// TestJointIsShared reads and writes from many goroutines, each read with rows open for a while.
func TestJointIsShared(t *testing.T) {
	joined(t, func(t *testing.T, ctx context.Context, db dialect.Driver, j *transaction.Joint) {
		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() {
				for n := range 5 {
					name := strconv.Itoa(i) + "-" + strconv.Itoa(n)
					if err := dbtest.Try(ctx, db, "INSERT INTO things VALUES ('"+name+"')"); err != nil {
						t.Error(err)
					}
					countThings(t, ctx, db)
					tx, err := db.Tx(ctx)
					if err != nil {
						t.Error(err)
						return
					}
					if err := dbtest.Try(ctx, tx, "INSERT INTO things VALUES ('x"+name+"')"); err != nil {
						t.Error(err)
					}
					if err := tx.Commit(); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		if err := j.Commit(last); err != nil {
			t.Error(err)
		}
		if n := dbtest.Ask[int](t, db, "SELECT count(*) FROM things"); n != 203 {
			t.Errorf("%d things", n)
		}
	})
}

// TestJointPartExcludesWrites checks that no other write gets into an open part, which may be rolled back.
func TestJointPartExcludesWrites(t *testing.T) {
	joined(t, func(t *testing.T, ctx context.Context, db dialect.Driver, j *transaction.Joint) {
		tx, err := db.Tx(ctx)
		if err != nil {
			t.Fatal(err)
		}
		short, stop := context.WithTimeout(ctx, 50*time.Millisecond)
		defer stop()
		if err := dbtest.Try(short, db, "INSERT INTO things VALUES ('a')"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("wrote beside another's transaction: %v", err)
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
		if err := dbtest.Try(ctx, db, "INSERT INTO things VALUES ('a')"); err != nil {
			t.Error(err)
		}
		if err := j.Commit(last); err != nil {
			t.Error(err)
		}
		holds(t, t.Context(), db, "a first last old ")
	})
}

// TestJointCost counts the round trips that a joint transaction adds: its beginning and end, and the owner's steps.
func TestJointCost(t *testing.T) {
	p, url := testdb.Through(t, testdb.Postgres(t))
	db := dbtest.Open(t, dbtest.With(url, "pool_size=1"))
	dbtest.Exec(t, transaction.Driver(db), "CREATE TABLE things (name text PRIMARY KEY)")
	count := func(work func(ctx context.Context)) int {
		return p.Trips(func() {
			ctx, j := transaction.Join(t.Context(), db, acts)
			defer j.Rollback()
			work(ctx)
			if err := j.Commit(running("DELETE FROM things")); err != nil {
				t.Error(err)
			}
		})
	}
	if n := count(func(context.Context) {}); n != 4 { // BEGIN, first, last, COMMIT
		t.Errorf("%d round trips without work", n)
	}
	add := func(ctx context.Context) {
		_ = dbtest.Try(ctx, transaction.Driver(db), "INSERT INTO things VALUES ('a')")
	}
	if n := count(add); n != 5 {
		t.Errorf("%d round trips with a write", n)
	}
}
