package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"

	"storefront/cmd/bench/figures"
	"storefront/cmd/bench/load"
	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
	"storefront/internal/app"
	"storefront/internal/database/store"
)

const (
	mixed      = 100_000   // requests
	mostMemory = 150 << 20 // bytes that the service may use after them
)

// measureMemory measures the memory of the service after many requests of all kinds, with more answers than
// its cache can hold.
func (p *place) measureMemory(ctx context.Context) {
	s := generated(standard)
	service := p.service(ctx, s, "CACHE_SIZE=") // as the service sets it
	defer service.Stop()
	targets := s.everything(ctx, service)
	r := rand.New(rand.NewPCG(1, 0))
	requests := load.Get(targets)
	for len(requests) < mixed {
		requests = append(requests, requests[r.IntN(len(targets))])
	}
	r.Shuffle(len(requests), func(i, k int) { requests[i], requests[k] = requests[k], requests[i] })
	service.Forgive()
	result := must.Get(load.Run(ctx, service.Addr, requests, p.o.clients, 0))
	after := service.Memory()
	f := p.figure(figures.Memory, s, fmt.Sprintf("%d mixed requests for %d addresses", len(requests), len(targets)))
	f.Clients, f.PerSecond, f.Memory = p.o.clients, result.PerSecond(), mib(service.Peak())
	f.P50, f.P99 = ms(result.Quantile(0.5)), ms(result.Quantile(0.99))
	f.Against = []figures.Against{figures.Within("150 MiB after them", []float64{float64(after)}, mostMemory)}
	p.out.add(f)
}

// everything returns the targets of all requests for a shop's products and for all pages of its lists.
func (s shop) everything(ctx context.Context, server *stage.Server) (targets []string) {
	base := s.base()
	categories := fetch[list[struct{ ID string }]](ctx, server, base+"/categories")
	lists := []string{"/products?", "/products?sort=price_asc&", "/store-items?", "/products?name=" + s.frequent + "&"}
	for _, c := range categories.Items {
		lists = append(lists, "/products?categoryId="+c.ID+"&")
	}
	for _, list := range lists {
		targets = append(targets, pagesOf(ctx, server, base+list, math.MaxInt)...)
	}
	by := customer.Client{Base: customer.At(server.Addr)}
	products := "/tenants/" + s.domain + "/products?"
	for _, p := range customer.Listed[struct{ Slug string }](ctx, &by, products, math.MaxInt) {
		targets = append(targets, base+"/products/"+p.Slug)
	}
	return targets
}

// costs are the costs of one request without a network, by turn.
type costs struct {
	Allocations []float64
	CPU         []float64 // microseconds
}

// The limits for a list.
const (
	mostAllocations = 1500
	mostCPU         = 350 // microseconds
)

// measureHandler measures the costs of a request without a network, in a process of its own.
func (p *place) measureHandler(ctx context.Context) {
	s := generated(standard)
	service := p.service(ctx, s)
	operations := s.operations(ctx, service)
	service.Stop()
	for _, o := range operations {
		var cost costs
		must.In(o.name, func() { cost = p.costsOf(ctx, s, o) })
		f := p.figure(figures.Handler, s, o.name)
		f.CPU, f.Allocations = figures.Median(cost.CPU), figures.Median(cost.Allocations)
		if o.name == "list" {
			f.Against = []figures.Against{
				figures.Within(fmt.Sprintf("%d allocations", mostAllocations), cost.Allocations, mostAllocations),
				figures.Within(fmt.Sprintf("%d µs of CPU", mostCPU), cost.CPU, mostCPU),
			}
		}
		p.out.add(f)
	}
}

func (p *place) costsOf(ctx context.Context, s shop, o operation) (c costs) {
	cmd := exec.CommandContext(ctx, p.self, append([]string{handlerCommand}, o.targets...)...)
	// like the service while its heap is small
	cmd.Env = append(os.Environ(), "DATABASE_URL="+p.database(s), "GOGC=400")
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	must.Hold(err == nil, "%w: %s", err, said.Bytes())
	must.Do(json.Unmarshal(out, &c))
	return c
}

// inTurn is the number of requests in a turn.
const inTurn = 400

// printCosts measures requests on the service in this process, and prints their costs.
func printCosts(ctx context.Context, database string, targets []string) {
	s := must.Get(store.Open(ctx, database))
	defer s.Close()
	service := must.Get(app.New(s, slog.New(slog.NewJSONHandler(io.Discard, nil)), app.Options{}))
	var c costs
	for turn := range turns + 1 {
		allocations, cpu := costOf(ctx, service, targets)
		if turn > 0 { // the first turn only warms up
			c.Allocations, c.CPU = append(c.Allocations, allocations), append(c.CPU, cpu)
		}
	}
	must.Do(json.NewEncoder(os.Stdout).Encode(c))
}

// costOf returns the average costs of one request over a turn.
func costOf(ctx context.Context, service http.Handler, targets []string) (allocations, cpu float64) {
	requests := make([]*http.Request, len(targets))
	for i, target := range targets {
		target = "http://bench.example" + target
		requests[i] = must.Get(http.NewRequestWithContext(ctx, http.MethodGet, target, nil))
		requests[i].RemoteAddr = "127.0.0.1:1"
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	began := processorTime()
	for i := range inTurn {
		w := blank{header: http.Header{}}
		service.ServeHTTP(&w, requests[i%len(requests)])
		if w.status != http.StatusOK {
			must.Hold(false, "GET %s: %d", targets[i%len(targets)], w.status)
		}
	}
	took := processorTime() - began
	runtime.ReadMemStats(&after)
	return float64(after.Mallocs-before.Mallocs) / inTurn, float64(took.Nanoseconds()) / 1000 / inTurn
}

// processorTime returns the processor time that this process has used.
func processorTime() time.Duration {
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used) // never fails for this process
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// blank is a ResponseWriter that discards the answer.
type blank struct {
	header http.Header
	status int
}

func (b *blank) Header() http.Header { return b.header }

func (b *blank) WriteHeader(status int) { b.status = status }

func (b *blank) Write(body []byte) (int, error) {
	b.status = max(b.status, http.StatusOK)
	return len(body), nil
}
