package backups

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
	"storefront/internal/pgserver"
)

// received keeps what pg_basebackup makes and what pg_receivewal receives: PostgreSQL's own programs alone.
type received struct {
	at       *stage.Stage
	folder   string
	receiver *stage.Process
}

func (r *received) base() string { return filepath.Join(r.folder, "base") }
func (r *received) wal() string  { return filepath.Join(r.folder, "wal") }

// prepare makes a commit wait until it was received.
func (r *received) prepare(ctx context.Context) {
	db := r.at.Primary
	must.Do(os.Mkdir(r.wal(), 0o700), db.Give(r.wal()))
	with := []string{"-D", r.wal(), "-d", db.URL("postgres"), "--slot=backups"}
	do(db.Program(ctx, "pg_receivewal", append(with, "--create-slot")...))
	r.receiver = r.at.Start(db.Program(ctx, "pg_receivewal", append(with, "--synchronous")...))
	stage.Exec(ctx, db.URL("postgres"), "ALTER SYSTEM SET synchronous_standby_names = 'pg_receivewal'",
		"SELECT pg_reload_conf()")
}

func (r *received) backup(ctx context.Context) {
	db := r.at.Primary
	do(db.Program(ctx, "pg_basebackup", "-D", r.base(), "-d", db.URL("postgres"), "-c", "fast"))
	do(db.Program(ctx, "pg_verifybackup", r.base()))
}

// settle does nothing: each commit was received before it was acknowledged.
func (r *received) settle(context.Context) {}

// killed loses the server's disk, too.
func (r *received) killed() (last bool) {
	r.receiver.Stop() // it may have ended with the server
	return os.RemoveAll(r.at.Primary.Folder()) == nil
}

func (r *received) restore(ctx context.Context, moment string) *pgserver.Server {
	settings := []string{
		// the last file is not full; what follows it was never acknowledged
		fmt.Sprintf("restore_command = 'cp %[1]s/%%f %%p || cp %[1]s/%%f.partial %%p'", r.wal()),
		"synchronous_standby_names = ''",
	}
	if moment != "" {
		settings = append(settings, "recovery_target_time = '"+moment+"'", "recovery_target_action = promote")
	}
	return must.Get(r.at.Primary.Restored(ctx, func(data string) error {
		return must.Run(func() {
			do(r.at.Primary.Program(ctx, "/bin/sh", "-c", `cp -a "$0/." "$1/" && : >"$1/postgresql.auto.conf" &&
				touch "$1/recovery.signal"`, r.base(), data))
		})
	}, settings...))
}
