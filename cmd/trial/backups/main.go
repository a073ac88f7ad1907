// Package backups makes a base backup of a PostgreSQL while customers order, kills the server for good, and
// restores it: to the last commit, and to a point in time. `make backups` runs it; it needs PostgreSQL's
// programs, pgBackRest and the built server, and everything stays on loopback. With SQLite it races and kills the
// commands backup and restore.
//
// The first kind of backup is pg_basebackup with pg_receivewal, which receives each commit before it is
// acknowledged. Only the backup and the received WAL are left of the server, and every acknowledged order must
// be there. The second kind is pgBackRest with the archiving of PostgreSQL. With both kinds, a restore to a
// point in time must have all orders from before it, and none from after it.
package backups

import (
	"cmp"
	"context"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
	"storefront/internal/testkit/pgserver"
)

// keeper is a kind of backup.
type keeper interface {
	// prepare makes the server keep the WAL that a restore needs.
	prepare(ctx context.Context)
	// backup makes a base backup.
	backup(ctx context.Context)
	// lose kills the server. last reports whether all commits can be restored.
	lose(ctx context.Context) (last bool)
	// restore starts a server with the state of a moment, or of the last commit if moment is empty.
	restore(ctx context.Context, moment string) *pgserver.Server
}

// Trial is the trial that `go run ./cmd/trial backups` runs.
var Trial = stage.Trial{Name: "backups", About: "back a database up under load, kill it, and restore it",
	Kinds: []string{"basebackup", "pgbackrest", stage.SQLite}, Flags: func(*flag.FlagSet) stage.Work {
		return func(ctx context.Context, s *stage.Stage) {
			if s.Kind == stage.SQLite {
				(&shop{Stage: s}).raceFiles(ctx)
				return
			}
			(&shop{Stage: s}).run(ctx)
		}
	}}

// load is how long customers order before the moment, and after it.
const load = 3 * time.Second

// shop is a trial of one kind of backup.
type shop struct {
	*stage.Stage
	keeper
	server *stage.Server
}

// run lets one half of the customers order, notes the time, lets the other half order, and restores the
// database.
func (s *shop) run(ctx context.Context) {
	s.Own(ctx, "archive_mode = on", "archive_command = 'true'", "wal_level = replica")
	folder := s.TempDir()
	must.Do(s.Primary.Give(folder))
	if s.Kind == "pgbackrest" {
		s.keeper = &rest{db: s.Primary, folder: folder}
	} else {
		s.keeper = &received{Stage: s.Stage, base: filepath.Join(folder, "base"), wal: filepath.Join(folder, "wal")}
	}
	s.prepare(ctx)
	s.Import(ctx, customer.AlwaysInStock())
	s.server = s.Serve(ctx)
	who := customer.EnterAll(ctx, 8, customer.Client{Base: func() string { return s.server.Addr }})
	before, after := who[:4], who[4:]
	crowd := customer.Go(ctx, before, customer.Ordering)
	defer crowd.Stop()
	made := time.Now()
	s.backup(ctx)
	customer.Pause(ctx, max(load-time.Since(made), 0)+load/2) // until after the backup
	must.Do(crowd.Stop())
	atMoment, moment := customer.Acknowledged(before), now(ctx, s.Primary)
	customer.For(ctx, load, after, customer.Ordering)
	s.server.Kill()
	last := s.lose(ctx)
	s.Say("a backup under load, %d orders until %s, %d in all; the server is killed", atMoment, moment,
		customer.Acknowledged(who))
	if last {
		must.In("restore to the last commit", func() { s.check(ctx, "", who) })
	}
	must.In("restore to "+moment, func() { s.check(ctx, moment, before) })
}

// check restores the database, and compares its orders with those that customers have received answers for.
func (s *shop) check(ctx context.Context, moment string, who []*customer.Customer) {
	began := time.Now()
	db := s.restore(ctx, moment)
	defer db.Close()
	took := time.Since(began)
	s.server = s.Serve(ctx, "DATABASE_URL="+db.URL("postgres"))
	defer s.server.Stop()
	must.Do(customer.Check(ctx, who))
	there, orders := stage.Orders(ctx, db.URL("postgres")), customer.Acknowledged(who)
	must.Hold(there == orders, "%d orders are there, %d were acknowledged", there, orders)
	s.Say("restored to %s in %v: %d orders, none lost, none too many", cmp.Or(moment, "the last commit"),
		took.Round(time.Millisecond), orders)
}

// now returns the time by the server's clock, while no customer orders.
func now(ctx context.Context, db *pgserver.Server) (moment string) {
	customer.Pause(ctx, 100*time.Millisecond)
	defer customer.Pause(ctx, 100*time.Millisecond)
	stage.Row(ctx, db.URL("postgres"), "SELECT clock_timestamp()::text", &moment)
	return moment
}

// do runs a command to its end.
func do(cmd *exec.Cmd) {
	said, err := cmd.CombinedOutput()
	must.Hold(err == nil, "%q: %w: %s", cmd.Args, err, said)
}

// received keeps a base backup of pg_basebackup and the WAL that pg_receivewal receives.
type received struct {
	*stage.Stage
	base, wal string // folders
	receiver  *stage.Process
}

// prepare makes a commit wait until it was received.
func (r *received) prepare(ctx context.Context) {
	db := r.Primary
	must.Do(os.Mkdir(r.wal, 0o700), db.Give(r.wal))
	with := []string{"-D", r.wal, "-d", db.URL("postgres"), "--slot=backups"}
	do(db.Program(ctx, "pg_receivewal", append(with, "--create-slot")...))
	r.receiver = r.Start(db.Program(ctx, "pg_receivewal", append(with, "--synchronous")...))
	stage.Exec(ctx, db.URL("postgres"), "ALTER SYSTEM SET synchronous_standby_names = 'pg_receivewal'",
		"SELECT pg_reload_conf()")
}

func (r *received) backup(ctx context.Context) {
	do(r.Primary.Program(ctx, "pg_basebackup", "-D", r.base, "-d", r.Primary.URL("postgres"), "-c", "fast"))
	do(r.Primary.Program(ctx, "pg_verifybackup", r.base))
}

// lose also loses the server's disk. Each commit was received before it was acknowledged.
func (r *received) lose(context.Context) (last bool) {
	r.Primary.Kill()
	r.receiver.Stop() // it may have ended with the server
	must.Do(os.RemoveAll(r.Primary.Folder()))
	return true
}

func (r *received) restore(ctx context.Context, moment string) *pgserver.Server {
	settings := []string{
		// the last file is partial; nothing after it was acknowledged
		fmt.Sprintf("restore_command = 'cp %[1]s/%%f %%p || cp %[1]s/%%f.partial %%p'", r.wal),
		"synchronous_standby_names = ''",
	}
	if moment != "" {
		settings = append(settings, "recovery_target_time = '"+moment+"'", "recovery_target_action = promote")
	}
	return must.Get(r.Primary.Restored(ctx, func(data string) error {
		return must.Run(func() {
			do(r.Primary.Program(ctx, "/bin/sh", "-c", `cp -a "$0/." "$1/" && : >"$1/postgresql.auto.conf" &&
				touch "$1/recovery.signal"`, r.base, data))
		})
	}, settings...))
}

// rest keeps backups by pgBackRest, to which PostgreSQL passes each full file of its WAL.
type rest struct {
	db      *pgserver.Server
	folder  string
	program string
}

func (r *rest) config() string { return filepath.Join(r.folder, "pgbackrest.conf") }

//go:embed pgbackrest.conf
var restConfig string

func (r *rest) prepare(ctx context.Context) {
	r.program = stage.Installed("pgbackrest", "pgbackrest")
	text := fmt.Sprintf(restConfig, r.folder, r.db.Folder(), r.db.Port, filepath.Dir(r.db.Folder()))
	must.Do(os.WriteFile(r.config(), []byte(text), 0o600), r.db.Give(r.config()))
	r.run(ctx, "stanza-create")
	push := fmt.Sprintf("%s --config=%s --stanza=shop archive-push %%p", r.program, r.config())
	stage.Exec(ctx, r.db.URL("postgres"), "ALTER SYSTEM SET archive_command = '"+push+"'",
		"SELECT pg_reload_conf()")
	r.run(ctx, "check")
}

func (r *rest) backup(ctx context.Context) { r.run(ctx, "--type=full", "backup") }

// lose first archives the last file of the WAL, which is not full. In operation archive_timeout does so, and
// commits that were not archived yet are lost.
func (r *rest) lose(ctx context.Context) (last bool) {
	r.run(ctx, "check")
	r.db.Kill()
	return false
}

func (r *rest) restore(ctx context.Context, moment string) *pgserver.Server {
	return must.Get(r.db.Restored(ctx, func(data string) error {
		return must.Run(func() {
			r.run(ctx, "--pg1-path="+data, "--type=time", "--target="+moment, "--target-action=promote",
				"--archive-mode=off", "restore")
		})
	}))
}

func (r *rest) run(ctx context.Context, args ...string) {
	cmd := r.db.Program(ctx, r.program, append([]string{"--config=" + r.config(), "--stanza=shop"}, args...)...)
	cmd.Env = append(os.Environ(), "PGPASSWORD="+r.db.Password())
	do(cmd)
}
