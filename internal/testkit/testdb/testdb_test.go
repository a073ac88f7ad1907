package testdb_test

import (
	"context"
	"database/sql"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"storefront/internal/testkit/testdb"
)

// open reaches a test database by the bare drivers, since the package's own users include the database
// package.
func open(t testing.TB, url string) *sql.DB {
	t.Helper()
	db, err := connect(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func connect(url string) (*sql.DB, error) {
	if path, ok := strings.CutPrefix(url, "sqlite://"); ok {
		return sql.Open("sqlite", path)
	}
	return sql.Open("postgres", url)
}

func TestEachTestHasAnEmptyDatabase(t *testing.T) {
	for range 2 {
		testdb.Each(t, func(t *testing.T, url string) {
			if _, err := open(t, url).Exec("CREATE TABLE mine (id int)"); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestPostgresKnowsPersianLetters(t *testing.T) {
	var encoding, letters string
	err := open(t, testdb.Postgres(t)).QueryRow("SELECT getdatabaseencoding(), regexp_replace('کتاب', '\\W', "+
		"'', 'g')").Scan(&encoding, &letters)
	if err != nil {
		t.Fatal(err)
	}
	if encoding != "UTF8" || letters != "کتاب" {
		t.Errorf("encoding %s, letters %q", encoding, letters)
	}
}

func TestTemplateIsPreparedOnceAndCopied(t *testing.T) {
	prepared := 0
	template := testdb.NewTemplate(func(_ context.Context, url string) error {
		prepared++
		db, err := connect(url)
		if err != nil {
			return err
		}
		defer db.Close()
		_, err = db.Exec("CREATE TABLE seeds (name text); INSERT INTO seeds VALUES ('first')")
		return err
	})
	for range 2 {
		template.Each(t, func(t *testing.T, url string) {
			db, n := open(t, url), 0
			if _, err := db.Exec("INSERT INTO seeds VALUES ('second')"); err != nil {
				t.Fatal(err)
			}
			if err := db.QueryRow("SELECT count(*) FROM seeds").Scan(&n); err != nil {
				t.Fatal(err)
			}
			if n != 2 {
				t.Errorf("%d rows, want the template's one and this test's one", n)
			}
		})
	}
	if prepared != 2 {
		t.Errorf("prepared %d times, want once for each kind of database", prepared)
	}
}
