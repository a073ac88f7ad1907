// Package fulldisk fills the disk of the database while customers order and browse, and makes room again.
// `make fulldisk` runs it, as root, on a small disk that it makes; everything stays on loopback.
//
// While the disk is full, what needs room must be 503, and nothing else; what only reads must be answered as
// before; and /readyz must be 503. With room again all must be well within 5 s, without a restart of ours,
// and no acknowledged order may be missing or there twice.
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
	flags.DurationVar(&s.answer, "answer", 8500*time.Millisecond, "how long an answer may take: 8 s, and what the client itself takes")
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
		if err := fill(ctx, s, kind, out); err != nil {
			return fmt.Errorf("%s: %w", kind, err)
		}
	}
	return nil
}

// trial is a server on a database whose disk is filled.
type trial struct {
	settings
	*stage.Stage
	addr          string // of the server
	orders, reads *customer.Tally
	buyers        []*customer.Customer
}

func fill(ctx context.Context, s settings, kind string, out io.Writer) (err error) {
	t := &trial{settings: s, orders: customer.NewTally(), reads: customer.NewTally()}
	if kind == "PostgreSQL" {
		t.Stage, err = stage.NewServer(ctx, s.server, "wal_keep_size = 0", "min_wal_size = '32MB'",
			"max_wal_size = '64MB'")
	} else {
		t.Stage, err = stage.New(ctx, stage.SQLite, s.server)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	return errors.Join(t.run(ctx, kind, out), ctx.Err())
}

func (t *trial) run(ctx context.Context, kind string, out io.Writer) error {
	if err := errors.Join(t.Import(ctx, customer.AlwaysInStock()), t.Count(ctx)); err != nil {
		return err
	}
	server, err := t.Serve(ctx)
	if err != nil {
		return err
	}
	t.addr = server.Addr
	everyone, err := customer.EnterAll(ctx, t.clients+1, func(i int) customer.Client {
		if i == t.clients {
			return customer.Client{Base: customer.At(t.addr), Tally: t.reads}
		}
		return customer.Client{Base: customer.At(t.addr), Tally: t.orders}
	})
	if err != nil {
		return err
	}
	t.buyers = everyone[:t.clients]
	crowd := customer.Go(ctx, everyone, func(ctx context.Context, one *customer.Customer, _ int) error {
		if one.Tally == t.reads {
			one.Browse(ctx)
		} else {
			one.Order(ctx)
		}
		return customer.Wait(ctx, 2*time.Millisecond)
	})
	defer crowd.Stop()
	_ = customer.Wait(ctx, 2*time.Second) // an interrupt shows in the end

	t.orders.Mark()
	t.reads.Mark()
	filling, empty := context.WithTimeout(ctx, t.full)
	defer empty()
	ballast := filepath.Join(t.Folder, "ballast")
	err = occupy(filling, ballast)
	_, failed := t.orders.Gap()
	notReady := t.readiness(ctx)
	err = errors.Join(err, os.Remove(ballast))
	ended := time.Now()
	for time.Since(ended) < t.recovery && ctx.Err() == nil && t.readiness(ctx) != http.StatusOK {
		_ = customer.Wait(ctx, 50*time.Millisecond)
	}
	ready := time.Since(ended)
	_ = customer.Wait(ctx, 3*time.Second)
	if err := errors.Join(err, crowd.Stop()); err != nil {
		return err
	}
	last := t.orders.LastFailure().Sub(ended)
	fmt.Fprintf(out, "fulldisk: %s: orders %v, reads %v; /readyz is %d while the disk is full, 200 after %v of room; last "+
		"failure after %v; slowest answer %v\n", kind, t.orders.Statuses(), t.reads.Statuses(), notReady,
		ready.Round(time.Millisecond), last.Round(time.Millisecond), t.orders.Slowest().Round(time.Millisecond))
	switch {
	case failed == 0:
		return errors.New("no order failed: the disk was not full")
	case notReady != http.StatusServiceUnavailable:
		return fmt.Errorf("/readyz is %d while the disk is full", notReady)
	case !t.reads.LastFailure().IsZero():
		return errors.New("reads fail")
	case max(last, ready) > t.recovery:
		return errors.New("it does not recover in time")
	}
	err = errors.Join(t.orders.Verdict(t.answer), t.reads.Verdict(t.answer), customer.Check(ctx, t.buyers))
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "fulldisk: %s: %d orders acknowledged: none lost, none twice, no restart\n", kind,
		customer.Acknowledged(t.buyers))
	return t.CheckBooks(ctx)
}

// readiness is the status of /readyz.
func (t *trial) readiness(ctx context.Context) int {
	return customer.Get(ctx, t.addr, "/readyz").Status
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
