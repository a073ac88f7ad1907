// Package imports measures imports of a generated shop on each kind of database: how long each takes, what it
// needs, and how long customers wait for their writes meanwhile. `make imports` runs it; it needs
// TEST_POSTGRES_URL, Linux and the built server.
//
// The shop is imported when it is new, again unchanged, with another title for every product, and with all of
// its categories moved below a new one. At last staff change stock and prices of 1,000 variants by a mutation,
// ten times. The customers fill carts, order and remember favorites over HTTP, in a small shop beside while the
// large one is new, and in the large one afterwards. Machines are noisy: compare within one run, or two programs
// by turns with -server.
package imports

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"storefront/cmd/internal/child"
	"storefront/cmd/internal/scratch"
)

// settings are the flags.
type settings struct {
	server    string
	only      string
	steps     string
	products  int
	customers int
	longest   time.Duration
}

func Run(ctx context.Context, args []string, out io.Writer) error {
	var s settings
	flags := flag.NewFlagSet("imports", flag.ContinueOnError)
	flags.StringVar(&s.server, "server", "bin/storefront", "the program that imports and serves")
	flags.StringVar(&s.only, "only", "", "one kind of database alone: sqlite or postgres")
	flags.StringVar(&s.steps, "steps", "new,again,changed,moved,offers",
		"what is measured; what comes before the last one is done in any case")
	flags.IntVar(&s.products, "products", 10_000, "products of the shop")
	flags.IntVar(&s.customers, "customers", 4, "customers who write meanwhile; 0: nobody, and no server runs")
	flags.DurationVar(&s.longest, "longest", time.Second, "most time that a customer's write may wait; 0: any")
	if err := flags.Parse(args); err != nil {
		return err
	}
	fmt.Fprintf(out, "%d products, %d customers\n\n%-9s %-8s %8s %7s %8s | %7s %8s %8s %8s  %s\n", s.products, s.customers,
		"DATABASE", "IMPORT", "SECONDS", "CPU s", "PEAK MB", "WRITES", "P50 ms", "P99 ms", "MOST ms", "WHICH")
	var failed []error
	for _, kind := range []string{scratch.SQLite, scratch.Postgres} {
		if s.only != "" && s.only != kind {
			continue
		}
		if err := try(ctx, kind, s, out); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", kind, err))
		}
	}
	return errors.Join(failed...)
}

// try measures on a database of its own.
func try(ctx context.Context, kind string, s settings, out io.Writer) (err error) {
	place, err := scratch.New(ctx, kind)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, place.Close()) }()
	t := &trial{Place: place, settings: s, out: out}
	return t.run(ctx)
}

// trial is one database that is imported into.
type trial struct {
	*scratch.Place
	settings
	out    io.Writer
	served *child.Server

	registered int // customers
	slow       []error
}

func (t *trial) environment() []string {
	return []string{
		"DATABASE_URL=" + t.Database, "LISTEN_ADDR=127.0.0.1:0", "LOG_FORMAT=json", "METRICS_ADDR=", "REGISTRATIONS_PER_HOUR=0",
		"TOKEN_SIGNING_KEY=a key of this trial alone, which signs nothing else",
	}
}

func (t *trial) run(ctx context.Context) error {
	files, err := t.write()
	if err != nil {
		return err
	}
	for _, args := range [][]string{{"migrate"}, {"import", files["beside"]}} {
		if _, err := child.Run(ctx, t.environment(), t.server, args...); err != nil {
			return err
		}
	}
	if t.customers > 0 {
		if t.served, err = child.Serve(ctx, t.Folder, t.environment(), t.server, "serve"); err != nil {
			return err
		}
		defer t.served.Stop()
	}
	domain := beside
	steps := strings.Split(t.steps, ",")
	for _, step := range []string{"new", "again", "changed", "moved"} {
		if strings.Contains(t.steps, step) {
			if err := t.measure(ctx, step, domain, files[step]); err != nil {
				return fmt.Errorf("%s: %w", step, err)
			}
			if step == steps[len(steps)-1] {
				break
			}
		} else if _, err := child.Run(ctx, t.environment(), t.server, "import", files[step]); err != nil {
			return err
		}
		domain = large
	}
	if strings.Contains(t.steps, "offers") && t.customers > 0 {
		if err := t.offers(ctx, large); err != nil {
			return fmt.Errorf("offers: %w", err)
		}
	}
	return errors.Join(t.slow...)
}

// measure measures one import while the customers write in a shop.
func (t *trial) measure(ctx context.Context, step, domain, file string) error {
	crowd, err := t.gather(ctx, domain)
	if err != nil {
		return err
	}
	over, end := context.WithCancel(ctx)
	written := make(chan waits)
	go func() { written <- crowd.write(over) }()
	spent, err := child.Run(ctx, t.environment(), t.server, "import", file)
	end()
	w := <-written
	if err := errors.Join(err, w.err); err != nil {
		return err
	}
	return t.tell(step, fmt.Sprintf("%8.1f %7.1f %8d", spent.Time.Seconds(), spent.CPU.Seconds(), spent.Peak>>20), w)
}

// tell prints what a step has spent, and how long customers waited, and notes where that was too long.
func (t *trial) tell(step, spent string, w waits) error {
	fmt.Fprintf(t.out, "%-9s %-8s %s | %7d", t.Kind, step, spent, len(w.took))
	if len(w.took) > 0 {
		fmt.Fprintf(t.out, " %8.0f %8.0f %8.0f  %s", ms(w.quantile(0.5)), ms(w.quantile(0.99)), ms(w.most), w.which)
	}
	fmt.Fprintln(t.out)
	if t.longest > 0 && w.most > t.longest {
		t.slow = append(t.slow, fmt.Errorf("%s: a customer waited %v for %s", step, w.most, w.which))
	}
	return nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
