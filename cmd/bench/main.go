// Command bench measures the service: the real binary, on SQLite and on a PostgreSQL that keeps what it has
// committed, each figure beside references in the same run: hand-written handlers of the same answers,
// answers from memory, the calls of REST that a GraphQL document replaces, the same SQL by pgbench, a shop of
// another size, a bound. `make bench` runs it; it needs TEST_POSTGRES_URL and Linux.
//
// Machines are noisy, so compare within one run: the ratios say more than the numbers. The service and its
// references take turns, and each ratio is the median of the turns. -record writes the figures into a file,
// and -compare shows them beside those of a file.
package main

import (
	"context"
	"io"
	"os"

	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
)

func main() { stage.Main("bench", os.Args[1:], run) }

func run(ctx context.Context, args []string, out io.Writer) error {
	o, rest, err := readOptions(args)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return runCommand(ctx, rest)
	}
	return bench(ctx, o, args, out)
}

// bench prepares, measures, prints and records. It removes what it made, also after an error.
func bench(ctx context.Context, o options, args []string, to io.Writer) error {
	return stage.Run("", func(at *stage.Stage) {
		out := must.Get(newReport(to, o, args))
		p := prepare(ctx, at, o, out)
		for _, kind := range p.kinds {
			for _, m := range measurements {
				if !o.measures(m.name) {
					continue
				}
				must.In(kind+", "+m.name, func() {
					for _, s := range m.shops(o) {
						must.In("load "+s.name, func() { p.load(ctx, kind, s) })
					}
					m.measure(p, ctx, kind)
				})
			}
		}
		must.Do(out.close())
	})
}

// measurement is a part of the whole run.
type measurement struct {
	name    string
	shops   func(options) []shop // that it needs
	measure func(p *place, ctx context.Context, kind string)
}

var measurements = []measurement{
	{"lists", options.listed, (*place).measureLists},
	{"cached", standardAlone, (*place).measureCached},
	{"pages", options.paged, (*place).measurePages},
	{"orders", standardAlone, (*place).measureOrders},
	{"buyers", standardAlone, (*place).measureBuyers},
	{"sizes", options.sized, (*place).measureSizes},
	{"handler", standardAlone, (*place).measureHandler},
	{"memory", standardAlone, (*place).measureMemory},
}

func standardAlone(options) []shop { return []shop{generated(standard)} }
