package contract_test

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
			a.clock.pass(account.Defaults.Grace)
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
		a.clock.pass(account.Defaults.Grace)
		for _, r := range overlapping(t, a, all, 8, c) {
			if r.code != "INVALID_CREDENTIALS" {
				t.Errorf("%s", r.body)
			}
		}
		d.dead(t, pair)
	})
}

// announced sends the head of a request to refresh, and waits until the server has read it. send then sends
// the token and returns the status of the answer.
func announced(t testing.TB, p *place, refresh string) (send func() int) {
	t.Helper()
	conn := must(net.Dial("tcp", strings.TrimPrefix(p.url, "http://")))(t)
	t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	body := refreshing(refresh)
	_, err := fmt.Fprintf(conn, "POST /api/v1/auth/refresh HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"+
		"Content-Length: %d\r\n\r\n", len(body))
	if err != nil {
		t.Fatal(err)
	}
	answers := bufio.NewReader(conn)
	if asked := must(http.ReadResponse(answers, nil))(t); asked.StatusCode != http.StatusContinue {
		t.Fatalf("the server has answered %d without the body", asked.StatusCode)
	}
	return func() int {
		must(io.WriteString(conn, body))(t)
		got := must(http.ReadResponse(answers, nil))(t)
		_ = got.Body.Close()
		return got.StatusCode
	}
}

// TestAccountRefreshesThatHadArrivedOverlap uses a token in requests whose heads two servers have read before
// the first of them is answered: all succeed, without any grace. One that arrives later ends the session.
func TestAccountRefreshesThatHadArrivedOverlap(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		servers := []*accounts{a, a.instance(t, withoutGrace)}
		a.clock.ticks.Store(true)
		d, refused := a.rest(), 0
		for round := range *rounds {
			c := d.register(t, d.cell(round))
			sends := make([]func() int, 10)
			for i := range sends {
				sends[i] = announced(t, servers[i%2].place, c.refresh)
			}
			ended := false
			for _, send := range sends {
				ended = send() != http.StatusOK || ended
			}
			if ended {
				refused++
				continue
			}
			d.lives(t, c.access, true)
			d.wrong(t, "refresh", refreshing(c.refresh), 401, "INVALID_CREDENTIALS")
			d.lives(t, c.access, false)
		}
		if refused > 0 {
			t.Errorf("%d of %d sessions ended, want none", refused, *rounds)
		}
	}, withoutGrace)
}

func withoutGrace(o *app.Options) {
	o.Times = account.Defaults
	o.Times.Grace = 0
}

// TestAccountRefreshesTogether uses a token at two servers in the same moment: no session ends by that.
func TestAccountRefreshesTogether(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		all := sides(a, a.instance(t, realClock))
		d, refused := a.rest(), 0
		for round := range 3 * *rounds {
			c := d.register(t, d.cell(round))
			got := together(2, func(i int) reply { return all[2*i].ask(t, "refresh", refreshing(c.refresh)) })
			if got[0].code != "" || got[1].code != "" {
				refused++
				continue
			}
			d.lives(t, asCustomer(t, got[0]).access, true)
			d.lives(t, d.refresh(t, asCustomer(t, got[1])).access, true)
		}
		if refused > 0 {
			t.Errorf("%d of %d sessions ended, want none", refused, 3**rounds)
		}
	}, realClock)
}

func realClock(o *app.Options) { o.Clock = time.Now }
