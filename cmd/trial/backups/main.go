// Package backups makes a base backup of a PostgreSQL while customers order, kills the server for good, and
// restores it: to the last commit, and to a point in time. `make backups` runs it; it needs PostgreSQL's
// programs, for the second kind of backup pgBackRest, and the built server, and everything stays on loopback.
//
// The first kind is pg_basebackup with pg_receivewal, which takes each commit over before it is acknowledged.
// Nothing is left of the server but the backup and what was received, and every acknowledged order must be
// there. The second kind is pgBackRest with the archiving of PostgreSQL. With both, orders before a moment
// must be there after a restore to that moment, and none of those after it.
package backups

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
	"storefront/internal/pgserver"
)

// keeper is a kind of backup.
type keeper interface {
	// prepare makes the server keep what a restore needs.
	prepare(ctx context.Context)
	// backup makes a base backup.
	backup(ctx context.Context)
	// settle comes before the server is killed.
	settle(ctx context.Context)
	// killed runs after the server is gone. last reports whether all commits can be restored.
	killed() (last bool)
	// restore makes a server as it was at a moment; empty: at the last commit.
	restore(ctx context.Context, moment string) *pgserver.Server
}

func Run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("backups", flag.ContinueOnError)
	server := flags.String("server", "bin/storefront", "the program to serve with")
	load := flags.Duration("load", 3*time.Second, "how long customers order before the moment, and after it")
	only := flags.String("only", "", "basebackup or pgbackrest; empty: both")
	if err := flags.Parse(args); err != nil {
		return err
	}
	for _, kind := range []string{"basebackup", "pgbackrest"} {
		if *only != "" && *only != kind {
			continue
		}
		if err := stage.Run(*server, func(s *stage.Stage) {
			must.In(kind, func() { trial(ctx, kind, &shop{Stage: s, out: out}, *load) })
		}); err != nil {
			return err
		}
	}
	return nil
}

// shop is the shop whose orders are restored.
type shop struct {
	*stage.Stage
	keeper
	server *stage.Server
	out    io.Writer
}

// trial lets some customers order, then, after a moment, others, and restores.
func trial(ctx context.Context, kind string, s *shop, load time.Duration) {
	s.Own(ctx, "archive_mode = on", "archive_command = 'true'", "wal_level = replica")
	folder := s.TempDir()
	must.Do(s.Primary.Give(folder))
	if s.keeper = keeper(&received{at: s.Stage, folder: folder}); kind == "pgbackrest" {
		s.keeper = &rest{db: s.Primary, folder: folder}
	}
	s.prepare(ctx)
	s.Import(ctx, customer.AlwaysInStock())
	s.server = s.Serve(ctx)
	who := customer.EnterAll(ctx, 8, func(int) customer.Client {
		return customer.Client{Base: func() string { return s.server.Addr }}
	})
	before, after := who[:4], who[4:]
	crowd := customer.Go(ctx, before, customer.Ordering)
	defer crowd.Stop()
	made := time.Now()
	s.backup(ctx)
	_ = customer.Wait(ctx, max(load-time.Since(made), 0)+load/2) // beyond the backup
	must.Do(crowd.Stop())
	atMoment, moment := customer.Acknowledged(before), now(ctx, s.Primary)
	customer.For(ctx, load, after, customer.Ordering)
	s.settle(ctx)
	s.server.Kill()
	s.Primary.Kill()
	last := s.killed()
	fmt.Fprintf(s.out, "%s: a backup under load, %d orders until %s, %d in all; the server is killed\n", kind,
		atMoment, moment, customer.Acknowledged(who))
	if last {
		must.In("restore to the last commit", func() { s.check(ctx, "", who) })
	}
	must.In("restore to "+moment, func() { s.check(ctx, moment, before) })
}

// check restores, and compares the orders that are there with those that customers know.
func (s *shop) check(ctx context.Context, moment string, who []*customer.Customer) {
	began := time.Now()
	db := s.restore(ctx, moment)
	defer db.Close()
	took := time.Since(began)
	s.server = s.Serve(ctx, "DATABASE_URL="+db.URL("postgres"))
	defer s.server.Stop()
	must.Do(customer.Check(ctx, who))
	there, orders := psql(ctx, db, "SELECT count(*) FROM orders"), customer.Acknowledged(who)
	must.Hold(there == fmt.Sprint(orders), "%s orders are there, %d were acknowledged", there, orders)
	fmt.Fprintf(s.out, "restored to %s in %v: %d orders, none lost, none too many\n", cmp.Or(moment, "the last commit"),
		took.Round(time.Millisecond), orders)
}

// psql asks a server for one value.
func psql(ctx context.Context, db *pgserver.Server, query string) string {
	said := must.Get(db.Program(ctx, "psql", "-XAt", "-c", query, db.URL("postgres")).Output())
	return strings.TrimSpace(string(said))
}

// now returns the time by the server's clock, between the orders of customers.
func now(ctx context.Context, db *pgserver.Server) string {
	_ = customer.Wait(ctx, 100*time.Millisecond) // an interrupt shows in the next step
	defer customer.Wait(ctx, 100*time.Millisecond)
	return psql(ctx, db, "SELECT clock_timestamp()")
}

// do runs a command to its end.
func do(cmd *exec.Cmd) {
	said, err := cmd.CombinedOutput()
	must.Hold(err == nil, "%q: %w: %s", cmd.Args, err, said)
}
