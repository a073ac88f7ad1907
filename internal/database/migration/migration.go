// Package migration brings the schema of a database up to date: by files of SQL, which package versions has and the
// programs makemigration and recordrelease write, and by steps, which change data. It knows the table schema_migrations
// alone.
package migration

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"

	"storefront/internal/database"
)

// Step is a change of data that is made once, after the files. Its name identifies its content, so that
// newer content has a new name ("locations-<hash>"); it must not end in ".sql".
type Step struct {
	Name string
	Run  func(ctx context.Context, tx dialect.Tx) error
}

// Run brings the database up to date: it applies the files <dialect>/*.sql, in the order of their names,
// and then the steps, as far as the table schema_migrations does not list them. Each is one transaction
// together with its record, so the next call retries a failed one; a change that is not one transaction continues
// where it stopped (migrationFile). Several instances may migrate at once.
//
// On PostgreSQL a file waits for a lock no longer than lockPatience, since every other statement on the
// table queues behind it, and retries for lockTime at most.
//
// It changes nothing in a database that a newer version has migrated, and fails if such a database also
// lacks a file: it is of another line of versions. It changes things by connections of its own, without the usual
// time limits; ctx bounds it.
func Run(ctx context.Context, db *database.DB, files fs.FS, steps ...Step) error {
	waiting, _, err := waitingOf(ctx, db, files, steps)
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	if len(waiting) == 0 { // nothing to write, so that it works on a standby
		return nil
	}
	pool, err := db.Apart()
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	defer pool.Close()
	beside, err := db.Apart()
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	defer beside.Close()
	m := migration{db: entsql.OpenDB(db.Dialect, pool), beside: entsql.OpenDB(db.Dialect, beside)}
	if err := m.prepare(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	for _, c := range waiting {
		began, pause := time.Now(), shortestPause
		for from := ""; ; {
			waiting := time.AfterFunc(quietTime, func() {
				slog.Warn("a migration takes long, or waits for another server's, or for transactions to end, which "+
					"pg_stat_activity shows", "migration", c.name)
			})
			next, err := m.apply(ctx, c, from)
			waiting.Stop()
			switch {
			case database.IsLockTimeout(err) && ctx.Err() == nil && time.Since(began) < lockTime:
				select { // let the queued statements run first
				case <-time.After(pause):
				case <-ctx.Done():
				}
				pause = min(2*pause, longestPause)
				continue
			case database.IsLockTimeout(err):
				return fmt.Errorf("migrate: %s: some transaction has held a table for %v (pg_stat_activity shows it); "+
					"end it, and migrate again: %w", c.name, time.Since(began).Round(time.Second), err)
			case database.IsRetryable(err) && ctx.Err() == nil: // it conflicted with transactions of running servers
				continue
			case err != nil:
				return fmt.Errorf("migrate: %s: %w", c.name, err)
			}
			if from = next; from == "" {
				break
			}
			began, pause = time.Now(), shortestPause
		}
	}
	return nil
}

// These constants say how long a file waits for a lock, short enough that customers do not notice, for how
// long it is retried, and the pauses in between.
const (
	lockPatience  = "300ms"
	lockTime      = 5 * time.Minute
	shortestPause = 200 * time.Millisecond
	longestPause  = 5 * time.Second
	quietTime     = 10 * time.Second // until a change that is still running is logged
)

type migration struct {
	db     *entsql.Driver
	beside *entsql.Driver // another such connection, opened by the first index that is made outside a transaction
}

func (m migration) prepare(ctx context.Context) error {
	tx, err := m.begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := tx.Exec(ctx, recordsMade[m.db.Dialect()], []any{}, nil); err != nil {
		return fmt.Errorf("create schema_migrations: %w", err)
	}
	return tx.Commit()
}

// begin starts a transaction once no other instance is migrating, however long that takes. SQLite has one
// writer at a time anyway; on PostgreSQL the transaction takes an advisory lock that ends with it, so that
// it works through a pooler. It polls for the lock: a concurrent index build would wait for a blocked
// statement to end.
func (m migration) begin(ctx context.Context) (dialect.Tx, error) {
	if m.db.Dialect() == dialect.SQLite {
		for {
			tx, err := m.db.Tx(ctx)
			if err == nil || !database.IsRetryable(err) || ctx.Err() != nil {
				return tx, err
			}
		}
	}
	const turn = 0x73686f70 // "shop"; any number that no version changes
	for {
		// Any other isolation would keep a snapshot, for whose end an index that is made beside would wait.
		tx, err := m.db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelReadCommitted})
		if err != nil {
			return nil, err
		}
		taken, err := count(ctx, tx, "SELECT pg_try_advisory_xact_lock($1)::int", turn)
		if err == nil && taken > 0 {
			return tx, nil
		}
		if err = errors.Join(err, tx.Rollback()); err != nil {
			return nil, fmt.Errorf("wait for other instances: %w", err)
		}
		select {
		case <-time.After(shortestPause / 4):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// apply makes one change, or one batch of it, with its record, unless another instance has just done so.
func (m migration) apply(ctx context.Context, c change, from string) (next string, err error) {
	if c.step != nil && m.db.Dialect() == dialect.SQLite {
		// foreign keys are off while files run, so that dropping a table to rebuild it does not touch the rows that
		// refer to it
		if err := m.db.Exec(ctx, "PRAGMA foreign_keys = on", []any{}, nil); err != nil {
			return "", err
		}
	}
	tx, err := m.begin(ctx)
	if err != nil {
		return "", err
	}
	defer tx.Rollback()
	done, err := count(ctx, tx, "SELECT count(*) FROM schema_migrations WHERE name = $1", c.name)
	if err != nil || done > 0 {
		return "", err
	}
	switch {
	case c.file.outside != "" && m.db.Dialect() == dialect.Postgres:
		err = m.outside(ctx, tx, c.file)
	case c.step != nil:
		err = c.step(ctx, tx)
	default:
		next, err = m.runFile(ctx, tx, c, from)
	}
	if err != nil {
		return "", err
	}
	if next != "" {
		return next, tx.Commit()
	}
	if err := m.checkReferences(ctx, tx); err != nil {
		return "", err
	}
	if err := m.record(ctx, tx, c.name); err != nil {
		return "", err
	}
	if c.file.needs != "" {
		if err := m.record(ctx, tx, needsMark+c.file.needs); err != nil {
			return "", err
		}
	}
	return "", tx.Commit()
}

// outside creates or drops an index, while the transaction of apply keeps other instances away.
func (m migration) outside(ctx context.Context, tx dialect.Tx, f migrationFile) error {
	if err := tx.Exec(ctx, "SET LOCAL idle_in_transaction_session_timeout = 0", []any{}, nil); err != nil {
		return err
	}
	return f.runOutside(ctx, m.beside)
}

// runFile runs a file, or one of its batches, whose end it records.
func (m migration) runFile(ctx context.Context, tx dialect.Tx, c change, from string) (next string, err error) {
	if m.db.Dialect() == dialect.Postgres {
		if err := tx.Exec(ctx, "SET LOCAL lock_timeout = '"+lockPatience+"'", []any{}, nil); err != nil {
			return "", err
		}
	}
	if c.file.begin == "" {
		return c.file.run(ctx, tx, from)
	}
	mark := atMark + c.name + " "
	recorded, err := records(ctx, tx, m.db.Dialect()) // another instance may have run a batch meanwhile
	if err != nil {
		return "", err
	}
	for name := range recorded {
		if at, ok := strings.CutPrefix(name, mark); ok {
			from = at
		}
	}
	if next, err = c.file.run(ctx, tx, from); err != nil {
		return "", err
	}
	if err := tx.Exec(ctx, "DELETE FROM schema_migrations WHERE name = $1", []any{mark + from}, nil); err != nil {
		return "", err
	}
	if next == "" {
		return "", nil
	}
	return next, m.record(ctx, tx, mark+next)
}

func (m migration) record(ctx context.Context, tx dialect.Tx, name string) error {
	err := tx.Exec(ctx, "INSERT INTO schema_migrations (name, applied_at) VALUES ($1, $2) "+
		"ON CONFLICT (name) DO NOTHING", []any{name, time.Now()}, nil)
	if err != nil {
		return fmt.Errorf("record it: %w", err)
	}
	return nil
}

// checkReferences checks what was not enforced while foreign keys were off.
func (m migration) checkReferences(ctx context.Context, tx dialect.Tx) error {
	if m.db.Dialect() != dialect.SQLite {
		return nil
	}
	broken, err := count(ctx, tx, "SELECT count(*) FROM pragma_foreign_key_check")
	if err != nil {
		return fmt.Errorf("check references: %w", err)
	}
	if broken > 0 {
		return errors.New("it leaves rows that refer to missing ones")
	}
	return nil
}

func count(ctx context.Context, db dialect.ExecQuerier, text string, args ...any) (int, error) {
	rows := new(entsql.Rows)
	if args == nil {
		args = []any{}
	}
	if err := db.Query(ctx, text, args, rows); err != nil {
		return 0, err
	}
	defer rows.Close()
	return entsql.ScanInt(rows)
}
