// Package testdb gives a test databases of its own, of both kinds that the service runs on.
//
// A SQLite database is a file in the test's temporary folder. A PostgreSQL database is made on the server
// that TEST_POSTGRES_URL names, in UTF8 under the locale C.UTF-8, and dropped when the test ends. Without
// that variable a test fails rather than skips: the service promises the same on both.
package testdb

import (
	"path/filepath"
	"testing"
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
	return sqliteURL(filepath.Join(t.TempDir(), "test.db"))
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

func sqliteURL(path string) string { return "sqlite://" + path }
