package cores_test

import (
	"runtime"
	"testing"

	"storefront/internal/platform/cores"
)

func TestOversubscribe(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
	if got := cores.Count(); got != before {
		t.Fatalf("there are %d cores, want %d", got, before)
	}
	want := before // a quota, or GOMAXPROCS, is kept
	if before == runtime.NumCPU() {
		want = 4 * before
	}
	cores.Oversubscribe()
	cores.Oversubscribe() // changes nothing more
	if got := runtime.GOMAXPROCS(0); got != want || cores.Count() != before {
		t.Errorf("Go runs on %d threads, want %d; there are %d cores, want %d", got, want, cores.Count(), before)
	}
}
