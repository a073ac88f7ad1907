package account_test

import (
	"testing"

	"storefront/internal/contract/shoptest"
)

// TestAccountRefreshBesideErasure erases an account's sessions while a refresh waits for its token. The
// refresh is refused like one with an unknown token.
func TestAccountRefreshBesideErasure(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			c := d.Register(t, d.Cell(1))
			erased := a.Holding(t, "DELETE FROM sessions") // and their tokens
			answered := make(chan struct{})
			var got shoptest.Reply
			go func() {
				defer close(answered)
				got = d.Ask(t, "refresh", shoptest.Refreshing(c.Refresh))
			}()
			a.UntilWaiting(t, 1, answered)
			erased()
			if <-answered; got.Code != "INVALID_CREDENTIALS" {
				t.Errorf("got %s, want INVALID_CREDENTIALS", got.Body)
			}
		})
	})
}

// TestAccountCodeBesideClosing has an account closed while its customer signs in by a code: it is open afterwards.
func TestAccountCodeBesideClosing(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			cell := d.Cell(1)
			d.Register(t, cell)
			code := d.Code(t, cell)
			closed := a.Holding(t, "UPDATE users SET closed_at = created_at WHERE cell_number = $1", cell)
			answered := make(chan struct{})
			go func() {
				defer close(answered)
				d.Right(t, "loginOtp", shoptest.ByCode(cell, code))
			}()
			a.UntilWaiting(t, 1, answered)
			closed()
			<-answered
			if n := a.Rows(t, "SELECT count(*) FROM users WHERE cell_number = $1 AND closed_at IS NULL", cell); n != 1 {
				t.Errorf("got %d open accounts, want 1", n)
			}
		})
	})
}

// TestAccountRefreshesTogether uses a token at two servers many times at the same moment: all get the same successor.
func TestAccountRefreshesTogether(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		all := shoptest.Sides(a, a.Instance(t))
		d := all[0]
		for round := range 3 * *shoptest.Rounds {
			c := d.Register(t, d.Cell(round))
			got := shoptest.Together(8, func(i int) shoptest.Customer {
				return shoptest.AsCustomer(t, all[i%len(all)].Right(t, "refresh", shoptest.Refreshing(c.Refresh)))
			})
			for _, pair := range got {
				d.Lives(t, pair.Access, true)
				if pair.Refresh != got[0].Refresh || pair.Refresh == c.Refresh {
					t.Error("a token has two successors")
				}
			}
			d.Lives(t, d.Refresh(t, got[0]).Access, true)
		}
	})
}
