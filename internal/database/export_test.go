package database

import "time"

var OnlyReads = onlyReads

// OpenImpatient is Open for PostgreSQL with another limit of silence.
func OpenImpatient(url string, silence time.Duration) (*DB, error) {
	s, err := parse(url)
	if err != nil {
		return nil, err
	}
	return openPostgresWithin(s, silence), nil
}

// WithHosts is how several hosts of a URL are read.
var WithHosts = withHosts
