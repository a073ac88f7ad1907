package stage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"storefront/cmd/internal/must"
	"storefront/internal/pgserver"
)

// Replicated is an installation as in production, on loopback: a PostgreSQL primary with a synchronous
// standby, a PgBouncer in front of each, and two servers of the service. One server connects through both
// poolers, the other one directly, with the standby as its replica.
type Replicated struct {
	*Stage
	Servers [2]*Server
	Metrics [2]string // addresses
}

// Through returns the address by which a server of the service connects to "primary", "standby", "replica",
// "bouncer 0" or "bouncer 1".
type Through func(what, addr string) string

// Replicate sets up the installation, with the shop of a bundle.
func (s *Stage) Replicate(ctx context.Context, bundle []byte, through Through) *Replicated {
	s.Own(ctx, "synchronous_commit = on", "hot_standby_feedback = on")
	s.Env = []string{"CLIENT_LIMITS=off"}
	s.Import(ctx, bundle)
	s.Count(ctx)
	s.Follow(ctx)
	// Only now, because without a standby no commit would end.
	Exec(ctx, s.Database, "ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()")
	pooled := through("bouncer 0", s.pool(ctx, s.Primary)) + "," + through("bouncer 1", s.pool(ctx, s.Standby))
	direct := through("primary", s.Primary.Addr()) + "," + through("standby", s.Standby.Addr())
	replicas := []string{"", s.Standby.URLAt(through("replica", s.Standby.Addr()), "postgres")}
	r := &Replicated{Stage: s}
	for i, hosts := range []string{pooled, direct} {
		r.Metrics[i] = FreeAddress()
		r.Servers[i] = s.Serve(ctx, "DATABASE_URL="+s.Primary.URLAt(hosts, "postgres")+"&pool_size=16",
			"DATABASE_REPLICA_URL="+replicas[i], "METRICS_ADDR="+r.Metrics[i])
	}
	return r
}

// Complaints returns the last warnings of each server of the service as an error.
func (r *Replicated) Complaints() error {
	var errs []error
	for i, s := range r.Servers {
		var last []string
		for line := range bytes.Lines(s.Log()) {
			if !bytes.Contains(line, []byte(`"level":"INFO"`)) {
				last = append(last, string(line))
			}
		}
		last = last[max(0, len(last)-5):]
		errs = append(errs, fmt.Errorf("server %d said last: %s", i+1, strings.Join(last, "")))
	}
	return errors.Join(errs...)
}

// bouncerSettings are the settings of deploy/pgbouncer.ini with other addresses.
const bouncerSettings = `%%include %s
[databases]
postgres = host=127.0.0.1 port=%d dbname=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %s
unix_socket_dir =
auth_file = %s
log_connections = 0
log_disconnections = 0
`

// Installed returns the path of a program of a Debian package.
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
	users := filepath.Join(folder, "userlist.txt")
	text := fmt.Sprintf(bouncerSettings, must.Get(filepath.Abs("deploy/pgbouncer.ini")), server.Port, port, users)
	must.Do(os.WriteFile(file, []byte(text), 0o600), os.WriteFile(users, []byte(s.secret(ctx)), 0o600),
		server.Give(folder), server.Give(file), server.Give(users))
	cmd := exec.CommandContext(ctx, program, file)
	server.AsOwner(cmd)
	s.Start(cmd).Ready(ctx, startLimit, func(context.Context, []byte) bool {
		c, err := net.Dial("tcp", addr)
		return err == nil && c.Close() == nil
	})
	return addr
}

// secret returns the role of the primary with its stored secret, in PgBouncer's format.
func (s *Stage) secret(ctx context.Context) (line string) {
	Row(ctx, s.Primary.URL("postgres"), `SELECT format(E'"%s" "%s"\n', rolname, rolpassword) FROM pg_authid
		WHERE rolname = current_user`, &line)
	return line
}
