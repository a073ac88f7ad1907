package main

import (
	"context"
	"fmt"
	"time"

	"storefront/cmd/bench/figures"
	"storefront/cmd/bench/load"
	"storefront/cmd/internal/stage"
)

// contender is one of those that take turns: the service or a reference.
type contender struct {
	name   string
	server *stage.Server               // whose processor time and memory count; nil: of none
	ready  func(context.Context) error // before each turn; nil: nothing is to be done
	turn   func(context.Context, time.Duration) (load.Result, error)
}

// asks makes the contender of a server that requests are sent to.
func asks(name string, server *stage.Server, requests []load.Request, clients int) contender {
	return contender{name: name, server: server, turn: func(ctx context.Context, spell time.Duration) (load.Result, error) {
		return load.Run(ctx, server.Addr, requests, clients, spell)
	}}
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
func takeTurns(ctx context.Context, spell time.Duration, all []contender) ([]sample, error) {
	samples := make([]sample, len(all))
	for turn := range turns + 1 {
		for i := range all {
			i = (i + turn) % len(all)
			if err := samples[i].take(ctx, all[i], spell, turn > 0); err != nil {
				return nil, fmt.Errorf("%s: %w", all[i].name, err)
			}
		}
	}
	for i, c := range all {
		if c.server == nil {
			continue
		}
		var err error
		if samples[i].peak, err = c.server.Peak(); err != nil {
			return nil, err
		}
	}
	return samples, nil
}

func (s *sample) take(ctx context.Context, c contender, spell time.Duration, counts bool) error {
	if c.ready != nil {
		if err := c.ready(ctx); err != nil {
			return err
		}
	}
	if !counts && c.server != nil { // the log has a line for each request
		if err := c.server.Forget(); err != nil {
			return err
		}
		if err := c.server.Forgive(); err != nil {
			return err
		}
	}
	var result load.Result
	cpu, err := spendOn(c.server, func() (err error) {
		result, err = c.turn(ctx, spell)
		return err
	})
	if err != nil || !counts {
		return err
	}
	s.Add(result)
	s.rates = append(s.rates, result.PerSecond())
	s.medians = append(s.medians, ms(result.Quantile(0.5)))
	s.cpu += cpu
	return nil
}

// spendOn returns the processor time that a server takes while work is done.
func spendOn(server *stage.Server, work func() error) (time.Duration, error) {
	if server == nil {
		return 0, work()
	}
	before, err := server.CPU()
	if err != nil {
		return 0, err
	}
	if err := work(); err != nil {
		return 0, err
	}
	after, err := server.CPU()
	return after - before, err
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
