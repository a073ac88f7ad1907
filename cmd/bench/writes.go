package main

import (
	"context"
	"database/sql"
	"fmt"

	"storefront/cmd/bench/figures"
	"storefront/cmd/bench/load"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
)

// written is how many writes of a kind are measured, and leastHOT the part of all updates that should change no index.
const (
	written  = 1000
	leastHOT = 0.9
)

// measureWrites measures what PostgreSQL writes ahead (WAL) for each kind of write, without the images of whole
// pages that follow a checkpoint: bytes, changes of indexes, and how many updates are HOT, which change none.
func (p *place) measureWrites(ctx context.Context, kind string) {
	if kind != postgres {
		return
	}
	s := p.copy(ctx, kind, generated(standard), "writes")
	crowd := gather(ctx, p.database(kind, s), s.domain, stage.SigningKey, written)
	defer crowd.store.Close()
	crowd.do(ctx, "VACUUM (FULL, ANALYZE) variants", "VACUUM (FULL, ANALYZE) carts", // as full as their settings allow
		"CREATE EXTENSION pg_walinspect")
	service := p.service(ctx, kind, s)
	defer service.Stop()
	db := must.Get(sql.Open("postgres", p.database(kind, s)))
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
			f := figures.Figure{Group: figures.Writes, Database: kind, Shop: s.name, Operation: w.name,
				WAL: wal.bytes / written, IndexWrites: wal.indexes / written}
			if updates := wal.hot + wal.cold; updates > 0 {
				hot := figures.Compare("its updates HOT", []float64{wal.hot}, []float64{updates}, leastHOT)
				hot.PerSecond = 0
				f.Against = []figures.Against{hot}
			}
			p.out.add(f)
		})
	}
}

// sell takes units out of the stock, each of another variant, as the last part of a checkout does.
func (c *crowd) sell(ctx context.Context, db *sql.DB, units int) {
	for i := range units {
		must.Get(db.ExecContext(ctx, `SELECT move_stock($1, $2, true)`, c.business,
			fmt.Sprintf(`[{"variant": "%s", "quantity": -1}]`, numbered(i))))
	}
}

// wal is what some work wrote ahead.
type wal struct{ bytes, indexes, hot, cold float64 }

// walOf returns what the server writes ahead during some work, without images of pages.
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
