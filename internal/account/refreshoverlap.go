package account

import (
	"sync"

	"github.com/google/uuid"
)

// refreshesInFlight records which refresh tokens are in use. Overlapping uses of one token count as one use,
// which ends with the last of them.
type refreshesInFlight struct {
	mu     sync.Mutex
	byHash map[string]*overlap
}

// overlap is a group of overlapping uses of one token.
type overlap struct {
	running int
	first   uuid.UUID // the token's row, once one of the uses was the token's first
}

func newRefreshesInFlight() *refreshesInFlight {
	return &refreshesInFlight{byHash: map[string]*overlap{}}
}

// begin begins a use.
func (f *refreshesInFlight) begin(hash []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.byHash[string(hash)] == nil {
		f.byHash[string(hash)] = &overlap{}
	}
	f.byHash[string(hash)].running++
}

// noteFirst notes that a use was the token's first.
func (f *refreshesInFlight) noteFirst(hash []byte, row uuid.UUID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.byHash[string(hash)].first = row
}

// end ends a use. It returns the token's row when this was the last of the overlapping uses and one of them
// was the token's first, and uuid.Nil otherwise.
func (f *refreshesInFlight) end(hash []byte) (over uuid.UUID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := f.byHash[string(hash)]
	if all.running--; all.running > 0 {
		return uuid.Nil
	}
	delete(f.byHash, string(hash))
	return all.first
}
