// Package failover kills the primary of a PostgreSQL that Patroni manages, under load. `make failover` runs it; it
// needs PostgreSQL's programs, Patroni, etcd, HAProxy, PgBouncer and the built server, and everything stays on
// loopback, with the files of deploy/ and other addresses.
//
// Customers order and browse at two servers of the service. One reaches the database through PgBouncer and HAProxy,
// the other by both hosts in its URL. All processes of the primary and its Patroni are killed at once, Patroni
// promotes the standby, and after a while the old primary is started again as it was. The command fails if an
// acknowledged order is lost or duplicated, if the old primary takes changes or has an order that the new one lacks,
// if an answer is a failure other than 503 or takes longer than 10 s, if a list that was read before the kill is not
// given as a stale one, or if requests fail for more than 5 s after the promotion.
package failover

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
	"storefront/internal/testkit/pgserver"
)

const (
	answerLimit = 10 * time.Second // the longest time of an answer without a database (contract 4.3)
	nodeLimit   = 2 * time.Minute  // for a node to get a role
	clients     = 8                // customers at each server

	before = 5 * time.Second // load before the primary is killed
	after  = 8 * time.Second // load after the promotion
)

// Trial is the trial that `go run ./cmd/trial failover` runs.
var Trial = stage.Trial{Name: "failover", About: "kill a primary under load, which Patroni replaces",
	Flags: func(f *flag.FlagSet) stage.Work {
		rounds := f.Int("rounds", 1, "failovers, each from the start")
		return func(ctx context.Context, s *stage.Stage) {
			for n := range *rounds {
				s.Again(ctx, fmt.Sprint(n+1), func(ctx context.Context, s *stage.Stage) {
					c := &cluster{Stage: s, folder: s.TempDir()}
					c.build(ctx)
					c.run(ctx)
				})
			}
		}
	}}

// cluster is two nodes of PostgreSQL under Patroni with what leads to their primary, and two servers of the service.
type cluster struct {
	*stage.Stage
	folder  string // of all programs
	nodes   [2]node
	servers [2]*stage.Server
}

type node struct {
	*stage.Process        // Patroni
	file           string // its settings
	data           string // folder of PostgreSQL
	addr, rest     string // of PostgreSQL, and of Patroni
}

// password is that of the trial's roles.
const password = "trial"

func (c *cluster) build(ctx context.Context) {
	etcd, peer, primary := stage.FreeAddress(), stage.FreeAddress(), stage.FreeAddress()
	members := "db1=http://10.0.0.21:2380,db2=http://10.0.0.22:2380,db3=http://10.0.0.23:2380"
	keeper := c.start("etcd", "--config-file", stage.Settings(c.folder, "etcd", "deploy/etcd.yaml",
		members, "db1=http://"+peer, "10.0.0.21:2379", etcd, "10.0.0.21:2380", peer,
		"/var/lib/etcd/shop", filepath.Join(c.folder, "store")))
	keeper.Ready(ctx, nodeLimit, func(ctx context.Context, _ []byte) bool {
		return customer.Get(ctx, etcd, "/version").Status == http.StatusOK
	})
	for i := range c.nodes {
		n := &c.nodes[i]
		n.addr, n.rest = stage.FreeAddress(), stage.FreeAddress()
		n.data = filepath.Join(c.folder, fmt.Sprint("data", i))
		n.file = stage.Settings(c.folder, fmt.Sprint("node", i), "deploy/patroni.yaml", "db1", fmt.Sprint("db", i+1),
			"10.0.0.21:2379,10.0.0.22:2379,10.0.0.23:2379", etcd, "10.0.0.21:8008", n.rest, "10.0.0.21:5432", n.addr,
			"/var/lib/postgresql/15/shop", n.data, "/usr/lib/postgresql/15/bin", must.Get(pgserver.Programs()),
			"/var/lib/postgresql", c.folder, "/var/run/postgresql", c.folder, "SECRET", password)
		c.OnClose(func() error { pgserver.KillAt(n.data); return nil })
		n.Process = c.start("patroni", n.file)
		c.await(ctx, n, []string{"leader", "sync"}[i])
	}
	stage.Exec(ctx, c.url(c.nodes[0].addr, "postgres"), "CREATE DATABASE shop")
	c.Env = []string{"CLIENT_LIMITS=off"}
	c.Database = c.url(c.nodes[0].addr+","+c.nodes[1].addr, "shop") + "&pool_size=16"
	c.Import(ctx, customer.AlwaysInStock())
	c.Count(ctx)

	of := func(n node) string {
		_, port, _ := net.SplitHostPort(n.rest) // of an address that listened
		return n.addr + " check port " + port
	}
	c.start("haproxy", "-db", "-f", stage.Settings(c.folder, "haproxy", "deploy/haproxy.cfg",
		"127.0.0.1:5000", primary, "10.0.0.21:5432 check port 8008", of(c.nodes[0]),
		"10.0.0.22:5432 check port 8008", of(c.nodes[1]))).
		Ready(ctx, nodeLimit, func(_ context.Context, said []byte) bool { // it leads to both until it has looked
			return bytes.Contains(said, []byte("db2 is DOWN"))
		})
	pooled := c.url(c.Pool(ctx, primary, "shop", password), "shop") + "&pool_size=16"
	c.servers = [2]*stage.Server{c.Serve(ctx, "DATABASE_URL="+pooled), c.Serve(ctx)}
}

// start starts a program as the owner of the databases.
func (c *cluster) start(program string, args ...string) *stage.Process {
	cmd := exec.Command(stage.Installed(program, "patroni python3-etcd etcd-server haproxy"), args...)
	cmd.Dir = c.folder
	must.Do(pgserver.AsOwner(cmd, c.folder))
	return c.Start(cmd)
}

// await waits until a node has a role, as its Patroni says.
func (c *cluster) await(ctx context.Context, n *node, role string) {
	n.Ready(ctx, nodeLimit, func(ctx context.Context, _ []byte) bool {
		return customer.Get(ctx, n.rest, "/"+role).Status == http.StatusOK
	})
}

func (c *cluster) url(hosts, database string) string {
	return "postgres://postgres:" + password + "@" + hosts + "/" + database + "?sslmode=disable"
}

// run kills the primary under load, and starts it again once the standby has taken its place.
func (c *cluster) run(ctx context.Context) {
	old, next := &c.nodes[0], &c.nodes[1]
	shoppers, tallies := customer.EnterBoth(ctx, clients, c.servers)
	crowd := customer.Go(ctx, shoppers, customer.Shopping(4, 5*time.Millisecond))
	defer crowd.Stop()
	customer.Pause(ctx, before)
	list := "/api/v1/tenants/" + customer.Domain + "/products"
	must.Do(customer.Get(ctx, c.servers[1].Addr, list).Read(nil))
	orders := customer.Acknowledged(shoppers)
	for _, tally := range tallies {
		tally.Mark()
	}
	killed := time.Now()
	old.Kill()
	pgserver.KillAt(old.data)
	stale := customer.Get(ctx, c.servers[1].Addr, list)
	must.Do(stale.Read(nil))
	c.await(ctx, next, "leader")
	promoted := time.Since(killed)
	customer.Pause(ctx, after)
	took := c.comeBack(ctx)
	customer.Pause(ctx, after)
	faults := []error{crowd.Stop(), ctx.Err()}
	for i, tally := range tallies {
		count := tally.Now()
		from, until := count.Gap()
		c.Say("server %d (%s): %s; failures from %v to %v after the kill, promoted at %v", i+1,
			[]string{"PgBouncer and HAProxy", "both hosts"}[i], count.Summary(), from.Round(time.Millisecond),
			until.Round(time.Millisecond), promoted.Round(time.Millisecond))
		if beyond := until - promoted; beyond > customer.RecoveryLimit {
			faults = append(faults, fmt.Errorf("requests at server %d fail until %v after the promotion", i+1, beyond))
		}
		faults = append(faults, count.Verdict(answerLimit))
	}
	if err := errors.Join(append(faults, customer.Check(ctx, shoppers))...); err != nil {
		must.Do(err, stage.Complaints(c.servers[:]...))
	}
	inAll := customer.Acknowledged(shoppers)
	must.Hold(inAll > orders, "nobody could order after the promotion")
	must.Hold(stale.Header.Get("Warning") != "", "a list without a primary is not stale: %s", stale.Body)
	must.Do(c.CheckBooks(ctx))
	customer.Until(ctx, answerLimit, func(ctx context.Context) error {
		here, there := stage.Orders(ctx, c.url(old.addr, "shop")), stage.Orders(ctx, c.url(next.addr, "shop"))
		if here != there {
			return fmt.Errorf("the old primary has %d orders, the new one %d", here, there)
		}
		return nil
	})
	c.Say("%d orders acknowledged before the kill, %d in all: none lost, none twice, no restart", orders, inAll)
	c.Say("the old primary is the new one's standby %v after it was started, and has no order of its own",
		took.Round(time.Millisecond))
}

// comeBack starts the old primary as it was, and waits until it is the synchronous standby of the new one. It must not
// take changes at any moment.
func (c *cluster) comeBack(ctx context.Context) time.Duration {
	n := &c.nodes[0]
	db := must.Get(sql.Open("postgres", c.url(n.addr, "shop")))
	defer db.Close()
	watched, stop := context.WithCancel(ctx)
	var watching sync.WaitGroup
	writable := false
	watching.Go(func() {
		for ; watched.Err() == nil; customer.Pause(watched, 20*time.Millisecond) {
			var standby bool
			err := db.QueryRowContext(watched, "SELECT pg_is_in_recovery()").Scan(&standby)
			writable = writable || err == nil && !standby
		}
	})
	began := time.Now()
	n.Process = c.start("patroni", n.file)
	err := must.Run(func() { c.await(ctx, n, "sync") })
	took := time.Since(began)
	stop()
	watching.Wait()
	must.Do(err)
	must.Hold(!writable, "the old primary takes changes")
	return took
}
