package account

import (
	"testing"

	"github.com/google/uuid"
)

// TestFlights holds that uses which overlap are over with the last of them, however they hang together, and that only a
// flight with the token's first use says so.
func TestFlights(t *testing.T) {
	f, hash, row := newFlights(), []byte("hash"), uuid.New()
	f.board(hash)
	f.took(hash, row)
	f.board(hash) // overlaps with the first
	if over := f.leave(hash); over != uuid.Nil {
		t.Error("it is over while the second goes on")
	}
	f.board(hash) // overlaps with the second alone
	f.board([]byte("other"))
	if over := f.leave(hash); over != uuid.Nil {
		t.Error("it is over while the third goes on")
	}
	if over := f.leave(hash); over != row {
		t.Errorf("the last gives %v", over)
	}
	f.board(hash) // a replay
	if over := f.leave(hash); over != uuid.Nil {
		t.Errorf("a replay gives %v", over)
	}
	if f.leave([]byte("other")); len(f.of) != 0 {
		t.Errorf("%d are left", len(f.of))
	}
}
