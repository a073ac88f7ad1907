package database

import (
	"time"
)

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

// MostOpen returns how many connections for requests may be open now.
func (db *DB) MostOpen() int { return db.pools[0].Stats().MaxOpenConnections }
