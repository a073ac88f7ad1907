package customer

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// Count counts the outcomes of requests.
type Count struct {
	Statuses    map[int]int // 0: no answer
	Slowest     Answer
	Broken      []string        // the first requests at which the service failed, with the answers
	LastFailure time.Time       // of an answer, since Mark; zero if none
	served      []time.Duration // times of answers other than 429
	lost        []string        // the first requests without an answer

	mark, failed time.Time // since Mark: the first request that failed
}

// Tally counts the outcomes of requests, none at first. It is safe for concurrent use.
type Tally struct {
	mu    sync.Mutex
	count Count
}

// tooMany is how many faults of a kind a tally keeps.
const tooMany = 5

// Now returns the counts so far.
func (t *Tally) Now() Count {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.count
	c.Statuses, c.served = maps.Clone(c.Statuses), slices.Clone(c.served)
	return c
}

// Take returns the counts so far and resets them.
func (t *Tally) Take() Count {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.count
	t.count = Count{}
	return c
}

// Requests returns the number of requests so far.
func (t *Tally) Requests() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.count.Requests()
}

// Mark marks the beginning of a new fault. Failures are counted from here.
func (t *Tally) Mark() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.count.mark, t.count.LastFailure, t.count.failed = time.Now(), time.Time{}, time.Time{}
}

// Add counts an answer.
func (t *Tally) Add(a Answer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c, status := &t.count, a.Status
	if a.Internal() {
		status = max(status, 500)
		if len(c.Broken) < tooMany {
			c.Broken = append(c.Broken, fmt.Sprintf("%s: %d %s", a.Request, a.Status, Short(a.Body)))
		}
	}
	if c.Statuses == nil {
		c.Statuses = map[int]int{}
	}
	c.Statuses[status]++
	if a.Took > c.Slowest.Took {
		c.Slowest = Answer{Request: a.Request, Status: a.Status, Took: a.Took}
	}
	if status == 0 && len(c.lost) < tooMany {
		c.lost = append(c.lost, fmt.Sprintf("%s got no answer after %v: %v", a.Request, a.Took, a.cause))
	}
	if status == 0 || status == 503 {
		c.LastFailure = time.Now()
		if c.failed.IsZero() {
			c.failed = c.LastFailure.Add(-a.Took)
		}
	} else if status != 429 {
		c.served = append(c.served, a.Took)
	}
}

// Requests returns the number of requests.
func (c Count) Requests() (n int) {
	for _, of := range c.Statuses {
		n += of
	}
	return n
}

// Share returns the share of requests answered with one of statuses.
func (c Count) Share(statuses ...int) float64 {
	n := 0
	for _, status := range statuses {
		n += c.Statuses[status]
	}
	return float64(n) / float64(max(c.Requests(), 1))
}

// Quantile returns the time within which a share of the served requests were answered.
func (c Count) Quantile(share float64) time.Duration {
	if len(c.served) == 0 {
		return 0
	}
	slices.Sort(c.served)
	return c.served[min(int(share*float64(len(c.served))), len(c.served)-1)]
}

// Gap returns the times of the first and the last failed request since Mark, relative to Mark; 0, 0 if none
// failed.
func (c Count) Gap() (from, until time.Duration) {
	if c.failed.IsZero() {
		return 0, 0
	}
	return max(c.failed.Sub(c.mark), 0), c.LastFailure.Sub(c.mark)
}

// AnswerLimit is the longest time of an answer: 8 s, and what the client itself takes.
const AnswerLimit = 8500 * time.Millisecond

// RecoveryLimit is how long requests may fail after a fault is over.
const RecoveryLimit = 5 * time.Second

// Verdict fails for a 5xx answer other than 503, for a missing answer, and for one that took longer than
// limit.
func (c Count) Verdict(limit time.Duration) error {
	if wrong := slices.Concat(c.Broken, c.lost); len(wrong) > 0 {
		return fmt.Errorf("answers must not be; the first: %s", strings.Join(wrong, "\n"))
	}
	if c.Slowest.Took > limit {
		return fmt.Errorf("an answer took %v: %s: %d", c.Slowest.Took.Round(time.Millisecond), c.Slowest.Request,
			c.Slowest.Status)
	}
	return nil
}

// Summary returns a text with the number of requests, their statuses, and the time of the slowest.
func (c Count) Summary() string {
	return fmt.Sprintf("%d requests, %v; slowest answer %v", c.Requests(), c.Statuses,
		c.Slowest.Took.Round(time.Millisecond))
}

// String returns the number of answers of each status.
func (c Count) String() (text string) {
	for _, status := range slices.Sorted(maps.Keys(c.Statuses)) {
		name := fmt.Sprint(status)
		if status == 0 {
			name = "none"
		}
		text += fmt.Sprintf("%s: %d  ", name, c.Statuses[status])
	}
	return text
}

// Tallies are tallies by the names of what they count.
type Tallies struct {
	mu  sync.Mutex
	all map[string]*Tally
}

// Of returns the tally of a name.
func (t *Tallies) Of(name string) *Tally {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.all == nil {
		t.all = map[string]*Tally{}
	}
	if t.all[name] == nil {
		t.all[name] = &Tally{}
	}
	return t.all[name]
}

// Names returns the names, sorted.
func (t *Tallies) Names() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Sorted(maps.Keys(t.all))
}

// Requests returns the number of requests of all names.
func (t *Tallies) Requests() (n int) {
	for _, name := range t.Names() {
		n += t.Of(name).Requests()
	}
	return n
}

// Together returns the sum of the counts whose names begin with prefix, and the name of the slowest.
func (t *Tallies) Together(prefix string) (sum Count, slowest string) {
	sum.Statuses = map[int]int{}
	for _, name := range t.Names() {
		if !strings.HasPrefix(name, prefix) {
			continue
		}
		one := t.Of(name).Now()
		for status, n := range one.Statuses {
			sum.Statuses[status] += n
		}
		sum.served = append(sum.served, one.served...)
		if one.Slowest.Took > sum.Slowest.Took {
			sum.Slowest, slowest = one.Slowest, name
		}
	}
	return sum, slowest
}

// Clear resets all counts.
func (t *Tallies) Clear() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all = nil
}
