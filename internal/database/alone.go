package database

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"

	"entgo.io/ent/dialect"
)

// Alone makes this process the one server of a SQLite database, until release is called or the process ends, however it
// does. It fails where another one is. The lock is that of an empty file beside the database, which is left there.
// PostgreSQL takes any number of servers.
func Alone(ctx context.Context, url string) (release func(), err error) {
	s, err := parse(url)
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	if s.dialect != dialect.SQLite {
		return func() {}, nil
	}
	if file, err := filepath.EvalSymlinks(s.path); err == nil { // by whatever name it is known
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
