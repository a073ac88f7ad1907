// Package answercache keeps the answers of public reads, so that frequent reads are computed once.
//
// A kept answer is exact: it is used only if computing it again would give the same answer. It carries the
// versions that its sources had before the first of them was read. Every change of public content raises a
// version (internal/content/derive). A request that finds a kept answer looks the versions up
// (internal/catalog/lookup) after it has arrived, and takes the answer only if all of them are unchanged. So it sees
// whatever was committed before it came, by any instance or command. Answers that change without a write, because
// content becomes public or ends, carry the time until which they hold.
//
// While the database does not answer, kept answers of the last version that was seen are given for staleFor. The
// request notes that they may be stale.
//
// Requests for an answer that is being computed wait for that computation, and then look the versions up as well.
package answercache

import (
	"context"
	"errors"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"

	"storefront/ent"
	"storefront/internal/database"
	"storefront/internal/platform/bounded"
	"storefront/internal/platform/convert"
	"storefront/internal/platform/wire"
	"storefront/internal/request"
)

// Source is content from which answers are read: a tenant's, as it is found by a domain. The domain
// lookup.Installation stands for what all tenants share.
type Source struct {
	Domain  string
	Tenant  uuid.UUID
	Version int64 // when it was looked up, before any content was read
}

// Answer is a computed answer, with the time for which it holds.
type Answer struct {
	Body    *wire.Public
	Sources []Source
	From    time.Time // the moment for which it was computed
	Until   time.Time // when it changes without a write; zero: never
}

// Current returns the tenants of the given domains, by domain, as they are at some moment after the call.
type Current func(ctx context.Context, domains []string) (map[string]*ent.Tenant, error)

// staleFor is how long a kept answer is given after its versions were last seen, if the database does not answer
// (contract 4.4).
const staleFor = time.Minute

// lostWait is how long a request waits for the versions once the database has not answered another one.
const lostWait = 200 * time.Millisecond

// seen is the last version of a domain's content that was seen.
type seen struct {
	Source
	at time.Time // before the version was looked up
}

// maxSeen is how many domains have their last version remembered.
const maxSeen = 100_000

// Cache keeps answers by a key that contains all of the request. It evicts the answers that are asked for least.
type Cache struct {
	current Current
	kept    bounded.Cache[Answer]
	largest int // bytes of an answer that may be kept

	mu      sync.Mutex
	running map[string]*computation

	looked sync.Mutex
	seen   map[string]seen // by domain

	lost atomic.Bool // the database did not answer when it was last asked

	hits, misses prometheus.Counter
}

// overhead is about the memory that an answer takes beside its key and body, in bytes.
const overhead = 600

// New returns a cache whose answers take at most the given bytes, keys included. Its metrics go to the registry.
func New(most uint64, current Current, registry prometheus.Registerer) *Cache {
	c := &Cache{
		current: current, largest: int(min(most/8, math.MaxInt32)), running: map[string]*computation{},
		seen: map[string]seen{},
		kept: bounded.New(most, func(key string, a Answer) uint32 { return uint32(a.size(key)) }),
		hits: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "answer_cache_hits_total", Help: "Public reads that were answered from memory.",
		}),
		misses: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "answer_cache_misses_total", Help: "Public reads that were computed.",
		}),
	}
	registry.MustRegister(c.hits, c.misses, prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "answer_cache_bytes", Help: "Memory of the answers that are kept.",
	}, func() float64 { return float64(c.kept.Weight()) }))
	return c
}

func (a Answer) size(key string) int {
	n := overhead + len(key) + a.Body.Size()
	for _, s := range a.Sources {
		n += len(s.Domain) + 40
	}
	return n
}

// Asked is a public read.
type Asked struct {
	Key  string           // contains all of the request
	Gzip bool             // the client takes compressed answers
	Now  func() time.Time // the time that requests see
	// Compute computes the answer. keep reports whether it may be kept. ctx ends when no request waits for it any more.
	Compute func(ctx context.Context) (answer Answer, keep bool)
}

// maxWaits bounds how often a request waits for the computation of another before it computes alone.
const maxWaits = 2

// Give returns the kept answer to a read. Without one it calls Compute and returns an answer without a body.
// left reports that ctx was cancelled before Compute returned, which continues if other requests wait for it.
func (c *Cache) Give(ctx context.Context, question Asked) (kept Answer, left bool) {
	for range maxWaits {
		if kept, ok := c.get(ctx, question); ok {
			c.hits.Inc()
			return kept, false
		}
		r, first := c.join(ctx, question)
		if first {
			c.misses.Inc()
			return Answer{}, !c.finish(ctx, r)
		}
		if !c.wait(ctx, r) || !r.kept {
			break
		}
	}
	c.misses.Inc()
	c.compute(ctx, question)
	return Answer{}, false
}

func (c *Cache) get(ctx context.Context, question Asked) (a Answer, ok bool) {
	a, ok = c.kept.Get(question.Key)
	if !ok || !a.holdsAt(question.Now()) || !c.isCurrent(ctx, a) {
		return Answer{}, false // an answer that no longer holds is replaced by the one computed now
	}
	if question.Gzip {
		if compressed := a.Body.Gzipped(); compressed != a.Body {
			a.Body = compressed
			c.keep(question.Key, a)
		}
	}
	return a, true
}

func (a Answer) holdsAt(now time.Time) bool {
	return !now.Before(a.From) && (a.Until.IsZero() || now.Before(a.Until))
}

func (c *Cache) isCurrent(ctx context.Context, a Answer) bool {
	domains := convert.All(a.Sources, func(s Source) string { return s.Domain })
	asked := time.Now()
	found, err := c.look(ctx, domains)
	if err != nil {
		age, is := c.lastSeen(a.Sources)
		if is = is && c.lost.Load(); is {
			request.Of(ctx).Note.Add(func(r *request.Facts) { r.Stale, r.Age = true, age })
		}
		return is // otherwise computing the answer fails as well, and says why
	}
	for _, s := range a.Sources {
		if now := found[s.Domain]; now == nil || now.ID != s.Tenant || now.ContentVersion != s.Version {
			return false
		}
	}
	c.saw(a.Sources, asked)
	return true
}

// look looks the versions up, and notes whether the database answers.
func (c *Cache) look(ctx context.Context, domains []string) (map[string]*ent.Tenant, error) {
	limited, stop := ctx, func() {}
	if c.lost.Load() {
		limited, stop = context.WithTimeout(ctx, lostWait)
	}
	defer stop()
	found, err := c.current(limited, domains)
	switch {
	case err == nil:
		c.lost.Store(false)
	case ctx.Err() == nil && (database.IsUnavailable(err) || errors.Is(err, context.DeadlineExceeded)):
		c.lost.Store(true)
	}
	return found, err
}

func (c *Cache) saw(sources []Source, at time.Time) {
	c.looked.Lock()
	defer c.looked.Unlock()
	if len(c.seen) >= maxSeen {
		clear(c.seen)
	}
	for _, s := range sources {
		if !at.Before(c.seen[s.Domain].at) {
			c.seen[s.Domain] = seen{s, at}
		}
	}
}

// lastSeen reports whether sources have the versions that were seen last, and may be given without the
// database. age is the time since then.
func (c *Cache) lastSeen(sources []Source) (age time.Duration, is bool) {
	c.looked.Lock()
	defer c.looked.Unlock()
	for _, s := range sources {
		last := c.seen[s.Domain]
		age = max(age, ageOf(last.at))
		if last.Source != s || age > staleFor {
			return 0, false
		}
	}
	return age, true
}

// ageOf returns how long ago a moment was, by the wall clock or the monotonic clock, whichever shows more: the
// wall clock may be set back, and the monotonic clock stops while the machine sleeps.
func ageOf(moment time.Time) time.Duration {
	now := time.Now()
	return max(now.Sub(moment), now.Round(0).Sub(moment.Round(0)))
}

// compute computes an answer and keeps it if allowed. It reports whether the answer is kept.
func (c *Cache) compute(ctx context.Context, question Asked) (kept bool) {
	began := time.Now()
	a, keep := question.Compute(ctx)
	if !keep || len(a.Sources) == 0 {
		return false
	}
	c.saw(a.Sources, began)
	c.lost.Store(false)
	a.Body = a.Body.Trimmed()
	return c.keep(question.Key, a)
}

func (c *Cache) keep(key string, a Answer) bool {
	if a.size(key) > c.largest {
		return false
	}
	c.kept.Set(key, a)
	return true
}
