package main

import (
	"maps"
	"strings"
	"testing"
	"time"

	"storefront/cmd/bench/load"
	"storefront/cmd/bench/pgbench"
	"storefront/internal/contract/ledger"
	"storefront/internal/testdb"
)

// TestPgbenchDoesWhatTheServiceDoes runs each script of pgbench and checks orders, carts and stock
// afterwards: the scripts must do the same work as the service.
func TestPgbenchDoesWhatTheServiceDoes(t *testing.T) {
	by := pgbench.Find()
	database := testdb.Postgres(t)
	importShop(t, database)
	const customers = 2 * most
	c := gather(t.Context(), database, shopOfTests, strings.Repeat("k", 32), customers)
	defer c.store.Close()
	before, err := ledger.Units(t.Context(), c.store)
	if err != nil {
		t.Fatal(err)
	}
	fillings := 0 // how often carts were filled; each filling is checked out at most once
	for _, o := range purchases {
		if o.script == "" {
			continue
		}
		if o.script == pgbench.Checkout {
			fillings++
		}
		c.fill(t.Context(), o.carts)
		if rate := c.byPgbench(t.Context(), by, database, o, 2, time.Second); rate == 0 {
			t.Fatalf("%s: got %v a second", o.name, rate)
		}
		after, err := ledger.Units(t.Context(), c.store)
		if err != nil {
			t.Fatal(err)
		}
		if !maps.Equal(before, after) {
			t.Errorf("%s: stock and orders hold other units than before", o.name)
		}
	}
	counts(t, c, "SELECT count(*) FROM orders o JOIN payments USING (tenant_id) WHERE order_id = o.id", 1,
		fillings*customers)
}

// TestRequestsAreTaken checks that the service accepts each kind of request for carts filled as in bench.
func TestRequestsAreTaken(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		service := served(t, database)
		c := gather(t.Context(), database, shopOfTests, keyOfTests, most)
		defer c.store.Close()
		for _, o := range purchases {
			c.fill(t.Context(), o.carts)
			if _, err := load.Run(t.Context(), service, o.requests(c), 2, time.Second/2); err != nil {
				t.Errorf("%s: %v", o.name, err)
			}
		}
		counts(t, c, "SELECT count(*) FROM orders", 2, 2*most)
	})
}

func counts(t *testing.T, c *crowd, query string, least, most int) {
	t.Helper()
	rows, err := c.store.Client.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	n := 0
	if !rows.Next() {
		t.Fatal(rows.Err())
	}
	if err := rows.Scan(&n); err != nil || n < least || n > most {
		t.Errorf("%s: got %d, %v, want %d to %d", query, n, err, least, most)
	}
}
