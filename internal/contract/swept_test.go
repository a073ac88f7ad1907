package contract_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/app"
	"storefront/internal/record"
	"storefront/internal/tenancy"
)

// untilWaiting returns once some transactions of a database wait for locks, or something is done. SQLite's wait for the
// file, which nobody sees.
func (a *accounts) untilWaiting(t testing.TB, transactions int, done <-chan struct{}) {
	t.Helper()
	if a.store.Dialect != dialect.Postgres {
		return
	}
	for waiting := 0; waiting < transactions; {
		select {
		case <-done:
			return
		default:
		}
		rows := new(entsql.Rows)
		err := a.store.Driver().Query(t.Context(), `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock'`, []any{}, rows)
		if err != nil {
			t.Fatal(err)
		}
		waiting, err = entsql.ScanInt(rows)
		if rows.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// holding runs a statement in a transaction that it leaves open. end commits it.
func (a *accounts) holding(t testing.TB, text string, args ...any) (end func()) {
	t.Helper()
	tx, err := openStore(t, a.database).Driver().Tx(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tx.Rollback() })
	var result entsql.Result
	if err := tx.Exec(t.Context(), text, args, &result); err != nil {
		t.Fatal(err)
	}
	if n, err := result.RowsAffected(); n == 0 || err != nil {
		t.Fatalf("%s: %d rows, %v", text, n, err)
	}
	return func() {
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSweptWhileUsed sweeps while a transaction has just used rows that were old: these stay, of every kind
// that can be used again, and the others go. On SQLite, where the sweep waits for the file, that holds as one
// statement finds and deletes the rows: it would delete what an earlier one has found.
func TestSweptWhileUsed(t *testing.T) {
	keep := func(o *app.Options) { o.Keep = app.Keep{Carts: 30 * 24 * time.Hour} }
	eachAccounts(t, func(t *testing.T, a *accounts) {
		sweeper := a.sweeps(t, keep)
		now := a.clock.now()
		old, later := now.Add(-400*24*time.Hour), now.Add(24*time.Hour)
		shop := uuid.MustParse(a.named(t, "<tenant:tools>"))
		ctx, to := tenancy.In(t.Context(), shop), a.store.Client
		customers := 0
		customer := func() uuid.UUID {
			customers++
			return to.User.Create().SetCellNumber(fmt.Sprintf("+98991%07d", customers)).SaveX(ctx).ID
		}
		session := func(expires time.Time) uuid.UUID {
			return to.Session.Create().SetUserID(customer()).SetExpiresAt(expires).SaveX(ctx).ID
		}
		unique := func() []byte { id := uuid.New(); return id[:] }
		endpoint := a.listens(t, "tools").ID
		sent := func(made time.Time) *ent.WebhookDeliveryCreate {
			return to.WebhookDelivery.Create().SetEndpointID(endpoint).SetEventID(uuid.New()).SetSubjectID(uuid.New()).
				SetType(record.OrderPlaced).SetPayload("{}").SetCreatedAt(made).SetGiveUpAt(made.Add(72 * time.Hour))
		}
		for _, kind := range []struct {
			name, table string
			old         func() any // makes a row that is to be swept, and returns its id
			use         string     // with the row's id and a later time
		}{
			{"customers' carts", "carts", func() any {
				return to.Cart.Create().SetUserID(customer()).SetUpdatedAt(old).SaveX(ctx).ID
			}, "SET updated_at = $2"},
			{"guests' carts", "carts", func() any {
				return to.Cart.Create().SetTokenHash(unique()).SetEndsAt(old).SaveX(ctx).ID
			}, "SET ends_at = $2"},
			{"links", "memberships", func() any {
				return to.Membership.Create().SetUserID(customer()).SetBusinessID(shop).SetPendingUntil(old).SaveX(ctx).ID
			}, "SET pending_until = NULL, updated_at = $2"},
			{"sessions", "sessions", func() any { return session(old) }, "SET expires_at = $2"},
			{"tokens", "refresh_tokens", func() any {
				return to.RefreshToken.Create().SetSessionID(session(later)).SetHash(unique()).SetExpiresAt(old).SaveX(ctx).ID
			}, "SET expires_at = $2"},
			{"codes", "one_time_codes", func() any {
				return to.OneTimeCode.Create().SetCellNumber(uuid.NewString()).SetMAC(unique()).SetExpiresAt(old).SaveX(ctx).ID
			}, "SET expires_at = $2"},
			{"addresses of sign-ins", "sign_in_addresses", func() any {
				return to.SignInAddress.Create().SetUserID(customer()).SetAddress("192.0.2.1").SetLastAt(old).SaveX(ctx).ID
			}, "SET last_at = $2"},
			{"limits", "rate_keys", func() any {
				return to.RateKey.Create().SetID(uuid.NewString()).SetTouchedAt(old).SaveX(ctx).ID
			}, "SET touched_at = $2"},
			{"kept answers", "idempotency_keys", func() any {
				return to.IdempotencyKey.Create().SetID(uuid.NewString()).SetUserID(customer()).SetFingerprint(unique()).
					SetExpiresAt(old).SaveX(ctx).ID
			}, "SET expires_at = $2"},
			{"delivered events", "webhook_deliveries", func() any {
				return sent(now.Add(-10 * 24 * time.Hour)).SetDeliveredAt(old).SaveX(ctx).ID
			}, "SET next_at = $2"},
			{"events of long ago", "webhook_deliveries", func() any { return sent(old).SaveX(ctx).ID },
				"SET next_at = $2, give_up_at = $2"},
		} {
			used, unused := kind.old(), kind.old()
			end := a.holding(t, "UPDATE "+kind.table+" "+kind.use+" WHERE id = $1", used, later)
			swept, deletes := make(chan struct{}), make(chan struct{})
			sweeper.deletes = func(text string) {
				if strings.Contains(text, "DELETE FROM ") {
					sweeper.deletes = nil
					close(deletes)
				}
			}
			go func() { defer close(swept); sweeper.service.Sweep(t.Context()) }()
			select {
			case <-deletes: // what has been read before is as it was
			case <-swept:
			}
			a.untilWaiting(t, 1, swept)
			end()
			<-swept
			for id, want := range map[any]int{used: 1, unused: 0} {
				if got := a.rows(t, "SELECT count(*) FROM "+kind.table+" WHERE id = $1", id); got != want {
					t.Errorf("%s: %d rows of one that is %s, want %d", kind.name, got, map[bool]string{true: "used",
						false: "old"}[id == used], want)
				}
			}
		}
	}, keep)
}

// sweeping is another instance of the service, which calls deletes with each statement of its sweep that is
// about to be sent.
type sweeping struct {
	service *app.App
	deletes func(text string)
}

func (a *accounts) sweeps(t *testing.T, settings func(*app.Options)) *sweeping {
	t.Helper()
	s, counter := counted(t, a.database)
	w := new(sweeping)
	counter.before = func(text string) {
		if w.deletes != nil {
			w.deletes(text)
		}
	}
	o := app.Options{Clock: a.clock.now, Key: a.key, PasswordCost: cheap}
	settings(&o)
	var err error
	if w.service, err = app.New(s, slog.New(slog.DiscardHandler), o); err != nil {
		t.Fatal(err)
	}
	return w
}

// rows counts by a statement.
func (a *accounts) rows(t testing.TB, text string, args ...any) int {
	t.Helper()
	rows, err := a.store.Client.QueryContext(context.WithoutCancel(t.Context()), text, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	n, err := entsql.ScanInt(rows)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestCartSweptMeanwhile adds to a cart that is being deleted: the answer shows what is in the cart then.
func TestCartSweptMeanwhile(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		customer := crowd(t, 1, a)[0]
		for _, s := range customer.everywhere(a) {
			customer.right(t, "AddCartItem", adding("D-10", 1))
			end := a.holding(t, "DELETE FROM carts WHERE user_id = $1", uuid.MustParse(customer.id))
			added := make(chan struct{})
			var got reply
			go func() { defer close(added); got = s.ask(t, "AddCartItem", adding("D-13", 2)) }()
			a.untilWaiting(t, 1, added)
			end()
			<-added
			if is := customer.quantities(t); got.code != "" || is != "D-13 2 " || got.cart(t).TotalQuantity != 2 {
				t.Errorf("the cart holds %q after %d %s", is, got.status, got.body)
			}
			customer.right(t, "ClearCart", "")
		}
	})
}
