package failover

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
	"storefront/internal/pgserver"
)

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
