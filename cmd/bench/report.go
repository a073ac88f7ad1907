package main

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"storefront/cmd/bench/figures"
	"storefront/cmd/bench/load"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
)

// report prints each figure as soon as it is measured, and collects them for the file of figures.
type report struct {
	to        io.Writer
	o         options
	run       figures.Run
	measured  []figures.Figure
	committed figures.File // to compare the new figures with
	group     string       // the group of the last figure
}

// begin sets the options, once.
func (r *report) begin(o options, args []string) {
	if !r.run.Date.IsZero() {
		return
	}
	r.o, r.run = o, figures.Run{Date: time.Now().UTC().Truncate(time.Second), Commit: commit(),
		Command: strings.Join(append([]string{"bench"}, args...), " "), Machine: figures.ThisMachine()}
	if o.compare != "" {
		r.committed = must.Get(figures.Read(o.compare))
		must.Hold(len(r.committed.Figures) > 0, "%s has no figures to compare with", o.compare)
	}
}

// commit returns the measured commit.
func commit() string {
	name, err := exec.CommandContext(context.Background(), "git", "describe", "--always", "--dirty",
		"--exclude=*").Output()
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(name))
}

// add prints and collects a figure.
func (r *report) add(f figures.Figure) {
	r.committed.Note(&f)
	if f.Group != r.group {
		r.group = f.Group
		fmt.Fprintf(r.to, "\n%s\n", strings.ToUpper(f.Group))
	}
	fmt.Fprintf(r.to, "%s: %s\n", f.Name(), f.Values())
	for _, a := range f.Against {
		fmt.Fprintf(r.to, "    %s (%.2f to %.2f)\n", strings.ReplaceAll(a.String(), "**", ""), a.Lowest, a.Highest)
	}
	r.measured = append(r.measured, f)
}

// close records the figures, and fails if a ratio is worse than the committed one.
func (r *report) close() {
	if r.o.record != "" {
		file := must.Get(figures.Read(r.o.record))
		file.Add(r.run, r.measured)
		must.Do(file.Write(r.o.record))
	}
	losses := r.committed.Losses(r.measured)
	must.Hold(len(losses) == 0, "%d ratios are worse than in %s\n%s", len(losses), r.o.compare,
		strings.Join(losses, "\n"))
}

// contender takes part in a comparison: the service or a reference.
type contender struct {
	name   string
	server *stage.Server        // the server whose memory counts; nil: none
	cpu    func() time.Duration // processor time that counts; nil: none
	ready  func()               // called before each turn; may be nil
	turn   func(context.Context, time.Duration) load.Result
}

// asks returns the contender for requests to a server.
func asks(name string, server *stage.Server, requests []load.Request, clients int) contender {
	turn := func(ctx context.Context, spell time.Duration) load.Result {
		return must.Get(load.Run(ctx, server.Addr, requests, clients, spell))
	}
	return contender{name: name, server: server, cpu: server.CPU, turn: turn}
}

// asks returns the contender with the number of clients of the flags.
func (p *place) asks(name string, server *stage.Server, requests []load.Request) contender {
	return asks(name, server, requests, p.o.clients)
}

// sample holds the measurements of a contender in all turns.
type sample struct {
	load.Result
	rates   []float64 // per second, of each turn
	medians []float64 // milliseconds, of each turn
	cpus    []float64 // milliseconds of a processor for one request, of each turn
	cpu     time.Duration
	peak    int64 // bytes of memory
}

// takeTurns puts a load on all contenders in turn, so that noise of the machine affects all alike. Each round
// begins with another contender, because one leaves work behind for the next (pages to write, rows to
// vacuum). The first round only warms up and is not counted.
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
	var before, spent time.Duration
	if c.cpu != nil {
		before = c.cpu()
	}
	result := c.turn(ctx, spell)
	if c.cpu != nil {
		spent = c.cpu() - before
	}
	if counts {
		s.Add(result)
		s.rates = append(s.rates, result.PerSecond())
		s.medians = append(s.medians, ms(result.Quantile(0.5)))
		s.cpus = append(s.cpus, ms(spent)/float64(max(result.Count, 1)))
		s.cpu += spent
	}
}

// beside measures the service, which is the first contender, and the references, and adds the figure with its
// ratios. aim is that of the first reference, or 0.
func (p *place) beside(ctx context.Context, f figures.Figure, aim float64, all ...contender) {
	f.Clients = p.o.clients
	must.In(f.Operation, func() {
		samples := takeTurns(ctx, p.o.spell(), all...)
		samples[0].fill(&f)
		for i, c := range all[1:] {
			f.Against = append(f.Against, against(c.name, &samples[0], &samples[i+1], aim))
			aim = 0
		}
		p.out.add(f)
	})
}

// times returns the milliseconds of one request in each turn.
func (s *sample) times() (all []float64) {
	for _, rate := range s.rates {
		all = append(all, 1000/rate)
	}
	return all
}

// each returns the processor time of one request in microseconds.
func (s *sample) each() float64 {
	return float64(s.cpu.Microseconds()) / float64(max(s.Count, 1))
}

// fill sets the values of a figure.
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
