package database

import (
	"context"
	"strings"

	"entgo.io/ent/dialect"
)

// Settle does at once, after many changes of tables, what the database would do only later. SQLite moves
// recent writes from the -wal file into the database, so that the file does not stay large; while others use
// the database some of them may stay. PostgreSQL updates the tables' statistics, without which it plans some
// statements as if the tables were empty until autovacuum runs a minute later.
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
