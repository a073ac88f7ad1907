package customer

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// Tally counts what became of requests. It is safe for concurrent use.
type Tally struct {
	mu       sync.Mutex
	statuses map[int]int     // 0: no answer
	served   []time.Duration // of answers that did not say to come again
	slowest  Answer
	broken   []string // requests that the service failed at, and the answers: the first of them
	lost     []string // requests that got no answer: the first of them

	mark, failed, lastFail time.Time // since Mark: the first request that failed, and the last answer that did
}

// tooMany is how many faults of a kind a tally keeps.
const tooMany = 5

// NewTally returns an empty one.
func NewTally() *Tally { return &Tally{statuses: map[int]int{}} }

// Mark begins a new fault: failures are those since.
func (t *Tally) Mark() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.mark, t.lastFail, t.failed = time.Now(), time.Time{}, time.Time{}
}

// Add counts an answer.
func (t *Tally) Add(a Answer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	status := a.Status
	if a.Internal() {
		status = max(status, 500)
		if len(t.broken) < tooMany {
			t.broken = append(t.broken, fmt.Sprintf("%s: %d %s", a.Request, a.Status, Short(a.Body)))
		}
	}
	t.statuses[status]++
	if a.Took > t.slowest.Took {
		t.slowest = Answer{Request: a.Request, Status: a.Status, Took: a.Took}
	}
	if status == 0 && len(t.lost) < tooMany {
		t.lost = append(t.lost, fmt.Sprintf("%s got no answer after %v: %v", a.Request, a.Took, a.cause))
	}
	if status == 0 || status == 503 {
		t.lastFail = time.Now()
		if t.failed.IsZero() {
			t.failed = t.lastFail.Add(-a.Took)
		}
	} else if status != 429 {
		t.served = append(t.served, a.Took)
	}
}

// Statuses returns how many answers of each status there were; 0 is none.
func (t *Tally) Statuses() map[int]int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return maps.Clone(t.statuses)
}

// Requests is how many there were.
func (t *Tally) Requests() (n int) {
	for _, of := range t.Statuses() {
		n += of
	}
	return n
}

// Share is the share of requests that were answered with one of some statuses.
func (t *Tally) Share(statuses ...int) float64 {
	n, all := 0, t.Statuses()
	for _, status := range statuses {
		n += all[status]
	}
	return float64(n) / float64(max(t.Requests(), 1))
}

// Quantile is the time within which a share of the requests were served that were not told to come again.
func (t *Tally) Quantile(share float64) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.served) == 0 {
		return 0
	}
	slices.Sort(t.served)
	return t.served[min(int(share*float64(len(t.served))), len(t.served)-1)]
}

// Slowest is the longest that an answer took.
func (t *Tally) Slowest() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.slowest.Took
}

// Gap returns from when to when after Mark requests failed, counted from Mark; 0, 0: none did.
func (t *Tally) Gap() (from, until time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.failed.IsZero() {
		return 0, 0
	}
	return max(t.failed.Sub(t.mark), 0), t.lastFail.Sub(t.mark)
}

// LastFailure is when a request failed last since Mark; zero: none did.
func (t *Tally) LastFailure() time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lastFail
}

// Broken are requests that the service failed at, and the answers: the first of them.
func (t *Tally) Broken() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.broken)
}

// Verdict fails for answers that must not be: a 5xx other than 503, none at all, and one that took longer than limit.
func (t *Tally) Verdict(limit time.Duration) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if wrong := append(slices.Clone(t.broken), t.lost...); len(wrong) > 0 {
		return fmt.Errorf("answers must not be; the first: %s", strings.Join(wrong, "\n"))
	}
	if t.slowest.Took > limit {
		return fmt.Errorf("an answer took %v: %s: %d", t.slowest.Took.Round(time.Millisecond), t.slowest.Request,
			t.slowest.Status)
	}
	return nil
}

// String lists how many answers there were of each status.
func (t *Tally) String() (text string) {
	all := t.Statuses()
	for _, status := range slices.Sorted(maps.Keys(all)) {
		name := fmt.Sprint(status)
		if status == 0 {
			name = "none"
		}
		text += fmt.Sprintf("%s: %d  ", name, all[status])
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

// Together is the tally of all names that begin with a word, and the name of the slowest.
func (t *Tallies) Together(prefix string) (sum *Tally, slowest string) {
	sum = NewTally()
	for _, name := range t.Names() {
		one := t.Of(name)
		if !strings.HasPrefix(name, prefix) {
			continue
		}
		for status, n := range one.Statuses() {
			sum.statuses[status] += n
		}
		one.mu.Lock()
		sum.served = append(sum.served, one.served...)
		if one.slowest.Took > sum.slowest.Took {
			sum.slowest, slowest = one.slowest, name
		}
		one.mu.Unlock()
	}
	return sum, slowest
}

// Clear forgets all that was counted.
func (t *Tallies) Clear() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all = nil
}
