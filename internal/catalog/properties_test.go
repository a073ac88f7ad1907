package catalog

import (
	"context"
	"net/netip"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"storefront/internal/database/tenancy"
	"storefront/internal/request"
)

// TestFacetCountsAreSharedOut checks that while one client counts many facets of one shop, each for a second,
// later counts of other shops and clients wait for at most one of them.
func TestFacetCountsAreSharedOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &Catalog{counts: newCountCache(maxCountBytes), facetCounts: newFacetCounts()}
		count := func(shop uuid.UUID, client string, what int) (waited time.Duration, err error) {
			ctx := request.WithClient(WithScope(t.Context(), time.Now()), request.ClientAt(netip.MustParseAddr(client)))
			began := time.Now()
			counting := inTurn(r.facetCounts, func(context.Context) (int, error) {
				time.Sleep(time.Second)
				return 0, nil
			})
			_, err = countOnce(tenancy.In(ctx, shop), r, subject{tenant: shop, what: "products.brands", filter: what},
				func(ctx context.Context) (n int, until time.Time, err error) {
					n, err = counting(ctx)
					return n, until, err
				})
			return time.Since(began), err
		}
		var running sync.WaitGroup
		greedy := uuid.New()
		for i := range 40 {
			running.Go(func() { _, _ = count(greedy, "203.0.113.1", i) })
		}
		synctest.Wait()
		for _, other := range []struct {
			shop   uuid.UUID
			client string
		}{{uuid.New(), "203.0.113.2"}, {uuid.New(), "203.0.113.3"}, {greedy, "203.0.113.4"}} {
			waited, err := count(other.shop, other.client, -1)
			if err != nil || waited > 2*time.Second {
				t.Errorf("another count took %v (%v), of which its own is a second", waited, err)
			}
		}
		running.Wait()
	})
}
