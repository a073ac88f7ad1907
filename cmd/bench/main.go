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
	"errors"
	"fmt"
	"io"
	"os"

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
func bench(ctx context.Context, o options, args []string, to io.Writer) (err error) {
	out, err := newReport(to, o, args)
	if err != nil {
		return err
	}
	p, err := prepare(ctx, o, out)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	for _, kind := range p.kinds {
		for _, m := range measurements {
			if !o.measures(m.name) {
				continue
			}
			for _, s := range m.shops(o) {
				if err := p.load(ctx, kind, s); err != nil {
					return fmt.Errorf("%s, load %s: %w", kind, s.name, err)
				}
			}
			if err := m.measure(p, ctx, kind); err != nil {
				return fmt.Errorf("%s, %s: %w", kind, m.name, err)
			}
		}
	}
	return out.close()
}

// measurement is a part of the whole run.
type measurement struct {
	name    string
	shops   func(options) []shop // that it needs
	measure func(p *place, ctx context.Context, kind string) error
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
