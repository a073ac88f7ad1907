package main

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// spareHeap is the garbage that may gather before it is collected, in bytes, while less than this is in use. Go
// itself lets as much gather as is in use, and a server that holds 20 MB then spends a seventh of its time on
// collecting. Where more is in use it is as Go has it.
const spareHeap = 64 << 20

// spareEvery is how often the heap in use is looked at.
const spareEvery = 5 * time.Second

// spareGarbage lets garbage gather up to spareHeap until ctx is done. It is not called where GOGC is set.
func spareGarbage(ctx context.Context) {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	tick := time.NewTicker(spareEvery)
	defer tick.Stop()
	for percent := 100; ; {
		metrics.Read(live)
		if wanted := garbagePercent(live[0].Value.Uint64()); wanted < percent*9/10 || wanted > percent*11/10 {
			percent = wanted
			debug.SetGCPercent(percent)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// garbagePercent is how much garbage may gather, in percent of the bytes that were in use after the last collection.
func garbagePercent(live uint64) int {
	const most = 400 // also before the first collection
	return int(min(max(spareHeap*100/max(live, 1), 100), most))
}
