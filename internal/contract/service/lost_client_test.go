package service_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/store/storetest"
)

// hangUp sends bytes to the service and closes the connection at once.
func hangUp(t testing.TB, p *shoptest.Place, text string) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
}

// TestClientsThatHangUp leaves at every stage of a request, and checks that other clients are unaffected
// and nothing is logged as an error.
func TestClientsThatHangUp(t *testing.T) {
	t.Parallel()
	shoptest.WireShops.Each(t, func(t *testing.T, address string) {
		s := storetest.Open(t, shoptest.WithParameters(address, "pool_size=2"))
		var log bytes.Buffer
		service, err := app.New(s, slog.New(slog.NewTextHandler(&log, nil)), app.Options{})
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(service)
		p := &shoptest.Place{URL: server.URL}
		for range 20 {
			for _, text := range []string{
				"", "GET ", "GET /api/v1/cities HTTP/1.1\r\nHost: x\r\n",
				"GET /api/v1/cities HTTP/1.1\r\nHost: x\r\n\r\n",
				"GET /api/v1" + shoptest.ShopPath + "/products HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n",
				"POST " + shoptest.ContactPath + " HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n" +
					shoptest.ContactForm[:20],
				"POST " + shoptest.ContactPath +
					" HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n14\r\n" +
					shoptest.ContactForm[:20],
				fmt.Sprintf("POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", shoptest.ContactPath,
					len(shoptest.ContactForm), shoptest.ContactForm),
			} {
				hangUp(t, p, text)
			}
		}
		for range 3 {
			allWell(t, p)
		}
		server.Close() // waits for requests that are still running
		if text := log.String(); strings.Contains(text, "level=ERROR") || strings.Contains(text, "panic") ||
			strings.Contains(text, "status=500") || strings.Contains(text, "level=WARN") ||
			strings.Contains(text, "status=503") {
			t.Errorf("it was logged as a failure: %s", text)
		}
	})
}

// TestHangingUpEndsTheStatement checks that PostgreSQL stops a statement whose client left, that the pool loses no
// connection, and that the log says 499 without a warning.
func TestHangingUpEndsTheStatement(t *testing.T) {
	t.Parallel()
	address := shoptest.WireShops.Postgres(t)
	s := storetest.Open(t, shoptest.WithParameters(address, "pool_size=2"))
	var log bytes.Buffer
	service, err := app.New(s, slog.New(slog.NewTextHandler(&log, nil)), app.Options{})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(service)
	p := &shoptest.Place{URL: server.URL}
	release := lock(t, address)
	db, err := sql.Open("postgres", address)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	waitFor := func(condition string) { // the statements that wait for the lock
		t.Helper()
		for reached := false; !reached; {
			if err := db.QueryRowContext(t.Context(), `SELECT count(*) `+condition+` FROM pg_stat_activity
				WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&reached); err != nil {
				t.Fatal(err)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	var sent sync.WaitGroup
	for range 10 {
		request, err := http.NewRequestWithContext(ctx, "GET",
			p.URL+"/api/v1"+shoptest.ShopPath+"/products/drill", nil)
		if err != nil {
			t.Fatal(err)
		}
		sent.Go(func() {
			if response, err := http.DefaultTransport.RoundTrip(request); err == nil {
				response.Body.Close()
				t.Errorf("answered %d", response.StatusCode)
			}
		})
	}
	waitFor("> 0")
	cancel()
	sent.Wait()
	waitFor("= 0")
	release()
	for range 3 {
		allWell(t, p)
	}
	server.Close() // waits for requests that are still running
	if text := log.String(); strings.Count(text, "status=499") != 10 || strings.Contains(text, "level=WARN") ||
		strings.Contains(text, "status=503") {
		t.Errorf("ten clients left: %s", text)
	}
}
