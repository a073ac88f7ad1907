package contract_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent/user"
	"storefront/internal/account"
	"storefront/internal/app"
	"storefront/internal/record"
)

// cells are numbers of which none is given twice.
func cells() (next func() string) {
	n := 0
	return func() string { n++; return fmt.Sprintf("+98938%07d", n) }
}

// TestAccountRegistrationsOfNetwork checks how many accounts a network makes in an hour, that a refusal
// counts against nobody, and that a customer who shares its address gets in by verifying the number first.
func TestAccountRegistrationsOfNetwork(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		next := cells()
		for _, network := range []struct {
			addresses string // of which each makes some
			each      int    // before the address itself is full
			all       int    // before the network is
		}{
			{"2001:db8:1:2::%d", 2, 2}, // a home's /64
			{"2001:db8:2:%d::1", 2, 4}, // its /56
			{"2001:db8:3:%d00::1", 2, 16},
			{"198.51.100.%d", 8, 64},
		} {
			for _, d := range sides(a) {
				made, full := 0, false
				for n := 1; !full; n++ {
					from := d.from(fmt.Sprintf(network.addresses, n))
					for of := 0; ; of++ {
						got := from.ask(t, "register", registering(next(), goodPassword, toolsShop))
						if got.code == "" {
							made++
							continue
						}
						if got.code != "RATE_LIMITED" || !strings.Contains(got.message(t), "from this network") {
							t.Fatalf("%s", got.body)
						}
						if full = of < network.each; !full && of > network.each {
							t.Errorf("%s made %d accounts, want %d", network.addresses, of, network.each)
						}
						break
					}
				}
				if made != network.all {
					t.Errorf("%s made %d accounts, want %d", network.addresses, made, network.all)
				}
				neighbour := d.from(fmt.Sprintf(network.addresses, 1))
				cell := next()
				neighbour.right(t, "verifyOtp", byCode(cell, d.code(t, cell))).is(t, verified)
				neighbour.right(t, "register", registering(cell, goodPassword, toolsShop))
				neighbour.wrong(t, "register", registering(next(), goodPassword, toolsShop), 429, "RATE_LIMITED")
				neighbour.right(t, "register", registering(cell, goodPassword, mugsShop)) // which makes no account
				d.clock.pass(time.Hour)
				neighbour.right(t, "register", registering(next(), goodPassword, toolsShop))
				d.clock.pass(time.Hour)
			}
		}
	}, func(o *app.Options) { o.RegistrationsInHour = 2 })
}

// TestAccountRegistrationsAtOnce makes accounts from one address at two servers at the same time: no more than may be.
func TestAccountRegistrationsAtOnce(t *testing.T) {
	limited := func(o *app.Options) { o.RegistrationsInHour = 1 } // 4 for an IPv4 address
	eachAccounts(t, func(t *testing.T, a *accounts) {
		all, next := sides(a, a.instance(t, limited)), cells()
		for range *rounds {
			numbers := make([]string, 12)
			for i := range numbers {
				numbers[i] = next()
			}
			got := tallied(together(len(numbers), func(i int) string {
				return all[i%len(all)].from(strangerAt).ask(t, "register", registering(numbers[i], goodPassword, toolsShop)).code
			}))
			if got[""] != 4 || got["RATE_LIMITED"] != 8 {
				t.Errorf("%v", got)
			}
			a.clock.pass(time.Hour)
		}
	}, limited)
}

const days = 24 * time.Hour

// TestAccountUnused checks which accounts are erased after 30 days.
func TestAccountUnused(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		d, business := a.rest(), a.named(t, "<tenant:tools>")
		squatted := squat(t, d, 0)
		kept := map[string]string{} // why, by cell
		keep := func(n int, why string) shopper {
			s := d.shopper(t, n)
			kept[s.customer.cell] = why
			return s
		}
		keep(1, "it has an order").bought(t, "D-13", 1)
		cell := keep(2, "its cell is verified").customer.cell
		d.right(t, "verifyOtp", byCode(cell, d.code(t, cell)))
		cell = keep(3, "a code has signed in").customer.cell
		d.right(t, "loginOtp", byCode(cell, d.code(t, cell)))
		refreshed, signedIn := keep(4, "its session is used").customer, keep(5, "its password is used").customer
		worker := worker{a.graphQL(), keep(6, "it works for a shop").customer}
		(&crew{accounts: a}).employ(t, worker, business, record.Editor)
		d.phones.outOfReach(keep(7, "no SMS reaches it").customer.cell)
		a.store.Client.User.Update().SetUpdatedAt(a.clock.now()).ExecX(t.Context()) // the clock of the test is its own
		a.clock.pass(15 * days)
		d.right(t, "refresh", refreshing(refreshed.refresh))
		d.login(t, signedIn.cell, goodPassword)
		a.store.Client.User.Update().Where(user.CellNumber(signedIn.cell)).SetUpdatedAt(a.clock.now()).ExecX(t.Context())
		keep(8, "it is new")
		swept := func(at time.Duration, want bool) {
			t.Helper()
			a.clock.pass(at)
			a.service.Sweep(t.Context())
			if there := a.store.Client.User.Query().Where(user.ID(uuid.MustParse(squatted.id))).ExistX(t.Context()); there != want {
				t.Errorf("the unused account is there: %v, want %v", there, want)
			}
		}
		swept(15*days-time.Minute-time.Hour, true)
		swept(2*time.Hour, false)
		for cell, why := range kept {
			if !a.store.Client.User.Query().Where(user.CellNumber(cell)).ExistX(t.Context()) {
				t.Errorf("an account is erased though %s", why)
			}
		}
		d.register(t, squatted.customer.cell)
	}, func(o *app.Options) {
		o.Times = account.Defaults
		o.Times.Unused = 30 * days
	})
}

// TestAccountUsedToTheEnd uses a session until its longest time ends: the account counts as used until
// then, by whichever of the times is the shortest.
func TestAccountUsedToTheEnd(t *testing.T) {
	for _, unused := range []time.Duration{7 * days, 30 * days} {
		t.Run(unused.String(), func(t *testing.T) {
			eachAccounts(t, func(t *testing.T, a *accounts) {
				d := a.rest()
				c := d.register(t, d.cell(1))
				a.store.Client.User.Update().SetUpdatedAt(a.clock.now()).ExecX(t.Context()) // the clock of the test is its own
				there := func() bool {
					a.service.Sweep(t.Context())
					return a.store.Client.User.Query().Where(user.ID(uuid.MustParse(c.id))).ExistX(t.Context())
				}
				for day := range 79 { // of 80
					a.clock.pass(12 * time.Hour)
					if !there() {
						t.Fatalf("with %v it was erased on day %d, half a day after its last use", unused, day/2)
					}
					if day%2 == 1 {
						c = d.refresh(t, c)
					}
				}
				a.clock.pass(24 * time.Hour) // since half a day no session is left
				if !there() {
					t.Fatalf("with %v it was erased when its session ended", unused)
				}
				a.clock.pass(unused)
				if there() {
					t.Errorf("with %v it stays", unused)
				}
			}, func(o *app.Options) {
				o.Times = account.Defaults
				o.Times.RefreshMax, o.Times.Unused = 40*days, unused
			})
		})
	}
}

// TestAccountUnusedRace signs in while unused accounts are erased: who was signed in has an account.
func TestAccountUnusedRace(t *testing.T) {
	unused := func(o *app.Options) {
		o.Times = account.Defaults
		o.Times.Unused = time.Hour
	}
	eachAccounts(t, func(t *testing.T, a *accounts) {
		all := sides(a, a.instance(t, unused))
		for n := range 4 * *rounds {
			d := all[n%len(all)]
			c := d.register(t, fmt.Sprintf("+98937%07d", n))
			a.store.Client.User.Update().SetUpdatedAt(a.clock.now()).ExecX(t.Context())
			a.clock.pass(2 * time.Hour)
			got := together(3, func(i int) reply {
				if i == 0 {
					a.service.Sweep(t.Context())
					return reply{}
				}
				if i == 1 {
					return all[(n+1)%len(all)].ask(t, "refresh", refreshing(c.refresh))
				}
				return all[(n+2)%len(all)].ask(t, "login", byPassword(c.cell, goodPassword))
			})
			for _, one := range got[1:] {
				if one.code == "" {
					d.lives(t, one.member(t, "accessToken"), true)
				} else if one.code != "INVALID_CREDENTIALS" {
					t.Fatalf("%s", one.body)
				}
			}
		}
	}, unused)
}
