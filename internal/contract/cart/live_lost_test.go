package cart_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database"
	"storefront/internal/record"
	"storefront/internal/transaction"
)

// another copies the last event of a shop for subscriptions.
var another = database.Statement(`INSERT INTO webhook_deliveries
	(event_id, type, subject_id, payload, created_at, attempts, next_at, give_up_at, tenant_id, endpoint_id)
	SELECT $event, type, subject_id, payload, created_at, 0, $now, give_up_at, tenant_id, endpoint_id
	FROM webhook_deliveries WHERE tenant_id = $shop
	AND id = (SELECT max(id) FROM webhook_deliveries WHERE tenant_id = $shop)`)

// happens commits a number of events at once.
func happens(t testing.TB, c *shoptest.Crew, events int) {
	t.Helper()
	err := transaction.Run(t.Context(), c.Store.Client, func(tx *ent.Tx) error {
		for range events {
			_, err := another.Exec(t.Context(), tx.Raw(), database.Values{"event": uuid.New(),
				"now": c.Clock.Now(), "shop": uuid.MustParse(c.Tools)})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestManyUpdatesAtOnce commits more events than are buffered: a subscription gets all of them, once, in order. One
// that starts afterwards gets none of them.
func TestManyUpdatesAtOnce(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, buyer := c.Staff(t, c.Tools, record.Owner), c.GraphQL().Shopper(t, 1)
		variables := shoptest.Members{"domain": toolsDomain}
		l := subscribe(t, owner.API, shopUpdates, variables)
		l.next(t)
		buyer.Bought(t, "D-13", 1)
		last := l.next(t).ID
		const many = 700
		happens(t, c, many)
		for n := range many {
			got := l.next(t)
			if len(got.ID) < len(last) || got.ID <= last || got.update(t).Type != "order_placed" {
				t.Fatalf("%d: got %+v after %s", n, got, last)
			}
			last = got.ID
		}
		l.Body.Close()
		happens(t, c, many)
		fresh := subscribe(t, owner.API, shopUpdates, variables)
		if u := fresh.next(t).update(t); u.Type != "" {
			t.Errorf("begins with %+v", u)
		}
		order := buyer.Bought(t, "D-13", 1)
		if got := fresh.shopUpdate(t); got != "order_placed "+order.ID+" pending" {
			t.Errorf("got %s", got)
		}
	})
}

// TestUpdatesOfAQuietShop subscribes long after the last event, and resumes with the id of the start. Events of a shop
// without subscribers are not kept.
func TestUpdatesOfAQuietShop(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		buyer := c.GraphQL().Shopper(t, 1)
		variables := shoptest.Members{"domain": toolsDomain}
		ask := func(variables shoptest.Members) (*listening, streamEvent) {
			l := subscribe(t, c.Staff(t, c.Tools, record.Owner).API, shopUpdates, variables)
			return l, l.next(t)
		}
		var first streamEvent
		for day := range 8 { // with a subscriber each day
			l, begins := ask(variables)
			if l.Body.Close(); day == 0 {
				first = begins
			}
			c.Clock.Pass(23 * time.Hour)
			c.Service.Sweep(t.Context())
		}
		_, begins := ask(variables)
		resumed := subscribe(t, c.Staff(t, c.Tools, record.Owner).API, shopUpdates,
			with(variables, "after", begins.ID))
		buyer = c.GraphQL().Shopper(t, 2) // sessions end while the clock moves
		order := buyer.Bought(t, "D-13", 1)
		if got := resumed.shopUpdate(t); got != "order_placed "+order.ID+" pending" {
			t.Errorf("got %s", got)
		}
		if _, got := ask(with(variables, "after", first.ID)); got.Code() != "NOT_FOUND" {
			t.Errorf("after eight days: got %+v", got)
		}
		resumed.Body.Close()
		c.Clock.Pass(26 * time.Hour)
		c.Service.Sweep(t.Context())
		c.GraphQL().Shopper(t, 3).Bought(t, "D-13", 1)
		if _, got := ask(with(variables, "after", begins.ID)); got.Code() != "NOT_FOUND" {
			t.Errorf("after a day without subscribers: got %+v", got)
		}
		l, _ := ask(variables)
		order = c.GraphQL().Shopper(t, 4).Bought(t, "D-13", 1)
		if got := l.shopUpdate(t); got != "order_placed "+order.ID+" pending" {
			t.Errorf("got %s", got)
		}
	})
}

// TestUpdatesSurviveTemporaryFailures locks the orders while an update is due: the subscription is cut off without it,
// and gets it after it was resumed.
func TestUpdatesSurviveTemporaryFailures(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		if c.Store.Dialect == "sqlite3" { // whose readers wait for no lock
			return
		}
		hurried := *c.Accounts
		hurried.Database = shoptest.WithParameters(c.Database, "statement_timeout=300")
		other := hurried.Instance(t)
		owner, buyer := c.Staff(t, c.Tools, record.Owner), c.GraphQL().Shopper(t, 1)
		there := other.GraphQL().With(owner.Access)
		l := subscribe(t, there, shopUpdates, shoptest.Members{"domain": toolsDomain})
		l.next(t)
		order := buyer.Bought(t, "D-13", 1)
		last := l.next(t).ID
		lock, err := c.Store.Client.Tx(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := lock.ExecContext(t.Context(), "LOCK TABLE orders IN ACCESS EXCLUSIVE MODE"); err != nil {
			t.Fatal(err)
		}
		happens(t, c, 1)
		if got := l.next(t); got.Event != "" {
			t.Errorf("got %+v, want that it is cut off", got)
		}
		if err := lock.Rollback(); err != nil {
			t.Fatal(err)
		}
		again := subscribe(t, there, shopUpdates, shoptest.Members{"domain": toolsDomain, "after": last})
		if got := again.shopUpdate(t); got != "order_placed "+order.ID+" pending" {
			t.Errorf("got %s", got)
		}
	})
}
