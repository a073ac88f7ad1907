// Package failover kills the primary of a replicated PostgreSQL under load and promotes its standby. `make
// failover` runs it; it needs PostgreSQL's programs, PgBouncer and the built server, and everything stays on
// loopback. With -patroni it needs Patroni and etcd in PgBouncer's place: they promote, and both servers
// reach the database directly.
//
// It makes a primary and a standby with synchronous replication, a PgBouncer in front of each, and two
// servers of ours, one that reaches the database through the poolers and one that does so directly, with the
// standby as its replica. Customers order and browse at both. The standby is frozen for a moment, which the
// servers must say. Then all processes of the primary are killed at once, the standby is promoted after a while,
// and customers go on. Then the old primary comes back as it was, writable and first among the hosts, and a
// server is started anew. It fails when an acknowledged order is lost or made twice, or lands at the old primary,
// when an answer is another failure than 503 or takes longer than 10 s, or when requests fail for longer after
// the promotion than they may.
package failover

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
	"storefront/internal/pgserver"
)

// answerLimit is what contract 4.3 promises of a database that is lost.
const answerLimit = 10 * time.Second

type settings struct {
	server   string
	rounds   int
	clients  int
	before   time.Duration
	gap      time.Duration
	after    time.Duration
	recovery time.Duration
	patroni  bool
}

// cluster is what fails over.
type cluster struct {
	servers    [2]*stage.Server        // ours
	said       [2]string               // how each reaches the database
	freeze     func(frozen bool) error // stops the standby, or lets it go on; nil where it is not frozen
	lose       func()                  // ends the primary at once
	promote    func(context.Context)
	old        *pgserver.Server                    // the primary that comes back; nil: it does not
	metrics    [2]string                           // addresses of our servers'
	another    func(context.Context) *stage.Server // starts one more of ours
	books      string                              // URL of the database after the promotion
	complaints func() error                        // of our servers

	had int // orders at the old primary when it came back
}

// byHand is the cluster whose standby is promoted by hand.
func byHand(ctx context.Context, s *stage.Stage) *cluster {
	r := s.Replicate(ctx, customer.AlwaysInStock(), func(_, addr string) string { return addr })
	return &cluster{
		servers: r.Servers, said: [2]string{"through PgBouncer", "directly, with a replica"}, lose: r.Primary.Kill,
		freeze:  r.Standby.Freeze,
		promote: func(ctx context.Context) { must.Do(r.Standby.Promote(ctx)) },
		books:   r.Standby.URL("postgres"), complaints: r.Complaints, old: r.Primary, metrics: r.Metrics,
		another: func(ctx context.Context) *stage.Server {
			return s.Serve(ctx, "DATABASE_URL="+r.Primary.URLAt(r.Primary.Addr()+","+r.Standby.Addr(), "postgres"))
		},
	}
}

func Run(ctx context.Context, args []string, out io.Writer) error {
	var s settings
	flags := flag.NewFlagSet("failover", flag.ContinueOnError)
	flags.StringVar(&s.server, "server", "bin/storefront", "the program to serve with")
	flags.IntVar(&s.rounds, "rounds", 3, "failovers, each from the start")
	flags.IntVar(&s.clients, "clients", 8, "customers at each server")
	flags.DurationVar(&s.before, "before", 5*time.Second, "load before the primary is killed")
	flags.DurationVar(&s.gap, "gap", 2*time.Second, "time without a primary, while it is decided to promote")
	flags.DurationVar(&s.after, "after", 8*time.Second, "load after the promotion")
	flags.DurationVar(&s.recovery, "recovery", 5*time.Second, "how long requests may fail after the promotion")
	flags.BoolVar(&s.patroni, "patroni", false,
		"Patroni with etcd promotes, with two servers that find the primary by its hosts")
	if err := flags.Parse(args); err != nil {
		return err
	}
	build := byHand
	if s.patroni {
		build = byPatroni
	}
	for n := range s.rounds {
		if err := stage.Run(s.server, func(at *stage.Stage) {
			must.In(fmt.Sprintf("failover %d", n+1), func() { failOver(ctx, s, at, build(ctx, at), n+1, out) })
		}); err != nil {
			return err
		}
	}
	return nil
}

// failOver has the standby of a cluster take over.
func failOver(ctx context.Context, s settings, at *stage.Stage, c *cluster, round int, out io.Writer) {
	shoppers, tallies := customer.EnterBoth(ctx, s.clients, [2]string{c.servers[0].Addr, c.servers[1].Addr})
	crowd := customer.Go(ctx, shoppers, customer.Shopping(4, 5*time.Millisecond))
	defer crowd.Stop()
	_ = customer.Wait(ctx, s.before) // an interrupt shows below
	if c.freeze != nil {
		took, back := c.frozen(ctx)
		fmt.Fprintf(out, "failover %d: a frozen standby: commits are seen to wait for more than a second after "+
			"%v, and not %v after it goes on\n", round, took.Round(time.Millisecond), back.Round(time.Millisecond))
	}
	orders := customer.Acknowledged(shoppers)
	for _, tally := range tallies {
		tally.Mark()
	}
	killed := time.Now()
	c.lose()
	_ = customer.Wait(ctx, s.gap)
	between := customer.Get(ctx, c.servers[1].Addr, "/readyz")
	c.promote(ctx)
	promoted := time.Since(killed)
	_ = customer.Wait(ctx, s.after)
	var refused time.Duration
	if c.old != nil {
		refused = c.comeBack(ctx)
	}
	faults := []error{crowd.Stop(), ctx.Err()}
	for i, tally := range tallies {
		count := tally.Now()
		from, until := count.Gap()
		fmt.Fprintf(out, "failover %d, server %d (%s): %d requests, %v; failures from %v to %v after the kill, "+
			"promoted at %v; slowest answer %v\n", round, i+1, c.said[i], count.Requests(), count.Statuses,
			from.Round(time.Millisecond), until.Round(time.Millisecond), promoted.Round(time.Millisecond),
			count.Slowest.Took.Round(time.Millisecond))
		if beyond := until - promoted; beyond > s.recovery {
			faults = append(faults, fmt.Errorf("requests at server %d fail until %v after the promotion", i+1, beyond))
		}
		faults = append(faults, count.Verdict(answerLimit))
	}
	if err := errors.Join(append(faults, customer.Check(ctx, shoppers))...); err != nil {
		must.Do(err, c.complaints())
	}
	inTime := customer.Acknowledged(shoppers)
	fmt.Fprintf(out,
		"failover %d: %d orders acknowledged before the kill, %d in all: none lost, none twice, no restart\n",
		round, orders, inTime)
	fmt.Fprintf(out, "failover %d: without a primary /readyz of the server with a replica is %d %s\n", round,
		between.Status, between.Body)
	must.Hold(between.Status == http.StatusOK, "the server with a replica does not read without a primary")
	must.Hold(inTime > orders, "nobody could order after the promotion")
	must.Do(at.CheckBooksAt(ctx, c.books))
	if c.old == nil {
		return
	}
	fresh := c.another(ctx)
	for _, one := range shoppers {
		one.Base = customer.At(fresh.Addr)
	}
	crowd = customer.Go(ctx, shoppers, customer.Shopping(4, 5*time.Millisecond))
	_ = customer.Wait(ctx, s.gap)
	must.Do(crowd.Stop(), customer.Check(ctx, shoppers), at.CheckBooksAt(ctx, c.books))
	more, misled := customer.Acknowledged(shoppers)-inTime, ordersAt(ctx, c.old.URL("postgres"))-c.had
	must.Hold(more > 0 && misled == 0, "of %d orders at a new server and those before, the old primary has %d", more,
		misled)
	fmt.Fprintf(out, "failover %d: the old primary came back writable: refused by both servers after %v; %d orders "+
		"by a server started anew, %d at the old primary\n", round, refused.Round(time.Millisecond), more, misled)
}

// frozen freezes the standby, which each commit waits for, until a server says that one waits for more than a
// second, and lets it go on until none does.
func (c *cluster) frozen(ctx context.Context) (took, back time.Duration) {
	until := func(waits bool) time.Duration {
		began := time.Now()
		for commitWait(ctx, c.metrics[1]) > 1 != waits {
			must.Hold(time.Since(began) < answerLimit, "a frozen standby: commits are seen to wait: %v", !waits)
			must.Do(customer.Wait(ctx, 50*time.Millisecond))
		}
		return time.Since(began)
	}
	must.Do(c.freeze(true))
	took = until(true)
	must.Do(c.freeze(false))
	return took, until(false)
}

var waitShown = regexp.MustCompile(`(?m)^database_commit_wait_seconds (\S+)$`)

// commitWait is how long the oldest commit waits for a standby, in seconds, by a server's metrics.
func commitWait(ctx context.Context, addr string) float64 {
	shown := waitShown.FindSubmatch(customer.Get(ctx, addr, "/metrics").Body)
	must.Hold(shown != nil, "there is no metric database_commit_wait_seconds")
	return must.Get(strconv.ParseFloat(string(shown[1]), 64))
}

// comeBack starts the old primary as it was, and waits until our servers say that they do not use it.
func (c *cluster) comeBack(ctx context.Context) time.Duration {
	must.Do(c.old.Start(ctx))
	began := time.Now()
	url := c.old.URL("postgres")
	stage.Exec(ctx, url, "ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()")
	c.had = ordersAt(ctx, url)
	for _, addr := range c.metrics {
		for !refuses.MatchString(string(customer.Get(ctx, addr, "/metrics").Body)) {
			must.Hold(time.Since(began) < answerLimit, "the old primary is not refused")
			must.Do(customer.Wait(ctx, 20*time.Millisecond))
		}
	}
	return time.Since(began)
}

var refuses = regexp.MustCompile(`database_host_replaced\{[^}]*\} 1`)

// ordersAt counts the orders of a database.
func ordersAt(ctx context.Context, url string) (n int) {
	db := must.Get(sql.Open("postgres", url))
	defer db.Close()
	must.Do(db.QueryRowContext(ctx, "SELECT count(*) FROM orders").Scan(&n))
	return n
}

// nodeConfig is that of a node: the shortest times that Patroni takes, synchronous replication, and all on loopback.
const nodeConfig = `scope: shop
name: node%[1]d
restapi: {listen: "%[2]s", connect_address: "%[2]s"}
etcd3: {hosts: "%[3]s"}
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 2
    retry_timeout: 3
    synchronous_mode: true
    postgresql: {use_slots: true, parameters: {max_connections: 200, hot_standby_feedback: "on"}}
  initdb: [{encoding: UTF8}, {locale: C.UTF-8}]
  pg_hba: ["host replication replicator 127.0.0.1/32 scram-sha-256", "host all all 127.0.0.1/32 scram-sha-256"]
postgresql:
  listen: "%[4]s"
  connect_address: "%[4]s"
  data_dir: "%[5]s/data%[1]d"
  bin_dir: "%[6]s"
  pgpass: "%[5]s/pgpass%[1]d"
  authentication:
    replication: {username: replicator, password: replicator}
    superuser: {username: postgres, password: trial}
  parameters: {unix_socket_directories: "%[5]s", password_encryption: scram-sha-256}
`

// patroni is two nodes of PostgreSQL that Patroni keeps, with etcd, and two servers of ours that find the one
// which takes changes by its hosts in DATABASE_URL.
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
	c.lose = func() { // Patroni and PostgreSQL, as a power cut does
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

// complaint is the end of what the first node said.
func (p *patroni) complaint() error {
	if p.nodes[0] == nil {
		return nil
	}
	said := p.nodes[0].Log()
	return errors.New(string(said[max(0, len(said)-1500):]))
}
