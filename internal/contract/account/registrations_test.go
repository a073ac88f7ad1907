package account_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent/favorite"
	"storefront/ent/user"
	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/customer/account"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
)

// cells returns a function that returns a new cell each time.
func cells() (next func() string) {
	n := 0
	return func() string { n++; return fmt.Sprintf("+98938%07d", n) }
}

// TestAccountRegistrationsOfNetwork checks how many accounts a network may make in an hour, that refusals
// do not count, and that a customer in the same network can register after verifying the number.
func TestAccountRegistrationsOfNetwork(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		next := cells()
		for _, network := range []struct {
			addresses string // format of the addresses of the network
			each      int    // accounts that one address may make
			all       int    // accounts that the network may make
		}{
			{"2001:db8:1:2::%d", 2, 2}, // a home's /64
			{"2001:db8:2:%d::1", 2, 4}, // its /56
			{"2001:db8:3:%d00::1", 2, 16},
			{"198.51.100.%d", 8, 64},
		} {
			for _, d := range shoptest.Sides(a) {
				made, full := 0, false
				for n := 1; !full; n++ {
					from := d.From(fmt.Sprintf(network.addresses, n))
					for of := 0; ; of++ {
						got := from.Ask(t, "register", shoptest.Registering(next(), shoptest.GoodPassword,
							shoptest.ToolsShop))
						if got.Code == "" {
							made++
							continue
						}
						if got.Code != "RATE_LIMITED" || !strings.Contains(got.Message(t), "from this network") {
							t.Fatalf("got %s", got.Body)
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
				neighbour := d.From(fmt.Sprintf(network.addresses, 1))
				cell := next()
				neighbour.Right(t, "verifyOtp", shoptest.ByCode(cell, d.Code(t, cell))).Is(t, verified)
				neighbour.Right(t, "register", shoptest.Registering(cell, shoptest.GoodPassword, shoptest.ToolsShop))
				neighbour.Wrong(t, "register", shoptest.Registering(next(), shoptest.GoodPassword,
					shoptest.ToolsShop), 429, "RATE_LIMITED")
				// This makes no account.
				neighbour.Right(t, "register", shoptest.Registering(cell, shoptest.GoodPassword, shoptest.MugsShop))
				d.Clock.Pass(time.Hour)
				neighbour.Right(t, "register", shoptest.Registering(next(), shoptest.GoodPassword,
					shoptest.ToolsShop))
				d.Clock.Pass(time.Hour)
			}
		}
	}, func(o *app.Options) { o.RegistrationsInHour = 2 })
}

// TestAccountRegistrationsAtOnce makes accounts from one address at two servers at once. No more than the
// limit succeed.
func TestAccountRegistrationsAtOnce(t *testing.T) {
	limited := func(o *app.Options) { o.RegistrationsInHour = 1 } // 4 for an IPv4 address
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		all, next := shoptest.Sides(a, a.Instance(t, limited)), cells()
		for range *shoptest.Rounds {
			numbers := make([]string, 12)
			for i := range numbers {
				numbers[i] = next()
			}
			got := shoptest.Tallied(shoptest.Together(len(numbers), func(i int) string {
				return all[i%len(all)].From(shoptest.StrangerAt).Ask(t, "register",
					shoptest.Registering(numbers[i], shoptest.GoodPassword, shoptest.ToolsShop)).Code
			}))
			if got[""] != 4 || got["RATE_LIMITED"] != 8 {
				t.Errorf("got %v", got)
			}
			a.Clock.Pass(time.Hour)
		}
	}, limited)
}

// TestFirstCodeOfAnImportedCustomer signs in to an account that the import of a shop has made: nobody could before, so
// what is in it stays.
func TestFirstCodeOfAnImportedCustomer(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d, cell := a.REST(), a.REST().Cell(1)
		who := a.Store.Client.User.Create().SetCellNumber(cell).SetFirstName("Mahnaz").SaveX(t.Context())
		shop := uuid.MustParse(a.Named(t, "<tenant:tools>"))
		a.Store.Client.Membership.Create().SetUserID(who.ID).SetBusinessID(shop).ExecX(t.Context())
		a.Store.Client.Favorite.Create().SetTenantID(shop).SetUserID(who.ID).
			SetProductID(uuid.MustParse(a.Named(t, "<tools:product:drill>"))).ExecX(tenancy.In(t.Context(), shop))
		d.Wrong(t, "login", shoptest.ByPassword(cell, shoptest.GoodPassword), 401, "INVALID_CREDENTIALS")
		d.Right(t, "loginOtp", shoptest.ByCode(cell, d.Code(t, cell)))
		now := a.Store.Client.User.GetX(t.Context(), who.ID)
		kept := a.Store.Client.Favorite.Query().Where(favorite.UserID(who.ID)).CountX(tenancy.In(t.Context(), shop))
		if !now.Vouched || now.FirstName == nil || kept != 1 {
			t.Errorf("got %+v and %d favorites, want the name, proven, and 1", now, kept)
		}
	})
}

// TestAccountUnused checks which accounts are erased after 30 days.
func TestAccountUnused(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d, business := a.REST(), a.Named(t, "<tenant:tools>")
		squatted := d.Shopper(t, 0)
		kept := map[string]string{} // why, by cell
		keep := func(n int, why string) shoptest.Shopper {
			s := d.Shopper(t, n)
			kept[s.Customer.Cell] = why
			return s
		}
		keep(1, "it has an order").Bought(t, "D-13", 1)
		for n, one := range [][2]string{
			{"UpdateProfile", `{"email": "sara@mail.example"}`}, {"CreateAddress", shoptest.HomeAddress},
			{"AddFavorite", `{"productId": "<tools:product:drill>"}`}, {"AddCartItem", shoptest.Adding("D-13", 1)},
		} {
			keep(10+n, one[0]+" has put something into it").Right(t, one[0], one[1])
		}
		cell := keep(2, "its cell is verified").Customer.Cell
		d.Right(t, "verifyOtp", shoptest.ByCode(cell, d.Code(t, cell)))
		cell = keep(3, "a code has signed in").Customer.Cell
		d.Right(t, "loginOtp", shoptest.ByCode(cell, d.Code(t, cell)))
		refreshed, signedIn := keep(4, "its session is used").Customer, keep(5, "its password is used").Customer
		worker := shoptest.Worker{API: a.GraphQL(), Customer: keep(6, "it works for a shop").Customer}
		(&shoptest.Crew{Accounts: a}).Employ(t, worker, business, record.Editor)
		d.Phones.OutOfReach(keep(7, "no SMS reaches it").Customer.Cell)
		cell = keep(9, "a shop's import has made it").Customer.Cell
		a.Store.Client.User.Update().Where(user.CellNumber(cell)).ClearRegisteredFrom().ExecX(t.Context())
		// updated_at defaults to the real time, not to that of the test
		a.Store.Client.User.Update().SetUpdatedAt(a.Clock.Now()).ExecX(t.Context())
		a.Clock.Pass(15 * shoptest.Days)
		d.Right(t, "refresh", shoptest.Refreshing(refreshed.Refresh))
		d.Login(t, signedIn.Cell, shoptest.GoodPassword)
		a.Store.Client.User.Update().Where(user.CellNumber(signedIn.Cell)).SetUpdatedAt(a.Clock.Now()).
			ExecX(t.Context())
		keep(8, "it is new")
		swept := func(at time.Duration, want bool) {
			t.Helper()
			a.Clock.Pass(at)
			a.Service.Sweep(t.Context())
			if there := a.Store.Client.User.Query().Where(user.ID(uuid.MustParse(squatted.ID))).
				ExistX(t.Context()); there != want {
				t.Errorf("the unused account is there: %v, want %v", there, want)
			}
		}
		swept(15*shoptest.Days-time.Minute-time.Hour, true)
		swept(2*time.Hour, false)
		for cell, why := range kept {
			if !a.Store.Client.User.Query().Where(user.CellNumber(cell)).ExistX(t.Context()) {
				t.Errorf("an account is erased though %s", why)
			}
		}
		d.Register(t, squatted.Customer.Cell)
	}, func(o *app.Options) {
		o.Times = account.Defaults
		o.Times.Unused = 30 * shoptest.Days
	})
}

// TestAccountUsedToTheEnd uses a session until its longest time ends: the account counts as used until
// then, by whichever of the times is the shortest.
func TestAccountUsedToTheEnd(t *testing.T) {
	for _, unused := range []time.Duration{7 * shoptest.Days, 30 * shoptest.Days} {
		t.Run(unused.String(), func(t *testing.T) {
			shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
				d := a.REST()
				c := d.Register(t, d.Cell(1))
				// updated_at defaults to the real time, not to that of the test
				a.Store.Client.User.Update().SetUpdatedAt(a.Clock.Now()).ExecX(t.Context())
				there := func() bool {
					a.Service.Sweep(t.Context())
					return a.Store.Client.User.Query().Where(user.ID(uuid.MustParse(c.ID))).ExistX(t.Context())
				}
				for day := range 79 { // of 80
					a.Clock.Pass(12 * time.Hour)
					if !there() {
						t.Fatalf("with %v it was erased on day %d, half a day after its last use", unused, day/2)
					}
					if day%2 == 1 {
						c = d.Refresh(t, c)
					}
				}
				a.Clock.Pass(24 * time.Hour) // the last session ended half a day ago
				if !there() {
					t.Fatalf("with %v it was erased when its session ended", unused)
				}
				a.Clock.Pass(unused)
				if there() {
					t.Errorf("with %v it stays", unused)
				}
			}, func(o *app.Options) {
				o.Times = account.Defaults
				o.Times.RefreshMax, o.Times.Unused = 40*shoptest.Days, unused
			})
		})
	}
}

// TestAccountUnusedRace signs in while unused accounts are erased. Customers who are signed in still have
// an account.
func TestAccountUnusedRace(t *testing.T) {
	unused := func(o *app.Options) {
		o.Times = account.Defaults
		o.Times.Unused = time.Hour
	}
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		all := shoptest.Sides(a, a.Instance(t, unused))
		for n := range 4 * *shoptest.Rounds {
			d := all[n%len(all)]
			c := d.Register(t, fmt.Sprintf("+98937%07d", n))
			a.Store.Client.User.Update().SetUpdatedAt(a.Clock.Now()).ExecX(t.Context())
			a.Clock.Pass(2 * time.Hour)
			got := shoptest.Together(3, func(i int) shoptest.Reply {
				if i == 0 {
					a.Service.Sweep(t.Context())
					return shoptest.Reply{}
				}
				if i == 1 {
					return all[(n+1)%len(all)].Ask(t, "refresh", shoptest.Refreshing(c.Refresh))
				}
				return all[(n+2)%len(all)].Ask(t, "login", shoptest.ByPassword(c.Cell, shoptest.GoodPassword))
			})
			for _, one := range got[1:] {
				if one.Code == "" {
					d.Lives(t, one.Member(t, "accessToken"), true)
				} else if one.Code != "INVALID_CREDENTIALS" {
					t.Fatalf("got %s", one.Body)
				}
			}
		}
	}, unused)
}
