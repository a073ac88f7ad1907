package contract_test

import (
	"context"
	"database/sql"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	_ "modernc.org/sqlite"
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
func (p *place) promptly(t testing.TB, method, path, body string) answer {
	ctx, stop := context.WithTimeout(t.Context(), promised)
	defer stop()
	request, err := http.NewRequestWithContext(ctx, method, p.url+path, strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return answer{}
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Errorf("%s %s: %v", method, path, err)
		return answer{}
	}
	return received(t, response)
}

// allUnavailable sends more concurrent requests than there are connections, and checks that each gets 503
// with Retry-After.
func (p *place) allUnavailable(t *testing.T) {
	var sent sync.WaitGroup
	refused := func(method, path, body string) {
		sent.Go(func() {
			got := p.promptly(t, method, path, body)
			if got.status == 0 {
				return
			}
			if wantFault(t, got, 503, "UNAVAILABLE"); got.header.Get("Retry-After") == "" {
				t.Errorf("%s %s: no Retry-After in %v", method, path, got.header)
			}
		})
	}
	for range 4 {
		refused("GET", "/api/v1"+shopPath, "")
		refused("GET", "/api/v1"+shopPath+"/products", "")
		refused("GET", "/api/v1"+shopPath+"/products/drill", "")
		refused("POST", contactPath, contact)
		refused("GET", "/api/v1/cities?level=country", "")
		sent.Go(func() {
			got := p.promptly(t, "POST", "/graphql",
				asked(`{ tenant(domain: "shop.example") { products { items { id } } } }`, ""))
			if got.status != 0 {
				if r := resultOf(t, got); len(r.Errors) != 1 || r.Errors[0].Extensions.Code != "UNAVAILABLE" {
					t.Errorf("/graphql: %d %s", got.status, got.body)
				}
			}
		})
	}
	refused("GET", "/readyz", "")
	sent.Go(func() {
		if got := p.promptly(t, "GET", "/healthz", ""); got.status != 200 {
			t.Errorf("/healthz: %d %s", got.status, got.body)
		}
		if got := p.promptly(t, "GET", "/api/v1/nothing", ""); got.status != 404 {
			t.Errorf("/nothing: %d %s", got.status, got.body)
		}
	})
	sent.Wait()
}

// allWell checks that every interface answers.
func (p *place) allWell(t *testing.T) {
	t.Helper()
	for _, path := range []string{"/readyz", "/api/v1" + shopPath, "/api/v1" + shopPath + "/products",
		"/api/v1/cities?level=country"} {
		if got := p.promptly(t, "GET", path, ""); got.status != 200 {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
	if got := p.promptly(t, "POST", contactPath, contact); got.status != 201 {
		t.Errorf("POST: %d %s", got.status, got.body)
	}
	wantGraphQL(t, p.promptly(t, "POST", "/graphql", asked(domainQuery, `{"d": "shop.example"}`)), 200, "")
}

// recovers waits for /readyz within the promised time: one connection attempt from before may have to fail
// first.
func (p *place) recovers(t *testing.T) {
	t.Helper()
	for end := time.Now().Add(promised); p.promptly(t, "GET", "/readyz", "").status != 200; {
		if time.Now().After(end) {
			t.Fatal("the service is not ready again")
		}
	}
}

func silentDatabase(t *testing.T) {
	network, address := linked(t, wireShops.Postgres(t))
	p := open(t, address+"&pool_size=3")
	p.allWell(t)
	network.become(silent)
	p.allUnavailable(t)
	network.become(up)
	p.recovers(t)
	p.allWell(t)
}

func downDatabase(t *testing.T) {
	network, address := linked(t, wireShops.Postgres(t))
	p := open(t, address+"&pool_size=3")
	for range 2 {
		p.allWell(t)
		network.become(down)
		p.allUnavailable(t)
		network.become(up)
		p.recovers(t)
	}
	p.allWell(t)
}

// slowDatabase blocks every statement on a table: some run, others wait for a connection.
func slowDatabase(t *testing.T) {
	address := wireShops.Postgres(t)
	p := open(t, address+"&pool_size=1")
	p.allWell(t)
	release := lock(t, address)
	var sent sync.WaitGroup
	for range 6 {
		sent.Go(func() {
			if got := p.promptly(t, "GET", "/api/v1"+shopPath+"/products?pageSize=3", ""); got.status != 0 {
				wantFault(t, got, 503, "UNAVAILABLE")
			}
		})
	}
	if got := p.promptly(t, "GET", "/api/v1"+shopPath+"/products", ""); got.status != 200 {
		t.Errorf("an answer that was asked before: %d %s", got.status, got.body)
	}
	sent.Wait()
	release()
	p.allWell(t)
}

// lock keeps everybody else from the products of a PostgreSQL database until release.
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
	address := wireShops.Postgres(t)
	p := open(t, address+"&pool_size=3")
	p.allWell(t)
	db, err := sql.Open("postgres", address)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = " +
		"current_database() AND pid <> pg_backend_pid()"); err != nil {
		t.Fatal(err)
	}
	p.allWell(t)
}

// lockedFile lets another process lock the SQLite file: reads continue, writes get 503.
func lockedFile(t *testing.T) {
	address := wireShops.SQLite(t)
	p := open(t, address)
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
			if got := p.promptly(t, "POST", contactPath, contact); got.status != 0 {
				wantFault(t, got, 503, "UNAVAILABLE")
			}
		})
		sent.Go(func() {
			if got := p.promptly(t, "GET", "/api/v1"+shopPath+"/products", ""); got.status != 200 {
				t.Errorf("reading: %d %s", got.status, got.body)
			}
		})
	}
	sent.Wait()
	if _, err := db.Exec("ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	p.allWell(t)
}
