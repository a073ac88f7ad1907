package crawl

import (
	"context"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"storefront/internal/database/tenancy"
	"storefront/internal/platform/share"
	"storefront/internal/request"
)

// TestSlowCrawlersLeaveRoom lets slow crawlers request as many files as may be sent at once. Whoever comes gets one
// soon, and the slowest of those who have most gives way.
func TestSlowCrawlersLeaveRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(Records{}, nil, nil, "")
		of := func(n byte) context.Context {
			ctx := request.WithClient(t.Context(), request.ClientAt(netip.AddrFrom4([4]byte{192, 0, 2, n})))
			return tenancy.In(ctx, uuid.UUID{n})
		}
		all := make([]*share.Held, mostAtOnce)
		for i := range all {
			client := byte(1) // of most, and two others
			if i%8 > 5 {
				client = byte(i % 8)
			}
			var err error
			if all[i], err = s.places.Begin(of(client)); err != nil {
				t.Fatal(err)
			}
			all[i].Did(1000 - i%16)
		}
		for n := range byte(4) { // all at once; only the first wait
			began := time.Now()
			held, err := s.places.Begin(of(100 + n))
			if waited := time.Since(began); err != nil || waited > quickly || n > 0 && waited > 0 {
				t.Fatalf("beside slow clients: got %v after %v", err, waited)
			}
			defer held.Leave()
		}
		for i, held := range all {
			if want := i%16 == 13; held.GaveWay() != want {
				t.Errorf("the file %d of client %d gave way: %t, want %t", i, i%8, held.GaveWay(), want)
			}
		}
	})
}
