package account_test

import (
	"sync/atomic"
	"testing"
	"time"

	"entgo.io/ent/dialect"

	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database"
)

// TestServersWithClocksThatDiffer runs two servers over one database whose own clocks are two minutes
// apart. Refreshes from several tabs succeed at both, a late replay of a refresh token ends its session at
// either, and codes issued by one are valid at the other.
func TestServersWithClocksThatDiffer(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		var passed atomic.Int64
		by := func(wrong time.Duration) func(*app.Options) {
			if a.Store.Dialect == dialect.SQLite {
				wrong = 0 // servers of one file are on one machine
			}
			clock := database.NewClock(func() time.Time {
				return time.Now().Add(wrong +
					time.Duration(passed.Load()))
			})
			if err := clock.Set(t.Context(), a.Store.DB); err != nil {
				t.Fatal(err)
			}
			return func(o *app.Options) { o.Clock = clock.Now }
		}
		for i, wrong := range []time.Duration{2 * time.Minute, -2 * time.Minute} {
			right, off := a.Instance(t, by(0)).REST(), a.Instance(t, by(wrong)).GraphQL()
			for j, apis := range [][2]shoptest.API{{right, off}, {off, right}} {
				one, other := apis[0], apis[1]
				cell := one.Cell(2*i + j + 1)
				c := one.Register(t, cell)
				pair := one.Refresh(t, c)
				for _, tab := range []shoptest.API{other, one} { // within ten seconds of the first use
					one.Lives(t, tab.Refresh(t, c).Access, true)
				}
				other.Right(t, "loginOtp", shoptest.ByCode(cell, one.Code(t, cell)))
				passed.Add(int64(10*time.Second + time.Millisecond)) // at both servers
				other.Wrong(t, "refresh", shoptest.Refreshing(c.Refresh), 401, "INVALID_CREDENTIALS")
				one.Dead(t, pair)
			}
		}
	})
}
