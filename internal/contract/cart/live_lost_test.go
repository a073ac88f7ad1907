package cart_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database"
	"storefront/internal/database/transaction"
	"storefront/internal/event/outbox"
	"storefront/internal/record"
)

// another copies the last event of a shop.
var another = database.Statement(`INSERT INTO shop_events
	(event_id, type, subject_id, day, payload, created_at, tenant_id)
	SELECT $event, type, subject_id, day, payload, created_at, tenant_id FROM shop_events
	WHERE tenant_id = $shop AND id = (SELECT max(id) FROM shop_events WHERE tenant_id = $shop)`)

// happens commits a number of events at once.
func happens(t testing.TB, c *shoptest.Crew, events int) {
	t.Helper()
	err := transaction.Run(t.Context(), c.Store.Client, func(tx *ent.Tx) error {
		for range events {
			_, err := another.Exec(t.Context(), tx.Raw(), database.Values{"event": uuid.New(),
				"shop": uuid.MustParse(c.Tools)})
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

// TestUpdatesOfAQuietShop subscribes long after the last event, and resumes with the id of the start, also after days
// without a subscriber. Sweeps leave what somebody may still resume after.
func TestUpdatesOfAQuietShop(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		variables := shoptest.Members{"domain": toolsDomain}
		ask := func(variables shoptest.Members) (*listening, streamEvent) {
			l := subscribe(t, c.Staff(t, c.Tools, record.Owner).API, shopUpdates, variables)
			return l, l.next(t)
		}
		c.GraphQL().Shopper(t, 1).Bought(t, "D-13", 1)
		c.NumberEvents(t)
		c.Clock.Pass(8 * 24 * time.Hour)
		l, begins := ask(variables)
		l.Body.Close()
		order := c.GraphQL().Shopper(t, 2).Bought(t, "D-13", 1)
		c.NumberEvents(t)
		for range 5 {
			c.Clock.Pass(24*time.Hour + time.Minute)
			c.Service.Sweep(t.Context())
		}
		if n := c.Rows(t, "SELECT count(*) FROM shop_events WHERE type = $1", "order_placed"); n != 1 {
			t.Errorf("got %d orders' events after sweeps, want that of the second order", n)
		}
		resumed := subscribe(t, c.Staff(t, c.Tools, record.Owner).API, shopUpdates, with(variables, "after", begins.ID))
		if got := resumed.shopUpdate(t); got != "order_placed "+order.ID+" pending" {
			t.Errorf("after five days: got %s", got)
		}
		c.Clock.Pass(24 * time.Hour)
		if _, got := ask(with(variables, "after", begins.ID)); got.Code() != "NOT_FOUND" {
			t.Errorf("after more than six days: got %+v", got)
		}
		c.Clock.Pass(24 * time.Hour)
		c.Service.Sweep(t.Context())
		if n := c.Rows(t, "SELECT count(*) FROM shop_events WHERE type = $1", "order_placed"); n != 0 {
			t.Errorf("got %d orders' events after a week, want none", n)
		}
	})
}

// TestLateCommit has a transaction that wrote an event before another one commit after it: the subscription gets the
// later one meanwhile, and then the earlier one with a higher id.
func TestLateCommit(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		if c.Store.Dialect == "sqlite3" { // which has one writer
			return
		}
		owner, buyer := c.Staff(t, c.Tools, record.Owner), c.GraphQL().Shopper(t, 1)
		shop := uuid.MustParse(c.Tools)
		l := subscribe(t, owner.API, shopUpdates, shoptest.Members{"domain": toolsDomain})
		l.next(t)
		first := buyer.Bought(t, "D-13", 1)
		l.next(t)
		late, err := c.Store.Client.Tx(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		err = outbox.Put(t.Context(), late.Raw(), shop, outbox.Event{ID: uuid.New(), Type: record.OrderMoved,
			Subject: uuid.MustParse(first.ID), At: c.Clock.Now(), Placed: c.Clock.Now()})
		if err != nil {
			t.Fatal(err)
		}
		second := buyer.Bought(t, "D-13", 1)
		early := l.next(t)
		if u := early.update(t); u.Type != "order_placed" || u.In.Order.ID != second.ID {
			t.Errorf("while the transaction runs: got %+v, want the other order", u)
		}
		if err := late.Commit(); err != nil {
			t.Fatal(err)
		}
		got := l.next(t)
		if u := got.update(t); u.Type != "order_moved" || u.In.Order.ID != first.ID || got.ID <= early.ID {
			t.Errorf("after its commit: got %+v with the id %s, want a higher one than %s", u, got.ID, early.ID)
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
