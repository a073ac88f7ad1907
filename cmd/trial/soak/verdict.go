package soak

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
)

// use is what a server takes.
type use struct {
	memory     int64 // bytes
	goroutines int
}

// Growth within noise: what is idle at one moment may not be at another.
const (
	moreMemory     = 48 << 20
	moreGoroutines = 60
)

// measure notes what the servers take after a round, and fails when that grows from the second round on: in the first
// one caches and pools fill.
func (t *trial) measure(ctx context.Context, round int) {
	for i := range t.Servers {
		now := t.useOf(ctx, i)
		fmt.Fprintf(t.out, "soak: round %d, server %d after %d requests: %d MiB, %d goroutines\n", round, i+1,
			t.tallies[i].Requests(), now.memory>>20, now.goroutines)
		if round == 1 {
			t.first[i] = now
		}
		must.In(fmt.Sprintf("server %d", i+1), func() { must.Do(t.first[i].grown(now)) })
	}
}

// grown fails where a server takes much more now than it took first.
func (first use) grown(now use) error {
	if now.memory > first.memory+moreMemory || now.goroutines > first.goroutines+moreGoroutines {
		return fmt.Errorf("grows: %d MiB and %d goroutines after the first round, %d MiB and %d now",
			first.memory>>20, first.goroutines, now.memory>>20, now.goroutines)
	}
	return nil
}

// useOf reads the least of some looks at a server's metrics, as requests come and go.
func (t *trial) useOf(ctx context.Context, server int) (least use) {
	for n := range 5 {
		now := must.Get(readUse(ctx, t.Metrics[server]))
		if n == 0 {
			least = now
		}
		least = use{min(least.memory, now.memory), min(least.goroutines, now.goroutines)}
		_ = customer.Wait(ctx, 50*time.Millisecond)
	}
	return least
}

func readUse(ctx context.Context, addr string) (now use, err error) {
	a := customer.Get(ctx, addr, "/metrics")
	if err := a.Read(nil); err != nil {
		return now, err
	}
	for line := range strings.Lines(string(a.Body)) {
		name, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		value, _ := strconv.ParseFloat(text, 64) // another line's text
		switch name {
		case "process_resident_memory_bytes":
			now.memory = int64(value)
		case "go_goroutines":
			now.goroutines = int(value)
		}
	}
	if now.memory == 0 || now.goroutines == 0 {
		return now, fmt.Errorf("the metrics at %s lack memory or goroutines", addr)
	}
	return now, nil
}

// end compares the orders with what was acknowledged, and prints what became of the requests.
func (t *trial) end(ctx context.Context) {
	for i, tally := range t.tallies {
		fmt.Fprintf(t.out, "soak: server %d: %d requests, %v; slowest answer %v\n", i+1, tally.Requests(), tally.Statuses(),
			tally.Slowest().Round(time.Millisecond))
	}
	must.Do(customer.Check(ctx, t.shoppers), t.CheckBooks(ctx))
	fmt.Fprintf(t.out, "soak: %d orders acknowledged: none lost, none twice, no restart\n",
		customer.Acknowledged(t.shoppers))
}
