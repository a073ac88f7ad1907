package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync/atomic"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	"github.com/lib/pq"
)

// A lost or silent database must fail a request within 10 s (contract 4.3). At worst a request waits until
// another's connection is found silent, and then for a new one: silenceLimit + connectLimit.
const (
	connectLimit   = 3 * time.Second // to connect and sign in
	silenceLimit   = 6 * time.Second // without any byte while an answer is due
	cancelLimit    = time.Second     // to ask the server to cancel a statement
	statementLimit = "5s"            // the server ends a slower statement, and keeps the connection
	// the server ends a transaction, and frees its locks, when its client has vanished
	idleTxLimit = "60s"
)

func openPostgres(s settings) (*DB, error) { return openPostgresWithin(s, silenceLimit), nil }

func openPostgresWithin(s settings, silence time.Duration) *DB {
	between := new(pooler)
	working := postgresConnector(s, silence, between)
	working.diskSpace = new(diskSpace)
	pool, short := poolOf(working, s.poolSize), poolOf(working, 1)
	alone := func() *connector { // for migrations and locks
		c := postgresConnector(s, 0, between)
		c.inspect = nil
		return c
	}
	locks := sql.OpenDB(alone())
	locks.SetConnMaxIdleTime(lockIdle)
	return &DB{
		Dialect:   dialect.Postgres,
		driver:    shareOut(entsql.OpenDB(dialect.Postgres, pool), s.poolSize-s.poolSize/8, s.poolSize),
		short:     short,
		pools:     []*sql.DB{pool, short},
		pooler:    between,
		diskSpace: working.diskSpace,
		Apart:     func() (*sql.DB, error) { return poolOf(alone(), 1), nil },
		forLocks:  locks,
		locks:     func(string) (*sql.DB, func() error, error) { return locks, func() error { return nil }, nil },
	}
}

// postgresConnector opens connections in UTC. silence bounds how long the server may send nothing while an
// answer is due; with 0, for long-running work, only connecting is bounded.
func postgresConnector(s settings, silence time.Duration, between *pooler) *connector {
	if s.statements == 0 {
		between.is.Store(true)
	}
	direct := s.postgres.Clone()
	if direct.ConnectTimeout == 0 {
		direct.ConnectTimeout = limitOf(1 + len(direct.Multi))
	}
	overwriteSetting(direct.Runtime, "TimeZone", "UTC")
	if direct.ApplicationName == "" {
		direct.ApplicationName = "storefront"
	}
	pooled := direct.Clone()
	pooled.BinaryParameters = true // one message, which a pooler cannot split
	if silence > 0 {
		setUnlessGiven(direct.Runtime, "statement_timeout", statementLimit)
		setUnlessGiven(direct.Runtime, "idle_in_transaction_session_timeout", idleTxLimit)
	} else {
		overwriteSetting(direct.Runtime, "statement_timeout", "0")
	}
	lastLost, lastMute := new(atomic.Int64), new(atomic.Int64)
	connect := func(ctx context.Context, config pq.Config) (session, *wire, error) {
		inner, err := pq.NewConnectorConfig(config)
		if err != nil {
			return nil, nil, err
		}
		d := &dialer{silence: silence, lastLost: lastLost, lastMute: lastMute}
		inner.Dialer(d)
		c, err := inner.Connect(ctx)
		if err != nil {
			return nil, nil, noServer(err)
		}
		d.connected.Store(true)
		return asSession(c, d.wire)
	}
	open := func(ctx context.Context) (session, *wire, error) {
		if !between.found() {
			opened, w, err := connect(ctx, direct)
			if !between.refuses(err) {
				return opened, w, err
			}
		}
		return connect(ctx, pooled)
	}
	return &connector{open: open, driver: &pq.Driver{}, statements: s.statements, pooler: between,
		inspect:  inspectorOf(s.postgres.Database),
		unsynced: unsynced{within: "SET LOCAL synchronous_commit = off"}}
}

// noServer marks an error that lib/pq itself makes while connecting: no server is of the kind that
// target_session_attrs asks for.
func noServer(err error) error {
	if _, is := errors.AsType[*pq.Error](err); is || errors.Is(err, pq.ErrSSLNotSupported) || IsUnavailable(err) {
		return err
	}
	return fmt.Errorf("%w: %w", errNoServer, err)
}

// overwriteSetting overwrites a run-time setting, however the URL spelled it.
func overwriteSetting(runtime map[string]string, name, value string) {
	maps.DeleteFunc(runtime, func(given, _ string) bool { return strings.EqualFold(given, name) })
	runtime[name] = value
}

func setUnlessGiven(runtime map[string]string, name, value string) {
	for given := range runtime {
		if strings.EqualFold(given, name) {
			return
		}
	}
	runtime[name] = value
}

// getToKnow recognizes a pooler, and fails for a database that cannot hold every text.
func (db *DB) getToKnow(ctx context.Context) error {
	if db.Dialect != dialect.Postgres {
		return nil
	}
	if err := db.pooler.look(ctx, db.pools[0]); err != nil {
		return err
	}
	var encoding string
	err := db.pools[0].QueryRowContext(ctx, "SELECT current_setting('server_encoding')").Scan(&encoding)
	if err == nil && encoding != "UTF8" {
		err = fmt.Errorf("its encoding is %s, which does not know the letters of Persian: %s", encoding, createAnew)
	}
	return err
}

const createAnew = "create it anew by CREATE DATABASE name TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'"

// CheckText fails if the database does not recognize Persian letters, since searches would then find
// nothing. It needs pg_trgm and so comes after Migrate. On SQLite it does nothing: texts are folded before
// they are stored.
func (db *DB) CheckText(ctx context.Context) error {
	if db.Dialect != dialect.Postgres {
		return nil
	}
	var trigrams int
	if err := db.pools[0].QueryRowContext(ctx, "SELECT cardinality(show_trgm('کتاب'))").
		Scan(&trigrams); err != nil {
		return fmt.Errorf("check the database's text: %w", err)
	}
	if trigrams == 0 {
		return errors.New("the database does not know the letters of Persian, so that no search would find them: " +
			createAnew)
	}
	return nil
}
