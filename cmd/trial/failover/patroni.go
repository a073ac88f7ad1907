package failover

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/google/uuid"

	"storefront/cmd/internal/child"
	"storefront/cmd/internal/topology"
	"storefront/internal/contract/ledger"
	"storefront/internal/pgserver"
	"storefront/internal/store"
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
	folder  string
	addrs   [2]string // of PostgreSQL
	rest    [2]string // of Patroni
	nodes   [2]*exec.Cmd
	etcd    *exec.Cmd
	initial map[uuid.UUID]int // stock
	cluster
}

func newPatroni(ctx context.Context, binary string) (p *patroni, err error) {
	p = &patroni{}
	p.cluster = cluster{said: [2]string{"several hosts", "several hosts, with a replica"}, lose: p.lose, promote: p.promoted,
		check: p.books, complaints: func() error { return nil }, close: p.end}
	defer func() {
		if err != nil {
			err = errors.Join(err, p.complaint(), p.end())
		}
	}()
	if p.folder, err = os.MkdirTemp("", "patroni-*"); err != nil {
		return p, err
	}
	etcdAddr, err := p.startEtcd()
	if err != nil {
		return p, err
	}
	programs, err := pgserver.Programs()
	if err != nil {
		return p, err
	}
	for i := range p.nodes {
		if err := p.startNode(ctx, i, etcdAddr, programs); err != nil {
			return p, err
		}
		if err := p.wait(ctx, i, []string{"leader", "sync"}[i], time.Minute); err != nil {
			return p, err
		}
	}
	return p, p.serve(ctx, binary)
}

func (p *patroni) url(hosts, database string) string {
	return "postgres://postgres:trial@" + hosts + "/" + database + "?sslmode=disable"
}

func (p *patroni) startEtcd() (addr string, err error) {
	var peer string
	for _, one := range []*string{&addr, &peer} {
		if *one, err = free(); err != nil {
			return "", err
		}
	}
	p.etcd, err = p.start("etcd", "etcd", "--data-dir", filepath.Join(p.folder, "etcd"),
		"--listen-client-urls", "http://"+addr, "--advertise-client-urls", "http://"+addr,
		"--listen-peer-urls", "http://"+peer, "--initial-advertise-peer-urls", "http://"+peer,
		"--initial-cluster", "default=http://"+peer)
	return addr, err
}

func (p *patroni) startNode(ctx context.Context, i int, etcd, programs string) (err error) {
	for _, one := range []*string{&p.addrs[i], &p.rest[i]} {
		if *one, err = free(); err != nil {
			return err
		}
	}
	file := filepath.Join(p.folder, fmt.Sprintf("node%d.yml", i))
	text := fmt.Sprintf(nodeConfig, i, p.rest[i], etcd, p.addrs[i], p.folder, programs)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return err
	}
	p.nodes[i], err = p.start(fmt.Sprintf("node%d", i), "patroni", file)
	return err
}

// start starts a program as the owner of the databases; what it says goes to a file.
func (p *patroni) start(name, program string, args ...string) (*exec.Cmd, error) {
	if _, err := exec.LookPath(program); err != nil {
		return nil, fmt.Errorf("no %s is installed here (Debian: apt-get install patroni python3-etcd etcd-server)", program)
	}
	cmd := exec.Command(program, args...)
	cmd.Dir = p.folder
	if err := pgserver.AsOwner(cmd, p.folder); err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Join(p.folder, name+".log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	return cmd, cmd.Start()
}

// wait asks Patroni until a node has a role.
func (p *patroni) wait(ctx context.Context, node int, role string, most time.Duration) error {
	ctx, stop := context.WithTimeout(ctx, most)
	defer stop()
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.rest[node]+"/"+role, nil)
		if err != nil {
			return err
		}
		if answer, err := http.DefaultClient.Do(request); err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return nil
			}
		}
		if ctx.Err() != nil {
			return fmt.Errorf("node %d does not become %s: %w", node, role, ctx.Err())
		}
		pause(ctx, 50*time.Millisecond)
	}
}

func (p *patroni) serve(ctx context.Context, binary string) error {
	if err := topology.ExecAt(ctx, p.url(p.addrs[0], "postgres"), "CREATE DATABASE shop"); err != nil {
		return err
	}
	bundle := filepath.Join(p.folder, "shop.json")
	if err := topology.WriteShop(bundle); err != nil {
		return err
	}
	first := p.url(p.addrs[0], "shop")
	if _, err := child.Run(ctx, []string{"DATABASE_URL=" + first}, binary, "import", bundle); err != nil {
		return err
	}
	s, err := store.Open(ctx, first)
	if err != nil {
		return err
	}
	p.initial, err = ledger.Units(ctx, s)
	if err := errors.Join(err, s.Close()); err != nil {
		return err
	}
	for i := range p.servers {
		environment := []string{"DATABASE_URL=" + p.url(p.addrs[0]+","+p.addrs[1], "shop") + "&pool_size=16",
			"LISTEN_ADDR=127.0.0.1:0", "LOG_FORMAT=json", "ACCESS_TTL=24h",
			"TOKEN_SIGNING_KEY=a key of this trial alone, alike at both servers"}
		if i == 1 {
			environment = append(environment, "DATABASE_REPLICA_URL="+p.url(p.addrs[1], "shop"))
		}
		if p.servers[i], err = child.Serve(ctx, p.folder, environment, binary, "serve"); err != nil {
			return err
		}
	}
	return nil
}

// lose kills the first node: Patroni and PostgreSQL, as a power cut does.
func (p *patroni) lose() {
	_ = syscall.Kill(-p.nodes[0].Process.Pid, syscall.SIGKILL)
	pgserver.KillAt(filepath.Join(p.folder, "data0"))
	_ = p.nodes[0].Wait()
	p.nodes[0] = nil
}

// promoted waits until Patroni has made the second node the leader.
func (p *patroni) promoted(ctx context.Context) error { return p.wait(ctx, 1, "leader", time.Minute) }

func (p *patroni) books(ctx context.Context) error {
	s, err := store.Open(ctx, p.url(p.addrs[1], "shop"))
	if err != nil {
		return err
	}
	defer s.Close()
	return ledger.Check(ctx, s, p.initial)
}

// complaint is the end of what the first node said.
func (p *patroni) complaint() error {
	said, _ := os.ReadFile(filepath.Join(p.folder, "node0.log")) // its absence says enough
	return errors.New(string(said[max(0, len(said)-1500):]))
}

func (p *patroni) end() error {
	for _, s := range p.servers {
		if s != nil {
			s.Stop()
		}
	}
	for i, cmd := range append(p.nodes[:], p.etcd) {
		if cmd == nil || cmd.Process == nil {
			continue
		}
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		if i < len(p.nodes) {
			pgserver.KillAt(filepath.Join(p.folder, fmt.Sprintf("data%d", i)))
		}
		_ = cmd.Wait()
	}
	return os.RemoveAll(p.folder)
}

func free() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}
