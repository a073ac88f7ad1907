package database

import (
	"context"
	"database/sql"
	"log/slog"
	"time"
)

var OnlyReads = onlyReads

// OpenImpatient is Open for PostgreSQL with another silenceLimit.
func OpenImpatient(url string, silence time.Duration) (*DB, error) {
	s, err := parse(url)
	if err != nil {
		return nil, err
	}
	return openPostgresWithin(s, silence), nil
}

// WithHosts is withHosts.
var WithHosts = withHosts

// Look asks all hosts once, as FollowPrimary does.
func (db *DB) Look(ctx context.Context) error {
	return db.driver.timelines.look(ctx, slog.New(slog.DiscardHandler))
}

// Saw records a timeline as seen at some host.
func (db *DB) Saw(timeline int64) {
	for cluster := range db.driver.timelines.highest {
		db.driver.timelines.note(hostSays{cluster: cluster, standby: true, timeline: timeline})
	}
}

// OpenConnections returns how many connections the pools have open.
func (db *DB) OpenConnections() (n int) {
	for _, pool := range db.pools {
		n += pool.Stats().OpenConnections
	}
	return n
}

// CountApart returns a count of the connections that are opened beside the pools from now on.
func (db *DB) CountApart() *int {
	n, open := new(int), db.apart
	db.apart = func() (*sql.DB, error) { *n++; return open() }
	return n
}
