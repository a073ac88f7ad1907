// Package money has customers pay at stand-ins of payment gateways that fail in every way, while servers, gateways and
// the database are killed and SQLite's disk is full, and checks all books, as they stand every two seconds and when all
// is over. `make money` runs it; it needs TEST_POSTGRES_URL and the built server.
//
// Four parts share no code: lives (customers and staff, by HTTP alone), gateways (package standin), the service as it
// is shipped (one server on SQLite; two on PostgreSQL, built with clocks that differ by three minutes; its windows are
// shorter by GATEWAY_TIME), and the auditor (package audit). What a life asks and is answered is in the diary. Lives
// are drawn to fill the table of the faults of the gateways first: they meet each one three times, else the trial
// fails. -seed and -life repeat what one life draws.
package money

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
	"storefront/internal/contract/money/audit"
)

// settings are the flags of the trial.
type settings struct {
	lives, life, workers int
	pace                 pace
	seed                 uint64
	isSmall              bool
	disk                 string
}

// Trial is the trial that `go run ./cmd/trial money` runs.
var Trial = stage.Trial{Name: "money", About: "pay at gateways that fail, and check all books", Kinds: stage.Databases,
	Flags: func(f *flag.FlagSet) stage.Work {
		var o settings
		f.IntVar(&o.lives, "lives", 400, "orders on each kind of database, before those that fill the table of faults")
		f.IntVar(&o.life, "life", -1, "the only life that is lived")
		f.IntVar(&o.workers, "workers", 32, "lives at a time")
		f.IntVar((*int)(&o.pace), "pace", 500, // a payment is watched for longer than a killed server has claimed it
			"how many times shorter the windows of payments are")
		f.Uint64Var(&o.seed, "seed", rand.Uint64(), "of what lives do; the same seed is not the same run")
		f.BoolVar(&o.isSmall, "small", false, "a part: nothing is killed, and the table is not filled")
		f.StringVar(&o.disk, "disk", os.Getenv("SMALL_DISK"),
			"a folder on a small disk for the file of SQLite, which is filled; empty: none is")
		plant := f.String("plant", "",
			"plants the faults whose names begin so in copies of the service, and finds them; each: all of them")
		return func(ctx context.Context, s *stage.Stage) {
			s.Say("seed %d", o.seed)
			if *plant != "" {
				o.search(ctx, s, strings.TrimPrefix(*plant, "each"))
				return
			}
			s.New(ctx)
			if s.Kind == stage.SQLite && o.disk != "" {
				s.Database = "sqlite://" + filepath.Join(o.disk, "shop.db")
			}
			if err := o.run(ctx, s); err != nil {
				kept := must.Get(os.MkdirTemp("", "money-"))
				must.Do(os.CopyFS(kept, os.DirFS(s.Folder)))
				must.Hold(false, "%w\n(seed %d; the diary, ledgers and logs are in %s)", err, o.seed, kept)
			}
		}
	}}

const (
	leastPaid = 40 // of 100 lives
	leastEnds = 20 // of each state, of 400 lives
)

var quiet = log.New(io.Discard, "", 0)

func (o settings) run(ctx context.Context, s *stage.Stage) error {
	began := time.Now()
	isWhole := !o.isSmall && o.life < 0
	servers := map[string][]string{stage.SQLite: {s.Program}, stage.Postgres: {s.Program, s.Program}}[s.Kind]
	if isWhole && s.Kind == stage.Postgres {
		servers = apart(ctx, s)
	}
	t := build(ctx, s, o.pace, servers)
	t.isSlow = isWhole
	b := t.books()
	b.listen(ctx)
	cells := map[string][]cell{}
	for _, gateway := range names {
		var all []cell
		t.control(ctx, gateway, map[string]any{"do": "cells"}, &all)
		cells[gateway] = all
	}
	d := newDeck(cells, o.seed)
	path := filepath.Join(s.Folder, "diary")
	file := must.Get(os.Create(path))
	defer file.Close()
	w := &world{town: t, diary: &diary{file: file}, disk: o.disk}
	for range o.workers {
		w.buyers = append(w.buyers, t.newcomer(ctx))
	}
	prepared := time.Since(began)

	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var checks int
	var broken error
	var auditor sync.WaitGroup
	auditor.Go(func() {
		watching, end := context.WithCancel(ctx)
		defer end()
		if checks, broken = b.watch(watching); broken != nil {
			stop()
		}
	})
	plans := d.plans(o.seed, 0, o.lives)
	if o.life >= 0 {
		plans = plans[o.life : o.life+1]
	}
	failed := w.all(ctx, plans, isWhole, o.seed)
	ledgers := map[string]string{}
	for gateway, g := range t.gateways {
		ledgers[gateway] = g.ledger
	}
	lives := len(plans)
	if isWhole && failed == nil {
		failed = must.Run(func() { b.until(ctx, time.Minute, askedRefunds) }) // requests to gateways fill the table
	}
	missing, number, err := d.refill(ledgers)
	for round := 0; isWhole && round < 8 && len(missing) > 0 && errors.Join(failed, err, broken) == nil; round++ {
		more := d.plans(o.seed, lives, 2*len(missing))
		failed = w.all(ctx, more, false, o.seed)
		if failed == nil {
			failed = must.Run(func() { b.until(ctx, time.Minute, askedRefunds) })
		}
		lives += len(more)
		d.cards = map[string][]cell{}
		missing, _, err = d.refill(ledgers)
	}
	lived := time.Since(began) - prepared
	var restless error
	if failed == nil && broken == nil && err == nil {
		restless = must.Run(func() { b.rest(ctx) })
	}
	stop()
	auditor.Wait()
	ctx = context.WithoutCancel(ctx)
	if broken != nil {
		return broken
	}
	if err := errors.Join(failed, err); err != nil {
		return err
	}
	if checks == 0 {
		return fmt.Errorf("the books could not be checked meanwhile: %w", b.unread)
	}
	faults := []error{restless, must.Run(func() { must.Do(b.settled(ctx, path, w.buyers)) })}
	ends, paid := b.states(ctx)
	if said := t.tally.Now(); len(said.Broken) > 0 {
		faults = append(faults, fmt.Errorf("the service failed: %s", strings.Join(said.Broken, "; ")))
	}
	if isWhole {
		if len(missing) > 0 {
			faults = append(faults, fmt.Errorf("faults that were met less than %d times: %s", filled,
				strings.Join(missing, ", ")))
		}
		if ends["of test money"] == 0 {
			faults = append(faults, errors.New("nothing was paid with test money"))
		}
		if 100*paid < leastPaid*lives {
			faults = append(faults, fmt.Errorf("of %d lives %d ended paid", lives, paid))
		}
		for _, state := range []string{"paid", "failed", "expired", "superseded", "given_back", "review", "refunded",
			"cancelled"} {
			if 400*ends[state] < leastEnds*o.lives {
				faults = append(faults, fmt.Errorf("%d payments ended %s", ends[state], state))
			}
		}
	}
	if err := errors.Join(faults...); err != nil {
		return err
	}
	what := fmt.Sprintf("each of %d faults at least %d times", number, filled)
	if !isWhole {
		what = "some faults"
	}
	s.Say("%d lives, %d of them paid, met %s; the payments ended %s; %d kills and full disks; %d checks of the books "+
		"meanwhile and one at the end; %.0f s to prepare, %.0f s of lives, %.0f s in all", lives, paid, what,
		text(ends), w.kills, checks, prepared.Seconds(), lived.Seconds(), time.Since(began).Seconds())
	return nil
}

// world is the town with those who live in it.
type world struct {
	*town
	diary  *diary
	buyers []*customer.Customer
	kills  int
	disk   string
}

// all lives the plans, as many at a time as there are customers. If isDangerous, servers, gateways and the database are
// killed meanwhile, and the disk is full for a time.
func (w *world) all(ctx context.Context, plans []plan, isDangerous bool, seed uint64) error {
	waiting := make(chan plan, len(plans))
	for _, p := range plans {
		waiting <- p
	}
	close(waiting)
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	over := make(chan struct{})
	var killer sync.WaitGroup
	var killed error
	if isDangerous {
		killer.Go(func() {
			killed = must.Run(func() { w.endanger(ctx, over, rand.New(rand.NewPCG(seed, 2))) })
		})
	}
	crowd := customer.Go(ctx, w.buyers, func(ctx context.Context, buyer *customer.Customer, _ int) {
		p, more := <-waiting
		if !more {
			must.Do(customer.ErrDone)
		}
		l := &life{plan: p, Rand: rand.New(rand.NewPCG(seed, 1_000_000+uint64(p.number))), town: w.town,
			shop: w.shops[p.shop], buyer: buyer, web: w.client(20_000 + p.number), diary: w.diary}
		w.control(ctx, p.gateway, map[string]any{"do": "card", "id": l.card(), "amount": 1e12}, nil)
		if other := map[string]string{"zibal": "zarinpal", "zarinpal": "zibal"}[p.gateway]; other != "" {
			w.control(ctx, other, map[string]any{"do": "card", "id": l.card(), "amount": 1e12}, nil)
		}
		if err := must.Run(func() { l.live(ctx) }); err != nil {
			stop(fmt.Errorf("life %d (-life %d): %w", p.number, p.number, err)) // the first one counts
		}
	})
	for !crowd.Ended() {
		customer.Pause(context.WithoutCancel(ctx), 10*time.Millisecond)
	}
	close(over)
	killer.Wait()
	return errors.Join(crowd.Stop(), killed, context.Cause(ctx))
}

// endanger kills servers, gateways and the database, and fills the disk, in turn until over is closed.
func (w *world) endanger(ctx context.Context, over <-chan struct{}, random *rand.Rand) {
	for n := 1; ; n++ {
		select {
		case <-over:
			return
		case <-ctx.Done():
			return
		case <-time.After(time.Duration(2000+random.IntN(3000)) * time.Millisecond):
		}
		away := time.Duration(random.IntN(1000)) * time.Millisecond
		program := os.Getenv("TEST_POSTGRES_CRASH") // crashes PostgreSQL and starts it again
		switch {
		case n%4 == 0 && w.Kind == stage.SQLite && w.disk != "":
			ballast := filepath.Join(w.disk, "ballast")
			filling, empty := context.WithTimeout(ctx, 5*time.Second)
			customer.Occupy(filling, ballast)
			empty()
			must.Do(os.Remove(ballast))
		case n%4 == 0 && w.Kind == stage.Postgres && program != "":
			said, err := exec.CommandContext(ctx, program).CombinedOutput()
			must.Hold(err == nil, "crash the database: %w: %s", err, said)
			customer.Until(ctx, time.Minute, func(ctx context.Context) error { // the old connections are broken
				_, err := audit.Units(ctx, w.Books.Client)
				return errors.Join(err, w.Admin.PingContext(ctx))
			})
		case n%2 == 0:
			w.gateways[names[random.IntN(len(names))]].kill(ctx, away)
		default:
			w.servers[random.IntN(len(w.servers))].kill(ctx, away)
		}
		w.kills++
	}
}
