package testdb

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// Template is a database prepared once for each kind in a test binary, from which every test gets a copy of
// its own.
type Template struct {
	prepare  func(ctx context.Context, url string) error
	sqlite   func() ([]byte, error) // the file's content
	postgres func() (string, error) // the database's name
}

// NewTemplate returns the template that prepare makes from an empty database, for example migrated and
// seeded. It runs when the first copy is requested. prepare must have closed the database when it returns.
func NewTemplate(prepare func(ctx context.Context, url string) error) *Template {
	t := &Template{prepare: prepare}
	t.sqlite = sync.OnceValues(t.prepareSQLite)
	t.postgres = sync.OnceValues(t.preparePostgres)
	return t
}

// Each runs f as the subtests "sqlite" and "postgres", each with the URL of a copy that is the test's own. It
// leaves out PostgreSQL in short mode.
func (t *Template) Each(test *testing.T, f func(t *testing.T, url string)) {
	test.Helper()
	test.Run("sqlite", func(test *testing.T) { f(test, t.SQLite(test)) })
	if !testing.Short() {
		test.Run("postgres", func(test *testing.T) { f(test, t.Postgres(test)) })
	}
}

// SQLite returns the URL of a copy in SQLite, which is gone when the test ends.
func (t *Template) SQLite(test testing.TB) string {
	test.Helper()
	content, err := t.sqlite()
	if err != nil {
		test.Fatal(err)
	}
	path := filepath.Join(test.TempDir(), "test.db")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		test.Fatal(err)
	}
	tests.Store(path, test.Name())
	// No commit waits for the disk: a power cut would end the test as well.
	return sqliteURL(path) + "?synchronous=normal"
}

// Postgres returns the URL of a copy in PostgreSQL, which is dropped when the test ends.
func (t *Template) Postgres(test testing.TB) string {
	test.Helper()
	s := onServer(test)
	name, err := t.postgres()
	if err != nil {
		test.Fatal(err)
	}
	return s.create(test, name)
}

func (t *Template) prepareSQLite() ([]byte, error) {
	folder, err := os.MkdirTemp("", "testdb-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "template.db")
	if err := t.prepare(context.Background(), sqliteURL(path)); err != nil {
		return nil, fmt.Errorf("prepare the SQLite template: %w", err)
	}
	if _, err := os.Stat(path + "-wal"); err == nil {
		return nil, fmt.Errorf("the SQLite template is still open: its preparation must close the database")
	}
	return os.ReadFile(path)
}

// preparePostgres leaves its database to the next run's sweep, since no test knows that it is the last to
// need it.
func (t *Template) preparePostgres() (string, error) {
	s, err := connect()
	if err != nil {
		return "", err
	}
	name, err := s.make(context.Background(), "template0")
	if err != nil {
		return "", err
	}
	if err := t.prepare(context.Background(), s.named(name, "")); err != nil {
		return "", fmt.Errorf("prepare the PostgreSQL template: %w", err)
	}
	return name, nil
}
