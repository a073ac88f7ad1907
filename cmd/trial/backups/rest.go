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

// rest keeps backups by pgBackRest, to which PostgreSQL gives each file of its WAL that is full.
type rest struct {
	db      *pgserver.Server
	folder  string
	program string
}

func (r *rest) config() string { return filepath.Join(r.folder, "pgbackrest.conf") }

const restConfig = `[global]
repo1-path=%[1]s/repo
repo1-retention-full=2
log-path=%[1]s
lock-path=%[1]s/lock
spool-path=%[1]s/spool
log-level-console=warn
start-fast=y
archive-timeout=30
[shop]
pg1-path=%[2]s
pg1-port=%[3]d
pg1-socket-path=%[4]s
pg1-user=postgres
`

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

// settle has the file of the WAL that is not full yet archived, as archive_timeout does in time.
func (r *rest) settle(ctx context.Context) { r.run(ctx, "check") }

// killed says that what was not archived yet is lost.
func (r *rest) killed() (last bool) { return false }

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
