package account

import (
	"testing"

	"github.com/google/uuid"
)

// TestRefreshesInFlight checks that overlapping uses end with the last of them, however they are chained, and
// that only a chain which contains the token's first use returns its row.
func TestRefreshesInFlight(t *testing.T) {
	f, hash, row := newRefreshesInFlight(), []byte("hash"), uuid.New()
	f.begin(hash)
	f.noteFirst(hash, row)
	f.begin(hash) // overlaps with the first
	if over := f.end(hash); over != uuid.Nil {
		t.Error("it is over while the second goes on")
	}
	f.begin(hash) // overlaps with the second alone
	f.begin([]byte("other"))
	if over := f.end(hash); over != uuid.Nil {
		t.Error("it is over while the third goes on")
	}
	if over := f.end(hash); over != row {
		t.Errorf("the last returns %v", over)
	}
	f.begin(hash) // a replay
	if over := f.end(hash); over != uuid.Nil {
		t.Errorf("a replay returns %v", over)
	}
	if f.end([]byte("other")); len(f.byHash) != 0 {
		t.Errorf("%d are left", len(f.byHash))
	}
}
