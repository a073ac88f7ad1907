package service_test

import (
	"context"
	"database/sql"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"storefront/internal/contract/shoptest"
	"storefront/internal/testkit/pgserver"
	"storefront/internal/testkit/testdb"
)

// TestDatabaseLost runs these tests in parallel with one another but with no others, as they measure the
// promised 10 s.
func TestDatabaseLost(t *testing.T) {
	for name, f := range map[string]func(*testing.T){
		"silent": silentDatabase, "down": downDatabase, "slow": slowDatabase, "restarted": restartedDatabase,
		"locked": lockedFile,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f(t)
		})
	}
}

// promised is the time within which every request is answered, whatever the database does.
const promised = 10 * time.Second

// promptly sends a request, which must be answered in the promised time.
func promptly(t testing.TB, p *shoptest.Place, method, path, body string, headers ...string) shoptest.Answer {
	ctx, stop := context.WithTimeout(t.Context(), promised)
	defer stop()
	request, err := http.NewRequestWithContext(ctx, method, p.URL+path, strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return shoptest.Answer{}
	}
	request.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Errorf("%s %s: %v", method, path, err)
		return shoptest.Answer{}
	}
	return shoptest.Receive(t, response)
}

// allUnavailable sends more concurrent requests than there are connections, and checks that each gets a kept answer or
// 503 with Retry-After.
func allUnavailable(t *testing.T, p *shoptest.Place) {
	var sent sync.WaitGroup
	refused := func(method, path, body string) {
		sent.Go(func() {
			got := promptly(t, p, method, path, body)
			if got.Status == 0 {
				return
			}
			if shoptest.WantFault(t, got, 503, "UNAVAILABLE"); got.Header.Get("Retry-After") == "" {
				t.Errorf("%s %s: no Retry-After in %v", method, path, got.Header)
			}
		})
	}
	kept := func(path string) { // which allWell asked for
		sent.Go(func() {
			if got := promptly(t, p, "GET", path, ""); got.Status != 0 &&
				(got.Status != 200 || !strings.HasPrefix(got.Header.Get("Warning"), "110 ")) {
				t.Errorf("%s: got %d %v", path, got.Status, got.Header)
			}
		})
	}
	for range 4 {
		kept("/api/v1" + shoptest.ShopPath)
		kept("/api/v1" + shoptest.ShopPath + "/products")
		refused("GET", "/api/v1"+shoptest.ShopPath+"/products?pageSize=7", "")
		refused("GET", "/api/v1"+shoptest.ShopPath+"/products/drill", "")
		refused("POST", shoptest.ContactPath, shoptest.ContactForm)
		kept("/api/v1/cities?level=country")
		refused("GET", "/api/v1/cities?level=province&name=q", "")
		refused("GET", "/pay/23456789ABCDEFGHJKLM", "")
		sent.Go(func() {
			got := promptly(t, p, "POST", "/graphql",
				shoptest.GraphQLBody(`{ tenant(domain: "shop.example") { products { items { id } } } }`, ""))
			if got.Status != 0 {
				if r := shoptest.ResultOf(t, got); len(r.Errors) != 1 ||
					r.Errors[0].Extensions.Code != "UNAVAILABLE" {
					t.Errorf("/graphql: got %d %s", got.Status, got.Body)
				}
			}
		})
	}
	refused("GET", "/readyz", "")
	sent.Go(func() {
		if got := promptly(t, p, "GET", "/healthz", ""); got.Status != 200 {
			t.Errorf("/healthz: got %d %s", got.Status, got.Body)
		}
		if got := promptly(t, p, "GET", "/api/v1/nothing", ""); got.Status != 404 {
			t.Errorf("/nothing: got %d %s", got.Status, got.Body)
		}
	})
	sent.Wait()
}

// allWell checks that every interface works.
func allWell(t *testing.T, p *shoptest.Place) {
	t.Helper()
	for _, path := range []string{"/readyz", "/api/v1" + shoptest.ShopPath, "/api/v1" + shoptest.ShopPath +
		"/products",
		"/api/v1/cities?level=country"} {
		if got := promptly(t, p, "GET", path, ""); got.Status != 200 {
			t.Errorf("%s: got %d %s", path, got.Status, got.Body)
		}
	}
	if got := promptly(t, p, "POST", shoptest.ContactPath, shoptest.ContactForm); got.Status != 201 {
		t.Errorf("POST: got %d %s", got.Status, got.Body)
	}
	shoptest.WantGraphQL(t, promptly(t, p, "POST", "/graphql", shoptest.GraphQLBody(shoptest.DomainQuery,
		`{"d": "shop.example"}`)), 200, "")
}

// recovers waits for /readyz within the promised time: one connection attempt from before may have to fail
// first.
func recovers(t *testing.T, p *shoptest.Place) {
	t.Helper()
	for end := time.Now().Add(promised); promptly(t, p, "GET", "/readyz?for=writes", "").Status != 200; {
		if time.Now().After(end) {
			t.Fatal("the service is not ready again")
		}
	}
}

func silentDatabase(t *testing.T) {
	network, address := testdb.Through(t, shoptest.WireShops.Postgres(t))
	p := shoptest.Open(t, address+"&pool_size=3")
	allWell(t, p)
	network.Become(pgserver.Blackhole)
	allUnavailable(t, p)
	network.Become(pgserver.None)
	recovers(t, p)
	allWell(t, p)
}

func downDatabase(t *testing.T) {
	network, address := testdb.Through(t, shoptest.WireShops.Postgres(t))
	p := shoptest.Open(t, address+"&pool_size=3")
	for range 2 {
		allWell(t, p)
		network.Become(pgserver.Reset)
		allUnavailable(t, p)
		network.Become(pgserver.None)
		recovers(t, p)
	}
	allWell(t, p)
}

// slowDatabase blocks every statement on a table: some run, others wait for a connection.
func slowDatabase(t *testing.T) {
	address := shoptest.WireShops.Postgres(t)
	p := shoptest.Open(t, address+"&pool_size=1")
	allWell(t, p)
	release := lock(t, address)
	var sent sync.WaitGroup
	for range 6 {
		sent.Go(func() {
			if got := promptly(t, p, "GET", "/api/v1"+shoptest.ShopPath+"/products?pageSize=3", ""); got.Status != 0 {
				shoptest.WantFault(t, got, 503, "UNAVAILABLE")
			}
		})
	}
	if got := promptly(t, p, "GET", "/api/v1"+shoptest.ShopPath+"/products", ""); got.Status != 200 {
		t.Errorf("an answer that was asked before: got %d %s", got.Status, got.Body)
	}
	sent.Wait()
	release()
	allWell(t, p)
}

// lock locks the products of a PostgreSQL database until release is called.
func lock(t testing.TB, address string) (release func()) {
	t.Helper()
	db, err := sql.Open("postgres", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec("LOCK TABLE products IN ACCESS EXCLUSIVE MODE"); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := tx.Rollback(); err != nil {
			t.Error(err)
		}
	}
}

// restartedDatabase ends every connection, as a restart of PostgreSQL does: no request fails.
func restartedDatabase(t *testing.T) {
	address := shoptest.WireShops.Postgres(t)
	p := shoptest.Open(t, address+"&pool_size=3")
	allWell(t, p)
	db, err := sql.Open("postgres", address)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = " +
		"current_database() AND pid <> pg_backend_pid()"); err != nil {
		t.Fatal(err)
	}
	allWell(t, p)
}

// lockedFile lets another process lock the SQLite file: reads continue, writes get 503.
func lockedFile(t *testing.T) {
	address := shoptest.WireShops.SQLite(t)
	p := shoptest.Open(t, address)
	db, err := sql.Open("sqlite", strings.TrimPrefix(address, "sqlite://"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	var sent sync.WaitGroup
	for range 3 {
		sent.Go(func() {
			if got := promptly(t, p, "POST", shoptest.ContactPath, shoptest.ContactForm); got.Status != 0 {
				shoptest.WantFault(t, got, 503, "UNAVAILABLE")
			}
		})
		sent.Go(func() {
			if got := promptly(t, p, "GET", "/api/v1"+shoptest.ShopPath+"/products", ""); got.Status != 200 {
				t.Errorf("reading: got %d %s", got.Status, got.Body)
			}
		})
	}
	sent.Wait()
	if _, err := db.Exec("ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	allWell(t, p)
}
