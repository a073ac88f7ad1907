package stage

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"

	"storefront/cmd/internal/must"
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

// Installed is the path of a program that a package of Debian has.
func Installed(program, packages string) string {
	for _, name := range []string{program, "/usr/sbin/" + program} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	must.Hold(false, "no %s is installed here (Debian: apt-get install %s)", program, packages)
	return ""
}

// pool starts a PgBouncer in transaction mode in front of a server of PostgreSQL.
func (s *Stage) pool(ctx context.Context, server *pgserver.Server) (addr string) {
	program, folder := Installed("pgbouncer", "pgbouncer"), s.TempDir()
	addr = FreeAddress()
	_, port, _ := net.SplitHostPort(addr) // of an address that listened
	file := filepath.Join(folder, "pgbouncer.ini")
	text := fmt.Sprintf(bouncerSettings, server.Port, server.Password(), port)
	must.Do(os.WriteFile(file, []byte(text), 0o600), server.Give(folder), server.Give(file))
	cmd := exec.CommandContext(ctx, program, file)
	server.AsOwner(cmd)
	s.Start(cmd).Ready(ctx, startLimit, func(context.Context, []byte) bool {
		c, err := net.Dial("tcp", addr)
		return err == nil && c.Close() == nil
	})
	return addr
}
