package database

import (
	"context"
	"database/sql"
	"strings"
	"sync/atomic"
	"time"
)

// pooler records whether a pooler such as PgBouncer gives each transaction another connection of the server.
// Prepared statements, which belong to a connection, and the settings of a connection do not work then. It
// is recognized by the errors that it causes; all connections opened from then on know it.
type pooler struct{ is atomic.Bool }

func (p *pooler) found() bool { return p != nil && p.is.Load() }

// look recognizes a pooler by the server process id of a connection, which a pooler makes up. It is called
// once, when the database is opened.
func (p *pooler) look(ctx context.Context, pool *sql.DB) error {
	if p.found() {
		return nil
	}
	one, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer one.Close()
	var real int64
	if err := one.QueryRowContext(ctx, "SELECT pg_backend_pid()").Scan(&real); err != nil {
		return err
	}
	return one.Raw(func(opened any) error {
		c := opened.(*conn)
		given := pidOf(c.session)
		if given != 0 && given != real {
			p.is.Store(true)
			c.broken = true
			c.wire.lastLost.Store(time.Now().UnixNano())
		}
		return nil
	})
}

// refuses reports whether err is a pooler's refusal of a setting of the connection.
func (p *pooler) refuses(err error) bool {
	if stateOf(err) != "08P01" || !strings.Contains(err.Error(), "startup parameter") {
		return false
	}
	p.is.Store(true)
	return true
}

// foundPooler reports whether err says that a prepared statement belongs to another connection, which only a
// pooler can cause. The open connections are then not used again. The statement has not been run.
func (c *conn) foundPooler(err error) bool {
	if c.pooler == nil || stateOf(err) != "42P05" {
		return false
	}
	c.pooler.is.Store(true)
	c.broken = true
	c.wire.lastLost.Store(time.Now().UnixNano())
	return true
}

// Pooled reports whether the database was found to be behind a pooler.
func (db *DB) Pooled() bool { return db.pooler.found() }

// isFull reports whether err says that the server or the pooler takes no more connections.
func isFull(err error) bool {
	return stateOf(err) == "53300" ||
		stateOf(err) == "08P01" && strings.Contains(err.Error(), "no more connections allowed")
}

// fullFor is how long a pool stays limited after the server took no more connections.
const fullFor = 30 * time.Second

// shrink limits a pool to its present size, because the server takes no more connections; requests wait for
// the existing ones. If there are none, it waits a moment.
func shrink(pool *sql.DB, size int) {
	open := pool.Stats().OpenConnections - 1 // not counting the refused one
	if open < 1 {
		time.Sleep(fullPause)
		return
	}
	pool.SetMaxOpenConns(open)
	time.AfterFunc(fullFor, func() { pool.SetMaxOpenConns(size) })
}

const fullPause = 200 * time.Millisecond
