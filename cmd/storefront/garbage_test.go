package main

import (
	"runtime"
	"testing"
	"testing/fstest"
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

// TestMemoryOfTheControlGroup reads the limits of nested groups, as systemd and containers have them.
func TestMemoryOfTheControlGroup(t *testing.T) {
	for name, c := range map[string]struct {
		own, service, slice, top string
		want                     int64
	}{
		"a service":              {"0::/system.slice/shop.service", "805306368", "max", "", 805306368},
		"its slice has less":     {"0::/system.slice/shop.service", "805306368", "1024", "", 1024},
		"a container":            {"0::/", "", "", "1073741824", 1073741824},
		"without a limit":        {"0::/system.slice/shop.service", "max", "max", "", 0},
		"no groups":              {"", "", "", "", 0},
		"groups of version 1":    {"9:memory:/shop", "", "", "", 0},
		"a group that is hidden": {"0::/../other", "", "", "2048", 2048},
	} {
		files := fstest.MapFS{}
		for file, text := range map[string]string{"proc/self/cgroup": c.own, "sys/fs/cgroup/memory.max": c.top,
			"sys/fs/cgroup/system.slice/memory.max":              c.slice,
			"sys/fs/cgroup/system.slice/shop.service/memory.max": c.service} {
			if text != "" {
				files[file] = &fstest.MapFile{Data: []byte(text + "\n")}
			}
		}
		if got := groupMemory(files); got != c.want {
			t.Errorf("%s: got %d, want %d", name, got, c.want)
		}
	}
}
