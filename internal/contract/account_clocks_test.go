package contract_test

import (
	"sync/atomic"
	"testing"
	"time"

	"entgo.io/ent/dialect"

	"storefront/internal/account"
	"storefront/internal/app"
	"storefront/internal/database"
)

// TestServersWithClocksThatDiffer runs two servers over one database whose own clocks are two minutes apart:
// tabs that refresh at both go on, a token that comes back late ends its session at either, and codes of one
// are good at the other.
func TestServersWithClocksThatDiffer(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		var passed atomic.Int64
		by := func(wrong time.Duration) func(*app.Options) {
			if a.store.Dialect == dialect.SQLite {
				wrong = 0 // servers of one file are on one machine
			}
			clock := database.NewClock(func() time.Time { return time.Now().Add(wrong + time.Duration(passed.Load())) })
			if err := clock.Set(t.Context(), a.store.DB); err != nil {
				t.Fatal(err)
			}
			return func(o *app.Options) { o.Clock = clock.Now }
		}
		for i, wrong := range []time.Duration{2 * time.Minute, -2 * time.Minute} {
			right, off := a.instance(t, by(0)).rest(), a.instance(t, by(wrong)).graphQL()
			for j, doors := range [][2]door{{right, off}, {off, right}} {
				one, other := doors[0], doors[1]
				cell := one.cell(2*i + j + 1)
				c := one.register(t, cell)
				pair := one.refresh(t, c)
				for _, tab := range []door{other, one} { // within the grace of the first use
					one.lives(t, tab.refresh(t, c).access, true)
				}
				other.right(t, "loginOtp", byCode(cell, one.code(t, cell)))
				passed.Add(int64(account.Defaults.Grace)) // at both servers
				other.wrong(t, "refresh", refreshing(c.refresh), 401, "INVALID_CREDENTIALS")
				one.dead(t, pair)
			}
		}
	})
}
