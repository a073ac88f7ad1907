package main

import (
	"context"
	"io/fs"
	"os"
	"path"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"time"
)

// By default Go collects when there is as much garbage as memory in use. A server that uses 20 MB then spends
// a seventh of its time on collection, and one whose cache of answers is full, which is cheap to scan, needs
// twice the memory. So up to mostGarbage is allowed while the heap stays below usualHeap, and leastGarbage
// beyond that. If more than usualHeap is in use, Go's default applies.
const (
	mostGarbage  = 64 << 20
	leastGarbage = 24 << 20
	usualHeap    = 112 << 20
)

// spareEvery is how often the server is checked for being quiet.
const spareEvery = 5 * time.Second

// quietLooks is the number of checks without a collection after which a server counts as quiet. It then
// returns memory to the system, without waiting for the collection that Go makes every two minutes.
const quietLooks = 4

// spareGarbage sets how much garbage is allowed, and returns memory to the system when the server has become
// quiet, until ctx is done. It is not called if GOGC is set.
func spareGarbage(ctx context.Context) {
	tick := time.NewTicker(spareEvery)
	defer tick.Stop()
	collected := collections(ctx)
	percent, quiet, last := 100, 0, uint64(0)
	for {
		heap := readHeap()
		if wanted := garbagePercent(heap.live); wanted < percent*9/10 || wanted > percent*11/10 {
			percent = wanted
			debug.SetGCPercent(percent)
		}
		if heap.collections != last {
			quiet, last = 0, heap.collections
		}
		if quiet == quietLooks && heap.held > heap.live+2*mostGarbage {
			debug.FreeOSMemory()
			last = readHeap().collections
			quiet++ // once only
		}
		select {
		case <-ctx.Done():
			return
		case <-collected:
		case <-tick.C:
			quiet++
		}
	}
}

// collections returns a channel that receives after each garbage collection, until ctx is done. Then the
// memory in use is known, and the percentage must be adapted at once: the old one might allow five times as
// much garbage.
func collections(ctx context.Context) <-chan struct{} {
	passed := make(chan struct{}, 1)
	var wait func()
	wait = func() {
		if ctx.Err() != nil {
			return
		}
		unused := &struct{ pointer *int }{} // the next collection frees it
		runtime.AddCleanup(unused, func(struct{}) {
			wait() // before sending, since the receiver may collect at once
			select {
			case passed <- struct{}{}:
			default:
			}
		}, struct{}{})
	}
	wait()
	return passed
}

// garbagePercent returns how much garbage may gather, in percent of the bytes in use after the last
// collection.
func garbagePercent(live uint64) int {
	const most = 400 // applies before the first collection too
	if live > usualHeap {
		return 100
	}
	garbage := min(max(usualHeap-live, leastGarbage), mostGarbage)
	return int(min(garbage*100/max(live, 1), most))
}

// limitMemory lets Go collect more and more often when the memory comes near what the control group of the process may
// have, beyond which the kernel kills it. It is not called if GOMEMLIMIT is set.
func limitMemory() {
	if most := groupMemory(os.DirFS("/")); most > 0 {
		debug.SetMemoryLimit(most / 5 * 4)
	}
}

// groupMemory returns how many bytes of memory the control group of the process, and those around it, may have; 0 for
// any number. It reads those of version 2, below the root of the files.
func groupMemory(root fs.FS) (most int64) {
	own, _ := fs.ReadFile(root, "proc/self/cgroup") // 0::/system.slice/storefront.service
	_, group, _ := strings.Cut(strings.TrimSpace(string(own)), "0::")
	for ; ; group = path.Dir(group) {
		text, _ := fs.ReadFile(root, path.Join("sys/fs/cgroup", group, "memory.max"))
		n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64) // fails for "max"
		if err == nil && (most == 0 || n < most) {
			most = n
		}
		if group == "/" || group == "." || group == "" {
			return most
		}
	}
}

// heap is the state of the program's memory.
type heap struct {
	live        uint64 // bytes that were in use after the last collection
	held        uint64 // bytes obtained from the operating system for objects and not returned
	collections uint64 // so far
}

func readHeap() (h heap) {
	samples := []metrics.Sample{
		{Name: "/gc/heap/live:bytes"}, {Name: "/gc/cycles/total:gc-cycles"},
		{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/unused:bytes"},
		{Name: "/memory/classes/heap/free:bytes"},
	}
	metrics.Read(samples)
	h.live, h.collections = samples[0].Value.Uint64(), samples[1].Value.Uint64()
	for _, part := range samples[2:] {
		h.held += part.Value.Uint64()
	}
	return h
}
