package service_test

import (
	"context"
	"database/sql"
	"strings"
	"sync"
	"testing"
	"time"

	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/store/storetest"
	"storefront/internal/testkit/pgserver"
)

const (
	reading = "/api/v1/tenants/tools.example/products"
	writing = "/api/v1/tenants/tools.example/contact-submissions"
)

// pair is a primary of PostgreSQL with a standby.
type pair struct{ primary, standby *pgserver.Server }

// TestFailover tests services on a primary with a standby. It is one test so that the servers are created once.
func TestFailover(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	first := &shoptest.Accounts{Clock: shoptest.NewClock(), Phones: shoptest.NewPhones(),
		Key: []byte(strings.Repeat("k", 32)), Database: p.primary.URL("postgres")}
	keeping := first.Instance(t)
	strict := first.Instance(t, func(o *app.Options) { o.CacheSize = 0 })
	alone := shoptest.Start(t, storetest.Open(t, p.standby.URL("postgres")), shoptest.Noon)
	several := shoptest.Start(t, storetest.Open(t,
		p.primary.URLAt(p.standby.Addr()+","+p.primary.Addr(), "postgres")), shoptest.Noon)

	t.Run("what waits for a standby", func(t *testing.T) { waitsForStandby(t, p, strict.Place) })
	t.Run("a service on a standby alone", func(t *testing.T) { onStandby(t, alone) })
	shoptest.WantStatus(t, promptly(t, several, "POST", writing, shoptest.ContactForm), 201)
	t.Run("a primary that is gone", func(t *testing.T) { primaryGone(t, p, keeping, strict.Place, several) })
	t.Run("a promoted standby", func(t *testing.T) { promoted(t, p, alone, several) })
}

func newPair(t *testing.T) *pair {
	t.Helper()
	primary, err := pgserver.New(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { primary.Close() })
	fill := shoptest.Importing(shoptest.ShopBundles)
	if err := storetest.Prepare(t.Context(), primary.URL("postgres"), fill); err != nil {
		t.Fatal(err)
	}
	standby, err := primary.Standby(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { standby.Close() })
	return &pair{primary, standby}
}

// onStandby reads and writes at a service that has only the standby.
func onStandby(t *testing.T, p *shoptest.Place) {
	shoptest.WantStatus(t, promptly(t, p, "GET", reading, ""), 200)
	shoptest.WantStatus(t, promptly(t, p, "GET", "/api/v1/cities?level=country", ""), 200)
	shoptest.WantFault(t, promptly(t, p, "POST", writing, shoptest.ContactForm), 503, "UNAVAILABLE")
	shoptest.WantStatus(t, promptly(t, p, "GET", "/readyz", ""), 200)
	shoptest.WantFault(t, promptly(t, p, "GET", "/readyz?for=writes", ""), 503, "UNAVAILABLE")
	shoptest.WantStatus(t, promptly(t, p, "GET", "/healthz", ""), 200)
	if err := p.Store.Migrate(t.Context()); err != nil {
		t.Errorf("a service does not start on a migrated standby: %v", err)
	}
}

// waitsForStandby checks the reported wait of a commit for a synchronous standby that is not connected.
func waitsForStandby(t *testing.T, p *pair, one *shoptest.Place) {
	db, err := sql.Open("postgres", p.primary.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	waits := func(standby string) {
		for _, text := range []string{"ALTER SYSTEM SET synchronous_standby_names = '" + standby + "'",
			"SELECT pg_reload_conf()"} {
			if _, err := db.Exec(text); err != nil {
				t.Fatal(err)
			}
		}
	}
	waits("nobody")
	var writer sync.WaitGroup
	defer writer.Wait()
	defer waits("")
	written := make(chan struct{}, 1)
	written <- struct{}{}
	for end := time.Now().Add(promised); ; <-time.After(time.Millisecond) {
		select {
		case <-written: // committed before the setting took effect, or none sent yet
			writer.Go(func() {
				promptly(t, one, "POST", writing, shoptest.ContactForm)
				written <- struct{}{}
			})
		default:
		}
		wait, err := one.Store.CommitWait(t.Context())
		if err != nil || time.Now().After(end) {
			t.Fatalf("got a wait of %v (%v), want that of a commit for a standby", wait, err)
		}
		if wait > 0 {
			return
		}
	}
}

// primaryGone kills the primary. A kept answer is given, marked as stale; all else is refused.
func primaryGone(t *testing.T, p *pair, keeping *shoptest.Accounts, strict, several *shoptest.Place) {
	tokens := keeping.REST().Register(t, keeping.REST().Cell(2))
	var before shoptest.Answer
	for range 2 { // the second is kept
		before = promptly(t, keeping.Place, "GET", reading, "")
		shoptest.WantStatus(t, before, 200)
		if before.Header.Get("Warning")+before.Header.Get("Age") != "" {
			t.Errorf("with a primary an answer is stale: %v", before.Header)
		}
	}
	p.primary.Kill()
	for range 2 { // the first request detects the loss
		stale := promptly(t, keeping.Place, "GET", reading, "")
		shoptest.WantStatus(t, stale, 200)
		if stale.Header.Get("Warning") != `110 - "Response is Stale"` || stale.Header.Get("Age") == "" ||
			string(stale.Body) != string(before.Body) {
			t.Errorf("without a primary: %v %s, want %s", stale.Header, stale.Body, before.Body)
		}
	}
	own := promptly(t, keeping.Place, "GET", "/api/v1/auth/me", "", "Authorization", "Bearer "+tokens.Access)
	shoptest.WantFault(t, own, 503, "UNAVAILABLE")
	write := promptly(t, keeping.Place, "POST", writing, shoptest.ContactForm)
	shoptest.WantFault(t, write, 503, "UNAVAILABLE")
	if write.Header.Get("Retry-After") == "" {
		t.Errorf("a write without a primary: no Retry-After in %v", write.Header)
	}
	shoptest.WantFault(t, promptly(t, keeping.Place, "GET", reading+"?page=2", ""), 503, "UNAVAILABLE")
	shoptest.WantFault(t, promptly(t, keeping.Place, "GET", "/readyz", ""), 503, "UNAVAILABLE")
	shoptest.WantFault(t, promptly(t, strict, "GET", reading, ""), 503, "UNAVAILABLE")
	shoptest.WantFault(t, promptly(t, several, "POST", writing, shoptest.ContactForm), 503, "UNAVAILABLE")
}

// promoted promotes the standby: the services on it, alone or among several hosts, go on.
func promoted(t *testing.T, p *pair, alone, several *shoptest.Place) {
	if err := p.standby.Promote(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
	for _, one := range []*shoptest.Place{several, alone} {
		recovers(t, one)
		shoptest.WantStatus(t, promptly(t, one, "POST", writing, shoptest.ContactForm), 201)
		shoptest.WantStatus(t, promptly(t, one, "GET", reading, ""), 200)
	}
}
