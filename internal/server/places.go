package server

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"storefront/internal/fault"
	"storefront/internal/platform/share"
	"storefront/internal/platform/wire"
)

const (
	defaultPlaces = 1024
	placeWait     = 5 * time.Second // how long a request waits for a place before it is refused
)

// places bounds the requests that run at once, and shares them out between clients (package share). A
// request holds a place only while it works, not while it waits for the body or for the client to read the
// response, so slow clients cannot use up the places.
type places struct {
	slots *share.Slots
	wait  time.Duration
}

func newPlaces(most int) places {
	return places{slots: share.New(cmp.Or(most, defaultPlaces), cmp.Or(most, defaultPlaces)), wait: placeWait}
}

// limit runs next in a place. If none becomes free in time the response is 503 UNAVAILABLE with Retry-After.
func (p places) limit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		free, err := p.take(r.Context(), p.wait)
		if err != nil {
			wire.WriteError(w, r, err)
			return
		}
		held := &place{of: p, ctx: r.Context(), free: free}
		defer held.leave()
		w.(*answer).hold(held)
		next.ServeHTTP(w, r)
	})
}

// take waits for a place, and fails with UNAVAILABLE when ctx ends or after wait.
func (p places) take(ctx context.Context, wait time.Duration) (free func(), err error) {
	if free, ok := p.slots.TakeAtOnce(ctx); ok { // needs no timer
		return free, nil
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	free, err = p.slots.Take(ctx)
	if err != nil {
		return nil, fault.Wrap(fault.Unavailable, err, "too many requests are running; try again shortly").
			After(time.Second)
	}
	return free, nil
}

// place is the place of one request. The request gives it up for good when the response begins.
type place struct {
	of   places
	ctx  context.Context // of the request
	mu   sync.Mutex
	free func() // nil while no place is held
	over bool
}

func (p *place) leave() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.over = true
	p.giveUp()
}

// pause gives the place up until resume, and reports whether the request held one.
func (p *place) pause() bool {
	if p == nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.giveUp()
}

func (p *place) giveUp() bool {
	if p.free == nil {
		return false
	}
	p.free()
	p.free = nil
	return true
}

// resume takes a place again. It fails with UNAVAILABLE if none becomes free before the request's time is over.
func (p *place) resume() error {
	free, err := p.of.take(p.ctx, requestTime)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		free()
		return nil
	}
	p.free = free
	return nil
}

// busyShops finds the shops with the most requests, and those that fail, so that they are known by name. It shows the
// first ten of the last full minute, however many shops there are.
type busyShops struct {
	clock func() time.Time

	mu        sync.Mutex
	minute    int64 // the current minute of the Unix time
	now, last map[string]busyShop

	requests, seconds, failures *prometheus.Desc
}

type busyShop struct {
	requests, failures int
	database           time.Duration
}

// failed returns the failures of a shop at which one request in ten failed, or more.
func (s busyShop) failed() float64 {
	if s.failures*10 < s.requests {
		return 0
	}
	return float64(s.failures)
}

const (
	shownShops   = 10
	countedShops = 10_000 // in a minute; further shops are not counted
)

func newBusyShops(clock func() time.Time) *busyShops {
	return &busyShops{
		clock: clock, now: map[string]busyShop{},
		requests: prometheus.NewDesc("shop_requests",
			"Requests of the ten shops with most of them, in the last whole minute.",
			[]string{"shop"}, nil),
		seconds: prometheus.NewDesc("shop_database_seconds",
			"Time for which the requests of the ten shops with most of it had connections, in the last whole minute.",
			[]string{"shop"}, nil),
		failures: prometheus.NewDesc("shop_failures",
			"Failed requests of the ten shops with most of them among those at which one in ten failed, in the last "+
				"whole minute.", []string{"shop"}, nil),
	}
}

// count counts a request of a shop.
func (b *busyShops) count(shop string, failed bool, database time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.turn()
	one, known := b.now[shop]
	if !known && len(b.now) >= countedShops {
		return
	}
	one.requests++
	if failed {
		one.failures++
	}
	one.database += database
	b.now[shop] = one
}

// turn begins a new minute if it is time.
func (b *busyShops) turn() {
	minute := b.clock().Unix() / 60
	if minute == b.minute {
		return
	}
	b.last = nil
	if minute == b.minute+1 {
		b.last = b.now
	}
	b.minute, b.now = minute, map[string]busyShop{}
}

func (b *busyShops) Describe(to chan<- *prometheus.Desc) {
	to <- b.requests
	to <- b.seconds
	to <- b.failures
}

func (b *busyShops) Collect(to chan<- prometheus.Metric) {
	b.mu.Lock()
	b.turn()
	last := b.last // is not changed any more
	b.mu.Unlock()
	for described, figure := range map[*prometheus.Desc]func(busyShop) float64{
		b.requests: func(s busyShop) float64 { return float64(s.requests) },
		b.seconds:  func(s busyShop) float64 { return s.database.Seconds() },
		b.failures: busyShop.failed,
	} {
		for name, one := range first(last, figure) {
			to <- prometheus.MustNewConstMetric(described, prometheus.GaugeValue, one, name)
		}
	}
}

// first returns the shops with the largest figures above 0.
func first(shops map[string]busyShop, figure func(busyShop) float64) map[string]float64 {
	names := slices.SortedFunc(maps.Keys(shops), func(a, b string) int {
		return cmp.Or(cmp.Compare(figure(shops[b]), figure(shops[a])), cmp.Compare(a, b))
	})
	shown := map[string]float64{}
	for _, name := range names[:min(len(names), shownShops)] {
		if of := figure(shops[name]); of > 0 {
			shown[name] = of
		}
	}
	return shown
}
