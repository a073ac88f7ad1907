// Package fulldisk fills the disk of the database while customers order and browse, and makes room again.
// `make fulldisk` runs it, as root, on a small disk that it makes; everything stays on loopback.
//
// While the disk is full, what needs room must be 503, and nothing else; what only reads must be answered as
// before; and /readyz must be 200, but 503 for writes. With room again all must be well within 5 s, without a
// restart of ours, and no acknowledged order may be missing or there twice.
package fulldisk

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
)

type settings struct {
	server   string
	disk     string
	clients  int
	full     time.Duration
	recovery time.Duration
	answer   time.Duration
}

func Run(ctx context.Context, args []string, out io.Writer) error {
	var s settings
	flags := flag.NewFlagSet("fulldisk", flag.ContinueOnError)
	flags.StringVar(&s.server, "server", "bin/storefront", "the program to serve with")
	flags.StringVar(&s.disk, "disk", os.Getenv("SMALL_DISK"), "a folder on a disk of some 300 MB, which is filled")
	flags.IntVar(&s.clients, "clients", 6, "customers who order")
	flags.DurationVar(&s.full, "full", 6*time.Second, "how long the disk is full")
	flags.DurationVar(&s.recovery, "recovery", 5*time.Second, "how long requests may fail afterwards")
	flags.DurationVar(&s.answer, "answer", 8500*time.Millisecond,
		"how long an answer may take: 8 s, and what the client itself takes")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if s.disk == "" {
		return errors.New("name a small disk by -disk or SMALL_DISK, which make fulldisk makes")
	}
	if err := os.Setenv("TMPDIR", s.disk); err != nil { // where databases are made
		return err
	}
	for _, kind := range []string{"SQLite", "PostgreSQL"} {
		if err := stage.Run(s.server, func(at *stage.Stage) {
			must.In(kind, func() { fill(ctx, s, at, kind, out) })
			must.Do(ctx.Err())
		}); err != nil {
			return err
		}
	}
	return nil
}

// fill fills the disk of a server's database.
func fill(ctx context.Context, s settings, at *stage.Stage, kind string, out io.Writer) {
	if kind == "PostgreSQL" {
		at.Own(ctx, "wal_keep_size = 0", "min_wal_size = '32MB'", "max_wal_size = '64MB'")
	}
	at.Import(ctx, customer.AlwaysInStock())
	at.Count(ctx)
	addr := at.Serve(ctx).Addr
	orders, reads := customer.NewTally(), customer.NewTally()
	everyone := customer.EnterAll(ctx, s.clients+1, func(i int) customer.Client {
		return customer.Client{Base: customer.At(addr), Tally: []*customer.Tally{orders, reads}[i/s.clients]}
	})
	buyers := everyone[:s.clients]
	crowd := customer.Go(ctx, everyone, func(ctx context.Context, one *customer.Customer, _ int) error {
		if one.Tally == reads {
			one.Browse(ctx)
		} else {
			one.Order(ctx)
		}
		return customer.Wait(ctx, 2*time.Millisecond)
	})
	defer crowd.Stop()
	readiness := func() int { return customer.Get(ctx, addr, "/readyz?for=writes").Status }
	_ = customer.Wait(ctx, 2*time.Second) // an interrupt shows in the end

	orders.Mark()
	reads.Mark()
	filling, empty := context.WithTimeout(ctx, s.full)
	defer empty()
	ballast := filepath.Join(at.Folder, "ballast")
	err := occupy(filling, ballast)
	_, failed := orders.Now().Gap()
	notReady, readable := readiness(), customer.Get(ctx, addr, "/readyz").Status
	must.Do(err, os.Remove(ballast))
	ended := time.Now()
	for time.Since(ended) < s.recovery && ctx.Err() == nil && readiness() != http.StatusOK {
		_ = customer.Wait(ctx, 50*time.Millisecond)
	}
	ready := time.Since(ended)
	_ = customer.Wait(ctx, 3*time.Second)
	must.Do(crowd.Stop())
	ordered, read := orders.Now(), reads.Now()
	last := ordered.LastFailure.Sub(ended)
	fmt.Fprintf(out,
		"fulldisk: %s: orders %v, reads %v; /readyz is %d, and for writes %d, while the disk is full, 200 after "+
			"%v of room; last failure after %v; slowest answer %v\n", kind, ordered.Statuses, read.Statuses, readable,
		notReady,
		ready.Round(time.Millisecond), last.Round(time.Millisecond), ordered.Slowest.Took.Round(time.Millisecond))
	must.Hold(failed > 0, "no order failed: the disk was not full")
	must.Hold(notReady == http.StatusServiceUnavailable, "/readyz?for=writes is %d while the disk is full", notReady)
	must.Hold(readable == http.StatusOK, "/readyz is %d although reads are answered", readable)
	must.Hold(read.LastFailure.IsZero(), "reads fail")
	must.Hold(max(last, ready) <= s.recovery, "it does not recover in time")
	must.Do(ordered.Verdict(s.answer), read.Verdict(s.answer), customer.Check(ctx, buyers))
	fmt.Fprintf(out, "fulldisk: %s: %d orders acknowledged: none lost, none twice, no restart\n", kind,
		customer.Acknowledged(buyers))
	must.Do(at.CheckBooks(ctx))
}

// occupy takes all room that is left, and what becomes free, until ctx ends.
func occupy(ctx context.Context, file string) error {
	ballast, err := os.Create(file)
	if err != nil {
		return err
	}
	defer ballast.Close()
	for size := 1 << 20; ctx.Err() == nil; {
		if _, err := ballast.Write(make([]byte, size)); err == nil {
			continue
		}
		if size > 512 { // less than a page of a database
			size /= 2
			continue
		}
		_ = customer.Wait(ctx, 5*time.Millisecond)
	}
	return nil
}
