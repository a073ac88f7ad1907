package account

import (
	"sync"

	"github.com/google/uuid"
)

// flights knows which refresh tokens are being used at this moment. Uses that overlap are one use, which is over when the
// last of them is done.
type flights struct {
	mu sync.Mutex
	of map[string]*flight // by the token's hash
}

// flight is the uses of one token that overlap.
type flight struct {
	running int
	first   uuid.UUID // the token's row, once one of them has used it for the first time
}

func newFlights() *flights { return &flights{of: map[string]*flight{}} }

// board begins a use.
func (f *flights) board(hash []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.of[string(hash)] == nil {
		f.of[string(hash)] = &flight{}
	}
	f.of[string(hash)].running++
}

// took notes that a use was the token's first.
func (f *flights) took(hash []byte, row uuid.UUID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.of[string(hash)].first = row
}

// leave ends a use. Where it was the last of those that overlap, and one of them was the token's first, it gives the
// token's row.
func (f *flights) leave(hash []byte) (over uuid.UUID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := f.of[string(hash)]
	if all.running--; all.running > 0 {
		return uuid.Nil
	}
	delete(f.of, string(hash))
	return all.first
}
