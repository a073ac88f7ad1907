package contract_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect"

	"storefront/internal/app"
	"storefront/internal/idempotency"
)

// TestIdempotencyRace sends one request thirty times at once, to one instance and to two: it runs once and
// all get its answer.
func TestIdempotencyRace(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		other := a.instance(t)
		a.eachDoor(t, func(t *testing.T, d door) {
			mine := d.with(d.register(t, d.cell(1)).access)
			elsewhere := mine
			elsewhere.accounts = other
			for n, sides := range [][]door{{mine}, {mine, elsewhere}, {elsewhere, mine}} {
				key := string(rune('a' + n))
				got := together(30, func(i int) reply {
					return sides[i%len(sides)].key(key).ask(t, "createAddress", homeAddress)
				})
				fresh := 0
				for _, r := range got {
					if r.code != "" || string(r.body) != string(got[0].body) {
						t.Errorf("%d %s, another got %s", r.status, r.body, got[0].body)
					}
					if r.header.Get("Idempotent-Replayed") == "" {
						fresh++
					}
				}
				if fresh != 1 {
					t.Errorf("%d of 30 answers are no replays", fresh)
				}
				mine.hasAddresses(t, n+1)
			}
		})
	})
}

// TestIdempotencyRaceForTheLastPlace lets equal requests meet a limit that the first of them fills: none of
// them fails.
func TestIdempotencyRaceForTheLastPlace(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		all := sides(a, a.instance(t))
		d := all[0]
		c := d.register(t, d.cell(1))
		for range 99 {
			d.with(c.access).right(t, "createAddress", homeAddress)
		}
		got := together(16, func(i int) reply {
			return all[i%2*2].with(c.access).key("a").ask(t, "createAddress", homeAddress) // REST of both
		})
		for _, r := range got {
			if r.status != 201 || string(r.body) != string(got[0].body) {
				t.Errorf("%d %s", r.status, r.body)
			}
		}
		d.with(c.access).hasAddresses(t, 100)
	})
}

// hold locks records against writes and returns the function that unlocks them.
func (a *accounts) hold(t testing.TB, table string) (release func()) {
	t.Helper()
	s := openStore(t, a.database)
	tx, err := s.Driver().Tx(t.Context()) // on SQLite this locks all of the database
	if err == nil && s.Dialect == dialect.Postgres {
		err = tx.Exec(t.Context(), "LOCK TABLE "+table+" IN EXCLUSIVE MODE", []any{}, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := tx.Rollback(); err != nil {
			t.Error(err)
		}
	}
}

// impatient shortens the wait for an equal request to what a test can spend.
func impatient(o *app.Options) {
	o.Idempotency = idempotency.Times{Kept: 24 * time.Hour, Wait: 300 * time.Millisecond}
}

// TestIdempotencyWait checks that one of two equal requests gives up while the other is delayed, writes
// nothing, and does not disturb the other.
func TestIdempotencyWait(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			mine := d.with(d.register(t, d.cell(1)).access).key("a")
			elsewhere := mine
			if a.store.Dialect == dialect.Postgres { // SQLite's instances wait for the file, whatever the key
				elsewhere.accounts = a.instance(t, impatient)
			}
			for n, sides := range [][]door{{mine, mine}, {mine, elsewhere}} {
				sides[0], sides[1] = sides[0].key(string(rune('a'+n))), sides[1].key(string(rune('a'+n)))
				release := a.hold(t, "addresses")
				answers := make(chan reply, 2)
				for _, side := range sides {
					go func() { answers <- side.ask(t, "createAddress", homeAddress) }()
				}
				early := <-answers
				release()
				late := <-answers
				if early.code != "CONFLICT" || !d.graphQL && early.status != 409 {
					t.Errorf("the one that waited: %d %s", early.status, early.body)
				}
				early.fresh(t)
				if late.fresh(t); late.code != "" {
					t.Fatalf("the one that was held up: %d %s", late.status, late.body)
				}
				sides[0].right(t, "createAddress", homeAddress).again(t, late)
				mine.hasAddresses(t, n+1)
			}
		})
	}, impatient)
}

// TestIdempotencyHeldUp checks that a request which cannot lock its key gives up and leaves the key free.
func TestIdempotencyHeldUp(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		d := a.rest()
		mine := d.with(d.register(t, d.cell(1)).access).key("a")
		release := a.hold(t, "idempotency_keys")
		mine.wrong(t, "createAddress", homeAddress, 409, "CONFLICT").fresh(t)
		release()
		mine.right(t, "createAddress", homeAddress).fresh(t)
		mine.hasAddresses(t, 1)
	}, impatient)
}

// abandon creates an address and leaves when ctx ends.
func (d door) abandon(ctx context.Context, t testing.TB) {
	request, err := http.NewRequestWithContext(ctx, "POST", d.url+"/api/v1/auth/addresses",
		strings.NewReader(homeAddress))
	if err != nil {
		t.Error(err)
		return
	}
	for i := 0; i < len(d.headers); i += 2 {
		request.Header.Set(d.headers[i], d.headers[i+1])
	}
	if response, err := http.DefaultTransport.RoundTrip(request); err == nil {
		response.Body.Close()
	}
}

// TestIdempotencyGone checks that a request whose client leaves while it runs is either complete with its
// answer or not done at all: sent again, it creates one address.
func TestIdempotencyGone(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		d := a.rest()
		mine := d.with(d.register(t, d.cell(1)).access)
		together(40, func(i int) struct{} {
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*200*time.Microsecond)
			defer cancel()
			mine.key(string(rune('A'+i))).abandon(ctx, t)
			return struct{}{}
		})
		for i := range 40 {
			mine.key(string(rune('A'+i))).right(t, "createAddress", homeAddress)
		}
		mine.hasAddresses(t, 40)
	})
}
