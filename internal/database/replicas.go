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
	stop func() // stops the watchers; nil: there are none

	watched []<-chan struct{} // each is closed when a watcher has ended

	mu        sync.Mutex
	positions []logPosition // positions of the primary, the newest last

	closed sync.Once
}

// logPosition is a position of the primary's log at a moment.
type logPosition struct {
	bytes int64
	at    time.Time
}

// reached records a position of the primary and forgets those older than within.
func (rs *replicas) reached(p logPosition, within time.Duration) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	tooOld := func(old logPosition) bool { return p.at.Sub(old.at) > within }
	rs.positions = append(slices.DeleteFunc(rs.positions, tooOld), p)
}

// shown returns a moment up to which a server that has replayed so many bytes of the log has every commit;
// it reports false if none is known.
func (rs *replicas) shown(bytes int64) (at time.Time, known bool) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	for _, p := range slices.Backward(rs.positions) {
		if p.bytes <= bytes {
			return p.at, true
		}
	}
	return time.Time{}, len(rs.positions) > 0
}

func anyReplica(*replica) bool { return true }

// next returns the next replica, in turn, that is up and for which such reports true; nil if there is none.
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

// read runs a statement on a replica, through either of a driver's methods, and reports whether the replica
// answered.
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

// These times bound the work of a replica. A read that it does not answer leaves enough time for the primary
// to answer.
const (
	replicaSilence    = 3 * time.Second
	replicaStatement  = "3s"
	replicaConnect    = time.Second
	replicaWatch      = time.Second            // between two checks
	replicaStep       = 10 * time.Millisecond  // how soon a replica that lags is asked again
	replicaLookLimit  = 900 * time.Millisecond // for the answer to a check
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
	looks  *sql.DB // one connection, for checks
	up     atomic.Bool

	primary  atomic.Bool  // it was a primary at the last check
	replayed atomic.Int64 // bytes of the log, at the last check
	of       *replicas

	reads, lagged, failed atomic.Int64

	mu    sync.Mutex
	known *knowledge // of the server that was reached last
	log   *slog.Logger
}

// knowledge records which numbers a server is known to show. It holds as long as the server runs: what a
// standby has shown once, it shows from then on to all its connections.
type knowledge struct {
	server string // identifies the server and its start

	mu sync.Mutex
	at map[Need]sight // by need, its Least left out
}

// sight is a number that was seen.
type sight struct {
	number int64
	when   time.Time // before the server was asked
}

// find returns the highest number that was seen for a need.
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
		s.number = old.number // an older question was answered after a newer one
	}
	if len(k.at) >= replicaKnownLimit {
		clear(k.at)
	}
	k.at[n.key()] = s
}

// lags reports whether a replica was just seen to be behind what is needed.
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

// shows returns a moment up to which the replica has every commit; it reports false if that is not known,
// because it does not follow the primary or does not report its position.
func (r *replica) shows() (at time.Time, known bool) { return r.of.shown(r.replayed.Load()) }

// knowledgeOf returns the knowledge about a server, which is new if the server is another one or was restarted.
func (r *replica) knowledgeOf(server string) *knowledge {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.known == nil || r.known.server != server {
		r.known = &knowledge{server: server, at: map[Need]sight{}}
	}
	return r.known
}

// lose stops using a replica until a check succeeds.
func (r *replica) lose(why error) {
	if r.up.Swap(false) {
		r.log.Warn("a replica is left out: its reads go to the primary", "replica", r.name, "error", why)
	}
}

// isGone reports whether err says that a replica cannot be used, rather than that a statement failed.
func isGone(err error) bool {
	if errors.Is(err, errNoStandby) || errors.Is(err, errBetween) {
		return true
	}
	return IsUnavailable(err) && !isReadOnly(err) && stateOf(err) != "57014" && !errors.Is(err, errDown)
}

// openReplica prepares a replica. It connects to nothing yet.
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

// OpenReplicas adds replicas, which reads with WithReplicas may use: standbys of the database, each named by
// a URL. None is used before WatchReplicas.
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

// WatchReplicas checks the replicas until the database is closed: those that answer and are standbys are
// used.
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

// watch checks every second whether the replica can be used.
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
				if r.primary.Load() { // naming the primary is allowed, so that a failover changes no setting
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

// look fails if a replica does not answer or is no standby.
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
	r.primary.Store(errors.Is(err, errNoStandby)) // a new connection to a primary fails with this error, too
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

// ReplicaState is the state of a replica, with the outcomes of reads that were to go to it.
type ReplicaState struct {
	Name    string // host:port
	Up      bool
	Primary bool // it is a primary at present, and so takes no reads

	Reads  int64 // statements that it answered
	Lagged int64 // statements left to the primary because the replica was behind
	Failed int64 // statements left to the primary because the replica failed
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
