package database

import (
	"context"
	"database/sql"
	"fmt"
	"reflect"
	"strings"
	"sync/atomic"
	"time"

	"github.com/lib/pq"
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
			c.giveUp()
		}
		return nil
	})
}

// pidOf returns the server process id of a connection of lib/pq, from a field that is not exported; 0 if it
// is unknown.
func pidOf(s session) int64 {
	pid := reflect.Indirect(reflect.ValueOf(s)).FieldByName("pid")
	if !pid.IsValid() || !pid.CanInt() {
		return 0
	}
	return pid.Int()
}

// refusePoolers fails if one of several hosts is a pooler. PgBouncer keeps the in_hot_standby of its first
// connection to a server, so that a standby behind it would not be used once it is promoted. A host that does
// not answer passes.
func (s settings) refusePoolers(ctx context.Context) error {
	all := s.hosts()
	if len(all) == 1 {
		return nil
	}
	for _, host := range all {
		alone, found := s, new(pooler)
		alone.postgres = s.postgres.Clone()
		alone.postgres.Host, alone.postgres.Hostaddr, alone.postgres.Port = host.Host, host.Hostaddr, host.Port
		alone.postgres.Multi, alone.postgres.TargetSessionAttrs = nil, pq.TargetSessionAttrsAny
		limited, stop := context.WithTimeout(ctx, limitOf(len(all)))
		pool := poolOf(postgresConnector(alone, silenceLimit, found), 1)
		err := found.look(limited, pool)
		stop()
		pool.Close()
		if found.found() {
			return fmt.Errorf("of the hosts in its URL %s is a pooler (or statement_cache is 0, as for one): through "+
				"poolers name one address, and let the pooler reach the primary through HAProxy, as in "+
				"deploy/haproxy.cfg", addressOf(host))
		}
		if ctx.Err() != nil {
			return err
		}
	}
	return nil
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
	if c.of.pooler == nil || stateOf(err) != "42P05" {
		return false
	}
	c.of.pooler.is.Store(true)
	c.giveUp()
	return true
}

// giveUp makes the pool use none of its open connections again.
func (c *conn) giveUp() {
	c.broken = true
	c.wire.lastLost.Store(time.Now().UnixNano())
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
