package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
)

// Step is a change of data that is made once, after the files. Its name says what it brings, so that a
// newer content has a newer name ("locations-<hash>"); it must not end in ".sql". It has Run or Part.
type Step struct {
	Name string
	Run  func(ctx context.Context, tx dialect.Tx) error

	// Part makes a part of a long change in a transaction of its own, so that others write in between. It is
	// given what the part before it returned, and returns "" when all is done; the first is given "". A
	// change that was cut short is made from the beginning, so a part leaves alone what is right already.
	Part func(ctx context.Context, tx dialect.Tx, from string) (next string, err error)
}

// Migrate brings the database up to date: it applies those files of <dialect>/*.sql, in the order of their
// names, and then those steps that the table schema_migrations does not hold yet. Each is one transaction
// together with its record there (the last part of a step in parts), so the next call tries a failed one again;
// what is not in one transaction goes on where it stopped (migrationFile). Several instances may migrate at once.
//
// On PostgreSQL a file waits for a lock no longer than lockPatience, as all who need the table then stand in line
// behind it, and tries again, for lockTime at most.
//
// It changes nothing in a database that a newer version has migrated, and fails for one that lacks a file as
// well: the versions are of different lines then. It runs on a connection of its own, without the limits of
// time of the others; ctx bounds it.
func Migrate(ctx context.Context, db *DB, files fs.FS, steps ...Step) error {
	changes, err := migrationsOf(db.Dialect, files, steps)
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	pool, err := db.apart()
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	defer pool.Close()
	m := migration{db: entsql.OpenDB(db.Dialect, pool), apart: db.apart}
	waiting, err := waitingOf(ctx, m.db, db.Dialect, changes)
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	if len(waiting) == 0 { // a standby takes not even a table that is there
		return nil
	}
	if err := m.prepare(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	for _, c := range waiting {
		began, pause := time.Now(), shortestPause
		for from := ""; ; {
			next, err := m.apply(ctx, c, from)
			switch {
			case stateOf(err) == lockNotAvailable && ctx.Err() == nil && time.Since(began) < lockTime:
				select { // those who stand in line come first
				case <-time.After(pause):
				case <-ctx.Done():
				}
				pause = min(2*pause, longestPause)
				continue
			case stateOf(err) == lockNotAvailable:
				return fmt.Errorf("migrate: %s: some transaction has held a table for %v (pg_stat_activity shows it); "+
					"end it, and migrate again: %w", c.name, time.Since(began).Round(time.Second), err)
			case IsRetryable(err) && ctx.Err() == nil: // it met the transactions of servers that work meanwhile
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

// How long a file waits for a lock, within what customers do not notice; how long it is tried again, and after
// what pauses.
const (
	lockPatience  = "300ms"
	lockTime      = 5 * time.Minute
	shortestPause = 200 * time.Millisecond
	longestPause  = 5 * time.Second

	lockNotAvailable = "55P03"
)

// Repeat makes a step once more, whether it was made before or not. It is not recorded.
func Repeat(ctx context.Context, db *DB, step Step) error {
	pool, err := db.apart()
	if err != nil {
		return fmt.Errorf("%s: %w", step.Name, err)
	}
	defer pool.Close()
	m := migration{db: entsql.OpenDB(db.Dialect, pool)}
	run := step.Part
	if run == nil {
		run = whole(step.Run)
	}
	for from := ""; ; {
		next, err := m.repeat(ctx, run, from)
		switch {
		case IsRetryable(err) && ctx.Err() == nil: // it met the transactions of servers that work meanwhile
		case err != nil:
			return fmt.Errorf("%s: %w", step.Name, err)
		case next == "":
			return nil
		default:
			from = next
		}
	}
}

// repeat makes a part of a step.
func (m migration) repeat(ctx context.Context, run partly, from string) (next string, err error) {
	if err := m.enforceReferences(ctx); err != nil {
		return "", err
	}
	tx, err := m.begin(ctx)
	if err != nil {
		return "", err
	}
	defer tx.Rollback()
	if next, err = run(ctx, tx, from); err != nil {
		return "", err
	}
	return next, tx.Commit()
}

// migration is a run of Migrate over its one connection.
type migration struct {
	db    *entsql.Driver
	apart func() (*sql.DB, error) // makes a pool of another such connection
}

// prepare makes the table of records.
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

// begin starts a transaction after any other instance's, however long that takes. SQLite's are one after
// the other as they are; PostgreSQL's take a lock that ends with them, so that it works through a pooler
// too. They ask for it again and again: an index that is made concurrently would wait for a statement that waits.
func (m migration) begin(ctx context.Context) (dialect.Tx, error) {
	if m.db.Dialect() == dialect.SQLite {
		for {
			tx, err := m.db.Tx(ctx)
			if err == nil || !IsRetryable(err) || ctx.Err() != nil {
				return tx, err
			}
		}
	}
	const turn = 0x73686f70 // "shop"; any number that all versions share
	for {
		tx, err := m.db.Tx(ctx)
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

// apply makes one change with its record, or a part of it, unless another instance has just done so.
func (m migration) apply(ctx context.Context, c change, from string) (next string, err error) {
	if c.step {
		if err := m.enforceReferences(ctx); err != nil {
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
	case c.step:
		next, err = c.run(ctx, tx, from)
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

// outside makes or drops an index, while the transaction of apply keeps other instances away.
func (m migration) outside(ctx context.Context, tx dialect.Tx, f migrationFile) error {
	if err := tx.Exec(ctx, "SET LOCAL idle_in_transaction_session_timeout = 0", []any{}, nil); err != nil {
		return err
	}
	pool, err := m.apart()
	if err != nil {
		return err
	}
	defer pool.Close()
	return f.runOutside(ctx, entsql.OpenDB(m.db.Dialect(), pool))
}

// runFile makes a file, or a batch of it, of which it records where it stands.
func (m migration) runFile(ctx context.Context, tx dialect.Tx, c change, from string) (next string, err error) {
	if m.db.Dialect() == dialect.Postgres {
		if err := tx.Exec(ctx, "SET LOCAL lock_timeout = '"+lockPatience+"'", []any{}, nil); err != nil {
			return "", err
		}
	}
	if c.file.begin == "" {
		return c.run(ctx, tx, from)
	}
	mark := atMark + c.name + " "
	recorded, err := records(ctx, tx) // it may have been cut short, or another instance has made a batch meanwhile
	if err != nil {
		return "", err
	}
	for name := range recorded {
		if at, ok := strings.CutPrefix(name, mark); ok {
			from = at
		}
	}
	if next, err = c.run(ctx, tx, from); err != nil {
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

// enforceReferences ends what sqlite3 files need: that dropping a table for its new self leaves referring
// rows alone.
func (m migration) enforceReferences(ctx context.Context) error {
	if m.db.Dialect() != dialect.SQLite {
		return nil
	}
	return m.db.Exec(ctx, "PRAGMA foreign_keys = on", []any{}, nil)
}

// checkReferences makes up for what is not enforced meanwhile.
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
