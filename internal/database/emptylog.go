package database

import (
	"context"
	"fmt"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
)

// EmptyLog empties the write-ahead log of SQLite, which holds rows as they were before they were changed or
// deleted, and reports whether it could: a statement that still reads them, or another process that writes, is
// waited for until ctx ends. PostgreSQL reuses its log by itself.
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

// checkpoint writes the log to the file and cuts it to nothing, unless somebody is in the way.
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
