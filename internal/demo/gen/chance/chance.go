// Package chance makes choices that look random and are the same in every run.
package chance

import (
	"hash/fnv"
	"math/rand/v2"
	"time"
)

// Now is the moment at which the demo data was "taken". Nothing but what is scheduled lies after it.
var Now = time.Date(2026, 10, 31, 18, 0, 0, 0, time.UTC)

const seed = 20261101

// New returns the choices of one kind of record. Each stream has its own name, so that a change in one
// leaves the others.
func New(stream string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(stream))
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

// Pick is one of list.
func Pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// Between is a number from low to high, both included.
func Between(r *rand.Rand, low, high int) int { return low + r.IntN(high-low+1) }

// Some is n of list without repetition, in the order of list.
func Some[T any](r *rand.Rand, list []T, n int) []T {
	var out []T
	for i, v := range list {
		if r.IntN(len(list)-i) < n-len(out) {
			out = append(out, v)
		}
	}
	return out
}

// Shuffled is a copy of list in another order.
func Shuffled[T any](r *rand.Rand, list []T) []T {
	out := append([]T(nil), list...)
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// Deck deals its cards in random order and begins anew when none is left, so that few repeat near each other.
type Deck[T any] struct {
	r           *rand.Rand
	cards, left []T
}

// NewDeck is a deck of cards.
func NewDeck[T any](r *rand.Rand, cards []T) *Deck[T] { return &Deck[T]{r: r, cards: cards} }

// Deal is the next card.
func (d *Deck[T]) Deal() T {
	if len(d.left) == 0 {
		d.left = Shuffled(d.r, d.cards)
	}
	card := d.left[0]
	d.left = d.left[1:]
	return card
}

// Times is n moments from first to last, oldest first, in working hours of Iran. Every twentieth equals the
// one before it: lists must break such ties.
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
