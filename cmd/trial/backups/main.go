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
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"storefront/cmd/internal/child"
	"storefront/cmd/internal/topology"
	"storefront/ent/tenant"
	"storefront/internal/pgserver"
	"storefront/internal/store"
	"storefront/internal/tenancy"
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

const database = "shop"

// trial lets some customers order, then, after a moment, others, and restores.
func trial(ctx context.Context, kind, server string, load time.Duration, out io.Writer) (err error) {
	folder, err := os.MkdirTemp("", "backups-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	db, err := pgserver.New(ctx, true, "archive_mode = on", "archive_command = 'true'", "wal_level = replica")
	if err != nil {
		return err
	}
	defer db.Close()
	if err := db.Give(folder); err != nil {
		return err
	}
	var k keeper = &received{db: db, folder: folder}
	if kind == "pgbackrest" {
		k = &rest{db: db, folder: folder}
	}
	if err := topology.Exec(ctx, db, "postgres", "CREATE DATABASE "+database); err != nil {
		return err
	}
	if err := k.prepare(ctx); err != nil {
		return err
	}
	defer k.close()

	s := &shop{program: server, folder: folder}
	bundle := filepath.Join(folder, "shop.json")
	if err := topology.WriteShop(bundle); err != nil {
		return err
	}
	if _, err := child.Run(ctx, s.environment(db), server, "import", bundle); err != nil {
		return err
	}
	if err := s.serve(ctx, db); err != nil {
		return err
	}
	defer func() { s.server.Stop() }()
	before, after, err := s.customers(ctx)
	if err != nil {
		return err
	}
	// The backup is made while customers order.
	made := make(chan error, 1)
	go func() { made <- k.backup(ctx) }()
	topology.Repeat(ctx, load, before, (*topology.Shopper).Order)
	if err := <-made; err != nil {
		return err
	}
	topology.Repeat(ctx, load/2, before, (*topology.Shopper).Order) // beyond the backup
	atMoment := acknowledged(before)
	moment, err := now(ctx, db)
	if err != nil {
		return err
	}
	topology.Repeat(ctx, load, after, (*topology.Shopper).Order)
	all := atMoment + acknowledged(after)
	if err := k.settle(ctx); err != nil {
		return err
	}
	s.server.Kill()
	db.Kill()
	last := k.killed()
	fmt.Fprintf(out, "%s: a backup under load, %d orders until %s, %d in all; the server is killed\n", kind, atMoment, moment, all)

	if last {
		if err := s.check(ctx, k, "", append(before, after...), all, out); err != nil {
			return fmt.Errorf("restore to the last commit: %w", err)
		}
	}
	if err := s.check(ctx, k, moment, before, atMoment, out); err != nil {
		return fmt.Errorf("restore to %s: %w", moment, err)
	}
	return nil
}

// shop is the shop whose orders are restored.
type shop struct {
	program, folder string
	server          *child.Server
}

func (s *shop) environment(db *pgserver.Server) []string {
	return []string{"DATABASE_URL=" + db.URL(database), "LISTEN_ADDR=127.0.0.1:0", "LOG_FORMAT=json", "ACCESS_TTL=24h",
		"TOKEN_SIGNING_KEY=a key of this trial alone, and of no other"}
}

func (s *shop) serve(ctx context.Context, db *pgserver.Server) (err error) {
	s.server, err = child.Serve(ctx, s.folder, s.environment(db), s.program, "serve")
	return err
}

func (s *shop) customers(ctx context.Context) (before, after []*topology.Shopper, err error) {
	base := func() string { return "http://" + s.server.Addr }
	for i := range 8 {
		one, err := topology.Register(ctx, i, base, topology.NewTally())
		if err != nil {
			return nil, nil, err
		}
		if i%2 == 0 {
			before = append(before, one)
		} else {
			after = append(after, one)
		}
	}
	return before, after, nil
}

// check restores, and compares the orders that are there with those that customers know.
func (s *shop) check(
	ctx context.Context, k keeper, moment string, who []*topology.Shopper, orders int64, out io.Writer,
) error {
	began := time.Now()
	db, err := k.restore(ctx, moment)
	if err != nil {
		return err
	}
	defer db.Close()
	took := time.Since(began)
	if err := s.serve(ctx, db); err != nil {
		return err
	}
	defer s.server.Stop()
	for i, one := range who {
		if err := one.Check(ctx); err != nil {
			return fmt.Errorf("customer %d: %w", i, err)
		}
	}
	there, err := count(ctx, db)
	if err != nil {
		return err
	}
	if int64(there) != orders {
		return fmt.Errorf("%d orders are there, %d were acknowledged", there, orders)
	}
	to := "the last commit"
	if moment != "" {
		to = moment
	}
	fmt.Fprintf(out, "restored to %s in %v: %d orders, none lost, none too many\n", to, took.Round(time.Millisecond), there)
	return nil
}

func count(ctx context.Context, db *pgserver.Server) (int, error) {
	s, err := store.Open(ctx, db.URL(database))
	if err != nil {
		return 0, err
	}
	defer s.Close()
	shop, err := s.Client.Tenant.Query().Where(tenant.Domain(topology.Domain)).OnlyID(ctx)
	if err != nil {
		return 0, err
	}
	return s.Client.Order.Query().Count(tenancy.In(ctx, shop))
}

func acknowledged(all []*topology.Shopper) (n int64) {
	for _, one := range all {
		n += one.Acquired.Load()
	}
	return n
}

// now returns the time by the server's clock, between the orders of customers.
func now(ctx context.Context, db *pgserver.Server) (string, error) {
	pause(ctx, 100*time.Millisecond)
	said, err := db.Program(ctx, "psql", "-XAt", "-c", "SELECT clock_timestamp()", db.URL("postgres")).Output()
	pause(ctx, 100*time.Millisecond)
	return string(said[:max(0, len(said)-1)]), err
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
