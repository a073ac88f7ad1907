package contract_test

import (
	"runtime"
	"testing"
	"time"
)

// overlapping uses a refresh token n times in requests that certainly overlap: none continues before all
// have begun.
func overlapping(t *testing.T, a *accounts, all []door, n int, c customer) []reply {
	t.Helper()
	a.clock.ticks.Store(true)
	defer a.clock.ticks.Store(false)
	hold, err := a.store.Client.Tx(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	// locks the tokens
	if err := hold.RefreshToken.Update().SetUpdatedAt(time.Now()).Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	began := a.clock.at.Load()
	released := make(chan error)
	go func() {
		end := time.Now().Add(time.Minute)
		// each looks at the clock when it arrives, is run, and begins to refresh
		for a.clock.at.Load() < began+3*int64(n) && time.Now().Before(end) {
			runtime.Gosched()
		}
		released <- hold.Rollback()
	}()
	got := together(n, func(i int) reply { return all[i%len(all)].ask(t, "refresh", refreshing(c.refresh)) })
	if err := <-released; err != nil {
		t.Fatal(err)
	}
	return got
}

// TestAccountRefreshesOverlap checks that overlapping refreshes all succeed, all their tokens work, and the
// used token is then spent.
func TestAccountRefreshesOverlap(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		for _, all := range [][]door{sides(a), sides(a, a.instance(t))} {
			d := a.rest()
			cell := d.cell(len(all))
			c := d.register(t, cell)
			var pairs []customer
			for _, r := range overlapping(t, a, all, 8, c) {
				if r.code != "" {
					t.Fatalf("%s", r.body)
				}
				pairs = append(pairs, asCustomer(t, r))
			}
			for _, pair := range pairs {
				d.lives(t, pair.access, true)
				d.lives(t, d.refresh(t, pair).access, true)
			}
			d.wrong(t, "refresh", refreshing(c.refresh), 401, "INVALID_CREDENTIALS")
			for _, pair := range pairs {
				d.dead(t, pair)
			}
		}
	})
}

// TestAccountReplaysOverlap checks that overlapping requests do not make a spent token valid again.
func TestAccountReplaysOverlap(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		d, all := a.rest(), sides(a, a.instance(t))
		c := d.register(t, d.cell(1))
		pair := d.refresh(t, c)
		for _, r := range overlapping(t, a, all, 8, c) {
			if r.code != "INVALID_CREDENTIALS" {
				t.Errorf("%s", r.body)
			}
		}
		d.dead(t, pair)
	})
}
