package hostile

import (
	"slices"
	"sync"
	"time"
)

// tally counts the answers to one group of clients. It is safe for concurrent use.
type tally struct {
	mu       sync.Mutex
	statuses map[int]int // 0: no answer
	served   []time.Duration
	broken   []string // requests that were answered with 500, and the answers
}

// tooMany is how many broken requests a tally keeps.
const tooMany = 5

func (t *tally) add(a answer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.statuses == nil {
		t.statuses = map[int]int{}
	}
	status := a.status
	if a.internal() {
		status = 500
		if len(t.broken) < tooMany {
			t.broken = append(t.broken, a.request+": "+short(a.body))
		}
	}
	t.statuses[status]++
	if status != 429 && status != 503 && status != 0 {
		t.served = append(t.served, a.took)
	}
}

// total is the number of requests.
func (t *tally) total() (n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, count := range t.statuses {
		n += count
	}
	return n
}

// share is the share of requests that were answered with one of some statuses.
func (t *tally) share(statuses ...int) float64 {
	total, n := t.total(), 0
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, status := range statuses {
		n += t.statuses[status]
	}
	return float64(n) / float64(max(total, 1))
}

// percentile is the time within which so many of 100 requests were served that were not told to come again.
func (t *tally) percentile(percent int) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.served) == 0 {
		return 0
	}
	slices.Sort(t.served)
	return t.served[min(len(t.served)*percent/100, len(t.served)-1)]
}

func short(body []byte) string {
	return string(body[:min(len(body), 300)])
}
