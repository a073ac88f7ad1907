package server

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// busyShops finds the shops with the most requests, so that a noisy one is known by name. It shows the first
// ten of the last full minute, however many shops there are.
type busyShops struct {
	clock func() time.Time

	mu        sync.Mutex
	minute    int64 // the current minute of the Unix time
	now, last map[string]busyShop

	requests, seconds *prometheus.Desc
}

type busyShop struct {
	requests int
	database time.Duration
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
	}
}

// count counts a request of a shop.
func (b *busyShops) count(shop string, database time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.turn()
	one, known := b.now[shop]
	if !known && len(b.now) >= countedShops {
		return
	}
	one.requests++
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
}

func (b *busyShops) Collect(to chan<- prometheus.Metric) {
	b.mu.Lock()
	b.turn()
	last := b.last // is not changed any more
	b.mu.Unlock()
	for name, one := range first(last, func(s busyShop) float64 { return float64(s.requests) }) {
		to <- prometheus.MustNewConstMetric(b.requests, prometheus.GaugeValue, one, name)
	}
	for name, one := range first(last, func(s busyShop) float64 { return s.database.Seconds() }) {
		to <- prometheus.MustNewConstMetric(b.seconds, prometheus.GaugeValue, one, name)
	}
}

// first returns the shops with the largest figures.
func first(shops map[string]busyShop, figure func(busyShop) float64) map[string]float64 {
	names := slices.SortedFunc(maps.Keys(shops), func(a, b string) int {
		return cmp.Or(cmp.Compare(figure(shops[b]), figure(shops[a])), cmp.Compare(a, b))
	})
	shown := map[string]float64{}
	for _, name := range names[:min(len(names), shownShops)] {
		shown[name] = figure(shops[name])
	}
	return shown
}
