package database

import (
	"context"
	"fmt"
	"strings"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
)

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
