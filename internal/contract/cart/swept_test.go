package cart_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
)

// TestSweptWhileUsed sweeps while a transaction has just used old rows of every kind that can be used again.
// These rows must stay, and the others are deleted. On SQLite, where the sweep waits for the file, this needs
// one statement that both finds and deletes the rows.
func TestSweptWhileUsed(t *testing.T) {
	keep := func(o *app.Options) { o.Keep = app.Keep{Carts: 30 * 24 * time.Hour} }
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		sweeper := sweeps(t, a, keep)
		now := a.Clock.Now()
		old, later := now.Add(-400*24*time.Hour), now.Add(24*time.Hour)
		shop := uuid.MustParse(a.Named(t, "<tenant:tools>"))
		ctx, to := tenancy.In(t.Context(), shop), a.Store.Client
		customers := 0
		customer := func() uuid.UUID {
			customers++
			return to.User.Create().SetCellNumber(fmt.Sprintf("+98991%07d", customers)).SaveX(ctx).ID
		}
		session := func(expires time.Time) uuid.UUID {
			return to.Session.Create().SetUserID(customer()).SetExpiresAt(expires).SaveX(ctx).ID
		}
		unique := func() []byte { id := uuid.New(); return id[:] }
		endpoint := a.Listens(t, "tools").ID
		sent := func(made time.Time) *ent.WebhookDeliveryCreate {
			return to.WebhookDelivery.Create().SetEndpointID(endpoint).SetEventID(uuid.New()).SetSubjectID(uuid.New()).
				SetType(record.OrderPlaced).SetPayload("{}").SetCreatedAt(made).SetGiveUpAt(made.Add(72 * time.Hour))
		}
		for _, kind := range []struct {
			name, table string
			old         func() any // makes a row that may be swept, and returns its id
			use         string     // with the row's id and a later time
		}{
			{name: "customers' carts", table: "carts", old: func() any {
				return to.Cart.Create().SetUserID(customer()).SetUpdatedAt(old).SaveX(ctx).ID
			}, use: "SET updated_at = $2"},
			{name: "guests' carts", table: "carts", old: func() any {
				return to.Cart.Create().SetTokenHash(unique()).SetEndsAt(old).SaveX(ctx).ID
			}, use: "SET ends_at = $2"},
			{name: "links", table: "memberships", old: func() any {
				return to.Membership.Create().SetUserID(customer()).SetBusinessID(shop).
					SetPendingUntil(old).SaveX(ctx).ID
			}, use: "SET pending_until = NULL, updated_at = $2"},
			{name: "sessions", table: "sessions", old: func() any { return session(old) }, use: "SET expires_at = $2"},
			{name: "codes", table: "one_time_codes", old: func() any {
				return to.OneTimeCode.Create().SetCellNumber(uuid.NewString()).SetParty("stranger").SetMAC(unique()).
					SetExpiresAt(old).SaveX(ctx).ID
			}, use: "SET expires_at = $2"},
			{name: "addresses of sign-ins", table: "sign_in_addresses", old: func() any {
				return to.SignInAddress.Create().SetUserID(customer()).SetAddress("192.0.2.1").
					SetLastAt(old).SaveX(ctx).ID
			}, use: "SET last_at = $2"},
			{name: "limits", table: "rate_keys", old: func() any {
				return to.RateKey.Create().SetID(uuid.NewString()).SetTouchedAt(old).SaveX(ctx).ID
			}, use: "SET touched_at = $2"},
			{name: "kept answers", table: "idempotency_keys", old: func() any {
				return to.IdempotencyKey.Create().SetID(uuid.NewString()).SetUserID(customer()).
					SetFingerprint(unique()).
					SetExpiresAt(old).SaveX(ctx).ID
			}, use: "SET expires_at = $2"},
			{name: "delivered events", table: "webhook_deliveries", old: func() any {
				return sent(now.Add(-10 * 24 * time.Hour)).SetDeliveredAt(old).SaveX(ctx).ID
			}, use: "SET next_at = $2"},
			{name: "events of long ago", table: "webhook_deliveries", old: func() any {
				return sent(old).SaveX(ctx).ID
			}, use: "SET next_at = $2, give_up_at = $2"},
		} {
			used, unused := kind.old(), kind.old()
			end := a.Holding(t, "UPDATE "+kind.table+" "+kind.use+" WHERE id = $1", used, later)
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
			a.UntilWaiting(t, 1, swept)
			end()
			<-swept
			for id, want := range map[any]int{used: 1, unused: 0} {
				if got := a.Rows(t, "SELECT count(*) FROM "+kind.table+" WHERE id = $1", id); got != want {
					t.Errorf("%s: %d rows of one that is %s, want %d", kind.name, got, map[bool]string{true: "used",
						false: "old"}[id == used], want)
				}
			}
		}
	}, keep)
}

// sweeping is another instance of the service. It calls deletes with each statement of its sweep before
// sending it.
type sweeping struct {
	service *app.App
	deletes func(text string)
}

func sweeps(t *testing.T, a *shoptest.Accounts, settings func(*app.Options)) *sweeping {
	t.Helper()
	s, counter := shoptest.OpenCounted(t, a.Database)
	w := new(sweeping)
	counter.Before = func(text string) {
		if w.deletes != nil {
			w.deletes(text)
		}
	}
	o := app.Options{Clock: a.Clock.Now, Key: a.Key, PasswordCost: shoptest.CheapPasswords}
	settings(&o)
	var err error
	if w.service, err = app.New(s, slog.New(slog.DiscardHandler), o); err != nil {
		t.Fatal(err)
	}
	return w
}

// TestCartHasItsDay checks that the day by which old carts are found is that of their last write.
func TestCartHasItsDay(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		customer := shoptest.Crowd(t, 1, a)[0]
		customer.Right(t, "AddCartItem", shoptest.Adding("D-10", 1))
		day := map[string]any{dialect.SQLite: a.Clock.Now().Unix() / (24 * 60 * 60),
			dialect.Postgres: a.Clock.Now().UTC().Format(time.DateOnly)}[a.Store.Dialect]
		if n := a.Rows(t, "SELECT count(*) FROM carts WHERE used_on = $1", day); n != 1 {
			t.Errorf("%d carts were used on %v, want 1", n, day)
		}
	})
}

// TestCartSweptMeanwhile adds an item to a cart that is being deleted, and checks that the answer shows the
// new cart.
func TestCartSweptMeanwhile(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		customer := shoptest.Crowd(t, 1, a)[0]
		for _, s := range customer.Everywhere(a) {
			customer.Right(t, "AddCartItem", shoptest.Adding("D-10", 1))
			end := a.Holding(t, "DELETE FROM carts WHERE user_id = $1", uuid.MustParse(customer.ID))
			added := make(chan struct{})
			var got shoptest.Reply
			go func() { defer close(added); got = s.Ask(t, "AddCartItem", shoptest.Adding("D-13", 2)) }()
			a.UntilWaiting(t, 1, added)
			end()
			<-added
			if is := customer.Quantities(t); got.Code != "" || is != "D-13 2 " || got.Cart(t).TotalQuantity != 2 {
				t.Errorf("the cart holds %q after %d %s", is, got.Status, got.Body)
			}
			customer.Right(t, "ClearCart", "")
		}
	})
}
