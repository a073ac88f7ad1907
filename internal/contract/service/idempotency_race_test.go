package service_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect"

	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/store/storetest"
	"storefront/internal/platform/idempotency"
)

// TestIdempotencyRace sends one request thirty times at once, to one instance and to two: it runs once and
// all get its answer.
func TestIdempotencyRace(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		other := a.Instance(t)
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			mine := d.With(d.Register(t, d.Cell(1)).Access)
			elsewhere := mine
			elsewhere.Accounts = other
			for n, sides := range [][]shoptest.API{{mine}, {mine, elsewhere}, {elsewhere, mine}} {
				key := string(rune('a' + n))
				got := shoptest.Together(30, func(i int) shoptest.Reply {
					return sides[i%len(sides)].Key(key).Ask(t, "createAddress", shoptest.HomeAddress)
				})
				fresh := 0
				for _, r := range got {
					if r.Code != "" || string(r.Body) != string(got[0].Body) {
						t.Errorf("got %d %s, want %s as another got", r.Status, r.Body, got[0].Body)
					}
					if r.Header.Get("Idempotent-Replayed") == "" {
						fresh++
					}
				}
				if fresh != 1 {
					t.Errorf("%d of 30 answers are no replays", fresh)
				}
				mine.HasAddresses(t, n+1)
			}
		})
	})
}

// TestIdempotencyRaceForTheLastPlace sends equal requests of which the first one reaches a limit. None may
// fail.
func TestIdempotencyRaceForTheLastPlace(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		all := shoptest.Sides(a, a.Instance(t))
		d := all[0]
		c := d.Register(t, d.Cell(1))
		for range 99 {
			d.With(c.Access).Right(t, "createAddress", shoptest.HomeAddress)
		}
		got := shoptest.Together(16, func(i int) shoptest.Reply {
			return all[i%2*2].With(c.Access).Key("a").Ask(t, "createAddress", shoptest.HomeAddress) // both over REST
		})
		for _, r := range got {
			if r.Status != 201 || string(r.Body) != string(got[0].Body) {
				t.Errorf("%d %s", r.Status, r.Body)
			}
		}
		d.With(c.Access).HasAddresses(t, 100)
	})
}

// hold locks records against writes and returns the function that unlocks them.
func hold(t testing.TB, a *shoptest.Accounts, table string) (release func()) {
	t.Helper()
	s := storetest.Open(t, a.Database)
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
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			mine := d.With(d.Register(t, d.Cell(1)).Access).Key("a")
			elsewhere := mine
			if a.Store.Dialect == dialect.Postgres { // with SQLite, instances wait for the file whatever the key
				elsewhere.Accounts = a.Instance(t, impatient)
			}
			for n, sides := range [][]shoptest.API{{mine, mine}, {mine, elsewhere}} {
				sides[0], sides[1] = sides[0].Key(string(rune('a'+n))), sides[1].Key(string(rune('a'+n)))
				release := hold(t, a, "addresses")
				answers := make(chan shoptest.Reply, 2)
				for _, side := range sides {
					go func() { answers <- side.Ask(t, "createAddress", shoptest.HomeAddress) }()
				}
				early := <-answers
				release()
				late := <-answers
				if early.Code != "CONFLICT" || !d.GraphQL && early.Status != 409 {
					t.Errorf("the one that waited: %d %s", early.Status, early.Body)
				}
				early.Fresh(t)
				if late.Fresh(t); late.Code != "" {
					t.Fatalf("the one that was held up: %d %s", late.Status, late.Body)
				}
				sides[0].Right(t, "createAddress", shoptest.HomeAddress).Again(t, late)
				mine.HasAddresses(t, n+1)
			}
		})
	}, impatient)
}

// TestIdempotencyHeldUp checks that a request which cannot lock its key gives up and leaves the key free.
func TestIdempotencyHeldUp(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d := a.REST()
		mine := d.With(d.Register(t, d.Cell(1)).Access).Key("a")
		release := hold(t, a, "idempotency_keys")
		mine.Wrong(t, "createAddress", shoptest.HomeAddress, 409, "CONFLICT").Fresh(t)
		release()
		mine.Right(t, "createAddress", shoptest.HomeAddress).Fresh(t)
		mine.HasAddresses(t, 1)
	}, impatient)
}

// abandon creates an address and leaves when ctx ends.
func abandon(d shoptest.API, ctx context.Context, t testing.TB) {
	request, err := http.NewRequestWithContext(ctx, "POST", d.URL+"/api/v1/auth/addresses",
		strings.NewReader(shoptest.HomeAddress))
	if err != nil {
		t.Error(err)
		return
	}
	for i := 0; i < len(d.Headers); i += 2 {
		request.Header.Set(d.Headers[i], d.Headers[i+1])
	}
	if response, err := http.DefaultTransport.RoundTrip(request); err == nil {
		response.Body.Close()
	}
}

// TestIdempotencyGone checks that a request whose client leaves while it runs is either complete with its
// answer or not done at all: sent again, it creates one address.
func TestIdempotencyGone(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d := a.REST()
		mine := d.With(d.Register(t, d.Cell(1)).Access)
		shoptest.Together(40, func(i int) struct{} {
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*200*time.Microsecond)
			defer cancel()
			abandon(mine.Key(string(rune('A'+i))), ctx, t)
			return struct{}{}
		})
		for i := range 40 {
			mine.Key(string(rune('A'+i))).Right(t, "createAddress", shoptest.HomeAddress)
		}
		mine.HasAddresses(t, 40)
	})
}
