package database

import (
	"testing"
	"time"

	"storefront/internal/note"
)

// TestStaleReadsAreOfReplicasThatFollow has two replicas, one of which is further behind than stale reads
// may be. While the primary is away only the other one is read from, and the answer is as old as its data.
func TestStaleReadsAreOfReplicasThatFollow(t *testing.T) {
	rs := new(replicas)
	behind, follows := &replica{of: rs}, &replica{of: rs}
	rs.all = []*replica{behind, follows}
	db := &DB{driver: &joining{replicas: rs}}
	db.AllowStale(time.Minute)
	for i, age := range []time.Duration{2 * time.Minute, 30 * time.Second, 0} {
		rs.reached(logPosition{int64(100 * (i + 1)), time.Now().Add(-age)}, time.Hour)
	}
	behind.replayed.Store(199)
	follows.replayed.Store(299)
	behind.up.Store(true)
	follows.up.Store(true)
	db.Answered(nil)
	if db.HasReplica() {
		t.Error("a replica is taken while the primary answers")
	}
	db.Answered(errNoServer)
	for range 4 {
		ctx, noted := note.New(t.Context())
		ctx = WithStale(ctx)
		if stale, err := db.ReadsStale(ctx); !stale || err != nil || routeOf(ctx).chosen != follows {
			t.Fatalf("got %v, %v, want that of the replica that follows", stale, err)
		}
		if age := noted.Read().Age; age < 30*time.Second || age > 40*time.Second {
			t.Errorf("the answer is said to be %v old, want 30 s", age)
		}
	}
	follows.up.Store(false)
	if stale, _ := db.ReadsStale(WithStale(t.Context())); stale || db.HasReplica() {
		t.Error("a replica is read from that shows what was there two minutes ago")
	}
}

// TestPlacesOfThePrimary checks that old positions of the primary's log are forgotten.
func TestPlacesOfThePrimary(t *testing.T) {
	rs, now := new(replicas), time.Now()
	if _, known := rs.shown(1); known {
		t.Error("a moment is known without a position")
	}
	for i := range int64(5) {
		rs.reached(logPosition{100 * (i + 1), now.Add(time.Duration(i) * time.Second)}, 2*time.Second)
	}
	third, last := now.Add(2*time.Second), now.Add(4*time.Second)
	for bytes, want := range map[int64]time.Time{299: {}, 300: third, 900: last} {
		if at, known := rs.shown(bytes); !known || !at.Equal(want) {
			t.Errorf("one that has replayed %d: %v, %v, want %v", bytes, at, known, want)
		}
	}
}
