package bundle_test

import (
	"context"
	"testing"

	"storefront/internal/store"
	"storefront/internal/testdb"
)

// migrated is a migrated database without shops.
var migrated = testdb.NewTemplate(func(ctx context.Context, url string) error {
	s, err := store.Open(ctx, url)
	if err != nil {
		return err
	}
	defer s.Close()
	return s.Migrate(ctx)
})

// connect opens a copy of migrated.
func connect(t testing.TB, url string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// eachStore runs f with a database of each kind without shops.
func eachStore(t *testing.T, f func(t *testing.T, s *store.Store)) {
	migrated.Each(t, func(t *testing.T, url string) { f(t, connect(t, url)) })
}
