package bundle_test

import (
	"sync"
	"testing"

	"storefront/internal/content/bundle"
	"storefront/internal/database/store"
)

// TestAtOnce checks that concurrent imports of one bundle have the same result as successive ones.
func TestAtOnce(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store) {
		const together = 4
		var all [together]bundle.Summary
		var wait sync.WaitGroup
		for i := range together {
			wait.Go(func() {
				var err error
				if all[i], err = bundle.Import(t.Context(), s, text(shop), nil); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		created := 0
		for _, one := range all {
			if one.Tenant != all[0].Tenant {
				t.Errorf("there are two tenants: %+v", all)
			}
			if one.Created {
				created++
			} else if one.Changed() {
				t.Errorf("a later import changed something: %+v", one)
			}
		}
		if created != 1 {
			t.Errorf("%d imports made the tenant", created)
		}
	})
}
