package service_test

import (
	"context"
	"database/sql"
	"net/http"
	"sync"
	"testing"

	"storefront/internal/contract/shoptest"
)

// TestOneShopLeavesConnections has 64 requests for one shop wait for a lock in PostgreSQL while another
// shop is read. The waiting requests may have at most half of the connections.
func TestOneShopLeavesConnections(t *testing.T) {
	t.Parallel()
	address := shoptest.WireShops.Postgres(t)
	p := shoptest.Open(t, shoptest.WithParameters(address, "pool_size=8"))
	db, err := sql.Open("postgres", address)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	hanging := func() (n int) { // the statements that wait for the lock
		t.Helper()
		if err := db.QueryRowContext(t.Context(), `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	release := lock(t, address)
	ctx, leave := context.WithCancel(t.Context())
	var sent, read sync.WaitGroup
	begun, enough := make(chan struct{}), make(chan struct{})
	read.Go(func() { // reads the other shop all the time
		for i := 0; ; i++ {
			response, err := http.Get(p.URL + "/api/v1" + "/tenants/xn--mgbtj4c7ad63e.example/website/sliders")
			if err != nil || response.StatusCode != 200 {
				t.Errorf("another shop: %v, %v", response, err)
				return
			}
			response.Body.Close()
			if i == 0 {
				close(begun)
			}
			select {
			case <-enough:
				return
			default:
			}
		}
	})
	<-begun
	for range 64 {
		request, err := http.NewRequestWithContext(ctx, "GET",
			p.URL+"/api/v1"+shoptest.ShopPath+"/products/drill", nil)
		if err != nil {
			t.Fatal(err)
		}
		sent.Go(func() {
			if response, err := http.DefaultTransport.RoundTrip(request); err == nil {
				response.Body.Close()
			}
		})
	}
	most := 0
	for i := 0; i < 30; {
		n := hanging()
		most = max(most, n)
		if n > 0 {
			i++
		}
	}
	if most > 4 {
		t.Errorf("%d of 8 connections are held for one shop", most)
	}
	close(enough)
	read.Wait()
	leave()
	sent.Wait()
	release()
}
