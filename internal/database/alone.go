package database

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"

	"entgo.io/ent/dialect"
)

// Alone makes this process the only server of a SQLite database, until release is called or the process
// ends. It fails if another process is the server. The lock is that of an empty file beside the database,
// which is never removed. PostgreSQL takes any number of servers.
func Alone(ctx context.Context, url string) (release func(), err error) {
	s, err := parse(url)
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	if s.dialect != dialect.SQLite {
		return func() {}, nil
	}
	if file, err := filepath.EvalSymlinks(s.path); err == nil { // so that every name of the file leads to the same lock
		s.path = file
	}
	db := &DB{Dialect: s.dialect, locks: func(kind string) (*sql.DB, func() error, error) {
		return openLockFile(s, kind)
	}}
	release, err = db.TryLock(ctx, "serve", "")
	if err == nil && release == nil {
		err = fmt.Errorf("another server has %s: stop it first, as SQLite is for one server at a time", s.path)
	}
	return release, err
}
