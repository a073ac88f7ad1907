// Package failover kills the primary of a replicated PostgreSQL under load and promotes its standby. `make
// failover` runs it; it needs PostgreSQL's programs, PgBouncer and the built server, and everything stays on
// loopback. With -patroni it needs Patroni and etcd instead of PgBouncer: Patroni promotes the standby, and
// both servers reach the database directly.
//
// It makes a primary and a standby with synchronous replication, a PgBouncer for each, and two servers of the
// service. One reaches the database through the poolers, the other directly, with the standby as its replica.
// Customers order and browse at both. The standby is frozen for a moment, which the servers must report. Then
// all processes of the primary are killed at once, and after a while the standby is promoted, while customers
// go on. Then the old primary returns, writable and first among the hosts, and another server is started. The
// command fails if an acknowledged order is lost, duplicated, or stored at the old primary, if an answer is a
// failure other than 503 or takes longer than 10 s, or if requests fail for more than 5 s after the
// promotion.
package failover

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
	"storefront/internal/pgserver"
)

const (
	answerLimit = 10 * time.Second // the longest time of an answer without a database (contract 4.3)
	clients     = 8                // customers at each server

	before = 5 * time.Second // load before the primary is killed
	gap    = 2 * time.Second // without a primary, while it is decided to promote
	after  = 8 * time.Second // load after the promotion
)

// cluster is the installation that fails over.
type cluster struct {
	servers    [2]*stage.Server        // of the service
	said       [2]string               // how each reaches the database
	freeze     func(frozen bool) error // freezes the standby or lets it continue; nil: it is not frozen
	lose       func()                  // ends the primary at once
	promote    func(context.Context)
	old        *pgserver.Server // the primary that returns; nil: none
	metrics    [2]string        // addresses of the servers' metrics
	both       string           // URL of old and the standby, for one more server
	books      string           // URL of the database after the promotion
	complaints func() error     // of the servers

	had int // orders at the old primary when it returned
}

// byHand returns a cluster whose standby is promoted by a command.
func byHand(ctx context.Context, s *stage.Stage) *cluster {
	r := s.Replicate(ctx, customer.AlwaysInStock(), func(_, addr string) string { return addr })
	return &cluster{
		servers: r.Servers, said: [2]string{"through PgBouncer", "directly, with a replica"}, lose: r.Primary.Kill,
		freeze:  r.Standby.Freeze,
		promote: func(ctx context.Context) { must.Do(r.Standby.Promote(ctx)) },
		books:   r.Standby.URL("postgres"), complaints: r.Complaints, old: r.Primary, metrics: r.Metrics,
		both: r.Primary.URLAt(r.Primary.Addr()+","+r.Standby.Addr(), "postgres"),
	}
}

// Trial is the trial that `go run ./cmd/trial failover` runs.
var Trial = stage.Trial{Name: "failover", About: "kill a primary under load and promote its standby",
	Flags: func(f *flag.FlagSet) stage.Work {
		rounds := f.Int("rounds", 3, "failovers, each from the start")
		patroni := f.Bool("patroni", false,
			"Patroni with etcd promotes, with two servers that find the primary by its hosts")
		return func(ctx context.Context, s *stage.Stage) {
			build := byHand
			if *patroni {
				build = byPatroni
			}
			for n := range *rounds {
				s.Again(ctx, fmt.Sprint(n+1), func(ctx context.Context, s *stage.Stage) { build(ctx, s).run(ctx, s) })
			}
		}
	}}

// run kills the primary and lets the standby take over.
func (c *cluster) run(ctx context.Context, s *stage.Stage) {
	shoppers, tallies := customer.EnterBoth(ctx, clients, c.servers)
	crowd := customer.Go(ctx, shoppers, customer.Shopping(4, 5*time.Millisecond))
	defer crowd.Stop()
	customer.Pause(ctx, before)
	if c.freeze != nil {
		took, back := c.frozen(ctx)
		s.Say("a frozen standby: commits are seen to wait for more than a second after %v, and not %v after it goes on",
			took.Round(time.Millisecond), back.Round(time.Millisecond))
	}
	orders := customer.Acknowledged(shoppers)
	for _, tally := range tallies {
		tally.Mark()
	}
	killed := time.Now()
	c.lose()
	customer.Pause(ctx, gap)
	between := customer.Get(ctx, c.servers[1].Addr, "/readyz")
	c.promote(ctx)
	promoted := time.Since(killed)
	customer.Pause(ctx, after)
	var refused time.Duration
	if c.old != nil {
		refused = c.comeBack(ctx)
	}
	faults := []error{crowd.Stop(), ctx.Err()}
	for i, tally := range tallies {
		count := tally.Now()
		from, until := count.Gap()
		s.Say("server %d (%s): %s; failures from %v to %v after the kill, promoted at %v", i+1, c.said[i],
			count.Summary(), from.Round(time.Millisecond),
			until.Round(time.Millisecond), promoted.Round(time.Millisecond))
		if beyond := until - promoted; beyond > customer.RecoveryLimit {
			faults = append(faults, fmt.Errorf("requests at server %d fail until %v after the promotion", i+1, beyond))
		}
		faults = append(faults, count.Verdict(answerLimit))
	}
	if err := errors.Join(append(faults, customer.Check(ctx, shoppers))...); err != nil {
		must.Do(err, c.complaints())
	}
	inTime := customer.Acknowledged(shoppers)
	s.Say("%d orders acknowledged before the kill, %d in all: none lost, none twice, no restart", orders, inTime)
	s.Say("without a primary /readyz of the server with a replica is %d %s", between.Status, between.Body)
	must.Hold(between.Status == http.StatusOK, "the server with a replica does not read without a primary")
	must.Hold(inTime > orders, "nobody could order after the promotion")
	must.Do(s.CheckBooksAt(ctx, c.books))
	if c.old == nil {
		return
	}
	fresh := s.Serve(ctx, "DATABASE_URL="+c.both)
	for _, one := range shoppers {
		one.Base = customer.At(fresh.Addr)
	}
	crowd = customer.Go(ctx, shoppers, customer.Shopping(4, 5*time.Millisecond))
	customer.Pause(ctx, gap)
	must.Do(crowd.Stop(), customer.Check(ctx, shoppers), s.CheckBooksAt(ctx, c.books))
	more, misled := customer.Acknowledged(shoppers)-inTime, stage.Orders(ctx, c.old.URL("postgres"))-c.had
	must.Hold(more > 0 && misled == 0, "of %d orders at a new server and those before, the old primary has %d", more,
		misled)
	s.Say("the old primary came back writable: refused by both servers after %v; %d orders by a server started anew, "+
		"%d at the old primary", refused.Round(time.Millisecond), more, misled)
}

// frozen freezes the standby, for which each commit waits, until a server reports a commit that waits for more
// than a second. Then it lets the standby continue until the server reports none.
func (c *cluster) frozen(ctx context.Context) (took, back time.Duration) {
	until := func(waits bool) time.Duration {
		must.Do(c.freeze(waits))
		return customer.Until(ctx, answerLimit, func(ctx context.Context) error {
			if customer.Metrics(ctx, c.metrics[1])["database_commit_wait_seconds"] > 1 != waits {
				return fmt.Errorf("a frozen standby: commits are seen to wait: %v", !waits)
			}
			return nil
		})
	}
	return until(true), until(false)
}

// comeBack starts the old primary as it was, and waits until the servers report that they do not use it.
func (c *cluster) comeBack(ctx context.Context) time.Duration {
	must.Do(c.old.Start(ctx))
	began := time.Now()
	url := c.old.URL("postgres")
	stage.Exec(ctx, url, "ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()")
	c.had = stage.Orders(ctx, url)
	for _, addr := range c.metrics {
		customer.Until(ctx, answerLimit-time.Since(began), func(ctx context.Context) error {
			for name, value := range customer.Metrics(ctx, addr) {
				if strings.HasPrefix(name, "database_host_replaced{") && value == 1 {
					return nil
				}
			}
			return errors.New("the old primary is not refused")
		})
	}
	return time.Since(began)
}

//go:embed patroni.yaml
var nodeConfig string

// patroni is two nodes of PostgreSQL that Patroni manages with etcd, and two servers that find the primary by
// its hosts in DATABASE_URL.
type patroni struct {
	*stage.Stage
	folder string    // of the nodes
	addrs  [2]string // of PostgreSQL
	rest   [2]string // of Patroni
	nodes  [2]*stage.Process
}

func byPatroni(ctx context.Context, s *stage.Stage) *cluster {
	p := &patroni{Stage: s, folder: s.TempDir()}
	c := &cluster{said: [2]string{"several hosts", "several hosts, with a replica"}, complaints: p.complaint}
	c.promote = func(ctx context.Context) { p.wait(ctx, 1, "leader") }
	c.lose = func() { // kills Patroni and PostgreSQL, as a power cut does
		p.nodes[0].Kill()
		pgserver.KillAt(p.data(0))
	}
	if err := must.Run(func() { p.build(ctx, c) }); err != nil {
		must.Do(err, p.complaint())
	}
	return c
}

func (p *patroni) build(ctx context.Context, c *cluster) {
	etcd, peer := stage.FreeAddress(), stage.FreeAddress()
	p.start("etcd", "--data-dir", filepath.Join(p.folder, "etcd"),
		"--listen-client-urls", "http://"+etcd, "--advertise-client-urls", "http://"+etcd,
		"--listen-peer-urls", "http://"+peer, "--initial-advertise-peer-urls", "http://"+peer,
		"--initial-cluster", "default=http://"+peer)
	for i := range p.nodes {
		p.addrs[i], p.rest[i] = stage.FreeAddress(), stage.FreeAddress()
		file := filepath.Join(p.folder, fmt.Sprintf("node%d.yml", i))
		text := fmt.Sprintf(nodeConfig, i, p.rest[i], etcd, p.addrs[i], p.folder, must.Get(pgserver.Programs()))
		must.Do(os.WriteFile(file, []byte(text), 0o644))
		p.OnClose(func() error { pgserver.KillAt(p.data(i)); return nil })
		p.nodes[i] = p.start("patroni", file)
		p.wait(ctx, i, []string{"leader", "sync"}[i])
	}
	stage.Exec(ctx, p.url(p.addrs[0], "postgres"), "CREATE DATABASE shop")
	p.Database = p.url(p.addrs[0], "shop")
	p.Import(ctx, customer.AlwaysInStock())
	p.Count(ctx)
	p.Database = p.url(p.addrs[0]+","+p.addrs[1], "shop") + "&pool_size=16"
	c.books = p.url(p.addrs[1], "shop")
	c.servers = [2]*stage.Server{p.Serve(ctx), p.Serve(ctx, "DATABASE_REPLICA_URL="+c.books)}
}

func (p *patroni) url(hosts, database string) string {
	return "postgres://postgres:trial@" + hosts + "/" + database + "?sslmode=disable"
}

func (p *patroni) data(node int) string { return filepath.Join(p.folder, fmt.Sprintf("data%d", node)) }

// start starts a program as the owner of the databases.
func (p *patroni) start(program string, args ...string) *stage.Process {
	cmd := exec.Command(stage.Installed(program, "patroni python3-etcd etcd-server"), args...)
	cmd.Dir = p.folder
	must.Do(pgserver.AsOwner(cmd, p.folder))
	return p.Start(cmd)
}

// wait asks Patroni until a node has a role.
func (p *patroni) wait(ctx context.Context, node int, role string) {
	p.nodes[node].Ready(ctx, time.Minute, func(ctx context.Context, _ []byte) bool {
		return customer.Get(ctx, p.rest[node], "/"+role).Status == http.StatusOK
	})
}

// complaint returns the end of the first node's log as an error.
func (p *patroni) complaint() error {
	if p.nodes[0] == nil {
		return nil
	}
	said := p.nodes[0].Log()
	return errors.New(string(said[max(0, len(said)-1500):]))
}
