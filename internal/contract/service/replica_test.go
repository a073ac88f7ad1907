package service_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"storefront/internal/app"
	"storefront/internal/bundle"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database"
	"storefront/internal/pgserver"
	"storefront/internal/record"
	"storefront/internal/store"
	"storefront/internal/store/storetest"
	"storefront/internal/testdb"
)

// TestReplicas tests a primary with a standby. It is one test so that the servers are created once.
func TestReplicas(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	network, throughLink := testdb.Through(t, p.standby.URL(replicatedDatabase))
	first := &shoptest.Accounts{Clock: shoptest.NewClock(), Phones: shoptest.NewPhones(),
		Key:      []byte(strings.Repeat("k", 32)),
		Database: p.primary.URL(replicatedDatabase)}
	plain := first.Instance(t, func(o *app.Options) { o.CacheSize = 0 })
	first.Replicas = []string{throughLink}
	c := &compared{Accounts: plain, plain: plain, command: storetest.Open(t, first.Database)}
	c.keeping = [2]*shoptest.Accounts{first.Instance(t),
		first.Instance(t, func(o *app.Options) { o.CacheSize, o.StaleReads = 0, time.Minute })}
	c.readRoutes(t)
	alone := shoptest.Start(t, storetest.Open(t, p.standby.URL(replicatedDatabase)), shoptest.Noon)
	hosts := strings.Replace(p.primary.URL(replicatedDatabase), p.primary.Addr(),
		p.standby.Addr()+","+p.primary.Addr(), 1)
	several := shoptest.Start(t, storetest.Open(t, hosts), shoptest.Noon)

	p.usable(t, c, true)
	t.Run("a reader sees what was committed", func(t *testing.T) { readersSee(t, p, c) })
	t.Run("own reads are the primary's", func(t *testing.T) { ownReads(t, c) })
	t.Run("staff's reads are the primary's", func(t *testing.T) { staffReads(t, p, c) })
	t.Run("a replica that is lost or silent", func(t *testing.T) { lostReplica(t, p, c, network) })
	t.Run("what waits for a standby", func(t *testing.T) { waitsForStandby(t, p, c) })
	t.Run("a service on a standby alone", func(t *testing.T) { onStandby(t, alone) })
	t.Run("a promoted standby", func(t *testing.T) { promoted(t, p, c, alone, several) })
	t.Run("an old primary that comes back", func(t *testing.T) { oldPrimary(t, p) })
}

// usable waits until both services use their replica, or none does.
func (p *pair) usable(t *testing.T, c *compared, is bool) {
	t.Helper()
	for _, one := range c.keeping {
		p.until(t, fmt.Sprintf("the replica is used: %v", is),
			func() bool { return one.Store.Replicas()[0].Up == is })
	}
}

// counts returns how many statements of a service the replica has answered, and has not answered.
func counts(p *shoptest.Accounts) (answered, not int64) {
	r := p.Store.Replicas()[0]
	return r.Reads, r.Lagged + r.Failed
}

// readersSee changes the content while the standby follows, and while it lags.
func readersSee(t *testing.T, p *pair, c *compared) {
	p.catchUp(t)
	before := c.agree(t, "the start")
	answered, not := counts(c.keeping[1])
	if answered == 0 || not > 0 {
		t.Errorf("the replica has answered %d statements, and not answered %d", answered, not)
	}
	for i, change := range contentChanges {
		if i%4 != 1 { // a few of them, of different tables
			continue
		}
		lags := i%8 == 1
		p.lag(t, lags)
		text := `{"format": "storefront-bundle/1", "tenant": {"domain": "tools.example"}, ` + change.members + `}`
		_, notBefore := counts(c.keeping[1])
		before = c.changes(t, fmt.Sprintf("an import of a %s, lagging: %v", change.kind, lags), before, func() error {
			_, err := bundle.Import(t.Context(), c.command, bundle.Bytes([]byte(text)), nil, bundle.Atomic)
			return err
		})
		if _, not := counts(c.keeping[1]); lags && not == notBefore {
			t.Errorf("after a change of a %s that it does not have, the replica was asked for nothing", change.kind)
		}
		p.lag(t, false)
		p.catchUp(t)
		answeredBefore, _ := counts(c.keeping[1])
		c.agree(t, "the standby has caught up with a "+change.kind)
		if answered, _ := counts(c.keeping[1]); answered == answeredBefore {
			t.Errorf("the replica has caught up with a %s, and is not asked", change.kind)
		}
	}
}

// ownReads checks that none of a customer's own requests is answered by the replica.
func ownReads(t *testing.T, c *compared) {
	one := c.keeping[1].REST()
	cell := one.Cell(1)
	customer := one.Register(t, cell)
	answered, not := counts(c.keeping[1])
	one.Lives(t, customer.Access, true)
	one.With(customer.Access).Right(t, "changePassword", shoptest.Changing(shoptest.GoodPassword,
		shoptest.OtherPassword))
	one.Login(t, cell, shoptest.OtherPassword)
	if a, n := counts(c.keeping[1]); a != answered || n != not {
		t.Errorf("of a customer's own requests %d statements went to the replica", a-answered+n-not)
	}
}

// staffReads checks that staff see their changes while the standby lags, and never read from the replica.
func staffReads(t *testing.T, p *pair, c *compared) {
	one := c.keeping[1]
	crew := &shoptest.Crew{Accounts: one, Tools: one.Named(t, "<tenant:tools>"), Made: 500}
	owner := crew.Staff(t, crew.Tools, record.Owner)
	p.lag(t, true)
	defer p.lag(t, false)
	shop := map[string]any{"shop": crew.Tools}
	owner.Do(t, `mutation($shop: ID!) { updateShop(businessId: $shop, input: {name: "Tools of staff"}) { `+
		`id } }`, shop, nil)
	answered, not := counts(one)
	var log struct {
		AuditLog struct{ Items []struct{ Action string } }
	}
	owner.Do(t, `query($shop: ID!) {
		auditLog(businessId: $shop, pageSize: 1) { items { action } }
		staffRecords(businessId: $shop, kind: product) { items { id } }
		staffVariants(businessId: $shop) { items { id } }
		shopOrders(businessId: $shop) { total }
	}`, shop, &log)
	if len(log.AuditLog.Items) != 1 || log.AuditLog.Items[0].Action != "updateShop" {
		t.Errorf("staff see %+v of their change", log)
	}
	if a, n := counts(one); a != answered || n != not {
		t.Errorf("of staff's requests %d statements went to the replica", a-answered+n-not)
	}
}

// lostReplica cuts the connections to the replica, and then has it stop answering.
func lostReplica(t *testing.T, p *pair, c *compared, network *pgserver.Proxy) {
	for _, fault := range []pgserver.Fault{pgserver.Reset, pgserver.Blackhole} {
		network.Become(fault)
		c.agree(t, fmt.Sprintf("the replica is lost (%s)", fault))
		p.usable(t, c, false)
		c.agree(t, "the replica is left out")
		network.Become(pgserver.None)
		p.usable(t, c, true)
		answered, _ := counts(c.keeping[1])
		c.agree(t, "the replica is back")
		if a, _ := counts(c.keeping[1]); a == answered {
			t.Error("a replica that is back is not asked")
		}
	}
}

// onStandby reads and writes at a service that has only the standby.
func onStandby(t *testing.T, p *shoptest.Place) {
	shoptest.WantStatus(t, promptly(t, p, "GET", "/api/v1/tenants/tools.example/products", ""), 200)
	shoptest.WantStatus(t, promptly(t, p, "GET", "/api/v1/cities?level=country", ""), 200)
	shoptest.WantFault(t, promptly(t, p, "POST", "/api/v1/tenants/tools.example/contact-submissions",
		shoptest.ContactForm), 503, "UNAVAILABLE")
	shoptest.WantStatus(t, promptly(t, p, "GET", "/readyz", ""), 200)
	shoptest.WantFault(t, promptly(t, p, "GET", "/readyz?for=writes", ""), 503, "UNAVAILABLE")
	shoptest.WantStatus(t, promptly(t, p, "GET", "/healthz", ""), 200)
	if err := p.Store.Migrate(t.Context()); err != nil {
		t.Errorf("a service does not start on a migrated standby: %v", err)
	}
}

// promoted stops the primary and promotes the standby: services go on, and none uses it as a replica.
func promoted(t *testing.T, p *pair, c *compared, alone, several *shoptest.Place) {
	const writing = "/api/v1/tenants/tools.example/contact-submissions"
	shoptest.WantStatus(t, promptly(t, several, "POST", writing, shoptest.ContactForm), 201)
	p.catchUp(t)
	staleReads(t, p, c)
	shoptest.WantFault(t, promptly(t, several, "POST", writing, shoptest.ContactForm), 503, "UNAVAILABLE")
	shoptest.WantFault(t, promptly(t, several, "GET", "/readyz", ""), 503, "UNAVAILABLE")
	if err := p.standby.Promote(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
	recovers(t, several)
	recovers(t, alone)
	for _, one := range []*shoptest.Place{several, alone} {
		shoptest.WantStatus(t, promptly(t, one, http.MethodPost, writing, shoptest.ContactForm), 201)
		shoptest.WantStatus(t, promptly(t, one, http.MethodGet, "/api/v1/tenants/tools.example/products", ""), 200)
	}
	p.usable(t, c, false)
	p.until(t, "a replica that was promoted is seen to be a primary",
		func() bool { return c.keeping[0].Store.Replicas()[0].Primary })
}

// waitsForStandby checks the reported lag of a standby that does not replay, and the reported wait of a
// commit for a synchronous standby that is not connected.
func waitsForStandby(t *testing.T, p *pair, c *compared) {
	const writing = "/api/v1/tenants/tools.example/contact-submissions"
	behind := func() int64 {
		lags, err := c.keeping[1].Store.Lags(t.Context())
		if err != nil || len(lags) != 1 {
			t.Fatalf("got %v (%v), want how far one replica is behind", lags, err)
		}
		return lags[0].Bytes
	}
	p.until(t, "the standby lacks nothing", func() bool { return behind() == 0 })
	p.lag(t, true)
	shoptest.WantStatus(t, promptly(t, c.plain.Place, "POST", writing, shoptest.ContactForm), 201)
	if behind() == 0 {
		t.Error("a standby that replays nothing lacks nothing")
	}
	p.lag(t, false)

	waits := func(standby string) {
		if _, err := p.wal.Exec("ALTER SYSTEM SET synchronous_standby_names = '" + standby + "'"); err != nil {
			t.Fatal(err)
		}
		if _, err := p.wal.Exec("SELECT pg_reload_conf()"); err != nil {
			t.Fatal(err)
		}
	}
	waits("nobody")
	defer waits("")
	var writer sync.WaitGroup
	defer writer.Wait()
	written := make(chan struct{}, 1)
	written <- struct{}{}
	p.until(t, "a commit waits for a standby", func() bool {
		select {
		case <-written: // committed before the setting took effect, or none sent yet
			writer.Go(func() {
				promptly(t, c.plain.Place, "POST", writing, shoptest.ContactForm)
				written <- struct{}{}
			})
		default:
		}
		wait, err := c.plain.Store.CommitWait(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return wait > 0
	})
	waits("")
}

// staleReads kills the primary. The service that allows stale answers must give its replica's public data,
// marked as stale, for the allowed time; the other must not.
func staleReads(t *testing.T, p *pair, c *compared) {
	const reading = "/api/v1/tenants/tools.example/products"
	goesOn, strict := c.keeping[1].Place, c.keeping[0].Place
	tokens := c.keeping[1].REST().Register(t, c.keeping[1].REST().Cell(2))
	before := promptly(t, goesOn, "GET", reading, "")
	shoptest.WantStatus(t, before, 200)
	if before.Header.Get("Warning")+before.Header.Get("Age") != "" {
		t.Errorf("with a primary an answer is stale: %v", before.Header)
	}
	p.primary.Kill()
	for range 2 { // the first request detects the loss
		stale := promptly(t, goesOn, "GET", reading, "")
		shoptest.WantStatus(t, stale, 200)
		if stale.Header.Get("Warning") != `110 - "Response is Stale"` || stale.Header.Get("Age") == "" ||
			string(stale.Body) != string(before.Body) {
			t.Errorf("without a primary: %v %s, want %s", stale.Header, stale.Body, before.Body)
		}
	}
	locations := promptly(t, goesOn, "GET", "/api/v1/cities?level=country", "")
	shoptest.WantStatus(t, locations, 200)
	if locations.Header.Get("Warning") == "" {
		t.Error("the tree of locations is not marked as stale")
	}
	ready := promptly(t, goesOn, "GET", "/readyz", "")
	const want = `{"status":"ready","reads":"stale","writes":"unavailable","cause":"unreachable"}`
	if ready.Status != 200 || string(ready.Body) != want {
		t.Errorf("/readyz: %d %s, want %s", ready.Status, ready.Body, want)
	}
	shoptest.WantFault(t, promptly(t, goesOn, "GET", "/readyz?for=writes", ""), 503, "UNAVAILABLE")
	own := promptly(t, goesOn, "GET", "/api/v1/auth/me", "", "Authorization", "Bearer "+tokens.Access)
	shoptest.WantFault(t, own, 503, "UNAVAILABLE")
	write := promptly(t, goesOn, "POST", "/api/v1/tenants/tools.example/contact-submissions", shoptest.ContactForm)
	shoptest.WantFault(t, write, 503, "UNAVAILABLE")
	if write.Header.Get("Retry-After") == "" {
		t.Errorf("a write without a primary: no Retry-After in %v", write.Header)
	}
	shoptest.WantFault(t, promptly(t, strict, "GET", reading, ""), 503, "UNAVAILABLE")
	goesOn.Store.AllowStale(time.Nanosecond)
	shoptest.WantFault(t, promptly(t, goesOn, "GET", reading, ""), 503, "UNAVAILABLE")
	shoptest.WantFault(t, promptly(t, goesOn, "GET", "/readyz", ""), 503, "UNAVAILABLE")
}

// oldPrimary restarts the replaced primary, first among the hosts. A server that cannot reach the new primary
// uses it, and leaves it when it reaches both. Servers that start afterwards refuse it.
func oldPrimary(t *testing.T, p *pair) {
	const writing = "/api/v1/tenants/tools.example/contact-submissions"
	if err := p.primary.Start(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
	written := func(server *pgserver.Server) (n int) {
		db := openSQL(t, server.URL(replicatedDatabase))
		if err := db.QueryRow("SELECT count(*) FROM contact_submissions").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	oneName(t, p)
	network, through := testdb.Through(t, p.standby.URL(replicatedDatabase))
	link, err := url.Parse(through)
	if err != nil {
		t.Fatal(err)
	}
	hosts := func(second string) string {
		return p.primary.URLAt(p.primary.Addr()+","+second, replicatedDatabase)
	}
	old := written(p.primary)
	network.Become(pgserver.Reset)
	misled := shoptest.Start(t, storetest.Open(t, hosts(link.Host)), shoptest.Noon)
	shoptest.WantStatus(t, promptly(t, misled, "POST", writing, shoptest.ContactForm), 201)
	if n := written(p.primary); n != old+1 {
		t.Fatalf("the old primary got %d messages, want 1: it is not tried as the only one that answers", n-old)
	}
	network.Become(pgserver.None)
	var following sync.WaitGroup
	ctx, stop := context.WithCancel(t.Context())
	following.Go(func() { misled.Store.FollowPrimary(ctx, slog.New(slog.DiscardHandler)) })
	t.Cleanup(func() { stop(); following.Wait() })
	p.until(t, "the old primary is refused", func() bool { return misled.Store.Hosts()[0].Replaced })

	fresh := shoptest.Start(t, storetest.Open(t, hosts(p.standby.Addr())), shoptest.Noon)
	before := written(p.standby)
	for i, one := range []*shoptest.Place{misled, fresh} {
		shoptest.WantStatus(t, promptly(t, one, "POST", writing, shoptest.ContactForm), 201)
		if n := written(p.standby); n != before+i+1 {
			t.Errorf("the new primary has %d messages, want %d", n, before+i+1)
		}
	}
	p.until(t, "the old primary has a note of it", func() bool {
		s, err := store.Open(t.Context(), p.primary.URL(replicatedDatabase))
		if err == nil {
			s.Close()
			return false
		}
		return database.IsUnavailable(err) && strings.Contains(err.Error(), "replaced by another primary")
	})
	if n := written(p.primary); n != old+1 {
		t.Errorf("the old primary got %d messages after the new one was seen", n-old-1)
	}
}

// oneName has one host name lead to the new primary and then to the old one, as with a pooler or a moving
// address. A server that has seen the new primary must refuse the old one.
func oneName(t *testing.T, p *pair) {
	const writing = "/api/v1/tenants/tools.example/contact-submissions"
	name, address := testdb.Through(t, p.standby.URL(replicatedDatabase))
	one := shoptest.Start(t, storetest.Open(t, address), shoptest.Noon)
	shoptest.WantStatus(t, promptly(t, one, "POST", writing, shoptest.ContactForm), 201)
	name.LeadTo(p.primary.Addr())
	shoptest.WantFault(t, promptly(t, one, "POST", writing, shoptest.ContactForm), 503, "UNAVAILABLE")
	ready := promptly(t, one, "GET", "/readyz?for=writes", "")
	if ready.Status != 503 || !strings.Contains(string(ready.Body), "replaced") {
		t.Errorf("/readyz: %d %s, want that the server was replaced", ready.Status, ready.Body)
	}
	name.LeadTo(p.standby.Addr())
	recovers(t, one)
	shoptest.WantStatus(t, promptly(t, one, "POST", writing, shoptest.ContactForm), 201)
}
