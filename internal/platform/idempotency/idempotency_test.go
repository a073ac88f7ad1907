package idempotency

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"

	"storefront/ent"
	"storefront/internal/database/store/storetest"
	"storefront/internal/database/sweep"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
)

// instances are two servers on one database, with a customer.
type instances struct {
	one, other *Store
	user       uuid.UUID
	now        time.Time
}

func each(t *testing.T, f func(t *testing.T, p *instances)) {
	t.Parallel()
	storetest.Migrated.Each(t, func(t *testing.T, url string) {
		p := &instances{now: time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)}
		open := func() *Store {
			s := storetest.Open(t, url)
			return New(s.Client, s.DB, func() time.Time { return p.now }, Defaults)
		}
		p.one, p.other = open(), open()
		p.user = p.one.client.User.Create().SetCellNumber("+989120000001").SaveX(t.Context()).ID
		f(t, p)
	})
}

func (p *instances) request(key string) Request {
	return Request{User: p.user, Path: "/api/v1/auth/addresses", Key: key, What: map[string]any{"a": "b"}}
}

// add writes what a request would.
func (p *instances) add(ctx context.Context, s *Store) error {
	return s.client.Address.Create().SetUserID(p.user).SetProvince("a").SetCity("b").SetAddress("c").Exec(ctx)
}

// holds fails unless there are exactly so many addresses and stored answers.
func (p *instances) holds(t testing.TB, addresses, answers int) {
	t.Helper()
	ctx := context.Background()
	a, k := p.one.client.Address.Query().CountX(ctx), p.one.client.IdempotencyKey.Query().CountX(ctx)
	if a != addresses || k != answers {
		t.Errorf("%d addresses and %d answers, want %d and %d", a, k, addresses, answers)
	}
}

// does runs a request at an instance and checks whether the answer is a stored one.
func (p *instances) does(t testing.TB, s *Store, key string, want string) {
	t.Helper()
	stored, err := s.Do(t.Context(), p.request(key), func(ctx context.Context) ([]byte, error) {
		return []byte("new"), p.add(ctx, s)
	})
	if err != nil || string(stored) != want {
		t.Errorf("got %q, %v, want %q", stored, err, want)
	}
}

// TestCrash checks that a request that is interrupted leaves nothing, wherever it stops.
func TestCrash(t *testing.T) {
	each(t, func(t *testing.T, p *instances) {
		func() {
			defer func() { _ = recover() }()
			_, _ = p.one.Do(t.Context(), p.request("a"), func(ctx context.Context) ([]byte, error) {
				if err := p.add(ctx, p.one); err != nil {
					t.Error(err)
				}
				panic("the process dies here")
			})
		}()
		p.holds(t, 0, 0)
		ctx, cancel := context.WithCancel(t.Context())
		_, err := p.one.Do(ctx, p.request("a"), func(ctx context.Context) ([]byte, error) {
			if err := p.add(ctx, p.one); err != nil {
				t.Error(err)
			}
			cancel() // the client has hung up, or the deadline has passed
			return []byte("lost"), nil
		})
		if err == nil {
			t.Error("an answer that was not stored is no success")
		}
		p.holds(t, 0, 0)
		p.does(t, p.one, "a", "")
		p.holds(t, 1, 1)
		p.does(t, p.other, "a", "new")
		p.holds(t, 1, 1)
	})
}

// TestTwin has another instance finish the same request while this one works on it.
func TestTwin(t *testing.T) {
	each(t, func(t *testing.T, p *instances) {
		refused := errors.New("there is no place left")
		for n, end := range []func(ctx context.Context) error{
			func(ctx context.Context) error { return p.add(ctx, p.one) },          // finds the key taken
			func(ctx context.Context) error { _ = p.add(ctx, p.one); return nil }, // ignores that the key is taken
			func(ctx context.Context) error { return nil },                        // writes nothing
			// fails because of what the twin did
			func(ctx context.Context) error { return refused },
			func(ctx context.Context) error { _ = p.add(ctx, p.one); return ctx.Err() },    // fails and continues
			func(ctx context.Context) error { _, err := p.one.client.Tx(ctx); return err }, // in a transaction
		} {
			key := fmt.Sprint(n)
			stored, err := p.one.Do(t.Context(), p.request(key), func(ctx context.Context) ([]byte, error) {
				p.does(t, p.other, key, "")
				return []byte("mine"), end(ctx)
			})
			if err != nil || string(stored) != "new" {
				t.Errorf("%d: %q, %v", n, stored, err)
			}
			p.holds(t, n+1, n+1)
		}

		// the twin was another request
		_, err := p.one.Do(t.Context(), p.request("body"), func(ctx context.Context) ([]byte, error) {
			other := p.request("body")
			other.What = map[string]any{"a": "c"}
			empty := func(context.Context) ([]byte, error) { return []byte("{}"), nil }
			if _, err := p.other.Do(t.Context(), other, empty); err != nil {
				t.Error(err)
			}
			return nil, p.add(ctx, p.one)
		})
		if !fault.Is(err, fault.KeyReused) {
			t.Error(err)
		}
	})
}

// TestQueue checks that a request waits for its twin in the same process before it does anything, and stops
// waiting early enough to answer.
func TestQueue(t *testing.T) {
	each(t, func(t *testing.T, p *instances) {
		_, err := p.one.Do(t.Context(), p.request("a"), func(context.Context) ([]byte, error) {
			ctx, cancel := context.WithTimeout(t.Context(), toAnswer+100*time.Millisecond)
			defer cancel()
			_, err := p.one.Do(ctx, p.request("a"), func(context.Context) ([]byte, error) {
				t.Error("both work on it")
				return nil, nil
			})
			if !fault.Is(err, fault.Conflict) || ctx.Err() != nil {
				t.Errorf("%v, and the context %v", err, ctx.Err())
			}
			p.does(t, p.one, "b", "") // another key does not wait
			return []byte("new"), nil
		})
		if err != nil {
			t.Error(err)
		}
		p.does(t, p.one, "a", "new")
	})
}

// TestAllOrNothing checks that a refusal undoes the writes before it and frees the key. Writes marked by
// transaction.Keep stay, and the key is free all the same.
func TestAllOrNothing(t *testing.T) {
	each(t, func(t *testing.T, p *instances) {
		for _, code := range []fault.Code{fault.NotFound, fault.RateLimited, fault.Internal, fault.Unavailable} {
			stored, err := p.one.Do(t.Context(), p.request("a"), func(ctx context.Context) ([]byte, error) {
				if err := p.add(ctx, p.one); err != nil {
					t.Error(err)
				}
				return nil, fault.New(code, "no")
			})
			if stored != nil || err != nil {
				t.Errorf("got %q, %v", stored, err)
			}
			p.holds(t, 0, 0)
		}
		for n := range 2 {
			_, err := p.one.Do(t.Context(), p.request("a"), func(ctx context.Context) ([]byte, error) {
				err := transaction.Run(ctx, p.one.client, func(tx *ent.Tx) error {
					address := tx.Address.Create().SetUserID(p.user).SetProvince("a").SetCity("b").SetAddress("c")
					return errors.Join(address.Exec(ctx), transaction.Keep(fault.New(fault.NotFound, "no")))
				})
				p.holds(t, n+1, 0)
				return nil, err
			})
			if err != nil {
				t.Error(err)
			}
			p.holds(t, n+1, 0)
		}
		p.does(t, p.one, "a", "")
		p.holds(t, 3, 1)
	})
}

// TestConflict has a request conflict with another transaction: it is run again as a whole, and nothing of
// the first try remains.
func TestConflict(t *testing.T) {
	each(t, func(t *testing.T, p *instances) {
		runs := 0
		_, err := p.one.Do(t.Context(), p.request("a"), func(ctx context.Context) ([]byte, error) {
			if err := p.add(ctx, p.one); err != nil {
				t.Error(err)
			}
			if runs++; runs < tries {
				return nil, &pq.Error{Code: "40P01"} // a deadlock
			}
			return []byte("new"), nil
		})
		if err != nil || runs != tries {
			t.Errorf("%v, run %d times", err, runs)
		}
		p.holds(t, 1, 1)
	})
}

// TestPrivate checks that a private answer is not stored, and that its request is not run again.
func TestPrivate(t *testing.T) {
	each(t, func(t *testing.T, p *instances) {
		request := p.request("a")
		request.Private = true
		for n := range 3 {
			_, err := p.one.Do(t.Context(), request, func(ctx context.Context) ([]byte, error) {
				err := errors.Join(p.add(ctx, p.one), transaction.Written(ctx))
				p.holds(t, 1, 1) // it is committed before the answer is made
				return []byte("a secret"), err
			})
			if IsRepeat(err) != (n > 0) {
				t.Error(err)
			}
			p.holds(t, 1, 1)
		}
		if row := p.one.client.IdempotencyKey.Query().OnlyX(t.Context()); row.Answer != nil {
			t.Errorf("stored is %s", *row.Answer)
		}
	})
}

func TestSweep(t *testing.T) {
	each(t, func(t *testing.T, p *instances) {
		ctx := t.Context()
		p.does(t, p.one, "a", "")
		_, err := p.one.client.ExecContext(ctx, fmt.Sprintf(`
			INSERT INTO idempotency_keys (id, user_id, fingerprint, expires_at)
			WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
			SELECT CAST(i AS text), user_id, fingerprint, expires_at FROM n, idempotency_keys`, 2*1000+10))
		if err != nil {
			t.Fatal(err)
		}
		p.now = p.now.Add(time.Microsecond)
		p.does(t, p.one, "b", "")
		p.now = p.now.Add(Defaults.Kept - 2*time.Microsecond)
		if err := sweep.Run(ctx, p.one.client.Raw(), p.one.Old(), nil); err != nil {
			t.Fatal(err)
		}
		p.holds(t, 2, 2*1000+12)
		p.now = p.now.Add(time.Microsecond)
		if err := sweep.Run(ctx, p.one.client.Raw(), p.one.Old(), nil); err != nil {
			t.Fatal(err)
		}
		p.holds(t, 2, 1)
		p.does(t, p.one, "b", "new")
		p.one.client.User.DeleteOneID(p.user).ExecX(ctx)
		p.holds(t, 0, 0)
	})
}
