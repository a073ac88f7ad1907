package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"entgo.io/ent/dialect"
	"github.com/lib/pq"

	"storefront/internal/goroutine"
)

// timelines records the highest timeline of a cluster that was seen at any of its hosts. PostgreSQL raises
// it with each promotion, so a primary with a lower one has been replaced, and writes to it would be lost.
// Such a primary is refused. This is also recorded in a row of its own database, for servers that cannot ask
// the other hosts.
type timelines struct {
	hosts   []*host     // of DATABASE_URL
	several bool        // the hosts are asked one by one; else whichever server the URL leads to
	primary bool        // the primary among several hosts is wanted
	stale   atomic.Bool // the server that a single host or pooler leads to has been replaced
	unknown atomic.Bool // the server does not report its timeline, as some managed services

	mu      sync.Mutex
	highest map[string]*atomic.Int64 // by cluster
	looked  time.Time                // at all hosts

	looking sync.Mutex
	closed  sync.Once
}

// host is a server that a database URL names.
type host struct {
	name string // host:port
	pool *sql.DB
	own  bool   // the pool leads to this host only, and serves nothing else
	said string // the last message in the log

	state HostState // guarded by mu of timelines
}

// HostState is what a host of the database said when it was last asked.
type HostState struct {
	Name     string // host:port
	Primary  bool   // it accepts writes, as far as it knows
	Replaced bool   // another host has, or had, a higher timeline: this one is not used
	Timeline int64  // 0: it did not answer or does not report it
}

var errReplaced = errors.New("the server has been replaced by another primary: what it took would be lost")

// FollowPrimary asks the hosts every lookEvery. Without it they are asked before a connection is made,
// unless that was done within lookFresh.
const (
	lookEvery = 2 * time.Second
	lookAgain = 250 * time.Millisecond // while no host can be used
	lookFresh = 5 * time.Second
	lookLimit = 1500 * time.Millisecond // for the answer of a host
)

// These statements ask a host about itself. A primary's control file has a new timeline only after the first
// checkpoint, so the log's is read. Any role may ask.
const (
	aboutHost = "SELECT pg_is_in_recovery(), current_setting('transaction_read_only') = 'on', " +
		"(SELECT system_identifier::text FROM pg_control_system()), CASE WHEN pg_is_in_recovery() " +
		"THEN (SELECT greatest(c.timeline_id, r.min_recovery_end_timeline)::bigint " +
		"FROM pg_control_checkpoint() c, pg_control_recovery() r) " +
		"ELSE ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint END"
	aboutHostPlainly = "SELECT pg_is_in_recovery(), current_setting('transaction_read_only') = 'on', '', 0::bigint"

	storedTimeline = "SELECT timeline FROM installations WHERE id = 1 AND cluster = $1"
	// storeTimeline does not wait for a standby, since the standbys follow another primary by now. It is a
	// single message and so a single transaction; a failure leaves no broken transaction open.
	storeTimeline = "SET LOCAL synchronous_commit = off; " +
		"INSERT INTO installations (id, cluster, timeline) VALUES (1, %[1]s, %[2]d) " +
		"ON CONFLICT (id) DO UPDATE SET cluster = %[1]s, timeline = %[2]d"
)

// hostSays is the answer to aboutHost.
type hostSays struct {
	standby, readOnly bool
	cluster           string
	timeline          int64
	stored            int64 // the timeline in its own row
}

// text is the statement to ask a host with.
func (t *timelines) text() string {
	if t.unknown.Load() {
		return aboutHostPlainly
	}
	return aboutHost
}

// refused reports whether err says that a server does not report its timeline, because it lacks the function
// or the role lacks the right. It is then asked without it, and if it answers that, so are all servers from
// then on. Being unreachable or unavailable is no refusal.
func (t *timelines) refused(err error) bool {
	if t.unknown.Load() {
		return false
	}
	state := stateOf(err)
	return !IsUnavailable(err) && (inClass(state, "42") || inClass(state, "0A") || inClass(state, "55"))
}

// of returns the highest timeline of a cluster.
func (t *timelines) of(cluster string) *atomic.Int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.highest[cluster] == nil {
		t.highest[cluster] = new(atomic.Int64)
	}
	return t.highest[cluster]
}

// note records what a host said, and reports whether the host has been replaced.
func (t *timelines) note(says hostSays) (replaced bool) {
	highest := t.of(says.cluster)
	for seen := max(says.timeline, says.stored); ; {
		known := highest.Load()
		if seen <= known {
			return !says.standby && says.timeline != 0 && says.timeline < known
		}
		highest.CompareAndSwap(known, seen)
	}
}

// identify returns what the server of a new connection says of itself. It fails if the server has been replaced.
func (t *timelines) identify(ctx context.Context, s session, w *wire, limit time.Duration) (hostSays, error) {
	ctx, stop := context.WithTimeout(ctx, limit)
	defer stop()
	w.until(ctx)
	says, err := askHost(ctx, s, t.text())
	if t.refused(err) {
		says, err = askHost(ctx, s, aboutHostPlainly)
		t.unknown.Store(err == nil)
	}
	if err != nil {
		return says, err
	}
	if t.note(says) {
		return says, fmt.Errorf("%w (timeline %d, and %d was seen)", errReplaced, says.timeline,
			t.of(says.cluster).Load())
	}
	if !says.standby && says.timeline != 0 {
		w.timeline, w.highest, w.stale = says.timeline, t.of(says.cluster), &t.stale
		if !t.several {
			t.stale.Store(false)
		}
	}
	return says, nil
}

func askHost(ctx context.Context, s session, text string) (says hostSays, err error) {
	rows, err := s.QueryContext(ctx, text, nil)
	if err != nil {
		return says, err
	}
	defer rows.Close()
	row := make([]driver.Value, 4)
	if err := rows.Next(row); err != nil {
		return says, err
	}
	says.standby, says.readOnly = row[0] == true, row[1] == true
	switch cluster := row[2].(type) {
	case string:
		says.cluster = cluster
	case []byte:
		says.cluster = string(cluster)
	}
	says.timeline, _ = row[3].(int64)
	if err := rows.Next(row); err != io.EOF {
		return says, err
	}
	return says, nil
}

// replaced reports whether the server of the connection has been replaced since the connection was opened.
func (w *wire) replaced() bool {
	return w != nil && w.highest != nil && (w.timeline < w.highest.Load() || w.stale.Load())
}

// ask asks a host about itself. A host without tables yet has no row.
func (t *timelines) ask(ctx context.Context, h *host) (says hostSays, err error) {
	ctx, stop := context.WithTimeout(ctx, lookLimit)
	defer stop()
	read := func(text string) error {
		return h.pool.QueryRowContext(ctx, text).Scan(&says.standby, &says.readOnly, &says.cluster, &says.timeline)
	}
	if err = read(t.text()); t.refused(err) {
		err = read(aboutHostPlainly)
		t.unknown.Store(err == nil)
	}
	if err != nil || says.timeline == 0 {
		return says, err
	}
	_ = h.pool.QueryRowContext(ctx, storedTimeline, says.cluster).Scan(&says.stored)
	return says, nil
}

// look asks all hosts at the same time. It fails if none can be used.
func (t *timelines) look(ctx context.Context, log *slog.Logger) error {
	t.looking.Lock()
	defer t.looking.Unlock()
	return t.lookLocked(ctx, log)
}

// lookLocked is look for a caller that holds t.looking.
func (t *timelines) lookLocked(ctx context.Context, log *slog.Logger) error {
	says, errs := make([]hostSays, len(t.hosts)), make([]error, len(t.hosts))
	var asked goroutine.Group
	for i, h := range t.hosts {
		errs[i] = errNoServer // until it answers otherwise
		asked.Start("asking a host", func() { says[i], errs[i] = t.ask(ctx, h) })
	}
	asked.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for i := range says {
		if errs[i] == nil {
			t.note(says[i])
		}
	}
	usable := errNoServer
	for i, h := range t.hosts {
		replaced := errs[i] == nil && t.note(says[i]) || errors.Is(errs[i], errReplaced)
		t.keep(h, HostState{Name: h.name, Timeline: says[i].timeline, Replaced: replaced,
			Primary: replaced || errs[i] == nil && !says[i].standby && !says[i].readOnly})
		if !t.several && (replaced || errs[i] == nil) { // without an answer the last one still holds
			t.stale.Store(replaced)
		}
		h.noteReplaced(ctx, log, replaced, says[i], t.of(says[i].cluster).Load())
		if errs[i] == nil && !replaced && (!t.primary || !says[i].standby && !says[i].readOnly) {
			usable = nil
		}
	}
	return usable
}

func (t *timelines) keep(h *host, state HostState) {
	t.mu.Lock()
	defer t.mu.Unlock()
	h.state, t.looked = state, time.Now()
}

// noteReplaced records that a host has been replaced, once, in the log and in the host's own row, for servers that
// can ask only that host.
func (h *host) noteReplaced(ctx context.Context, log *slog.Logger, replaced bool, says hostSays, highest int64) {
	if !replaced {
		h.said = ""
		return
	}
	said := fmt.Sprintf("timeline %d, and %d was seen", says.timeline, highest)
	if says.timeline == 0 { // no new connection is made
		said = "a lower timeline than one that was seen"
	}
	if log == nil {
		return
	}
	first := h.said != said
	if h.said = said; first {
		log.Error("a primary is not used, as another has replaced it: end it, and make it a standby", "host", h.name,
			"cause", said)
	}
	if !h.own || says.stored >= highest || says.timeline == 0 {
		return
	}
	ctx, stop := context.WithTimeout(ctx, lookLimit)
	defer stop()
	_, err := h.pool.ExecContext(ctx, fmt.Sprintf(storeTimeline, pq.QuoteLiteral(says.cluster), highest))
	if err != nil && first {
		log.Warn("a primary that has been replaced does not take a note of it", "host", h.name, "error", err)
	}
}

// lookFirst asks all hosts, if there are several, unless that was done a moment ago.
func (t *timelines) lookFirst(ctx context.Context) {
	if t == nil || !t.several {
		return
	}
	if t.fresh() {
		return
	}
	t.looking.Lock()
	defer t.looking.Unlock()
	if !t.fresh() { // no other caller has just asked
		_ = t.lookLocked(ctx, nil) // the connection that is made next returns the error
	}
}

// fresh reports whether all hosts were asked a moment ago.
func (t *timelines) fresh() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return time.Since(t.looked) < lookFresh
}

func (t *timelines) close() (err error) {
	if t == nil || !t.several {
		return nil
	}
	t.closed.Do(func() {
		var errs []error
		for _, h := range t.hosts {
			errs = append(errs, h.pool.Close())
		}
		err = errors.Join(errs...)
	})
	return err
}

// newTimelines returns the hosts of s to ask: each by itself, or, if there is only one, the pool that leads
// to it.
func newTimelines(s settings) *timelines {
	t := &timelines{highest: map[string]*atomic.Int64{}, several: len(s.postgres.Multi) > 0}
	kind := s.postgres.TargetSessionAttrs
	t.primary = t.several && (kind == pq.TargetSessionAttrsReadWrite || kind == pq.TargetSessionAttrsPrimary)
	for _, one := range append([]pq.ConfigMultihost{hostOf(s.postgres)}, s.postgres.Multi...) {
		t.hosts = append(t.hosts, &host{name: addressOf(one), state: HostState{Name: addressOf(one)}})
		if !t.several {
			continue
		}
		alone := s
		alone.statements = 0 // a pooler may be in between, so nothing is prepared
		alone.postgres = s.postgres.Clone()
		alone.postgres.Host, alone.postgres.Hostaddr, alone.postgres.Port = one.Host, one.Hostaddr, one.Port
		alone.postgres.Multi, alone.postgres.TargetSessionAttrs = nil, pq.TargetSessionAttrsAny
		alone.postgres.ConnectTimeout = lookLimit
		c := postgresConnector(alone, lookLimit, new(pooler), nil)
		c.inspect = nil // these statements read no shop's data
		h := t.hosts[len(t.hosts)-1]
		h.pool, h.own = poolOf(c, 1), true
	}
	return t
}

// FollowPrimary checks every other second, until ctx is done, whether the primary in use has been replaced.
// If so, its connections fail, and no transaction is committed there any more.
func (db *DB) FollowPrimary(ctx context.Context, log *slog.Logger) {
	if db.Dialect != dialect.Postgres {
		return
	}
	defer db.away.confirmed.Store(false)
	misses := 0
	for said := false; ; {
		pause := lookEvery
		err := db.driver.timelines.look(ctx, log)
		if db.driver.timelines.unknown.Load() && !said {
			log.Warn("the database does not report its timeline: a primary that was replaced cannot be recognized")
			said = true
		}
		if err != nil {
			misses++
			pause = lookAgain
		} else {
			misses = 0
		}
		if ctx.Err() == nil && misses != 1 { // a single slow answer does not count as away
			db.Answered(err)
			db.away.confirmed.Store(err != nil)
		}
		if err == nil {
			db.notePosition(ctx)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

// notePosition records the position of the primary's log, if there are replicas to compare with it.
func (db *DB) notePosition(ctx context.Context) {
	rs := db.driver.replicas
	if rs == nil || len(rs.all) == 0 {
		return
	}
	ctx, stop := context.WithTimeout(ctx, lookLimit)
	defer stop()
	p := logPosition{at: time.Now()}
	const text = "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint WHERE NOT pg_is_in_recovery()"
	// A managed service may not report it.
	if err := db.driver.short.QueryRowContext(ctx, text).Scan(&p.bytes); err == nil {
		rs.reached(p, time.Duration(db.away.within.Load()))
	}
}

// Hosts returns what the hosts of the database said when they were last asked; none for SQLite.
func (db *DB) Hosts() (states []HostState) {
	if db.Dialect != dialect.Postgres {
		return nil
	}
	t := db.driver.timelines
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, h := range t.hosts {
		states = append(states, h.state)
	}
	return states
}
