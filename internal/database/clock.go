package database

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"entgo.io/ent/dialect"
)

// Clock gives a server the time of the database, so that all servers agree on the order of events and on
// what has expired, however their own clocks differ. The servers of a SQLite file share one machine, and so
// one clock.
type Clock struct {
	own   func() time.Time
	ahead atomic.Int64 // of the database's clock, in nanoseconds
}

// NewClock returns a clock that shows the time of own until Set is called.
func NewClock(own func() time.Time) *Clock { return &Clock{own: own} }

// Now returns the time of the database.
func (c *Clock) Now() time.Time { return c.own().Add(c.Ahead()) }

// Ahead returns how far the database's clock is ahead of the server's own.
func (c *Clock) Ahead() time.Duration { return time.Duration(c.ahead.Load()) }

// Follow reads the database's clock every clockEvery. An answer that took longer than clockDoubt is too
// inexact to be used, and a difference below clockJitter plus the answer's own inexactness is ignored.
const (
	clockEvery  = 10 * time.Second
	clockDoubt  = 500 * time.Millisecond
	clockJitter = time.Millisecond
	clockTries  = 3
)

// Set sets the clock by the database's, using the quickest of several answers.
func (c *Clock) Set(ctx context.Context, db *DB) error {
	if db.Dialect == dialect.SQLite {
		return nil
	}
	var ahead, doubt time.Duration
	for i := range clockTries {
		asked := c.own()
		var now time.Time
		if err := db.pools[0].QueryRowContext(ctx, "SELECT clock_timestamp()").Scan(&now); err != nil {
			return fmt.Errorf("ask the database for the time: %w", err)
		}
		took := c.own().Sub(asked)
		if i == 0 || took/2 < doubt {
			ahead, doubt = now.Sub(asked.Add(took/2)), took/2
		}
	}
	off := ahead - c.Ahead()
	if doubt <= clockDoubt && off.Abs() > doubt+clockJitter {
		c.ahead.Store(int64(ahead))
	}
	return nil
}

// clockWarning is the smallest difference of the clocks that is logged.
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
		_ = c.Set(limited, db) // an unavailable database is reported elsewhere
		cancel()
	}
}
