package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
	"syscall"
	"time"

	"storefront/cmd/bench/figures"
	"storefront/internal/app"
	"storefront/internal/store"
)

// costs are what one request costs in process, without a network: of each turn.
type costs struct {
	Allocations []float64
	CPU         []float64 // microseconds
}

// The bounds of a list.
const (
	mostAllocations = 1500
	mostCPU         = 350 // microseconds
)

// measureHandler measures what a request costs without a network, in a process of its own.
func (p *place) measureHandler(ctx context.Context, kind string) error {
	s := generated(standard)
	service, err := p.service(ctx, kind, s)
	if err != nil {
		return err
	}
	operations, err := s.operations(ctx, service)
	service.Stop()
	if err != nil {
		return err
	}
	for _, o := range operations {
		cost, err := p.costsOf(ctx, kind, s, o)
		if err != nil {
			return fmt.Errorf("%s: %w", o.name, err)
		}
		f := figures.Figure{Group: figures.Handler, Database: kind, Shop: s.name, Operation: o.name,
			CPU: figures.Median(cost.CPU), Allocations: figures.Median(cost.Allocations)}
		if o.name == "list" {
			f.Against = []figures.Against{
				figures.Within(fmt.Sprintf("%d allocations", mostAllocations), cost.Allocations, mostAllocations),
				figures.Within(fmt.Sprintf("%d µs of CPU", mostCPU), cost.CPU, mostCPU),
			}
		}
		p.out.add(f)
	}
	return nil
}

func (p *place) costsOf(ctx context.Context, kind string, s shop, o operation) (c costs, err error) {
	profile := ""
	if p.o.profile != "" {
		profile = filepath.Join(p.o.profile, strings.NewReplacer(" ", "-", ",", "").Replace(kind+" "+o.name)+".pprof")
	}
	cmd := exec.CommandContext(ctx, p.self, append([]string{handlerCommand, profile}, o.targets...)...)
	cmd.Env = append(os.Environ(), "DATABASE_URL="+p.database(kind, s), "GOGC=400") // as the service has it while it is small
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return c, fmt.Errorf("%w: %s", err, said.Bytes())
	}
	return c, json.Unmarshal(out, &c)
}

// inTurn is how many requests a turn has.
const inTurn = 400

// printCosts measures requests on the service in this process, prints their costs, and writes a profile into
// a file, if it has a name.
func printCosts(ctx context.Context, database, profile string, targets []string) error {
	s, err := store.Open(ctx, database)
	if err != nil {
		return err
	}
	defer s.Close()
	service, err := app.New(s, slog.New(slog.NewJSONHandler(io.Discard, nil)), app.Options{})
	if err != nil {
		return err
	}
	var c costs
	for turn := range turns + 1 {
		allocations, cpu, err := costOf(ctx, service, targets)
		if err != nil {
			return err
		}
		if turn == 0 && profile != "" {
			file, err := os.Create(profile)
			if err != nil {
				return err
			}
			defer file.Close()
			if err := pprof.StartCPUProfile(file); err != nil {
				return err
			}
			defer pprof.StopCPUProfile()
		}
		if turn > 0 { // the first warms
			c.Allocations, c.CPU = append(c.Allocations, allocations), append(c.CPU, cpu)
		}
	}
	return json.NewEncoder(os.Stdout).Encode(c)
}

// costOf is what one request costs, on average over a turn.
func costOf(ctx context.Context, service http.Handler, targets []string) (allocations, cpu float64, err error) {
	requests := make([]*http.Request, len(targets))
	for i, target := range targets {
		if requests[i], err = http.NewRequestWithContext(ctx, http.MethodGet, "http://bench.example"+target, nil); err != nil {
			return 0, 0, err
		}
		requests[i].RemoteAddr = "127.0.0.1:1"
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	began := processorTime()
	for i := range inTurn {
		var w blank
		service.ServeHTTP(&w, requests[i%len(requests)])
		if w.status != http.StatusOK {
			return 0, 0, fmt.Errorf("GET %s: %d", targets[i%len(targets)], w.status)
		}
	}
	took := processorTime() - began
	runtime.ReadMemStats(&after)
	return float64(after.Mallocs-before.Mallocs) / inTurn, float64(took.Nanoseconds()) / 1000 / inTurn, nil
}

// processorTime is what this process has taken.
func processorTime() time.Duration {
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used) // never fails for this process
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// blank takes an answer and forgets it.
type blank struct {
	header http.Header
	status int
}

func (b *blank) Header() http.Header {
	if b.header == nil {
		b.header = http.Header{}
	}
	return b.header
}

func (b *blank) WriteHeader(status int) { b.status = status }

func (b *blank) Write(body []byte) (int, error) {
	if b.status == 0 {
		b.status = http.StatusOK
	}
	return len(body), nil
}
