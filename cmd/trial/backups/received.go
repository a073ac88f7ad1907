package backups

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"storefront/cmd/internal/stage"
	"storefront/internal/pgserver"
)

// received keeps what pg_basebackup makes and what pg_receivewal receives: PostgreSQL's own programs alone.
type received struct {
	db       *pgserver.Server
	folder   string
	receiver *stage.Process
}

func (r *received) base() string { return filepath.Join(r.folder, "base") }
func (r *received) wal() string  { return filepath.Join(r.folder, "wal") }

// prepare makes a commit wait until it was received.
func (r *received) prepare(ctx context.Context) error {
	if err := errors.Join(os.Mkdir(r.wal(), 0o700), r.db.Give(r.wal())); err != nil {
		return err
	}
	with := []string{"-D", r.wal(), "-d", r.db.URL("postgres"), "--slot=backups"}
	if said, err := r.db.Program(ctx, "pg_receivewal", append(with, "--create-slot")...).CombinedOutput(); err != nil {
		return fmt.Errorf("pg_receivewal --create-slot: %w: %s", err, said)
	}
	receiver, err := stage.Start(r.folder, r.db.Program(ctx, "pg_receivewal", append(with, "--synchronous")...))
	if err != nil {
		return err
	}
	r.receiver = receiver
	return stage.Exec(ctx, r.db.URL("postgres"), "ALTER SYSTEM SET synchronous_standby_names = 'pg_receivewal'",
		"SELECT pg_reload_conf()")
}

func (r *received) backup(ctx context.Context) error {
	backup := r.db.Program(ctx, "pg_basebackup", "-D", r.base(), "-d", r.db.URL("postgres"), "-c", "fast")
	if said, err := backup.CombinedOutput(); err != nil {
		return fmt.Errorf("pg_basebackup: %w: %s", err, said)
	}
	if said, err := r.db.Program(ctx, "pg_verifybackup", r.base()).CombinedOutput(); err != nil {
		return fmt.Errorf("pg_verifybackup: %w: %s", err, said)
	}
	return nil
}

// settle does nothing: each commit was received before it was acknowledged.
func (r *received) settle(context.Context) error { return nil }

// killed loses the server's disk, too.
func (r *received) killed() (last bool) {
	r.close()
	return os.RemoveAll(r.db.Folder()) == nil
}

func (r *received) restore(ctx context.Context, moment string) (*pgserver.Server, error) {
	settings := []string{
		// the last file is not full; what follows it was never acknowledged
		fmt.Sprintf("restore_command = 'cp %[1]s/%%f %%p || cp %[1]s/%%f.partial %%p'", r.wal()),
		"synchronous_standby_names = ''",
	}
	if moment != "" {
		settings = append(settings, "recovery_target_time = '"+moment+"'", "recovery_target_action = promote")
	}
	return r.db.Restored(ctx, func(data string) error {
		said, err := r.db.Program(ctx, "/bin/sh", "-c", `cp -a "$0/." "$1/" && : >"$1/postgresql.auto.conf" && touch "$1/recovery.signal"`,
			r.base(), data).CombinedOutput()
		if err != nil {
			return fmt.Errorf("copy the backup: %w: %s", err, said)
		}
		return nil
	}, settings...)
}

func (r *received) close() {
	if r.receiver != nil {
		r.receiver.Stop() // it may have ended with the server
	}
}
