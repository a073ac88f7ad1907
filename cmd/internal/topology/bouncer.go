package topology

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"storefront/internal/pgserver"
)

// Bouncer is a PgBouncer in transaction mode in front of a server of PostgreSQL.
type Bouncer struct {
	Addr   string
	folder string
	cmd    *exec.Cmd
	done   chan struct{}
}

const bouncerSettings = `[databases]
%[1]s = host=127.0.0.1 port=%[2]d dbname=%[1]s user=postgres password=%[3]s
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %[4]s
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 500
default_pool_size = 30
query_wait_timeout = 3
server_connect_timeout = 2
server_login_retry = 1
log_connections = 0
log_disconnections = 0
`

// NewBouncer starts a PgBouncer.
func NewBouncer(ctx context.Context, server *pgserver.Server, database string) (*Bouncer, error) {
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		if _, err = os.Stat("/usr/sbin/pgbouncer"); err != nil {
			return nil, errors.New("no PgBouncer is installed here (Debian: apt-get install pgbouncer)")
		}
		program = "/usr/sbin/pgbouncer"
	}
	addr, err := FreeAddress()
	if err != nil {
		return nil, err
	}
	b := &Bouncer{Addr: addr, done: make(chan struct{})}
	if b.folder, err = os.MkdirTemp("", "pgbouncer-*"); err != nil {
		return nil, err
	}
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(b.folder, "pgbouncer.ini")
	text := fmt.Sprintf(bouncerSettings, database, server.Port, server.Password(), port)
	if err := errors.Join(os.WriteFile(file, []byte(text), 0o600), server.Give(b.folder), server.Give(file)); err != nil {
		return nil, errors.Join(err, os.RemoveAll(b.folder))
	}
	b.cmd = exec.CommandContext(ctx, program, file)
	server.AsOwner(b.cmd)
	log, err := os.Create(filepath.Join(b.folder, "log"))
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(b.folder))
	}
	defer log.Close()
	b.cmd.Stdout, b.cmd.Stderr = log, log
	if err := b.cmd.Start(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(b.folder))
	}
	go func() {
		_ = b.cmd.Wait() // how it ended shows in its log
		close(b.done)
	}()
	return b, b.listens(ctx)
}

// listens waits until it does.
func (b *Bouncer) listens(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, 20*time.Second)
	defer stop()
	for {
		if c, err := net.Dial("tcp", b.Addr); err == nil {
			return c.Close()
		}
		select {
		case <-b.done:
		case <-ctx.Done():
		case <-time.After(20 * time.Millisecond):
			continue
		}
		said, _ := os.ReadFile(filepath.Join(b.folder, "log")) // its absence says enough
		return errors.Join(fmt.Errorf("PgBouncer does not start: %s", said), b.Close())
	}
}

// Close ends it.
func (b *Bouncer) Close() error {
	_ = b.cmd.Process.Kill() // it may have ended
	<-b.done
	return os.RemoveAll(b.folder)
}

// FreeAddress returns a host:port of this machine on which nothing listens.
func FreeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}
