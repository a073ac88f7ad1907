package share

import (
	"container/list"
	"math"
	"time"
)

// parties are the tenants, or the clients, that have wanted slots recently.
type parties struct {
	byKey  map[any]*party
	recent list.List // *party: the last that wanted a slot is first
}

type party struct {
	key     any
	held    int
	waiting int
	seen    time.Time     // when it last wanted a slot
	recent  *list.Element // in parties.recent

	// The sums, over the slots it held, of the time and of its square, in which older ones count less.
	// squares / sum is the expected length of the holding that a random moment falls into, so short ones
	// hardly count.
	sum, squares float64 // seconds, seconds²

	usage   float64 // time for which it held slots, halved every usageHalf
	usageAt time.Time
}

// want records that a party wants a slot, and returns it. An unknown one, with a nil key, is another one each time.
func (ps *parties) want(key any, now time.Time) *party {
	if key == nil {
		return new(party)
	}
	p := ps.byKey[key]
	if p == nil {
		ps.dropOldest(now)
		p = &party{key: key}
		p.recent = ps.recent.PushFront(p)
		ps.byKey[key] = p
	}
	p.seen = now
	ps.recent.MoveToFront(p.recent)
	return p
}

// dropOldest drops parties that have not wanted a slot for keptTime. It also bounds their number.
func (ps *parties) dropOldest(now time.Time) {
	for last := ps.recent.Back(); last != nil; last = ps.recent.Back() {
		p := last.Value.(*party)
		if p.held+p.waiting > 0 || now.Sub(p.seen) < keptTime {
			return
		}
		ps.recent.Remove(last)
		delete(ps.byKey, p.key)
	}
}

func (p *party) active(now time.Time) bool {
	return p.held+p.waiting > 0 || now.Sub(p.seen) < activeTime
}

// mayTake reports whether the share of a party allows one more slot.
func (ps *parties) mayTake(p *party, capacity int, now time.Time) bool {
	if !ps.contended(p, now) {
		return true
	}
	most, mostLong := shareOf(capacity)
	if p.holdsLong() {
		return p.held < mostLong
	}
	return p.held < most
}

// shareOf returns how many slots one party may have while others want some, and how many if it holds them
// long.
func shareOf(capacity int) (most, mostLong int) { return max(1, capacity/2), max(1, capacity/8) }

func (ps *parties) contended(p *party, now time.Time) bool {
	other := ps.recent.Front()
	if other != nil && other.Value == p {
		other = other.Next()
	}
	return other != nil && other.Value.(*party).active(now)
}

func (p *party) holdsLong() bool {
	return p.squares > p.sum*longTime.Seconds()
}

func (p *party) used(now time.Time) float64 {
	return p.usage * math.Exp2(-now.Sub(p.usageAt).Seconds()/usageHalf.Seconds())
}

// gave records that a party gave a slot back.
func (p *party) gave(held time.Duration, now time.Time) {
	const keep = 0.98 // weight of the sums so far
	seconds := held.Seconds()
	p.held--
	p.sum = keep*p.sum + seconds
	p.squares = keep*p.squares + seconds*seconds
	p.usage, p.usageAt = p.used(now)+seconds, now
}
