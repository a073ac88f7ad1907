package customer

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// Count is what became of requests.
type Count struct {
	Statuses    map[int]int // 0: no answer
	Slowest     Answer
	Broken      []string        // requests that the service failed at, and the answers: the first of them
	LastFailure time.Time       // since Mark, of an answer; zero: there was none
	served      []time.Duration // of answers that did not say to come again
	lost        []string        // requests that got no answer: the first of them

	mark, failed time.Time // since Mark: the first request that failed
}

// Tally counts what becomes of requests. It is safe for concurrent use.
type Tally struct {
	mu    sync.Mutex
	count Count
}

// tooMany is how many faults of a kind a tally keeps.
const tooMany = 5

// NewTally returns an empty one.
func NewTally() *Tally { return &Tally{count: Count{Statuses: map[int]int{}}} }

// Now is what was counted until now.
func (t *Tally) Now() Count {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.count
	c.Statuses, c.served = maps.Clone(c.Statuses), slices.Clone(c.served)
	return c
}

// Take is Now, and counts anew from here.
func (t *Tally) Take() Count {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.count
	t.count = NewTally().count
	return c
}

// Requests is how many there were until now.
func (t *Tally) Requests() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.count.Requests()
}

// Mark begins a new fault: failures are those since.
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

// Requests is how many there were.
func (c Count) Requests() (n int) {
	for _, of := range c.Statuses {
		n += of
	}
	return n
}

// Share is the share of requests that were answered with one of some statuses.
func (c Count) Share(statuses ...int) float64 {
	n := 0
	for _, status := range statuses {
		n += c.Statuses[status]
	}
	return float64(n) / float64(max(c.Requests(), 1))
}

// Quantile is the time within which a share of the requests were served that were not told to come again.
func (c Count) Quantile(share float64) time.Duration {
	if len(c.served) == 0 {
		return 0
	}
	slices.Sort(c.served)
	return c.served[min(int(share*float64(len(c.served))), len(c.served)-1)]
}

// Gap returns from when to when after Mark requests failed, counted from Mark; 0, 0: none did.
func (c Count) Gap() (from, until time.Duration) {
	if c.failed.IsZero() {
		return 0, 0
	}
	return max(c.failed.Sub(c.mark), 0), c.LastFailure.Sub(c.mark)
}

// Verdict fails for answers that must not be: a 5xx other than 503, none at all, and one that took longer than limit.
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

// Summary says how many requests there were, how they were answered, and how long the slowest took.
func (c Count) Summary() string {
	return fmt.Sprintf("%d requests, %v; slowest answer %v", c.Requests(), c.Statuses,
		c.Slowest.Took.Round(time.Millisecond))
}

// String lists how many answers there were of each status.
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
		t.all[name] = NewTally()
	}
	return t.all[name]
}

// Names returns the names that there are, sorted.
func (t *Tallies) Names() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Sorted(maps.Keys(t.all))
}

// Requests is how many there were of all names.
func (t *Tallies) Requests() (n int) {
	for _, name := range t.Names() {
		n += t.Of(name).Requests()
	}
	return n
}

// Together is the count of all names that begin with a word, and the name of the slowest.
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

// Clear forgets all that was counted.
func (t *Tallies) Clear() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all = nil
}
