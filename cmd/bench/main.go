// Command bench measures the service: the real binary, on SQLite and on a PostgreSQL with durable commits. It
// compares each figure with references in the same run: hand-written handlers of the same answers, answers
// from memory, the REST calls that a GraphQL document replaces, a shop of another size, or a limit.
// `make bench` runs it; it needs TEST_POSTGRES_URL and Linux.
//
// Machines are noisy, so compare within one run: the ratios say more than the numbers. The service and its
// references take turns, and each ratio is the median of the turns. -record writes the figures into a file,
// and -compare shows them beside those of a file.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"storefront/cmd/bench/figures"
	"storefront/cmd/bench/reference"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
)

func main() { stage.Main("bench", os.Args[1:], run) }

func run(ctx context.Context, args []string, out io.Writer) error {
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		return runCommand(ctx, args)
	}
	var o options
	r := &report{to: out}
	trial := stage.Trial{Name: "bench", Kinds: stage.Databases, Flags: func(f *flag.FlagSet) stage.Work {
		o.declare(f)
		return func(ctx context.Context, s *stage.Stage) {
			must.Do(o.complete())
			r.begin(o, args)
			prepare(ctx, s, o, r).measure(ctx)
		}
	}}
	if err := trial.Run(ctx, args, out); err != nil {
		return err
	}
	return must.Run(r.close)
}

// measurement is a part of the whole run.
type measurement struct {
	name    string
	shops   func(options) []shop // the shops that it needs
	measure func(p *place, ctx context.Context)
}

var measurements = []measurement{
	{"lists", options.listed, (*place).measureLists},
	{"cached", standardAlone, (*place).measureCached},
	{"pages", options.paged, (*place).measurePages},
	{"orders", standardAlone, (*place).measureOrders},
	{"writes", standardAlone, (*place).measureWrites},
	{"buyers", standardAlone, (*place).measureBuyers},
	{"sizes", options.sized, (*place).measureSizes},
	{"handler", standardAlone, (*place).measureHandler},
	{"memory", standardAlone, (*place).measureMemory},
}

func standardAlone(options) []shop { return []shop{generated(standard)} }

// measure does all measurements that the flags ask for.
func (p *place) measure(ctx context.Context) {
	for _, m := range measurements {
		if p.o.measures(m.name) {
			must.In(m.name, func() {
				for _, s := range m.shops(p.o) {
					must.In("load "+s.name, func() { p.load(ctx, s) })
				}
				m.measure(p, ctx)
			})
		}
	}
}

// The references are this program too, in processes of their own, and so is the service without a network.
const (
	memoryCommand  = "reference-from-memory"
	handCommand    = "reference-by-hand"
	handlerCommand = "handler"
	tablesCommand  = "tables" // prints a file of figures
)

func runCommand(ctx context.Context, args []string) error {
	return must.Run(func() {
		switch {
		case args[0] == memoryCommand && len(args) == 2:
			reference.Serve(ctx, reference.Memory(args[1]))
		case args[0] == handCommand && len(args) == 1:
			hand := reference.NewHand(os.Getenv("DATABASE_URL"), os.Getenv("TOKEN_SIGNING_KEY"))
			reference.Serve(ctx, hand.Handler())
		case args[0] == handlerCommand && len(args) > 1:
			printCosts(ctx, os.Getenv("DATABASE_URL"), args[1:])
		case args[0] == tablesCommand && len(args) == 2:
			must.Do(must.Get(figures.Read(args[1])).Markdown(os.Stdout))
		default:
			must.Do(fmt.Errorf("there are no arguments %q", args))
		}
	})
}

// standard is the size of the shop for most measurements.
const standard = 10_000

// turns is how often the service and its references are measured for one figure.
const turns = 5

// options are the flags.
type options struct {
	cell            time.Duration // duration of load on each server of a figure
	products        int           // of the large shop
	clients         int           // concurrent clients
	parts           string        // names of measurements, separated by commas; empty for all
	record, compare string        // files; empty: none
	short           bool
}

func (o *options) declare(f *flag.FlagSet) {
	f.DurationVar(&o.cell, "cell", 0, "load on each server of a figure, in five turns (2.5s; with -short 0.5s)")
	f.IntVar(&o.products, "products", 100_000, "products of the large shop; up to 10000: there is none")
	f.IntVar(&o.clients, "clients", 16, "clients that ask at the same time")
	f.StringVar(&o.parts, "measure", "", "parts to measure, by commas: "+strings.Join(partNames(), ", ")+" (all)")
	f.StringVar(&o.record, "record", "", "write the figures into this file, such as docs/figures.json")
	f.StringVar(&o.compare, "compare", "", "show the ratios of this file, too, and fail when one is lost")
	f.BoolVar(&o.short, "short", false, "a minute or so: half a second of load, one shop, and "+shortParts)
}

// complete sets the options that the flags leave open. It fails if they name an unknown part.
func (o *options) complete() error {
	if o.short {
		o.cell, o.products, o.parts = cmp.Or(o.cell, time.Second/2), 0, cmp.Or(o.parts, shortParts)
	}
	o.cell = cmp.Or(o.cell, 5*time.Second/2)
	for part := range strings.SplitSeq(o.parts, ",") {
		if o.parts != "" && !slices.Contains(partNames(), part) {
			return fmt.Errorf("-measure knows no %q: it takes %s", part, strings.Join(partNames(), ", "))
		}
	}
	return nil
}

const shortParts = "lists,cached,pages,orders,handler"

// partNames names all measurements.
func partNames() (names []string) {
	for _, m := range measurements {
		names = append(names, m.name)
	}
	return names
}

func (o options) measures(part string) bool {
	return o.parts == "" || slices.Contains(strings.Split(o.parts, ","), part)
}

// spell returns the duration of one turn.
func (o options) spell() time.Duration { return o.cell / turns }

// sized returns the shops of two sizes, or none without a large one.
func (o options) sized() []shop {
	if o.products <= standard {
		return []shop{generated(standard)}
	}
	return []shop{generated(standard), generated(o.products)}
}

// listed returns the shops whose lists are measured.
func (o options) listed() []shop {
	if o.short {
		return []shop{generated(standard)}
	}
	return append([]shop{books}, o.sized()...)
}

// paged returns the shops whose pages are measured: one whose pages have everything, and one with many
// products.
func (o options) paged() []shop {
	if o.short {
		return []shop{paperlane}
	}
	return []shop{paperlane, books}
}
