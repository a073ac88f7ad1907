package main

import (
	"fmt"
	"io"
	"time"

	"storefront/cmd/bench/child"
)

// table prints what is measured, as soon as it is.
type table struct {
	to io.Writer
	o  options
}

func newTable(to io.Writer, o options) *table {
	t := &table{to, o}
	fmt.Fprintf(to, "%v of load on each server of a cell, in %d turns; compare within this run only.\n\n",
		o.cell, spells)
	fmt.Fprintf(to, "%-9s %-16s %10s %8s %9s %14s\n", "IMPORT", "SHOP", "SECONDS", "CPU s", "PEAK MB",
		"OF AN EMPTY MB")
	return t
}

const mb = 1 << 20

func (t *table) imported(kind string, s shop, spent, empty child.Spent) {
	fmt.Fprintf(t.to, "%-9s %-16s %10.1f %8.1f %9d %14d\n", kind, s.name, spent.Time.Seconds(),
		spent.CPU.Seconds(), spent.Peak/mb, empty.Peak/mb)
}

// cells begins the table of operations.
func (t *table) cells() {
	fmt.Fprint(t.to, `
CPU us: of the server process for one request, so with SQLite in it and without PostgreSQL. PEAK: its most memory under
this load. FIRST ms: the first such request of the process, nothing kept. BY HAND: net/http, database/sql and prepared
statements, the same bytes and entity tag, totals kept. MEMORY: net/http, the same bytes from memory. RATIO: the
service's requests per second as a part of theirs.

`)
	fmt.Fprintf(t.to, "%-61s | %-28s | %s\n", "", "BY HAND", "MEMORY")
	fmt.Fprintf(t.to, "%-8s %-15s %-21s %2s %8s %8s %8s %7s %5s %8s | %8s %7s %6s %5s | %8s %6s\n",
		"DATABASE", "SHOP", "OPERATION", "N", "REQ/S", "P50 ms", "P99 ms", "CPU us", "PEAK", "FIRST ms",
		"REQ/S", "CPU us", "RATIO", "PEAK", "REQ/S", "RATIO")
}

func (t *table) cell(c cell) {
	s, h, m := &c.service, &c.hand, &c.memory
	fmt.Fprintf(t.to, "%-8s %-15s %-21s %2d %8.0f %8.2f %8.2f %7d %5d %8.1f | %8.0f %7d %6.2f %5d | %8.0f %6.3f\n",
		c.kind, c.shop, c.operation, c.clients, s.PerSecond(), ms(s.Quantile(0.5)), ms(s.Quantile(0.99)),
		s.cpu.Microseconds(), s.peak/mb, ms(c.first),
		h.PerSecond(), h.cpu.Microseconds(), s.PerSecond()/h.PerSecond(), h.peak/mb, m.PerSecond(),
		s.PerSecond()/m.PerSecond())
}

// flat begins the table of sizes.
func (t *table) flat() {
	fmt.Fprintf(t.to, "\nThe median latency of one client in shops of %d and of %d products; the aim is a "+
		"ratio of 1.5 at most.\n\n", t.o.small(), t.o.products)
	fmt.Fprintf(t.to, "%-9s %-21s %10s %10s %7s\n", "DATABASE", "OPERATION", "SMALL ms", "LARGE ms", "RATIO")
}

func (t *table) sizes(kind, operation string, small, large time.Duration) {
	fmt.Fprintf(t.to, "%-9s %-21s %10.2f %10.2f %7.2f\n", kind, operation, ms(small), ms(large),
		float64(large)/float64(small))
}

// orders begins the table of carts and orders.
func (t *table) orders() {
	fmt.Fprint(t.to, `
Carts and orders of signed-in customers, in a shop of 10,000 books: one of three variants into a cart, and an order of
three lines. PGBENCH: the SQL of the same transaction, statement by statement, by pgbench -M prepared on the same server
with as many clients. RATIO: the service's requests per second as a part of its transactions.

`)
	fmt.Fprintf(t.to, "%-9s %-26s %2s %8s %8s %8s %7s | %8s %6s\n", "DATABASE", "OPERATION", "N", "REQ/S",
		"P50 ms", "P99 ms", "CPU us", "PGBENCH", "RATIO")
}

func (t *table) buying(b buying) {
	s := &b.service
	fmt.Fprintf(t.to, "%-9s %-26s %2d %8.0f %8.2f %8.2f %7d |", b.kind, b.operation, b.clients, s.PerSecond(),
		ms(s.Quantile(0.5)), ms(s.Quantile(0.99)), s.cpu.Microseconds())
	if b.pgbench > 0 {
		fmt.Fprintf(t.to, " %8.0f %6.2f", b.pgbench, s.PerSecond()/b.pgbench)
	}
	fmt.Fprintln(t.to)
}

// pages begins the table of pages.
func (t *table) pages() {
	fmt.Fprint(t.to, `
Whole pages: by one POST of a GraphQL document, by a GET of the document's hash, and by the calls of REST that give the
same, one after another on one connection. P50 and CPU us are of a page, KB of its answers' bodies. RATIO: pages per
second as a multiple of REST's. There is no network here, where each of REST's calls would wait for a round trip.

`)
	fmt.Fprintf(t.to, "%-29s | %-34s | %-34s | %s\n", "", "POST", "GET OF HASH", "REST")
	fmt.Fprintf(t.to, "%-8s %-12s %-7s", "DATABASE", "SHOP", "PAGE")
	fmt.Fprintf(t.to, " %2s | %7s %7s %7s %4s %5s | %7s %7s %7s %4s %5s | %5s %7s %7s %7s %4s\n", "N", "PAGES/S",
		"P50 ms", "CPU us", "KB", "RATIO",
		"PAGES/S", "P50 ms", "CPU us", "KB", "RATIO", "CALLS", "PAGES/S", "P50 ms", "CPU us", "KB")
}

func (t *table) reading(r reading) {
	fmt.Fprintf(t.to, "%-8s %-12s %-7s %2d |", r.kind, r.shop, r.page, r.clients)
	for way := range r.by {
		s := &r.by[way]
		if way == byREST {
			fmt.Fprintf(t.to, " %5d", r.calls)
		}
		fmt.Fprintf(t.to, " %7.0f %7.2f %7d %4d", s.PerSecond(), ms(s.Quantile(0.5)), s.cpu.Microseconds(),
			r.bytes[way]>>10)
		if way != byREST {
			fmt.Fprintf(t.to, " %5.2f |", s.PerSecond()/r.by[byREST].PerSecond())
		}
	}
	fmt.Fprintln(t.to)
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
