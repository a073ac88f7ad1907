package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"

	"storefront/internal/goroutine"
)

// replicas are the standbys that share the reads of a primary.
type replicas struct {
	all  []*replica
	turn atomic.Uint64
	stop func() // ends the watching; nil: none watches

	watched []<-chan struct{} // closed when the watching of a replica has ended

	mu     sync.Mutex
	places []place // of the primary, the newest last

	closed sync.Once
}

// place is how far the primary's log was at a moment.
type place struct {
	bytes int64
	at    time.Time
}

// reached notes how far the primary is, for as long as what is older than that may matter.
func (rs *replicas) reached(p place, within time.Duration) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.places = append(slices.DeleteFunc(rs.places, func(old place) bool { return p.at.Sub(old.at) > within }), p)
}

// shown returns the last moment of which one that has replayed so many bytes of the log has all; zero: none is known.
func (rs *replicas) shown(bytes int64) (at time.Time, known bool) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	for _, p := range slices.Backward(rs.places) {
		if p.bytes <= bytes {
			return p.at, true
		}
	}
	return time.Time{}, len(rs.places) > 0
}

func anyReplica(*replica) bool { return true }

// next returns the replica whose turn it is among those that can be used and are such.
func (rs *replicas) next(such func(*replica) bool) *replica {
	if rs == nil {
		return nil
	}
	first := rs.turn.Add(1)
	for i := range rs.all {
		if one := rs.all[(first+uint64(i))%uint64(len(rs.all))]; one.up.Load() && such(one) {
			return one
		}
	}
	return nil
}

// read runs a statement on a replica, by either of a driver's ways, and reports whether it gave an answer there.
func (rs *replicas) read(ctx context.Context, text string,
	run func(context.Context, rawDriver) error) (done bool, err error) {
	if rs == nil || len(rs.all) == 0 || !onlyReads(text) {
		return false, nil
	}
	r := routeOf(ctx)
	if r == nil {
		return false, nil
	}
	if r.stale.Load() {
		return true, r.readStale(ctx, run)
	}
	to, with := r.to(ctx, rs)
	if to == nil {
		return false, nil
	}
	if err = run(with, to.driver); err == nil {
		to.reads.Add(1)
		return true, nil
	}
	if ctx.Err() != nil {
		return true, err
	}
	if errors.Is(err, errLags) {
		to.lagged.Add(1)
	} else {
		to.failed.Add(1)
	}
	if isGone(err) {
		to.lose(err)
	}
	r.leave()
	return false, nil
}

// Times of a replica. A read that it does not answer has still the time for an answer of the primary.
const (
	replicaSilence    = 3 * time.Second
	replicaStatement  = "3s"
	replicaConnect    = time.Second
	replicaWatch      = time.Second            // between two looks whether it is there
	replicaStep       = 10 * time.Millisecond  // a replica that lags is not asked again before
	replicaLookLimit  = 900 * time.Millisecond // for the answer to a look
	replicaKnownLimit = 20_000                 // numbers that are remembered
)

var (
	errLags      = errors.New("the replica has not caught up")
	errDown      = errors.New("the replica is not used at the moment")
	errNoStandby = errors.New("the server is no standby, but a primary at present")
	errBetween   = errors.New("a pooler is in front of the replica, behind which nobody knows which server answers: " +
		"name the server itself in DATABASE_REPLICA_URL")
)

// replica is a standby.
type replica struct {
	name   string // host:port
	driver rawDriver
	pool   *sql.DB
	looks  *sql.DB // one connection, which looks whether it is there
	up     atomic.Bool

	primary  atomic.Bool  // it was found to be one when it was last looked at
	replayed atomic.Int64 // bytes of the log, when it was last looked at
	of       *replicas

	reads, lagged, failed atomic.Int64

	mu    sync.Mutex
	known *knowledge // of the server that was met last
	log   *slog.Logger
}

// knowledge is which numbers a server is known to show. It holds for as long as the server runs: what a standby has
// shown, it goes on to show, to all connections that it has since before.
type knowledge struct {
	server string // says which one it is, and when it was started

	mu sync.Mutex
	at map[Need]sight // by need, its Least left out
}

// sight is a number that was seen.
type sight struct {
	number int64
	when   time.Time // before it was asked for
}

// find returns the number that was seen for a need.
func (k *knowledge) find(n Need) (sight, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	s, ok := k.at[n.key()]
	return s, ok
}

func (k *knowledge) note(n Need, s sight) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if old, ok := k.at[n.key()]; ok && s.number < old.number {
		s.number = old.number // it was asked for before the other, and answered after it
	}
	if len(k.at) >= replicaKnownLimit {
		clear(k.at)
	}
	k.at[n.key()] = s
}

// lags reports whether a replica was just seen not to show what is needed.
func (r *replica) lags(needs []Need) bool {
	r.mu.Lock()
	known := r.known
	r.mu.Unlock()
	if known == nil {
		return false
	}
	for _, n := range needs {
		if s, ok := known.find(n); ok && s.number < n.Least && time.Since(s.when) < replicaStep {
			r.lagged.Add(1)
			return true
		}
	}
	return false
}

// shows returns the last moment of which the replica has all that was committed, zero for none; it reports false where
// no server follows the primary, or it does not report its position.
func (r *replica) shows() (at time.Time, known bool) { return r.of.shown(r.replayed.Load()) }

// meet returns the knowledge of a server.
func (r *replica) meet(server string) *knowledge {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.known == nil || r.known.server != server {
		r.known = &knowledge{server: server, at: map[Need]sight{}}
	}
	return r.known
}

// lose takes a replica out of use, until a look finds it again.
func (r *replica) lose(why error) {
	if r.up.Swap(false) {
		r.log.Warn("a replica is left out: its reads go to the primary", "replica", r.name, "error", why)
	}
}

// isGone reports whether err says that a replica cannot be used, rather than that it could not run this statement.
func isGone(err error) bool {
	if errors.Is(err, errNoStandby) || errors.Is(err, errBetween) {
		return true
	}
	return IsUnavailable(err) && !isReadOnly(err) && stateOf(err) != "57014" && !errors.Is(err, errDown)
}

// openReplica opens a replica. Nothing is connected to yet.
func openReplica(raw string) (*replica, error) {
	s, err := parse(raw)
	if err != nil {
		return nil, err
	}
	if s.dialect != dialect.Postgres {
		return nil, errors.New("a replica is a PostgreSQL server")
	}
	if len(s.postgres.Multi) > 0 {
		return nil, errors.New("a URL of DATABASE_REPLICA_URL names one server: give each a URL of its own")
	}
	r := &replica{name: addressOf(hostOf(s.postgres)), log: slog.New(slog.DiscardHandler)}
	if s.postgres.ConnectTimeout == 0 {
		s.postgres.ConnectTimeout = replicaConnect
	}
	setUnlessGiven(s.postgres.Runtime, "statement_timeout", replicaStatement)
	if s.postgres.ApplicationName == "" {
		s.postgres.ApplicationName = "storefront"
	}
	connector := func() *connector {
		c := postgresConnector(s, replicaSilence, new(pooler), nil)
		c.replica = r
		return c
	}
	reading, looking := connector(), connector()
	looking.looks = true
	r.pool, r.looks = poolOf(reading, s.poolSize), poolOf(looking, 1)
	r.driver = shareOut(entsql.OpenDB(dialect.Postgres, r.pool), s.poolSize, 1)
	return r, nil
}

// OpenReplicas lets reads with WithReplicas go to replicas: standbys of the database, each named by a URL. None is used
// before WatchReplicas.
func (db *DB) OpenReplicas(urls ...string) error {
	if db.Dialect != dialect.Postgres && len(urls) > 0 {
		return errors.New("open a replica: a SQLite database has none")
	}
	rs := new(replicas)
	for _, raw := range urls {
		one, err := openReplica(raw)
		if err != nil {
			return fmt.Errorf("open a replica: %w", errors.Join(err, rs.close()))
		}
		one.of = rs
		rs.all = append(rs.all, one)
	}
	db.driver.replicas = rs
	return nil
}

// WatchReplicas looks after the replicas from now on until the database is closed: those that answer, and are standbys,
// are used.
func (db *DB) WatchReplicas(log *slog.Logger) {
	rs := db.driver.replicas
	if rs == nil || rs.stop != nil {
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	rs.stop = stop
	for _, one := range rs.all {
		one.log = log
		rs.watched = append(rs.watched, goroutine.Keep(ctx, "watching a replica", one.watch))
	}
}

// watch looks every second whether the replica can be used.
func (r *replica) watch(ctx context.Context) {
	said := ""
	for {
		err := r.look(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err == nil && !r.up.Swap(true):
			r.log.Info("a replica is used", "replica", r.name)
			said = ""
		case err != nil:
			if !r.up.Load() && said != err.Error() { // it was not used before
				level := slog.LevelWarn
				if r.primary.Load() { // which may be named, so that a failover changes no setting
					level = slog.LevelInfo
				}
				r.log.Log(ctx, level, "a replica cannot be used", "replica", r.name, "error", err)
			}
			said = err.Error()
			r.lose(err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(replicaWatch):
		}
	}
}

// look fails for a replica that does not answer, or is no standby.
func (r *replica) look(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, replicaLookLimit+replicaConnect)
	defer stop()
	var standby bool
	var replayed int64
	err := r.looks.QueryRowContext(ctx, "SELECT pg_is_in_recovery(), "+
		"COALESCE(pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0'), 0)::bigint").Scan(&standby, &replayed)
	if err == nil {
		r.replayed.Store(replayed)
		if !standby {
			err = errNoStandby
		}
	}
	r.primary.Store(errors.Is(err, errNoStandby)) // a new connection to a primary fails with it, too
	return err
}

func (rs *replicas) close() error {
	if rs == nil {
		return nil
	}
	var errs []error
	rs.closed.Do(func() {
		if rs.stop != nil {
			rs.stop()
			for _, over := range rs.watched {
				<-over
			}
		}
		for _, one := range rs.all {
			one.up.Store(false)
			errs = append(errs, one.looks.Close(), one.pool.Close())
		}
	})
	return errors.Join(errs...)
}

// ReplicaState is what became of the reads that were to go to a replica.
type ReplicaState struct {
	Name    string // host:port
	Up      bool
	Primary bool // it is one at present, so it takes no reads of replicas

	Reads  int64 // statements that it answered
	Lagged int64 // statements that the primary answered because it had not caught up
	Failed int64 // statements that the primary answered because it did not
}

// Replicas returns the state of each replica.
func (db *DB) Replicas() (states []ReplicaState) {
	if db.driver.replicas == nil {
		return nil
	}
	for _, r := range db.driver.replicas.all {
		states = append(states, ReplicaState{Name: r.name, Up: r.up.Load(), Primary: r.primary.Load(),
			Reads: r.reads.Load(), Lagged: r.lagged.Load(), Failed: r.failed.Load()})
	}
	return states
}
