package backups

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
)

const rounds = 12

// raceFiles makes copies of a SQLite database while customers order, and restores them after the server was killed.
// Each is raced by others of its kind, one of which is killed at another moment each time.
func (s *shop) raceFiles(ctx context.Context) {
	s.Env = []string{"TOKEN_SIGNING_KEY="} // the key is in a file
	s.Import(ctx, customer.AlwaysInStock())
	s.server = s.Serve(ctx)
	who := customer.EnterAll(ctx, 4, customer.Client{Base: func() string { return s.server.Addr }})
	crowd := customer.Go(ctx, who, customer.Ordering)
	defer crowd.Stop()
	var last string
	var atCopy int
	for round := range rounds {
		before, name := customer.Acknowledged(who), fmt.Sprintf("%s/copy%d.db", s.Folder, round)
		n := s.race(ctx, round, "backup", name)
		must.Hold(n < 2, "%d backups to one name succeeded", n)
		if isThere(name) {
			must.Hold(isThere(name+".key"), "%s has no key", name)
			last, atCopy = name, before
		}
	}
	must.Do(crowd.Stop())
	must.Hold(last != "", "there is no copy")
	s.server.Kill()
	path := filepath.Join(s.Folder, "shop.db")
	for round := range rounds {
		n := s.race(ctx, round, "restore", "-replace", last)
		must.Hold(isThere(path), "after %d restores no database is there", n)
		s.server = s.Serve(ctx)
		orders := ordersIn(ctx, path)
		must.Hold(orders >= atCopy, "%d orders are there, %d were acknowledged before the copy", orders, atCopy)
		s.server.Kill()
	}
	kept := must.Get(filepath.Glob(path + ".20*Z")) // the first one has all orders
	slices.Sort(kept)
	must.Hold(len(kept) > 0, "no restore succeeded")
	must.Get(s.Run(ctx, "restore", "-replace", kept[0]))
	s.server = s.Serve(ctx)
	must.Do(customer.Check(ctx, who))
	s.Say("%d rounds of three backups and of three restores at once, one of each killed: all %d orders are there",
		rounds, customer.Acknowledged(who))
}

// race runs a command three times at once, kills one of them, later in each round, and returns how many succeeded.
func (s *shop) race(ctx context.Context, round int, args ...string) (succeeded int) {
	ends := make(chan error)
	for i := range 3 {
		ctx, stop := context.WithCancel(ctx)
		if i == 0 {
			time.AfterFunc(time.Duration(round*10)*time.Millisecond, stop)
		}
		go func() {
			defer stop()
			cmd := exec.CommandContext(ctx, s.Program, args...) // which kills it
			cmd.Env = append(os.Environ(), s.Environment()...)
			ends <- cmd.Run()
		}()
	}
	for range 3 {
		if <-ends == nil {
			succeeded++
		}
	}
	return succeeded
}

// ordersIn counts the orders in a SQLite file.
func ordersIn(ctx context.Context, path string) (n int) {
	db := must.Get(sql.Open("sqlite", path))
	defer db.Close()
	must.Do(db.QueryRowContext(ctx, "SELECT count(*) FROM orders").Scan(&n))
	return n
}

func isThere(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, os.ErrNotExist)
}
