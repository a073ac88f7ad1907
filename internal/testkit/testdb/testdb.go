// Package testdb gives a test databases of its own, of both kinds that the service runs on.
//
// A SQLite database is a file in the test's temporary folder. A PostgreSQL database is made on the server
// that TEST_POSTGRES_URL names, in UTF8 under the locale C.UTF-8, and dropped when the test ends. Without
// that variable a test fails rather than skips: the service promises the same on both.
package testdb

import (
	"net/url"
	"path/filepath"
	"sync"
	"testing"

	"storefront/internal/testkit/pgserver"
)

// Each runs f as the subtests "sqlite" and "postgres", each with the URL of a new and empty database.
// It leaves out PostgreSQL in short mode.
func Each(t *testing.T, f func(t *testing.T, url string)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { f(t, SQLite(t)) })
	if !testing.Short() {
		t.Run("postgres", func(t *testing.T) { f(t, Postgres(t)) })
	}
}

// SQLite returns the URL of a new and empty SQLite database, which is gone when the test ends.
func SQLite(t testing.TB) string {
	path := filepath.Join(t.TempDir(), "test.db")
	tests.Store(path, t.Name())
	return sqliteURL(path)
}

// Postgres returns the URL of a new and empty PostgreSQL database, which is dropped when the test ends,
// together with any connection that is still open to it.
func Postgres(t testing.TB) string {
	t.Helper()
	return onServer(t).create(t, "template0")
}

// PostgresIn is Postgres with an encoding and a locale of the test: "ENCODING 'LATIN1' LOCALE 'C'".
func PostgresIn(t testing.TB, text string) string {
	t.Helper()
	return onServer(t).createIn(t, "template0", text)
}

// Through returns a proxy to the server of a PostgreSQL database, and the URL that leads through it. It is closed when
// the test ends.
func Through(t testing.TB, address string) (*pgserver.Proxy, string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	p, err := pgserver.NewProxy(u.Host)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	u.Host = p.Addr()
	return p, u.String()
}

// tests has the name of the test that each database was made for, by the file or the name of the database.
var tests sync.Map

// TestOf returns the name of the test that a database was made for, which is SQLite's file or PostgreSQL's name.
func TestOf(database string) string {
	if name, ok := tests.Load(database); ok {
		return name.(string)
	}
	return "the preparation of " + database
}

func sqliteURL(path string) string { return "sqlite://" + path }
