// Package storetest prepares the databases of tests, and opens them as the service does.
package storetest

import (
	"context"
	"errors"
	"testing"

	"storefront/internal/database"
	"storefront/internal/database/store"
	"storefront/internal/testkit/testdb"
)

// Migrated is the template of a database with all tables and no shop.
var Migrated = NewTemplate(nil)

// NewTemplate returns the template of a migrated database with what fill, which may be nil, writes to it.
func NewTemplate(fill func(ctx context.Context, s *store.Store) error) *testdb.Template {
	return testdb.NewTemplate(func(ctx context.Context, url string) error { return Prepare(ctx, url, fill) })
}

// Prepare migrates a database, calls fill, which may be nil, and closes the database.
func Prepare(ctx context.Context, url string, fill func(ctx context.Context, s *store.Store) error) error {
	s, err := store.Open(ctx, url)
	if err != nil {
		return err
	}
	err = s.Migrate(ctx)
	if err == nil && fill != nil {
		err = fill(ctx, s)
	}
	return errors.Join(err, s.Close())
}

// Open opens a database, and closes it when the test ends.
func Open(t testing.TB, url string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil && !database.IsUnavailable(err) { // tests may have stopped its server
			t.Error(err)
		}
	})
	return s
}
