// Package fulldisk fills the disk of the database while customers order and browse, and frees space again.
// `make fulldisk` runs it, as root, on a small disk that it creates; everything stays on loopback.
//
// While the disk is full, requests that need space must fail with 503 and nothing else, reads must be answered
// as before, and /readyz must be 200, but 503 for writes. With free space everything must work again within 5
// s, without a restart of the service, and no acknowledged order may be missing or duplicated.
package fulldisk

import (
	"context"
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
)

// Trial is the trial that `go run ./cmd/trial fulldisk` runs.
var Trial = stage.Trial{Name: "fulldisk", About: "fill the disk of the database under load", Kinds: stage.Databases,
	Flags: func(f *flag.FlagSet) stage.Work {
		disk := f.String("disk", os.Getenv("SMALL_DISK"), "a folder on a disk of some 300 MB, which is filled")
		return func(ctx context.Context, s *stage.Stage) {
			must.Hold(*disk != "", "name a small disk by -disk or SMALL_DISK, which make fulldisk makes")
			must.Do(os.Setenv("TMPDIR", *disk)) // the folder of databases
			s.Again(ctx, "on "+*disk, run)
		}
	}}

const (
	customers = 6               // who order
	full      = 6 * time.Second // how long the disk is full
)

// run fills the disk of a server's database.
func run(ctx context.Context, s *stage.Stage) {
	if s.Kind == stage.Postgres {
		s.Own(ctx, "wal_keep_size = 0", "min_wal_size = '32MB'", "max_wal_size = '64MB'")
	}
	s.Import(ctx, customer.AlwaysInStock())
	s.Count(ctx)
	addr := s.Serve(ctx).Addr
	var orders, reads customer.Tally
	at := customer.At(addr)
	buyers := customer.EnterAll(ctx, customers, customer.Client{Base: at, Tally: &orders})
	reader := customer.Enter(ctx, customer.Client{Base: at, Tally: &reads}, customers, customer.Domain)
	everyone := append(slices.Clip(buyers), reader)
	crowd := customer.Go(ctx, everyone, func(ctx context.Context, one *customer.Customer, _ int) {
		if one == reader {
			one.Browse(ctx)
		} else {
			one.Order(ctx)
		}
		customer.Pause(ctx, 2*time.Millisecond)
	})
	defer crowd.Stop()
	forWrites := func(ctx context.Context) customer.Answer { return customer.Get(ctx, addr, "/readyz?for=writes") }
	customer.Pause(ctx, 2*time.Second)
	orders.Mark()
	reads.Mark()
	filling, empty := context.WithTimeout(ctx, full)
	defer empty()
	ballast := filepath.Join(s.Folder, "ballast")
	customer.Occupy(filling, ballast)
	_, failed := orders.Now().Gap()
	notReady, readable := forWrites(ctx).Status, customer.Get(ctx, addr, "/readyz").Status
	must.Do(os.Remove(ballast))
	ended := time.Now()
	var ready time.Duration
	must.In("the server is ready with free space", func() {
		ready = customer.Until(ctx, customer.RecoveryLimit, func(ctx context.Context) error {
			return forWrites(ctx).Read(nil)
		})
	})
	customer.Pause(ctx, 3*time.Second)
	must.Do(crowd.Stop())
	ordered, read := orders.Now(), reads.Now()
	last := ordered.LastFailure.Sub(ended)
	s.Say("orders: %s; reads: %s; /readyz is %d, and for writes %d, while the disk is full, 200 after %v of room; "+
		"last failure after %v", ordered.Summary(), read.Summary(), readable, notReady, ready.Round(time.Millisecond),
		last.Round(time.Millisecond))
	must.Hold(failed > 0, "no order failed: the disk was not full")
	must.Hold(notReady == http.StatusServiceUnavailable, "/readyz?for=writes is %d while the disk is full", notReady)
	must.Hold(readable == http.StatusOK, "/readyz is %d although reads are answered", readable)
	must.Hold(read.LastFailure.IsZero(), "reads fail")
	must.Hold(last <= customer.RecoveryLimit, "it does not recover in time")
	must.Do(ordered.Verdict(customer.AnswerLimit), read.Verdict(customer.AnswerLimit), customer.Check(ctx, buyers))
	s.Say("%d orders acknowledged: none lost, none twice, no restart", customer.Acknowledged(buyers))
	must.Do(s.CheckBooks(ctx), ctx.Err())
}
