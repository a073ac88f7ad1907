package database_test

import (
	"database/sql"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"

	"storefront/internal/database/dbtest"
	"storefront/internal/testkit/testdb"
)

func TestTimesComeBackInUTCAndInOrder(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		db := dbtest.Open(t, url)
		column := map[string]string{dialect.SQLite: "datetime", dialect.Postgres: "timestamptz"}[db.Dialect]
		dbtest.Exec(t, db.Driver(), "CREATE TABLE moments (id int, at "+column+")")

		tehran := time.FixedZone("+0330", 12600)
		given := []time.Time{
			time.Date(2026, 3, 21, 0, 0, 0, 999_999_999, tehran),
			time.Date(1969, 12, 31, 23, 59, 59, 1_000, time.UTC),
			time.Date(2026, 3, 20, 20, 30, 0, 999_998_000, time.UTC),
			time.Now(),
		}
		dbtest.Exec(t, db.Driver(), "INSERT INTO moments VALUES (0, $1)", given[0])
		dbtest.Exec(t, db.Driver(), "INSERT INTO moments VALUES (1, $1)", &given[1])
		dbtest.Exec(t, db.Driver(), "INSERT INTO moments VALUES (2, $1)", sql.NullTime{Time: given[2], Valid: true})
		dbtest.Exec(t, db.Driver(), "INSERT INTO moments VALUES (3, $1)", given[3])

		for i, at := range given {
			got := dbtest.Ask[time.Time](t, db.Driver(), "SELECT at FROM moments WHERE id = $1", i)
			if want := at.UTC().Truncate(time.Microsecond); got != want {
				t.Errorf("%v came back as %v, want %v", at, got, want)
			}
			if n := dbtest.Ask[int](t, db.Driver(), "SELECT count(*) FROM moments WHERE at = $1", at); n != 1 {
				t.Errorf("%v is found %d times", at, n)
			}
		}
		rows := new(entsql.Rows)
		if err := db.Driver().Query(t.Context(), "SELECT id FROM moments ORDER BY at", []any{}, rows); err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		var order []int
		if err := entsql.ScanSlice(rows, &order); err != nil || !slices.Equal(order, []int{1, 2, 0, 3}) {
			t.Errorf("in the order %v (%v), want 1 2 0 3", order, err)
		}
	})
}

func TestJSONAndBytes(t *testing.T) {
	for _, cache := range []string{"statement_cache=256", "statement_cache=0"} {
		testdb.Each(t, func(t *testing.T, url string) {
			db := dbtest.Open(t, dbtest.With(url, cache))
			columns := map[string]string{dialect.SQLite: "tags json, hash blob",
				dialect.Postgres: "tags jsonb, hash bytea"}[db.Dialect]
			dbtest.Exec(t, db.Driver(), "CREATE TABLE things ("+columns+")")
			hash := []byte{0, 255, '\\', 'x'}
			dbtest.Exec(t, db.Driver(), "INSERT INTO things VALUES ($1, $2)", json.RawMessage(`["سبز"]`), hash)
			dbtest.Exec(t, db.Driver(), "INSERT INTO things VALUES ($1, $2)", json.RawMessage(nil), nil)
			if got := dbtest.Ask[string](t, db.Driver(), "SELECT tags ->> 0 FROM things WHERE hash = $1",
				hash); got != "سبز" {
				t.Errorf("the first tag is %q", got)
			}
			got := dbtest.Ask[[]byte](t, db.Driver(), "SELECT hash FROM things WHERE tags IS NOT NULL")
			if !slices.Equal(got, hash) {
				t.Errorf("the hash is %v", got)
			}
		})
	}
}
