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
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/stage"
	"storefront/internal/pgserver"
)

// keeper is a kind of backup.
type keeper interface {
	// prepare makes the server keep what a restore needs.
	prepare(ctx context.Context) error
	// backup makes a base backup.
	backup(ctx context.Context) error
	// settle comes before the server is killed.
	settle(ctx context.Context) error
	// killed runs after the server is gone. last reports whether all commits can be restored.
	killed() (last bool)
	// restore makes a server as it was at a moment; empty: at the last commit.
	restore(ctx context.Context, moment string) (*pgserver.Server, error)
	close()
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
		if err := trial(ctx, kind, *server, *load, out); err != nil {
			return fmt.Errorf("%s: %w", kind, err)
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
func trial(ctx context.Context, kind, server string, load time.Duration, out io.Writer) (err error) {
	s := &shop{out: out}
	s.Stage, err = stage.NewServer(ctx, server, "archive_mode = on", "archive_command = 'true'", "wal_level = replica")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	folder, err := os.MkdirTemp("", "backups-*")
	if err != nil {
		return err
	}
	s.OnClose(func() error { return os.RemoveAll(folder) })
	if err := s.Primary.Give(folder); err != nil {
		return err
	}
	if s.keeper = keeper(&received{db: s.Primary, folder: folder}); kind == "pgbackrest" {
		s.keeper = &rest{db: s.Primary, folder: folder}
	}
	s.OnClose(func() error { s.close(); return nil })
	if err := s.prepare(ctx); err != nil {
		return err
	}
	if err := s.Import(ctx, customer.AlwaysInStock()); err != nil {
		return err
	}
	if s.server, err = s.Serve(ctx); err != nil {
		return err
	}
	who, err := customer.EnterAll(ctx, 8, func(int) customer.Client {
		return customer.Client{Base: func() string { return s.server.Addr }}
	})
	if err != nil {
		return err
	}
	before, after := who[:4], who[4:]
	// The backup is made while customers order.
	made := make(chan error, 1)
	go func() { made <- s.backup(ctx) }()
	if err := errors.Join(customer.For(ctx, load, before, customer.Ordering), <-made); err != nil {
		return err
	}
	if err := customer.For(ctx, load/2, before, customer.Ordering); err != nil { // beyond the backup
		return err
	}
	atMoment := customer.Acknowledged(before)
	moment, err := now(ctx, s.Primary)
	if err != nil {
		return err
	}
	if err := customer.For(ctx, load, after, customer.Ordering); err != nil {
		return err
	}
	if err := s.settle(ctx); err != nil {
		return err
	}
	s.server.Kill()
	s.Primary.Kill()
	last := s.killed()
	fmt.Fprintf(out, "%s: a backup under load, %d orders until %s, %d in all; the server is killed\n", kind, atMoment,
		moment, customer.Acknowledged(who))
	if last {
		if err := s.check(ctx, "", who); err != nil {
			return fmt.Errorf("restore to the last commit: %w", err)
		}
	}
	if err := s.check(ctx, moment, before); err != nil {
		return fmt.Errorf("restore to %s: %w", moment, err)
	}
	return nil
}

// check restores, and compares the orders that are there with those that customers know.
func (s *shop) check(ctx context.Context, moment string, who []*customer.Customer) error {
	began := time.Now()
	db, err := s.restore(ctx, moment)
	if err != nil {
		return err
	}
	defer db.Close()
	took := time.Since(began)
	if s.server, err = s.Serve(ctx, "DATABASE_URL="+db.URL("postgres")); err != nil {
		return err
	}
	defer s.server.Stop()
	if err := customer.Check(ctx, who); err != nil {
		return err
	}
	there, err := count(ctx, db)
	if err != nil {
		return err
	}
	if orders := customer.Acknowledged(who); there != orders {
		return fmt.Errorf("%d orders are there, %d were acknowledged", there, orders)
	}
	fmt.Fprintf(s.out, "restored to %s in %v: %d orders, none lost, none too many\n", cmp.Or(moment, "the last commit"),
		took.Round(time.Millisecond), there)
	return nil
}

func count(ctx context.Context, db *pgserver.Server) (n int, err error) {
	books, err := sql.Open("postgres", db.URL("postgres"))
	if err != nil {
		return 0, err
	}
	defer books.Close()
	err = books.QueryRowContext(ctx, "SELECT count(*) FROM orders").Scan(&n)
	return n, err
}

// now returns the time by the server's clock, between the orders of customers.
func now(ctx context.Context, db *pgserver.Server) (string, error) {
	_ = customer.Wait(ctx, 100*time.Millisecond) // an interrupt shows in the next step
	said, err := db.Program(ctx, "psql", "-XAt", "-c", "SELECT clock_timestamp()", db.URL("postgres")).Output()
	_ = customer.Wait(ctx, 100*time.Millisecond)
	return strings.TrimSpace(string(said)), err
}
