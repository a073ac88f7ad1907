package database

import (
	"context"
	"fmt"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
)

// EmptyLog truncates the write-ahead log of SQLite, which holds changed and deleted rows as they were
// before, and reports whether it could. Until ctx ends it waits for statements that read old rows and for
// other processes that write. PostgreSQL recycles its log by itself.
func EmptyLog(ctx context.Context, on interface {
	dialect.ExecQuerier
	Dialect() string
}) (bool, error) {
	if on.Dialect() != dialect.SQLite {
		return true, nil
	}
	pause := time.NewTicker(20 * time.Millisecond)
	defer pause.Stop()
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
			return false, nil
		case <-pause.C:
		}
	}
}

// checkpoint moves the log into the database and truncates it; busy reports that others kept it from that.
func checkpoint(ctx context.Context, on dialect.ExecQuerier) (busy bool, err error) {
	var rows entsql.Rows
	if err := on.Query(ctx, "PRAGMA wal_checkpoint(TRUNCATE)", []any{}, &rows); err != nil {
		return false, fmt.Errorf("empty the write-ahead log: %w", err)
	}
	defer rows.Close()
	var frames, moved int
	if !rows.Next() {
		return false, rows.Err()
	}
	return busy, rows.Scan(&busy, &frames, &moved)
}
