package stage

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"

	"storefront/internal/pgserver"
)

const bouncerSettings = `[databases]
postgres = host=127.0.0.1 port=%d dbname=postgres user=postgres password=%s
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %s
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

// pool starts a PgBouncer in transaction mode in front of a server of PostgreSQL.
func (s *Stage) pool(ctx context.Context, server *pgserver.Server) (addr string, err error) {
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		program = "/usr/sbin/pgbouncer"
		if _, err = os.Stat(program); err != nil {
			return "", errors.New("no PgBouncer is installed here (Debian: apt-get install pgbouncer)")
		}
	}
	if addr, err = FreeAddress(); err != nil {
		return "", err
	}
	_, port, _ := net.SplitHostPort(addr) // of an address that listened
	folder, err := os.MkdirTemp("", "pgbouncer-*")
	if err != nil {
		return "", err
	}
	s.OnClose(func() error { return os.RemoveAll(folder) })
	file := folder + "/pgbouncer.ini"
	text := fmt.Sprintf(bouncerSettings, server.Port, server.Password(), port)
	if err := errors.Join(os.WriteFile(file, []byte(text), 0o600), server.Give(folder), server.Give(file)); err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, program, file)
	server.AsOwner(cmd)
	return addr, s.Beside(ctx, cmd, func(context.Context) bool {
		c, err := net.Dial("tcp", addr)
		return err == nil && c.Close() == nil
	})
}

// Beside starts a program that the stage kills at its end, and waits until it is ready.
func (s *Stage) Beside(ctx context.Context, cmd *exec.Cmd, ready func(context.Context) bool) error {
	p, err := Start(s.Folder, cmd)
	if err != nil {
		return err
	}
	s.OnClose(func() error { p.Kill(); return nil })
	return p.Ready(ctx, startLimit, func(ctx context.Context, _ []byte) bool { return ready(ctx) })
}
