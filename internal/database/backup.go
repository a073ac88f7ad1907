package database

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"entgo.io/ent/dialect"
)

// Backup writes a consistent copy of a SQLite database that may be in use to a new file. The copy gets its
// name only after it was checked.
func (db *DB) Backup(ctx context.Context, file string) (err error) {
	if db.Dialect != dialect.SQLite {
		return errors.New("PostgreSQL has tools of its own: pg_dump, or pg_basebackup with its write-ahead log")
	}
	if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is there already", file)
	}
	unfinished := file + ".unfinished"
	if err := os.Remove(unfinished); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := makePrivate(unfinished); err != nil {
		return err
	}
	defer os.Remove(unfinished) // does nothing after a success, which renamed it
	pool, err := db.apart()
	if err != nil {
		return err
	}
	defer pool.Close()
	if _, err := pool.ExecContext(ctx, "VACUUM INTO ?", unfinished); err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	if err := CheckFile(ctx, unfinished); err != nil {
		return err
	}
	if err := syncFile(unfinished); err != nil {
		return err
	}
	return os.Rename(unfinished, file)
}

// CheckFile fails unless file is an intact SQLite database with the tables of this service.
func CheckFile(ctx context.Context, file string) error {
	if _, err := os.Stat(file); err != nil {
		return err
	}
	pool, err := plainPool(file, "mode=ro&immutable=1")
	if err != nil {
		return err
	}
	defer pool.Close()
	var found string
	if err := pool.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&found); err != nil {
		return fmt.Errorf("check %s: %w", file, err)
	}
	if found != "ok" {
		return fmt.Errorf("%s is damaged: %s", file, found)
	}
	var broken, migrations int
	err = pool.QueryRowContext(ctx, "SELECT (SELECT count(*) FROM pragma_foreign_key_check), (SELECT count(*) FROM "+
		"schema_migrations)").Scan(&broken, &migrations)
	switch {
	case err != nil:
		return fmt.Errorf("%s is no database of this service: %w", file, err)
	case broken > 0:
		return fmt.Errorf("%s is damaged: %d rows refer to missing ones", file, broken)
	}
	return nil
}

func syncFile(name string) error {
	file, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

// Retire renames the file of a SQLite database that no process uses, after moving its log into it. It fails
// if a process uses it, and does nothing if there is no file.
func Retire(ctx context.Context, file, name string) error {
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	pool, err := plainPool(file, "")
	if err != nil {
		return err
	}
	var mode string
	err = pool.QueryRowContext(ctx, "PRAGMA journal_mode=DELETE").Scan(&mode) // needs exclusive access to the file
	if err := errors.Join(err, pool.Close()); err != nil {
		return fmt.Errorf("%s is in use: stop the server and other commands first: %w", file, err)
	}
	return os.Rename(file, name)
}
