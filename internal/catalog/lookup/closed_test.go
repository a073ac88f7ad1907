package lookup

import (
	"testing"
	"time"

	"storefront/ent"
	"storefront/internal/content/derive"
	"storefront/internal/database/store"
)

// TestClosedShops closes a shop through another instance: the old state is trusted for closedWithin. A shop
// that moves is closed to all, even if it was closed to its customers before.
func TestClosedShops(t *testing.T) {
	each(t, func(t *testing.T, s, other *store.Store) {
		tenants := NewTenants(s.DB)
		found, err := tenants.Find(t.Context(), "shop7.example")
		if err != nil {
			t.Fatal(err)
		}
		want := func(when string, closing Closing) {
			t.Helper()
			if is, err := tenants.Closing(t.Context(), found.ID); err != nil || is != closing {
				t.Errorf("%s: %d (%v), want %d", when, is, err, closing)
			}
		}
		last := func(since time.Duration) {
			known := tenants.closed.last.Load()
			tenants.closed.last.Store(&closedAt{since: time.Now().Add(since), shops: known.shops})
		}
		change := func(do *ent.TenantUpdateOne) {
			t.Helper()
			if err := do.Exec(derive.Alone(t.Context())); err != nil {
				t.Fatal(err)
			}
		}
		want("open", Open)
		change(other.Client.Tenant.UpdateOneID(found.ID).SetPausedAt(time.Now()))
		last(time.Hour)
		want("closed to customers, and read just before", Open)
		last(-closedWithin)
		want("closed to customers, and read a second ago", Paused)
		change(other.Client.Tenant.UpdateOneID(found.ID).SetClosedAt(time.Now()))
		last(-closedWithin)
		want("moving", Moving)
		want("moving, and known", Moving)
	})
}
