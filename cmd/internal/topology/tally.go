package topology

import (
	"fmt"
	"sync"
	"time"
)

// Tally counts what became of requests.
type Tally struct {
	mu       sync.Mutex
	statuses map[int]int
	slowest  time.Duration
	slowText string
	wrong    []string // answers that must not be
	lastFail time.Time
	failed   time.Time // the first failure after Mark
	mark     time.Time
}

// NewTally returns an empty one.
func NewTally() *Tally { return &Tally{statuses: map[int]int{}} }

// Mark begins a new fault: failures are those since.
func (t *Tally) Mark() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.mark, t.lastFail, t.failed = time.Now(), time.Time{}, time.Time{}
}

func (t *Tally) count(began time.Time, took time.Duration, what string, status int, text []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.statuses[status]++
	if took > t.slowest {
		t.slowest, t.slowText = took, fmt.Sprintf("%s: %d", what, status)
	}
	switch {
	case status == 503 || status == lost:
		t.lastFail = time.Now()
		if t.failed.IsZero() {
			t.failed = began
		}
	case status >= 500:
		t.wrong = append(t.wrong, fmt.Sprintf("%s: %d %.300s", what, status, text))
	}
	if status == lost {
		t.wrong = append(t.wrong, fmt.Sprintf("%s got no answer after %v: %s", what, took, text))
	}
}

// Requests is how many there were.
func (t *Tally) Requests() (n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, of := range t.statuses {
		n += of
	}
	return n
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

// Statuses returns how many answers of each status there were; 0 is none.
func (t *Tally) Statuses() map[int]int {
	t.mu.Lock()
	defer t.mu.Unlock()
	found := map[int]int{}
	for status, n := range t.statuses {
		found[status] = n
	}
	return found
}

// Verdict fails for answers that must not be: a 5xx other than 503, none at all, and one that took longer than limit.
func (t *Tally) Verdict(limit time.Duration) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.wrong) > 0 {
		return fmt.Errorf("%d answers must not be; the first: %s", len(t.wrong), t.wrong[0])
	}
	if t.slowest > limit {
		return fmt.Errorf("an answer took %v: %s", t.slowest.Round(time.Millisecond), t.slowText)
	}
	return nil
}

// Slowest is the longest that an answer took.
func (t *Tally) Slowest() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.slowest
}
