package lookup

import (
	"testing"
	"time"

	"storefront/internal/derive"
	"storefront/internal/store"
)

// TestClosedShops closes a shop elsewhere: what was read before is believed for ClosedWithin.
func TestClosedShops(t *testing.T) {
	each(t, func(t *testing.T, s, other *store.Store) {
		tenants := NewTenants(s.DB)
		found, err := tenants.Find(t.Context(), "shop7.example")
		if err != nil {
			t.Fatal(err)
		}
		want := func(when string, closed bool) {
			t.Helper()
			if is, err := tenants.IsClosed(t.Context(), found.ID); err != nil || is != closed {
				t.Errorf("%s: closed %t (%v), want %t", when, is, err, closed)
			}
		}
		want("open", false)
		if err := other.Client.Tenant.UpdateOneID(found.ID).SetClosedAt(time.Now()).
			Exec(derive.Alone(t.Context())); err != nil {
			t.Fatal(err)
		}
		known := tenants.closed.last.Load()
		tenants.closed.last.Store(&closedAt{since: time.Now().Add(time.Hour), shops: known.shops})
		want("closed, and read just before", false)
		tenants.closed.last.Store(&closedAt{since: time.Now().Add(-ClosedWithin), shops: known.shops})
		want("closed, and read a second ago", true)
		want("closed, and known", true)
	})
}
