package main

import (
	"runtime"
	"testing"
)

func TestGarbagePercent(t *testing.T) {
	for live, want := range map[uint64]int{
		0: 400, 1 << 20: 400, 16 << 20: 400, 32 << 20: 200, 48 << 20: 133, 64 << 20: 75, 96 << 20: 25, 112 << 20: 21,
		113 << 20: 100, 1 << 30: 100, 1 << 40: 100,
	} {
		if got := garbagePercent(live); got != want {
			t.Errorf("with %d bytes in use %d%%, want %d%%", live, got, want)
		}
	}
}

// TestReadHeap checks that the figures are those of this program: more is held than in use, and a collection
// counts.
func TestReadHeap(t *testing.T) {
	runtime.GC()
	before := readHeap()
	runtime.GC()
	after := readHeap()
	if after.collections <= before.collections || after.live == 0 || after.held < after.live {
		t.Errorf("%+v, then %+v", before, after)
	}
}

func TestCollections(t *testing.T) {
	collected := collections(t.Context())
	for range 100 {
		runtime.GC()
		<-collected
	}
}
