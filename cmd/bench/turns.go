package main

import (
	"context"
	"time"

	"storefront/cmd/bench/figures"
	"storefront/cmd/bench/load"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
)

// contender is one of those that take turns: the service or a reference.
type contender struct {
	name   string
	server *stage.Server // whose processor time and memory count; nil: of none
	ready  func()        // before each turn; nil: nothing is to be done
	turn   func(context.Context, time.Duration) load.Result
}

// asks makes the contender of a server that requests are sent to.
func asks(name string, server *stage.Server, requests []load.Request, clients int) contender {
	turn := func(ctx context.Context, spell time.Duration) load.Result {
		return must.Get(load.Run(ctx, server.Addr, requests, clients, spell))
	}
	return contender{name: name, server: server, turn: turn}
}

// asks is the contender of as many clients as the flags say.
func (p *place) asks(name string, server *stage.Server, requests []load.Request) contender {
	return asks(name, server, requests, p.o.clients)
}

// sample is what a contender did in all turns.
type sample struct {
	load.Result
	rates   []float64 // per second, of each turn
	medians []float64 // milliseconds, of each turn
	cpu     time.Duration
	peak    int64 // bytes of memory
}

// takeTurns puts a load on all contenders in turn, so that the noise of the machine falls on all alike. Each
// round begins with another one, as what one leaves behind (pages to write, rows to vacuum) burdens the next.
// The first round warms, and is not counted.
func takeTurns(ctx context.Context, spell time.Duration, all ...contender) []sample {
	samples := make([]sample, len(all))
	for turn := range turns + 1 {
		for i := range all {
			i = (i + turn) % len(all)
			must.In(all[i].name, func() { samples[i].take(ctx, all[i], spell, turn > 0) })
		}
	}
	for i, c := range all {
		if c.server != nil {
			samples[i].peak = c.server.Peak()
		}
	}
	return samples
}

func (s *sample) take(ctx context.Context, c contender, spell time.Duration, counts bool) {
	if c.ready != nil {
		c.ready()
	}
	if !counts && c.server != nil { // the log has a line for each request
		c.server.Forget()
		c.server.Forgive()
	}
	var result load.Result
	cpu := spendOn(c.server, func() { result = c.turn(ctx, spell) })
	if counts {
		s.Add(result)
		s.rates = append(s.rates, result.PerSecond())
		s.medians = append(s.medians, ms(result.Quantile(0.5)))
		s.cpu += cpu
	}
}

// spendOn returns the processor time that a server takes while work is done.
func spendOn(server *stage.Server, work func()) time.Duration {
	if server == nil {
		work()
		return 0
	}
	before := server.CPU()
	work()
	return server.CPU() - before
}

// beside measures the service, which is the first contender, and adds its figure beside the others, with the
// ratios that are aimed at.
func (p *place) beside(ctx context.Context, f figures.Figure, spell time.Duration, aims map[string]float64,
	all ...contender) {
	f.Clients = p.o.clients
	must.In(f.Operation, func() {
		samples := takeTurns(ctx, spell, all...)
		samples[0].fill(&f)
		for i, c := range all[1:] {
			f.Against = append(f.Against, against(c.name, &samples[0], &samples[i+1], aims[c.name]))
		}
		p.out.add(f)
	})
}

// each is the processor time of one request in microseconds.
func (s *sample) each() float64 {
	return float64(s.cpu.Microseconds()) / float64(max(s.Count, 1))
}

// fill writes what the service did into a figure.
func (s *sample) fill(f *figures.Figure) {
	f.PerSecond, f.P50, f.P99 = figures.Median(s.rates), ms(s.Quantile(0.5)), ms(s.Quantile(0.99))
	f.CPU, f.Memory = s.each(), mib(s.peak)
}

// against compares the rates of the service with those of a reference.
func against(name string, service, reference *sample, aim float64) figures.Against {
	a := figures.Compare(name, service.rates, reference.rates, aim)
	a.CPU = reference.each()
	return a
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
func mib(bytes int64) float64    { return float64(bytes) / (1 << 20) }
