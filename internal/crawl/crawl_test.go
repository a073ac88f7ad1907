package crawl

import (
	"context"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"storefront/internal/fault"
	"storefront/internal/share"
)

// TestSlowCrawlersLeaveRoom lets slow crawlers request more files than may be sent at once. A client of another
// shop still gets one immediately. When all slots are in use, waiting clients get an error.
func TestSlowCrawlersLeaveRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(nil, nil, nil, "")
		of := func(n byte) context.Context {
			ctx := share.WithClient(t.Context(), netip.AddrFrom4([4]byte{192, 0, 2, n}))
			return share.WithTenant(ctx, uuid.UUID{n})
		}
		for range 2 { // from then on they are known to be slow
			for n := range byte(24) {
				done, err := s.turn(of(1 + n%3))
				if err != nil {
					t.Fatal(err)
				}
				time.AfterFunc(time.Minute, done)
			}
			time.Sleep(time.Minute)
			synctest.Wait()
		}
		held := 0
		for range mostAtOnce {
			for n := range byte(3) {
				if done, ok := s.places.TakeAtOnce(of(1 + n)); ok {
					held++
					defer done()
				}
			}
		}
		began := time.Now()
		done, err := s.turn(of(9))
		if err != nil || time.Since(began) > 0 || held < 3 || held > mostLong {
			t.Fatalf("beside %d files of slow clients: got %v after %v", held, err, time.Since(began))
		}
		done()
		for n := byte(10); ; n++ {
			done, ok := s.places.TakeAtOnce(of(n))
			if !ok {
				break
			}
			defer done()
		}
		began = time.Now()
		_, err = s.turn(of(200))
		if !fault.Is(err, fault.Unavailable) || time.Since(began) != placeWait {
			t.Errorf("where all are taken: got %v after %v", err, time.Since(began))
		}
	})
}
