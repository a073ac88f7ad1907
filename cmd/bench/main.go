// Command bench measures the service: the real binary, on SQLite and on PostgreSQL, with 10,000 books and
// with 100,000 generated products, beside two references in the same run; whole pages by GraphQL beside the
// calls of REST they replace; and carts and orders beside the same SQL by pgbench. `make bench` runs it; it
// needs TEST_POSTGRES_URL and Linux.
//
// Machines are noisy, so compare within one run: the ratios say more than the numbers. Each cell is
// measured in several short spells that take turns with those of its references.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"storefront/cmd/bench/child"
	"storefront/cmd/bench/reference"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, cancel := child.WithParent(ctx)
	defer cancel()
	if err := run(ctx, os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	cell     time.Duration // of load on each of a cell's servers
	products int           // of the large shop
	only     string        // the kind of database, empty for both
	orders   bool          // carts and orders alone
	pages    bool          // whole pages alone
}

// small is the size of the shop that the large one is compared with.
func (o options) small() int { return max(o.products/10, 1) }

// shops are those that will be measured.
func (o options) shops() []shop {
	all := []shop{books}
	if o.pages || !o.orders {
		all = append(all, paperlane)
	}
	if !o.pages && !o.orders {
		all = append(all, generated(o.products), generated(o.small()))
	}
	return all
}

func run(ctx context.Context, args []string) error {
	var o options
	var short bool
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.DurationVar(&o.cell, "cell", 2*time.Second, "time of load on each server of each cell")
	flags.IntVar(&o.products, "products", 100_000,
		"products of the large shop; a tenth of them are in the one it is compared with")
	flags.StringVar(&o.only, "only", "", "measure one kind of database alone: sqlite or postgres")
	flags.BoolVar(&o.orders, "orders", false, "measure carts and orders alone")
	flags.BoolVar(&o.pages, "pages", false, "measure whole pages alone")
	flags.BoolVar(&short, "short", false, "half a second of load instead")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if short {
		o.cell = time.Second / 2
	}
	switch flags.Arg(0) { // the references are this program too, in processes of their own
	case memoryCommand:
		h, err := reference.Memory(flags.Arg(1))
		return serve(ctx, h, err)
	case handCommand:
		h, err := reference.NewHand(os.Getenv("DATABASE_URL"))
		if err != nil {
			return err
		}
		return serve(ctx, h.Handler(), nil)
	case "":
		return bench(ctx, o)
	}
	return fmt.Errorf("there is no argument %q", flags.Arg(0))
}

const (
	memoryCommand = "reference-from-memory"
	handCommand   = "reference-by-hand"
)

func serve(ctx context.Context, h http.Handler, err error) error {
	if err != nil {
		return err
	}
	return reference.Serve(ctx, h)
}

// bench prepares, measures and prints. It removes what it made, also after an error.
func bench(ctx context.Context, o options) (err error) {
	p, err := prepare(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	t := newTable(os.Stdout, o)
	for _, kind := range p.kinds {
		for _, s := range o.shops() {
			if err := p.load(ctx, t, kind, s); err != nil {
				return err
			}
		}
	}
	if !o.orders && !o.pages {
		if err := p.measureReads(ctx, t); err != nil {
			return err
		}
	}
	if o.pages || !o.orders {
		if err := p.measureWhole(ctx, t); err != nil {
			return err
		}
	}
	if o.orders || !o.pages {
		return p.measureWrites(ctx, t)
	}
	return nil
}

// measureReads measures what visitors read.
func (p *place) measureReads(ctx context.Context, t *table) error {
	t.cells()
	for _, kind := range p.kinds {
		for _, s := range []shop{books, generated(p.o.products)} {
			if err := p.measureShop(ctx, t, kind, s); err != nil {
				return fmt.Errorf("%s, %s: %w", kind, s.name, err)
			}
		}
	}
	t.flat()
	for _, kind := range p.kinds {
		if err := p.compareSizes(ctx, t, kind, generated(p.o.small()), generated(p.o.products)); err != nil {
			return fmt.Errorf("%s, flatness: %w", kind, err)
		}
	}
	return nil
}

// measureWhole measures whole pages, in the shop of books and in one whose pages have everything.
func (p *place) measureWhole(ctx context.Context, t *table) error {
	t.pages()
	for _, kind := range p.kinds {
		for _, s := range []shop{books, paperlane} {
			if err := p.measurePages(ctx, t, kind, s); err != nil {
				return fmt.Errorf("%s, %s, pages: %w", kind, s.name, err)
			}
		}
	}
	return nil
}

// measureWrites measures what customers buy, in the shop of books.
func (p *place) measureWrites(ctx context.Context, t *table) error {
	t.orders()
	for _, kind := range p.kinds {
		if err := p.measureOrders(ctx, t, kind, books); err != nil {
			return fmt.Errorf("%s, orders: %w", kind, err)
		}
	}
	return nil
}
