package account_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"storefront/internal/account"
	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
)

// overlapping uses a refresh token n times in requests that certainly overlap: none continues before all
// have begun.
func overlapping(t *testing.T, a *shoptest.Accounts, all []shoptest.API, n int,
	c shoptest.Customer) []shoptest.Reply {
	t.Helper()
	a.Clock.Ticks.Store(true)
	defer a.Clock.Ticks.Store(false)
	hold, err := a.Store.Client.Tx(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	// locks the tokens
	if err := hold.RefreshToken.Update().SetUpdatedAt(time.Now()).Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	began := a.Clock.At.Load()
	released := make(chan error)
	go func() {
		end := time.Now().Add(time.Minute)
		// each request reads the clock three times: on arrival, when it runs, and when it begins to refresh
		for a.Clock.At.Load() < began+3*int64(n) && time.Now().Before(end) {
			runtime.Gosched()
		}
		released <- hold.Rollback()
	}()
	got := shoptest.Together(n, func(i int) shoptest.Reply {
		return all[i%len(all)].Ask(t, "refresh",
			shoptest.Refreshing(c.Refresh))
	})
	if err := <-released; err != nil {
		t.Fatal(err)
	}
	return got
}

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

// TestAccountRefreshesOverlap checks that overlapping refreshes all succeed, all their tokens work, and the
// used token is then spent.
func TestAccountRefreshesOverlap(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		for _, all := range [][]shoptest.API{shoptest.Sides(a), shoptest.Sides(a, a.Instance(t))} {
			d := a.REST()
			cell := d.Cell(len(all))
			c := d.Register(t, cell)
			var pairs []shoptest.Customer
			for _, r := range overlapping(t, a, all, 8, c) {
				if r.Code != "" {
					t.Fatalf("got %s", r.Body)
				}
				pairs = append(pairs, shoptest.AsCustomer(t, r))
			}
			for _, pair := range pairs {
				d.Lives(t, pair.Access, true)
				d.Lives(t, d.Refresh(t, pair).Access, true)
			}
			a.Clock.Pass(account.Defaults.Grace)
			d.Wrong(t, "refresh", shoptest.Refreshing(c.Refresh), 401, "INVALID_CREDENTIALS")
			for _, pair := range pairs {
				d.Dead(t, pair)
			}
		}
	})
}

// TestAccountReplaysOverlap checks that overlapping requests do not make a spent token valid again.
func TestAccountReplaysOverlap(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d, all := a.REST(), shoptest.Sides(a, a.Instance(t))
		c := d.Register(t, d.Cell(1))
		pair := d.Refresh(t, c)
		a.Clock.Pass(account.Defaults.Grace)
		for _, r := range overlapping(t, a, all, 8, c) {
			if r.Code != "INVALID_CREDENTIALS" {
				t.Errorf("got %s", r.Body)
			}
		}
		d.Dead(t, pair)
	})
}

// announced sends the head of a request to refresh, and waits until the server has read it. send then sends
// the token and returns the status of the answer.
func announced(t testing.TB, p *shoptest.Place, refresh string) (send func() int) {
	t.Helper()
	conn := shoptest.Must(net.Dial("tcp", strings.TrimPrefix(p.URL, "http://")))(t)
	t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	body := shoptest.Refreshing(refresh)
	_, err := fmt.Fprintf(conn, "POST /api/v1/auth/refresh HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"+
		"Content-Length: %d\r\n\r\n", len(body))
	if err != nil {
		t.Fatal(err)
	}
	answers := bufio.NewReader(conn)
	if asked := shoptest.Must(http.ReadResponse(answers, nil))(t); asked.StatusCode != http.StatusContinue {
		t.Fatalf("the server has answered %d without the body", asked.StatusCode)
	}
	return func() int {
		shoptest.Must(io.WriteString(conn, body))(t)
		got := shoptest.Must(http.ReadResponse(answers, nil))(t)
		_ = got.Body.Close()
		return got.StatusCode
	}
}

// TestAccountRefreshesThatHadArrivedOverlap uses a token in requests whose heads two servers have read before
// the first of them is answered: all succeed, without any grace. One that arrives later ends the session.
func TestAccountRefreshesThatHadArrivedOverlap(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		servers := []*shoptest.Accounts{a, a.Instance(t, withoutGrace)}
		a.Clock.Ticks.Store(true)
		d, refused := a.REST(), 0
		for round := range *shoptest.Rounds {
			c := d.Register(t, d.Cell(round))
			sends := make([]func() int, 10)
			for i := range sends {
				sends[i] = announced(t, servers[i%2].Place, c.Refresh)
			}
			ended := false
			for _, send := range sends {
				ended = send() != http.StatusOK || ended
			}
			if ended {
				refused++
				continue
			}
			d.Lives(t, c.Access, true)
			d.Wrong(t, "refresh", shoptest.Refreshing(c.Refresh), 401, "INVALID_CREDENTIALS")
			d.Lives(t, c.Access, false)
		}
		if refused > 0 {
			t.Errorf("%d of %d sessions ended, want none", refused, *shoptest.Rounds)
		}
	}, withoutGrace)
}

func withoutGrace(o *app.Options) {
	o.Times = account.Defaults
	o.Times.Grace = 0
}

// TestAccountRefreshesTogether uses a token at two servers at the same moment. No session may end.
func TestAccountRefreshesTogether(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		all := shoptest.Sides(a, a.Instance(t, realClock))
		d, refused := a.REST(), 0
		for round := range 3 * *shoptest.Rounds {
			c := d.Register(t, d.Cell(round))
			got := shoptest.Together(2, func(i int) shoptest.Reply {
				return all[2*i].Ask(t, "refresh",
					shoptest.Refreshing(c.Refresh))
			})
			if got[0].Code != "" || got[1].Code != "" {
				refused++
				continue
			}
			d.Lives(t, shoptest.AsCustomer(t, got[0]).Access, true)
			d.Lives(t, d.Refresh(t, shoptest.AsCustomer(t, got[1])).Access, true)
		}
		if refused > 0 {
			t.Errorf("%d of %d sessions ended, want none", refused, 3**shoptest.Rounds)
		}
	}, realClock)
}

func realClock(o *app.Options) { o.Clock = time.Now }
