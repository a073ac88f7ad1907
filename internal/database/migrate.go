package database

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
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
// together with its record there (the last part of a step in parts), so a failed one is met again by the next call.
// Several instances may migrate at once.
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
	m := migration{entsql.OpenDB(db.Dialect, pool)}
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
		for from := ""; ; {
			next, err := m.apply(ctx, c, from)
			switch {
			case IsRetryable(err) && ctx.Err() == nil: // it met the transactions of servers that work meanwhile
				continue
			case err != nil:
				return fmt.Errorf("migrate: %s: %w", c.name, err)
			}
			if from = next; from == "" {
				break
			}
		}
	}
	return nil
}

// Repeat makes a step once more, whether it was made before or not. It is not recorded.
func Repeat(ctx context.Context, db *DB, step Step) error {
	pool, err := db.apart()
	if err != nil {
		return fmt.Errorf("%s: %w", step.Name, err)
	}
	defer pool.Close()
	m := migration{entsql.OpenDB(db.Dialect, pool)}
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

// Pending reports whether Migrate with the same files and steps would change anything. It would not in a
// database that a newer version has migrated: what this version needs is there, as a version takes nothing
// away that the one before it uses.
func Pending(ctx context.Context, db *DB, files fs.FS, steps ...Step) (bool, error) {
	changes, err := migrationsOf(db.Dialect, files, steps)
	if err != nil {
		return false, err
	}
	waiting, err := waitingOf(ctx, db.driver, db.Dialect, changes)
	return len(waiting) > 0, err
}

// waitingOf is pendingOf for a database that may have no records yet.
func waitingOf(ctx context.Context, db dialect.ExecQuerier, kind string, changes []change) ([]change, error) {
	exists, err := count(ctx, db, recordsExist[kind])
	if err != nil {
		return nil, err
	}
	if exists == 0 {
		return changes, nil
	}
	return pendingOf(ctx, db, changes)
}

const fileSuffix = ".sql" // tells the records of files from those of steps

// change is a file or a step.
type change struct {
	name string
	run  partly
	step bool
}

// partly makes a change, or a part of it, as Step.Part does.
type partly = func(ctx context.Context, tx dialect.Tx, from string) (next string, err error)

// whole is a change that is made at once.
func whole(run func(ctx context.Context, tx dialect.Tx) error) partly {
	return func(ctx context.Context, tx dialect.Tx, _ string) (string, error) { return "", run(ctx, tx) }
}

func migrationsOf(name string, files fs.FS, steps []Step) ([]change, error) {
	paths, err := fs.Glob(files, name+"/*"+fileSuffix) // sorted
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("there are no files %s/*.sql", name)
	}
	var changes []change
	for _, p := range paths {
		text, err := fs.ReadFile(files, p)
		if err != nil {
			return nil, err
		}
		changes = append(changes, change{name: path.Base(p), run: whole(func(ctx context.Context, tx dialect.Tx) error {
			return tx.Exec(ctx, string(text), []any{}, nil)
		})})
	}
	for _, s := range steps {
		if strings.HasSuffix(s.Name, fileSuffix) {
			return nil, fmt.Errorf("the step %s has the name of a file", s.Name)
		}
		run := s.Part
		if run == nil {
			run = whole(s.Run)
		}
		changes = append(changes, change{name: s.Name, run: run, step: true})
	}
	return changes, nil
}

// pendingOf returns the changes that are not recorded. A recorded file that is not among them is a newer
// version's, whose steps bring newer content than the ones here; a recorded step may as well be an older
// version's.
func pendingOf(ctx context.Context, db dialect.ExecQuerier, changes []change) ([]change, error) {
	recorded, err := records(ctx, db)
	if err != nil {
		return nil, err
	}
	var files, steps []change
	for _, c := range changes {
		switch {
		case recorded[c.name]:
		case c.step:
			steps = append(steps, c)
		default:
			files = append(files, c)
		}
		delete(recorded, c.name)
	}
	for name := range recorded {
		switch {
		case !strings.HasSuffix(name, fileSuffix):
		case len(files) > 0:
			return nil, fmt.Errorf("the database was migrated by %s, which is unknown here, and lacks %s: "+
				"another line of versions made it; start the version that did", name, files[0].name)
		default:
			return nil, nil
		}
	}
	return append(files, steps...), nil
}

func records(ctx context.Context, db dialect.ExecQuerier) (map[string]bool, error) {
	rows := new(entsql.Rows)
	if err := db.Query(ctx, "SELECT name FROM schema_migrations", []any{}, rows); err != nil {
		return nil, fmt.Errorf("read schema_migrations: %w", err)
	}
	defer rows.Close()
	var names []string
	if err := entsql.ScanSlice(rows, &names); err != nil {
		return nil, fmt.Errorf("read schema_migrations: %w", err)
	}
	recorded := make(map[string]bool, len(names))
	for _, name := range names {
		recorded[name] = true
	}
	return recorded, nil
}

var (
	recordsExist = map[string]string{
		dialect.SQLite:   "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'schema_migrations'",
		dialect.Postgres: "SELECT count(to_regclass('schema_migrations'))",
	}
	recordsMade = map[string]string{
		dialect.SQLite: "CREATE TABLE IF NOT EXISTS schema_migrations " +
			"(name text PRIMARY KEY, applied_at datetime NOT NULL)",
		dialect.Postgres: "CREATE TABLE IF NOT EXISTS schema_migrations " +
			"(name text PRIMARY KEY, applied_at timestamptz NOT NULL)",
	}
)

// migration is a run of Migrate over its one connection.
type migration struct{ db *entsql.Driver }

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
// too.
func (m migration) begin(ctx context.Context) (dialect.Tx, error) {
	if m.db.Dialect() == dialect.SQLite {
		for {
			tx, err := m.db.Tx(ctx)
			if err == nil || !IsRetryable(err) || ctx.Err() != nil {
				return tx, err
			}
		}
	}
	tx, err := m.db.Tx(ctx)
	if err != nil {
		return nil, err
	}
	const turn = 0x73686f70 // "shop"; any number that all versions share
	if err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", []any{turn}, nil); err != nil {
		return nil, errors.Join(fmt.Errorf("wait for other instances: %w", err), tx.Rollback())
	}
	return tx, nil
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
	if next, err = c.run(ctx, tx, from); err != nil {
		return "", err
	}
	if next != "" {
		return next, tx.Commit()
	}
	if err := m.checkReferences(ctx, tx); err != nil {
		return "", err
	}
	if err := tx.Exec(ctx, "INSERT INTO schema_migrations (name, applied_at) VALUES ($1, $2)",
		[]any{c.name, time.Now()}, nil); err != nil {
		return "", fmt.Errorf("record it: %w", err)
	}
	return "", tx.Commit()
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
