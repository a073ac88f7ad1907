package main

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"slices"
	"time"

	"storefront/cmd/bench/figures"
	"storefront/cmd/bench/load"
	"storefront/cmd/bench/reference"
	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
	"storefront/internal/platform/password"
)

// most is more checkouts than the machine is expected to do in a turn of a second. So many carts are filled.
const most = 3000

// purchase is a kind of write by customers.
type purchase struct {
	name        string
	requests    func(*crowd) []load.Request
	carts       string  // how they are filled before each turn
	aim         float64 // requests per second as a fraction of the reference's
	seldomAsked bool    // left out of short runs
}

var purchases = []purchase{
	{name: "add to cart", requests: (*crowd).adds, aim: 0.8},
	{name: "checkout", requests: (*crowd).checkouts, carts: fullCarts, aim: 1},
	{name: "checkout, one variant hot", requests: (*crowd).checkouts, carts: hotCarts, seldomAsked: true},
}

// measureOrders compares carts and orders with the hand-written reference. It uses a copy of the shop with numbered
// variants and customers.
func (p *place) measureOrders(ctx context.Context) {
	s := p.copy(ctx, generated(standard), "orders")
	crowd := gather(ctx, p.database(s), s.domain, stage.SigningKey, most)
	defer crowd.store.Close()
	if p.Kind == postgres {
		p.tidy(ctx, s)
	}
	service, hand := p.service(ctx, s), p.byHand(ctx, s)
	defer service.Stop()
	defer hand.Stop()
	for _, o := range purchases {
		if o.seldomAsked && p.o.short {
			continue
		}
		requests := o.requests(crowd)
		contenders := []contender{p.asks("service", service, requests), p.asks("by hand", hand, requests)}
		if p.Kind == postgres {
			contenders = append(contenders, p.asks("by hand, gathered", hand, gathered(requests)))
		}
		for i := range contenders {
			contenders[i].ready = func() { crowd.fill(ctx, o.carts) }
		}
		p.beside(ctx, p.figure(figures.Orders, s, o.name), o.aim, contenders...)
	}
}

// gathered returns the same requests for the reference's routes with few round trips.
func gathered(requests []load.Request) []load.Request {
	all := slices.Clone(requests)
	for i := range all {
		all[i].Target = reference.Gathered + all[i].Target
	}
	return all
}

const (
	buyersInTurn = 20
	besideHash   = 3 // milliseconds that a first-time buyer may take in addition to the hash of the password
)

// measureBuyers measures new customers, one after another: each registers, adds a variant to the cart and
// checks out. It compares that with the time of a password hash alone.
func (p *place) measureBuyers(ctx context.Context) {
	s := p.copy(ctx, generated(standard), "buyers")
	service := p.service(ctx, s)
	defer service.Stop()
	sold := fetch[list[struct{ ID string }]](ctx, service, s.base()+"/store-items?inStock=true&pageSize=100")
	hasher, next := password.NewHasher(password.Recommended), 0
	oneByOne := func(name string, cpu func() time.Duration, work func()) contender {
		return contender{name: name, cpu: cpu, turn: func(context.Context, time.Duration) (r load.Result) {
			for range buyersInTurn {
				began := time.Now()
				work()
				took := time.Since(began)
				r.Add(load.Result{Count: 1, Latencies: []time.Duration{took}, Took: took})
			}
			return r
		}}
	}
	all := []contender{
		oneByOne("register, add to cart, check out", service.CPU, func() {
			next++
			s.buyFirst(ctx, service, next, sold.Items[next%len(sold.Items)].ID)
		}),
		oneByOne("the hash of a password alone", processorTime, func() {
			must.Get(hasher.Hash(ctx, "a password of a customer"))
		}),
	}
	samples := takeTurns(ctx, 0, all...)
	for i, c := range all {
		f := p.figure(figures.Buyers, s, c.name)
		f.Clients = 1
		samples[i].fill(&f)
		if i == 0 {
			f.Against = []figures.Against{beyondHash("time", samples[0].times(), samples[1].times()),
				beyondHash("CPU", samples[0].cpus, samples[1].cpus)}
		}
		p.out.add(f)
	}
}

// beyondHash compares the time of a buyer without the hash of the password, turn by turn, with the limit.
func beyondHash(what string, buyer, hash []float64) figures.Against {
	beside := make([]float64, len(buyer))
	for i := range buyer {
		beside[i] = buyer[i] - figures.Median(hash)
	}
	return figures.Within(fmt.Sprintf("%d ms beside the hash's %s", besideHash, what), beside, besideHash)
}

// buyFirst makes the purchase of a new customer with a number.
func (s shop) buyFirst(ctx context.Context, server *stage.Server, number int, variant string) {
	c := customer.Register(ctx, customer.Client{Base: customer.At(server.Addr)}, number, s.domain)
	must.Do(c.Add(ctx, customer.Variant{ID: variant}, 1).Read(nil))
	must.Do(c.REST(ctx, http.MethodPost, c.Shop("/cart/checkout"), []byte(wish)).Read(nil))
}

// written is how many writes of a kind are measured. leastHOT is the fraction of updates that should change
// no index.
const (
	written  = 1000
	leastHOT = 0.9
)

// measureWrites measures the WAL of PostgreSQL for each kind of write, without the images of whole pages that
// follow a checkpoint: bytes, changes of indexes, and the share of HOT updates, which change no index.
func (p *place) measureWrites(ctx context.Context) {
	if p.Kind != postgres {
		return
	}
	s := p.copy(ctx, generated(standard), "writes")
	crowd := gather(ctx, p.database(s), s.domain, stage.SigningKey, written)
	defer crowd.store.Close()
	crowd.do(ctx, "VACUUM (FULL, ANALYZE) variants", "VACUUM (FULL, ANALYZE) carts", // as full as their settings allow
		"CREATE EXTENSION pg_walinspect")
	service := p.service(ctx, s)
	defer service.Stop()
	db := must.Get(sql.Open("postgres", p.database(s)))
	defer db.Close()
	asks := func(requests []load.Request) func() {
		return func() { must.Get(load.Run(ctx, service.Addr, requests, p.o.clients, 0)) }
	}
	adds, keyed := crowd.adds(), crowd.adds()
	for i := range keyed {
		keyed[i].Key = fmt.Sprintf("writes-%d", i)
	}
	for _, w := range []struct {
		name  string
		carts string
		do    func()
	}{
		{"add to cart, a new line", "", asks(adds)},
		{"add to cart, a line that is there", fullCarts, asks(adds)},
		{"the same with an Idempotency-Key", fullCarts, asks(keyed)},
		{"checkout of three lines", fullCarts, asks(crowd.checkouts())},
		{"a unit out of the stock", "", func() { crowd.sell(ctx, db, written) }},
	} {
		must.In(w.name, func() {
			crowd.fill(ctx, w.carts)
			wal := walOf(ctx, db, w.do)
			f := p.figure(figures.Writes, s, w.name)
			f.WAL, f.IndexWrites = wal.bytes/written, wal.indexes/written
			if updates := wal.hot + wal.cold; updates > 0 {
				hot := figures.Compare("its updates HOT", []float64{wal.hot}, []float64{updates}, leastHOT)
				hot.PerSecond = 0
				f.Against = []figures.Against{hot}
			}
			p.out.add(f)
		})
	}
}

// sell reduces the stock of different variants by one each, like the last part of a checkout.
func (c *crowd) sell(ctx context.Context, db *sql.DB, units int) {
	for i := range units {
		must.Get(db.ExecContext(ctx, `SELECT move_stock($1, $2, true, NULL)`, c.business,
			fmt.Sprintf(`[{"variant": "%s", "quantity": -1}]`, numbered(i))))
	}
}

// wal is the WAL of some work.
type wal struct{ bytes, indexes, hot, cold float64 }

// walOf returns the WAL that the server writes during some work, without images of pages.
func walOf(ctx context.Context, db *sql.DB, work func()) (w wal) {
	position := func() (at string) {
		must.Do(db.QueryRowContext(ctx, "SELECT pg_current_wal_flush_lsn()").Scan(&at))
		return at
	}
	from := position()
	work()
	must.Do(db.QueryRowContext(ctx, `SELECT sum(record_size),
			COALESCE(sum(count) FILTER (WHERE name ~ '^(Btree|Gin)/(INSERT|SPLIT|UPDATE_META)'), 0),
			COALESCE(sum(count) FILTER (WHERE name LIKE 'Heap/HOT_UPDATE%'), 0),
			COALESCE(sum(count) FILTER (WHERE name LIKE 'Heap/UPDATE%'), 0)
		FROM (SELECT "resource_manager/record_type" AS name, count, record_size
			FROM pg_get_wal_stats($1, $2, true)) AS s`,
		from, position()).Scan(&w.bytes, &w.indexes, &w.hot, &w.cold))
	return w
}
