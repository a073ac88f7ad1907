// Package chance makes choices that look random and are the same in every run.
package chance

import (
	"hash/fnv"
	"math/rand/v2"
	"time"
)

// Now is the moment of the demo data. Only scheduled content lies after it.
var Now = time.Date(2026, 10, 31, 18, 0, 0, 0, time.UTC)

const seed = 20261101

// New returns the random source of one kind of record. Each stream has its own name, so that a change in one
// leaves the others unchanged.
func New(stream string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(stream))
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

// Pick returns a random element of list.
func Pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// Between returns a random number from low to high, both included.
func Between(r *rand.Rand, low, high int) int { return low + r.IntN(high-low+1) }

// Times returns n random moments from first to last, oldest first, in working hours of Iran. Every twentieth
// equals the one before it: lists must break such ties.
func Times(r *rand.Rand, n int, first, last time.Time) []time.Time {
	out := make([]time.Time, n)
	step := last.Sub(first) / time.Duration(n)
	for i := range out {
		at := first.Add(step*time.Duration(i) + time.Duration(r.Int64N(int64(step))))
		if at.Hour() > 16 || at.Hour() < 5 {
			at = time.Date(at.Year(), at.Month(), at.Day(), 5+at.Hour()%12, at.Minute(), at.Second(), 0, time.UTC)
		}
		out[i] = at.Truncate(time.Second)
		if i > 0 && (i%20 == 0 || out[i].Before(out[i-1])) {
			out[i] = out[i-1]
		}
	}
	return out
}
