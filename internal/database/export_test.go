package database

import (
	"database/sql"
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

// MostOpen returns how many connections for requests may be open now.
func (db *DB) MostOpen() int { return db.pools[0].Stats().MaxOpenConnections }
