package sweep_test

import (
	"context"
	"maps"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"github.com/lib/pq"

	"storefront/internal/database"
	"storefront/internal/database/sweep"
	"storefront/internal/testkit/testdb"
)

var noon = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

// slow is a database that cancels every statement that deletes more than a number of rows.
type slow struct {
	dialect.Driver
	most int64
}

func (s slow) Exec(ctx context.Context, text string, args, v any) error {
	tx, err := s.Driver.Tx(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := tx.Exec(ctx, text, args, v); err != nil {
		return err
	}
	if n, err := (*v.(*sql.Result)).RowsAffected(); err != nil || n > s.most {
		return &pq.Error{Code: "57014"} // as a server that ends a slow statement
	}
	return tx.Commit()
}

// TestRun checks that all old rows are deleted and no others, that a failing table does not keep the others
// from being swept, and that a statement that takes too long is repeated with fewer rows.
func TestRun(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		db, err := database.Open(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		exec := func(text string, args ...any) {
			t.Helper()
			if err := db.Driver().Exec(t.Context(), text, args, nil); err != nil {
				t.Fatal(err)
			}
		}
		for _, table := range []string{"codes", "events"} {
			exec("CREATE TABLE " + table + " (id int PRIMARY KEY, at timestamp, kept int)")
			exec("INSERT INTO "+table+
				" WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500) "+
				"SELECT i, CASE WHEN i <= 2300 THEN CAST($1 AS timestamp) ELSE CAST($2 AS timestamp) END, i % 2 FROM n",
				noon, noon.Add(time.Microsecond))
		}
		deleted := map[string]int64{}
		err = sweep.Run(t.Context(), slow{db.Driver(), 30}, []sweep.Job{
			sweep.Before("missing", "at", noon),
			sweep.Before("codes", "at", noon),
			sweep.Before("events", "at", noon, sql.FieldEQ("kept", 0)),
		}, func(job string, n int64, err error) {
			if deleted[job] = n; (err != nil) != (job == "missing") {
				t.Errorf("%s: %v", job, err)
			}
		})
		if err == nil || !strings.Contains(err.Error(), "missing") {
			t.Errorf("error %v, want one that names the table", err)
		}
		if want := map[string]int64{"missing": 0, "codes": 2300, "events": 1150}; !maps.Equal(deleted, want) {
			t.Errorf("deleted %v, want %v", deleted, want)
		}
	})
}
