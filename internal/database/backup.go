package database

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
)

// A SQLite database is its file together with its log: "-wal", or "-journal" after a crash of another program.
var logs = []string{"-wal", "-journal"}

// logOf returns the name of a log beside a file that may hold changes which the file lacks, or "".
func logOf(file string) string {
	for _, end := range logs {
		if info, err := os.Stat(file + end); err == nil && info.Size() > 0 {
			return file + end
		}
	}
	return ""
}

// Backup writes a consistent copy of a SQLite database that may be in use to a new file. The copy gets its
// name only after it was checked, and after last, which may write what belongs beside it.
func (db *DB) Backup(ctx context.Context, file string, last func() error) error {
	if db.Dialect != dialect.SQLite {
		return errors.New("PostgreSQL has tools of its own: pg_dump, or pg_basebackup with its write-ahead log")
	}
	if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is there already", file)
	}
	if log := logOf(file); log != "" {
		return fmt.Errorf("%s is there, the log of another database: take it away first", log)
	}
	made, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".unfinished-*") // mode 0600
	if err != nil {
		return err
	}
	unfinished := made.Name()
	defer os.Remove(unfinished)
	if err := made.Close(); err != nil {
		return err
	}
	pool, err := db.Apart()
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
	if err := errors.Join(syncFile(unfinished), last()); err != nil {
		return err
	}
	return Name(unfinished, file)
}

// Name gives a file another name, unless that is taken, and waits until it is on disk.
func Name(file, name string) error {
	err := os.Link(file, name)
	if _, there := os.Lstat(name); err != nil && errors.Is(there, fs.ErrNotExist) { // a file system without links
		err = os.Rename(file, name)
	}
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already: %w", name, fs.ErrExist)
	}
	return errors.Join(err, syncFolder(name))
}

// CheckFile fails unless file is an intact SQLite database with the tables of this service, all of it in the file.
func CheckFile(ctx context.Context, file string) error {
	if _, err := os.Stat(file); err != nil {
		return err
	}
	if log := logOf(file); log != "" {
		return fmt.Errorf("%s may hold changes that %s lacks: make one file of both by `storefront backup FILE` "+
			"with DATABASE_URL=sqlite://%s, and use that", log, file, file)
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

// syncFolder waits until the name of a file is on disk.
func syncFolder(name string) error {
	if runtime.GOOS == "windows" { // which cannot
		return nil
	}
	folder, err := os.Open(filepath.Dir(name))
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// restoring ends the name of a file that is to replace a SQLite database.
const restoring = ".restoring"

// Restoring is a SQLite database that is about to be replaced by the file Incoming, beside it. No server and no command
// opens it meanwhile.
type Restoring struct {
	File, Incoming string
	release        func()
}

// Restore begins to replace the database of a URL. It fails if a server has it, or another Restoring.
func Restore(ctx context.Context, url string) (*Restoring, error) {
	s, err := parse(url)
	if err != nil {
		return nil, err
	}
	file, release, err := s.alone(ctx)
	if err != nil {
		return nil, err
	}
	removeDatabase(file + restoring) // of one that was cut off
	return &Restoring{file, file + restoring, release}, nil
}

// There returns the name of the database, or of a log without one, or "" if nothing is there.
func (r *Restoring) There() string {
	if _, err := os.Stat(r.File); err == nil {
		return r.File
	}
	return logOf(r.File)
}

// MoveLog moves the log of the database into its file. It does nothing if there is no file, or a damaged one, and fails
// if a process uses it.
func (r *Restoring) MoveLog(ctx context.Context) error {
	if _, err := os.Stat(r.File); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	pool, err := plainPool(r.File, "")
	if err != nil {
		return err
	}
	var mode string
	err = pool.QueryRowContext(ctx, "PRAGMA journal_mode=DELETE").Scan(&mode) // needs exclusive access to the file
	if err := pool.Close(); err != nil {
		return err
	}
	if IsRetryable(err) {
		return fmt.Errorf("%s is in use: stop the server and other commands first: %w", r.File, err)
	}
	return ctx.Err()
}

// Replace puts Incoming in the place of the database. What was there is kept under another name, with the log that
// MoveLog has left.
func (r *Restoring) Replace() error {
	for _, end := range append([]string{"-shm"}, logs...) {
		if err := os.Remove(r.File + end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return Rename(r.Incoming, r.File)
}

// Keep gives the database that is there, with its log, another name beside its own, for Replace to take the first one.
func (r *Restoring) Keep(kept string) error {
	for _, end := range append([]string{""}, logs...) {
		if err := os.Link(r.File+end, kept+end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return syncFolder(r.File)
}

// Close removes Incoming, if it did not replace the database, and lets others open that.
func (r *Restoring) Close() {
	removeDatabase(r.Incoming)
	r.release()
}

// removeDatabase removes a file of SQLite and what may be beside it.
func removeDatabase(file string) {
	for _, end := range append([]string{"", "-shm"}, logs...) {
		_ = os.Remove(file + end)
	}
}

// Rename replaces a file by another one, and waits until that is on disk.
func Rename(file, name string) error { return errors.Join(os.Rename(file, name), syncFolder(name)) }

// checkBeginning fails if a new SQLite database would hide one: its file is missing, and others of it are there. It
// also fails while another process replaces it.
func checkBeginning(file string) error {
	if target, err := filepath.EvalSymlinks(file); err == nil {
		file = target
	}
	if _, err := os.Stat(file + restoring); err == nil {
		return fmt.Errorf("%s is there: a `storefront restore` is running, or was cut off: wait, or restore again",
			file+restoring)
	}
	left := logOf(file)
	beside, err := os.ReadDir(filepath.Dir(file))
	for _, one := range beside {
		after, of := strings.CutPrefix(one.Name(), filepath.Base(file))
		if left == "" && of && (after == ".key" || after == ".key"+restoring || strings.HasPrefix(after, ".20")) {
			left = filepath.Join(filepath.Dir(file), one.Name())
		}
	}
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) { // another process may have made it, and then its log
		return nil
	}
	if left != "" {
		return fmt.Errorf("%s is missing, but %s is there, and a new one would be empty: put it back, or `storefront "+
			"restore` a copy; to begin anew, move %s away", file, left, left)
	}
	return err
}

// EmptyLog truncates the write-ahead log of SQLite, which holds changed and deleted rows as they were
// before, and reports whether it could. Until ctx ends it waits for statements that read old rows and for
// other processes that write. PostgreSQL recycles its log by itself.
func EmptyLog(ctx context.Context, on Executor) (bool, error) {
	if on.Dialect() != dialect.SQLite {
		return true, nil
	}
	for {
		busy, err := checkpoint(ctx, on)
		switch {
		case ctx.Err() != nil:
			return false, nil
		case err != nil || !busy:
			return err == nil, err
		}
		select {
		case <-ctx.Done():
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// checkpoint moves the log into the database and truncates it; busy reports that others kept it from that.
func checkpoint(ctx context.Context, on dialect.ExecQuerier) (busy bool, err error) {
	err = EachRow(ctx, on, "PRAGMA wal_checkpoint(TRUNCATE)", []any{}, func(row *entsql.Rows) error {
		var frames, moved int
		return row.Scan(&busy, &frames, &moved)
	})
	if err != nil {
		return false, fmt.Errorf("empty the write-ahead log: %w", err)
	}
	return busy, nil
}

// Settle does at once, after many changes of tables, what the database would do only later. SQLite moves
// recent writes from the -wal file into the database, so that the file does not stay large; while others use
// the database some of them may stay. PostgreSQL updates the tables' statistics, without which it plans some
// statements as if the tables were empty until autovacuum runs a minute later.
func (db *DB) Settle(ctx context.Context, tables ...string) error {
	if db.Dialect == dialect.SQLite {
		_, err := checkpoint(ctx, db.driver)
		return err
	}
	if len(tables) == 0 {
		return nil
	}
	pool, err := db.Apart()
	if err != nil {
		return err
	}
	defer pool.Close()
	_, err = pool.ExecContext(ctx, "ANALYZE "+strings.Join(tables, ", "))
	return err
}
