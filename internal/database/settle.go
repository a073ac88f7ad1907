package database

import (
	"context"
	"strings"

	"entgo.io/ent/dialect"
)

// Settle does after many changes of some tables what the database would do only later. SQLite takes what was
// written lately from the -wal file into the database itself, so that no large file stays beside it; where
// others use the file at the moment some of it may stay. PostgreSQL looks at the tables' new shape, without
// which it plans some statements as if the tables were empty, until its autovacuum comes by a minute later.
func (db *DB) Settle(ctx context.Context, tables ...string) error {
	pool, err := db.apart()
	if err != nil {
		return err
	}
	defer pool.Close()
	if db.Dialect == dialect.SQLite {
		var busy, written, done int
		return pool.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &written, &done)
	}
	if len(tables) == 0 {
		return nil
	}
	_, err = pool.ExecContext(ctx, "ANALYZE "+strings.Join(tables, ", "))
	return err
}
