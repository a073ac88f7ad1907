package bundle_test

import (
	"testing"

	"storefront/internal/database/store"
	"storefront/internal/database/store/storetest"
)

// eachStore runs f with a database of each kind without shops.
func eachStore(t *testing.T, f func(t *testing.T, s *store.Store)) {
	storetest.Migrated.Each(t, func(t *testing.T, url string) { f(t, storetest.Open(t, url)) })
}
