package main

import (
	"context"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// Go lets as much garbage gather as is in use before it collects. A server that holds 20 MB then spends a
// seventh of its time on collecting, and one whose cache of answers is full, which costs next to nothing to
// look through, takes twice the memory. So up to mostGarbage may gather while all together stays below
// usualHeap, and leastGarbage beyond. Where more than usualHeap is in use it is as Go has it.
const (
	mostGarbage  = 64 << 20
	leastGarbage = 24 << 20
	usualHeap    = 112 << 20
)

// spareEvery is how often it is looked at whether the server is quiet.
const spareEvery = 5 * time.Second

// quietLooks is after how many looks without a collection a server counts as quiet. It then gives memory back that it
// held while it was busy, and does not wait for the collection that Go makes every two minutes.
const quietLooks = 4

// spareGarbage lets garbage gather, and gives memory back when the server has become quiet, until ctx is
// done. It is not called where GOGC is set.
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
			quiet++ // and not again
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

// collections returns a channel that receives after each garbage collection, until ctx is done. What is in use is known
// then, and by the percentage from before it five times as much might gather in no time.
func collections(ctx context.Context) <-chan struct{} {
	passed := make(chan struct{}, 1)
	var wait func()
	wait = func() {
		if ctx.Err() != nil {
			return
		}
		unused := &struct{ pointer *int }{} // the next collection finds it
		runtime.AddCleanup(unused, func(struct{}) {
			wait() // before the receiver, who may collect at once, knows
			select {
			case passed <- struct{}{}:
			default:
			}
		}, struct{}{})
	}
	wait()
	return passed
}

// garbagePercent is how much garbage may gather, in percent of the bytes that were in use after the last collection.
func garbagePercent(live uint64) int {
	const most = 400 // also before the first collection
	if live > usualHeap {
		return 100
	}
	garbage := min(max(usualHeap-live, leastGarbage), mostGarbage)
	return int(min(garbage*100/max(live, 1), most))
}

// heap is what the program's memory is like.
type heap struct {
	live        uint64 // bytes that were in use after the last collection
	held        uint64 // bytes that the operating system has given for objects and not got back
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
