package database

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"entgo.io/ent/dialect"
)

// Clock tells the time of the database to a server, so that all servers agree on what came first and what is
// over, however their own clocks differ. A file is used by servers of one machine, which have one clock.
type Clock struct {
	own   func() time.Time
	ahead atomic.Int64 // of the database's clock, in nanoseconds
}

// NewClock returns a clock that goes by a server's own one until it is set.
func NewClock(own func() time.Time) *Clock { return &Clock{own: own} }

// Now is the time of the database.
func (c *Clock) Now() time.Time { return c.own().Add(c.Ahead()) }

// Ahead is by how much the database's clock is ahead of the server's own.
func (c *Clock) Ahead() time.Duration { return time.Duration(c.ahead.Load()) }

// The database's clock is looked at every clockEvery. An answer that took longer than clockDoubt says too little, and a
// difference below clockJitter beside the doubt of an answer changes nothing.
const (
	clockEvery  = 10 * time.Second
	clockDoubt  = 500 * time.Millisecond
	clockJitter = time.Millisecond
	clockTries  = 3
)

// Set sets the clock by the database's, by the quickest of some answers.
func (c *Clock) Set(ctx context.Context, db *DB) error {
	if db.Dialect == dialect.SQLite {
		return nil
	}
	var ahead, doubt time.Duration
	for i := range clockTries {
		asked := c.own()
		var told time.Time
		if err := db.pools[0].QueryRowContext(ctx, "SELECT clock_timestamp()").Scan(&told); err != nil {
			return fmt.Errorf("ask the database for the time: %w", err)
		}
		took := c.own().Sub(asked)
		if i == 0 || took/2 < doubt {
			ahead, doubt = told.Sub(asked.Add(took/2)), took/2
		}
	}
	off := ahead - c.Ahead()
	if doubt <= clockDoubt && off.Abs() > doubt+clockJitter {
		c.ahead.Store(int64(ahead))
	}
	return nil
}

// clockWarning is the difference of clocks that is worth a line in the log.
const clockWarning = time.Second

// Follow keeps the clock set until ctx is done, and logs when the server's own clock turns out to be wrong.
func (c *Clock) Follow(ctx context.Context, db *DB, log *slog.Logger) {
	tick := time.NewTicker(clockEvery)
	defer tick.Stop()
	said := time.Duration(0)
	for {
		if ahead := c.Ahead(); (ahead - said).Abs() >= clockWarning {
			log.Warn("the server's clock differs from the database's, which is gone by",
				"database_ahead", ahead.String())
			said = ahead
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		limited, cancel := context.WithTimeout(ctx, clockEvery)
		_ = c.Set(limited, db) // a database that is away is noticed elsewhere
		cancel()
	}
}
