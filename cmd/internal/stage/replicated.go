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
	"storefront/internal/testkit/pgserver"
)

// Replicated is a PostgreSQL primary with a synchronous standby, a PgBouncer, and two servers of the service, on
// loopback. One server connects through the pooler, the other one directly, with both hosts in its URL.
type Replicated struct {
	*Stage
	Servers [2]*Server
	Metrics [2]string // addresses
}

// Through returns the address by which a server of the service connects to "primary", "standby" or "bouncer".
type Through func(what, addr string) string

// Replicate sets up the installation, with the shop of a bundle.
func (s *Stage) Replicate(ctx context.Context, bundle []byte, through Through) *Replicated {
	s.Own(ctx, "synchronous_commit = on", "hot_standby_feedback = on")
	s.Env = []string{"CLIENT_LIMITS=off"}
	s.Import(ctx, bundle)
	s.Count(ctx)
	standby := must.Get(s.Primary.Standby(ctx))
	s.OnClose(standby.Close)
	// Only now, because without a standby no commit would end.
	Exec(ctx, s.Database, "ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()")
	pooled := through("bouncer", s.Pool(ctx, s.Primary.Addr(), "postgres", s.Primary.Password()))
	direct := through("primary", s.Primary.Addr()) + "," + through("standby", standby.Addr())
	r := &Replicated{Stage: s}
	for i, hosts := range []string{pooled, direct} {
		r.Metrics[i] = FreeAddress()
		r.Servers[i] = s.Serve(ctx, "DATABASE_URL="+s.Primary.URLAt(hosts, "postgres")+"&pool_size=16",
			"METRICS_ADDR="+r.Metrics[i])
	}
	return r
}

// Complaints returns the last warnings of servers of the service as an error.
func Complaints(servers ...*Server) error {
	var errs []error
	for i, s := range servers {
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

// Settings writes the settings of a program to a folder, from a file of deploy/ in which texts are replaced by others.
func Settings(folder, name, from string, texts ...string) (file string) {
	text := string(must.Get(os.ReadFile(from)))
	for i := 0; i < len(texts); i += 2 {
		must.Hold(strings.Contains(text, texts[i]), "%s has no %s", from, texts[i])
	}
	file = filepath.Join(folder, name)
	must.Do(os.WriteFile(file, []byte(strings.NewReplacer(texts...).Replace(text)), 0o644))
	return file
}

// Pool starts a PgBouncer in transaction mode in front of a database of a server of PostgreSQL, with the password of
// the user postgres.
func (s *Stage) Pool(ctx context.Context, server, database, password string) (addr string) {
	folder := s.TempDir()
	addr = FreeAddress()
	_, port, _ := net.SplitHostPort(addr) // of an address that listened
	_, to, _ := net.SplitHostPort(server)
	users := filepath.Join(folder, "userlist.txt")
	must.Do(os.WriteFile(users, fmt.Appendf(nil, "\"postgres\" %q\n", password), 0o600))
	file := Settings(folder, "pgbouncer.ini", "deploy/pgbouncer.ini",
		"shop = host=127.0.0.1 port=5432 dbname=shop", database+" = host=127.0.0.1 port="+to,
		"listen_addr = 10.0.0.21", "listen_addr = 127.0.0.1\nunix_socket_dir =", "6432", port,
		"/etc/pgbouncer/userlist.txt", users)
	cmd := exec.Command(Installed("pgbouncer", "pgbouncer"), file)
	must.Do(pgserver.AsOwner(cmd, folder, file, users))
	s.Start(cmd).Ready(ctx, startLimit, func(context.Context, []byte) bool { return Listens(addr) })
	return addr
}

// Listens reports whether something accepts connections at an address.
func Listens(addr string) bool {
	c, err := net.Dial("tcp", addr)
	return err == nil && c.Close() == nil
}
