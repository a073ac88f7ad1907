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
	cluster
	folder string    // of the nodes
	addrs  [2]string // of PostgreSQL
	rest   [2]string // of Patroni
	nodes  [2]*stage.Process
}

func byPatroni(ctx context.Context, binary string) (_ *cluster, err error) {
	p := &patroni{}
	if p.Stage, err = stage.New(ctx, stage.SQLite, binary); err != nil { // its folder alone
		return nil, err
	}
	p.cluster = cluster{said: [2]string{"several hosts", "several hosts, with a replica"}, lose: p.lose,
		promote:    func(ctx context.Context) error { return p.wait(ctx, 1, "leader") },
		check:      func(ctx context.Context) error { return p.CheckBooksAt(ctx, p.url(p.addrs[1], "shop")) },
		complaints: func() error { return nil }, close: p.Close}
	if err := p.build(ctx); err != nil {
		return nil, errors.Join(err, p.complaint(), p.Close())
	}
	return &p.cluster, nil
}

func (p *patroni) build(ctx context.Context) (err error) {
	if p.folder, err = os.MkdirTemp("", "patroni-*"); err != nil {
		return err
	}
	p.OnClose(func() error { return os.RemoveAll(p.folder) })
	etcd, err := stage.FreeAddress()
	if err != nil {
		return err
	}
	peer, err := stage.FreeAddress()
	if err != nil {
		return err
	}
	if _, err := p.start("etcd", "--data-dir", filepath.Join(p.folder, "etcd"),
		"--listen-client-urls", "http://"+etcd, "--advertise-client-urls", "http://"+etcd,
		"--listen-peer-urls", "http://"+peer, "--initial-advertise-peer-urls", "http://"+peer,
		"--initial-cluster", "default=http://"+peer); err != nil {
		return err
	}
	for i := range p.nodes {
		if err := p.startNode(ctx, i, etcd); err != nil {
			return err
		}
	}
	return p.serve(ctx)
}

func (p *patroni) url(hosts, database string) string {
	return "postgres://postgres:trial@" + hosts + "/" + database + "?sslmode=disable"
}

func (p *patroni) startNode(ctx context.Context, i int, etcd string) (err error) {
	for _, one := range []*string{&p.addrs[i], &p.rest[i]} {
		if *one, err = stage.FreeAddress(); err != nil {
			return err
		}
	}
	programs, err := pgserver.Programs()
	if err != nil {
		return err
	}
	file := filepath.Join(p.folder, fmt.Sprintf("node%d.yml", i))
	text := fmt.Sprintf(nodeConfig, i, p.rest[i], etcd, p.addrs[i], p.folder, programs)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return err
	}
	p.OnClose(func() error { pgserver.KillAt(p.data(i)); return nil })
	if p.nodes[i], err = p.start("patroni", file); err != nil {
		return err
	}
	return p.wait(ctx, i, []string{"leader", "sync"}[i])
}

func (p *patroni) data(node int) string { return filepath.Join(p.folder, fmt.Sprintf("data%d", node)) }

// start starts a program as the owner of the databases.
func (p *patroni) start(program string, args ...string) (*stage.Process, error) {
	if _, err := exec.LookPath(program); err != nil {
		return nil, fmt.Errorf("no %s is installed here (Debian: apt-get install patroni python3-etcd etcd-server)", program)
	}
	cmd := exec.Command(program, args...)
	cmd.Dir = p.folder
	if err := pgserver.AsOwner(cmd, p.folder); err != nil {
		return nil, err
	}
	started, err := stage.Start(p.Folder, cmd)
	if err == nil {
		p.OnClose(func() error { started.Kill(); return nil })
	}
	return started, err
}

// wait asks Patroni until a node has a role.
func (p *patroni) wait(ctx context.Context, node int, role string) error {
	return p.nodes[node].Ready(ctx, time.Minute, func(ctx context.Context, _ []byte) bool {
		return customer.Get(ctx, p.rest[node], "/"+role).Status == http.StatusOK
	})
}

func (p *patroni) serve(ctx context.Context) (err error) {
	if err := stage.Exec(ctx, p.url(p.addrs[0], "postgres"), "CREATE DATABASE shop"); err != nil {
		return err
	}
	p.Database = p.url(p.addrs[0], "shop")
	if err := p.Import(ctx, customer.AlwaysInStock()); err != nil {
		return err
	}
	if err := p.Count(ctx); err != nil {
		return err
	}
	p.Database = p.url(p.addrs[0]+","+p.addrs[1], "shop") + "&pool_size=16"
	for i, more := range [][]string{nil, {"DATABASE_REPLICA_URL=" + p.url(p.addrs[1], "shop")}} {
		if p.servers[i], err = p.Serve(ctx, more...); err != nil {
			return err
		}
	}
	return nil
}

// lose kills the first node: Patroni and PostgreSQL, as a power cut does.
func (p *patroni) lose() {
	p.nodes[0].Kill()
	pgserver.KillAt(p.data(0))
}

// complaint is the end of what the first node said.
func (p *patroni) complaint() error {
	if p.nodes[0] == nil {
		return nil
	}
	said, _ := p.nodes[0].Log() // its absence says enough
	return errors.New(string(said[max(0, len(said)-1500):]))
}
