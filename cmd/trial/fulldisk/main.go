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
	"sync"
	"time"

	"github.com/google/uuid"

	"storefront/cmd/internal/child"
	"storefront/cmd/internal/topology"
	"storefront/internal/contract/ledger"
	"storefront/internal/pgserver"
	"storefront/internal/store"
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
	url           string // of the database
	server        *child.Server
	initial       map[uuid.UUID]int // stock
	orders, reads *topology.Tally
	buyers        []*topology.Shopper
	reader        *topology.Shopper
}

func fill(ctx context.Context, s settings, kind string, out io.Writer) (err error) {
	t := &trial{settings: s, orders: topology.NewTally(), reads: topology.NewTally()}
	folder, err := os.MkdirTemp("", "fulldisk-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	t.url = "sqlite://" + filepath.Join(folder, "shop.db")
	if kind == "PostgreSQL" {
		db, err := pgserver.New(ctx, true, "wal_keep_size = 0", "min_wal_size = '32MB'", "max_wal_size = '64MB'")
		if err != nil {
			return err
		}
		defer db.Close()
		t.url = db.URL("postgres")
	}
	if err := t.open(ctx, folder); err != nil {
		return err
	}
	defer t.server.Stop()
	return errors.Join(t.run(ctx, kind, filepath.Join(folder, "ballast"), out), ctx.Err())
}

// open makes the shop, the server and the customers.
func (t *trial) open(ctx context.Context, folder string) error {
	bundle := filepath.Join(folder, "shop.json")
	if err := topology.WriteShop(bundle); err != nil {
		return err
	}
	environment := []string{"DATABASE_URL=" + t.url, "LISTEN_ADDR=127.0.0.1:0", "LOG_FORMAT=json", "ACCESS_TTL=24h",
		"TOKEN_SIGNING_KEY=a key of this trial alone, and of no other"}
	if _, err := child.Run(ctx, environment, t.settings.server, "import", bundle); err != nil {
		return err
	}
	s, err := store.Open(ctx, t.url)
	if err != nil {
		return err
	}
	t.initial, err = ledger.Units(ctx, s)
	if err := errors.Join(err, s.Close()); err != nil {
		return err
	}
	if t.server, err = child.Serve(ctx, folder, environment, t.settings.server, "serve"); err != nil {
		return err
	}
	base := func() string { return "http://" + t.server.Addr }
	for i := range t.clients {
		one, err := topology.Register(ctx, i, base, t.orders)
		if err != nil {
			return err
		}
		t.buyers = append(t.buyers, one)
	}
	t.reader, err = topology.Register(ctx, t.clients, base, t.reads)
	return err
}

func (t *trial) run(ctx context.Context, kind, ballast string, out io.Writer) error {
	load, stop := context.WithCancel(ctx)
	defer stop()
	closed := make(chan struct{})
	var shopping sync.WaitGroup
	for _, one := range t.buyers {
		shopping.Go(func() { repeat(load, closed, one.Order) })
	}
	shopping.Go(func() { repeat(load, closed, t.reader.Browse) })
	pause(ctx, 2*time.Second)

	t.orders.Mark()
	t.reads.Mark()
	filling, empty := context.WithTimeout(ctx, t.full)
	defer empty()
	err := occupy(filling, ballast)
	_, failed := t.orders.Gap()
	notReady, _ := t.readiness(ctx)
	err = errors.Join(err, os.Remove(ballast))
	ended := time.Now()
	for status := 0; status != http.StatusOK && time.Since(ended) < t.recovery && ctx.Err() == nil; {
		status, _ = t.readiness(ctx)
		pause(ctx, 50*time.Millisecond)
	}
	ready := time.Since(ended)
	pause(ctx, 3*time.Second)
	close(closed)
	shopping.Wait()
	if err != nil {
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
	return errors.Join(t.orders.Verdict(t.answer), t.reads.Verdict(t.answer), t.check(ctx, kind, out))
}

// check compares the orders with what was acknowledged, and the books.
func (t *trial) check(ctx context.Context, kind string, out io.Writer) error {
	var orders int64
	for i, one := range t.buyers {
		orders += one.Acquired.Load()
		if err := one.Check(ctx); err != nil {
			return fmt.Errorf("customer %d: %w", i, err)
		}
	}
	s, err := store.Open(ctx, t.url)
	if err != nil {
		return err
	}
	defer s.Close()
	fmt.Fprintf(out, "fulldisk: %s: %d orders acknowledged: none lost, none twice, no restart\n", kind, orders)
	return ledger.Check(ctx, s, t.initial)
}

// readiness is the status of /readyz.
func (t *trial) readiness(ctx context.Context) (int, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+t.server.Addr+"/readyz", nil)
	if err != nil {
		return 0, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	return response.StatusCode, response.Body.Close()
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
		pause(ctx, 5*time.Millisecond)
	}
	return nil
}

func repeat(ctx context.Context, closed <-chan struct{}, what func(context.Context)) {
	for ctx.Err() == nil {
		select {
		case <-closed:
			return
		default:
		}
		what(ctx)
		pause(ctx, 2*time.Millisecond)
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
