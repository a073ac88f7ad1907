package main

import (
	"testing"
	"time"

	"storefront/cmd/bench/load"
	"storefront/internal/testkit/testdb"
)

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
