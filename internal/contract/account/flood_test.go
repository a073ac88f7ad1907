package account_test

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"storefront/internal/contract/shoptest"
	"storefront/internal/message/sms"
)

// printing returns the sender of a developer's terminal.
func printing(t testing.TB) sms.Sender {
	t.Helper()
	sender, err := sms.New(sms.Settings{Provider: "log", Terminal: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	return sender
}

// flood calls f from many clients repeatedly until stop is called. stop returns how often each error code
// occurred.
func flood(clients int, f func(client, n int) shoptest.Reply) (stop func() map[string]int) {
	var over atomic.Bool
	var mu sync.Mutex
	var all sync.WaitGroup
	counts := map[string]int{}
	for client := range clients {
		all.Go(func() {
			for n := 0; !over.Load(); n++ {
				got := f(client, n)
				mu.Lock()
				counts[fmt.Sprint(got.Status, got.Code)]++
				mu.Unlock()
			}
		})
	}
	return func() map[string]int {
		over.Store(true)
		all.Wait()
		return counts
	}
}

// TestAccountFlood floods passwords and codes from one client address: the flood gets 429 in time, other clients
// sign in and get their codes meanwhile, and nothing fails.
func TestAccountFlood(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d := a.REST()
		for n := range 8 {
			d.Register(t, d.Cell(n))
		}
		stranger, owner := d.From(shoptest.StrangerAt), d.From(shoptest.OwnerAt)
		for name, one := range map[string]struct {
			bad    func(client, n int) shoptest.Reply
			honest func(n int)
		}{
			"passwords": {
				func(client, n int) shoptest.Reply {
					return stranger.Ask(t, "login", shoptest.ByPassword(d.Cell(1000+100*client+n%100),
						"wrong password"))
				},
				func(n int) { owner.Login(t, d.Cell(n), shoptest.GoodPassword) },
			},
			"codes": {
				func(client, n int) shoptest.Reply {
					return stranger.Ask(t, "sendOtp", shoptest.ToCell(d.Cell(1000+100*client+n%100)))
				},
				func(n int) { owner.Right(t, "sendOtp", shoptest.ToCell(d.Cell(n))) },
			},
		} {
			stop := flood(80, one.bad)
			var longest time.Duration
			for n := range 8 {
				began := time.Now()
				one.honest(n)
				longest = max(longest, time.Since(began))
			}
			counts := stop()
			for code := range counts {
				if code != "200" && code != "401INVALID_CREDENTIALS" && code != "429RATE_LIMITED" &&
					code != "503UNAVAILABLE" { // its turn did not come in time
					t.Errorf("%s: %v", name, counts)
				}
			}
			if counts["429RATE_LIMITED"] == 0 || longest > 5*time.Second {
				t.Errorf("%s: %v; an honest request took %v", name, counts, longest)
			}
		}
	})
}
