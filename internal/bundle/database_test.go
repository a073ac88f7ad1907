package bundle_test

import (
	"testing"

	"storefront/internal/store"
	"storefront/internal/testdb"
)

// connect opens a database as the service does.
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
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// eachStore runs f with an empty shop database of each kind.
func eachStore(t *testing.T, f func(t *testing.T, s *store.Store)) {
	testdb.Each(t, func(t *testing.T, url string) { f(t, connect(t, url)) })
}
