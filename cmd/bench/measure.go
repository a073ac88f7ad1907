package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"storefront/cmd/bench/child"
	"storefront/cmd/bench/load"
	"storefront/cmd/bench/reference"
)

// clientsOf are the numbers of clients that ask at the same time.
var clientsOf = []int{1, 16}

// spells is how many turns the servers of a cell take.
const spells = 3

// sample is what one server did under one load.
type sample struct {
	load.Result
	cpu  time.Duration // of one request
	peak int64         // bytes of memory
}

// cell is one line of the table.
type cell struct {
	kind, shop, operation string
	clients               int
	first                 time.Duration // the first such request of the process
	service, hand, memory sample
}

// service starts the real binary over a shop's database.
func (p *place) service(ctx context.Context, kind string, s shop) (*child.Server, error) {
	return child.Serve(ctx, p.folder, []string{
		"DATABASE_URL=" + p.database(kind, s), "LISTEN_ADDR=127.0.0.1:0", "LOG_FORMAT=json",
		"TOKEN_SIGNING_KEY=" + p.key(),
	}, p.binary, "serve")
}

// measureShop measures all operations of a shop beside the references.
func (p *place) measureShop(ctx context.Context, t *table, kind string, s shop) error {
	service, err := p.service(ctx, kind, s)
	if err != nil {
		return err
	}
	defer service.Stop()
	operations, err := s.operations(ctx, service)
	if err != nil {
		return err
	}
	hand, err := child.Serve(ctx, p.folder, []string{"DATABASE_URL=" + p.database(kind, s)}, p.self, handCommand)
	if err != nil {
		return err
	}
	defer hand.Stop()
	firsts, file, err := p.compareBytes(ctx, service, hand, operations)
	if err != nil {
		return err
	}
	memory, err := child.Serve(ctx, p.folder, nil, p.self, memoryCommand, file)
	if err != nil {
		return err
	}
	defer memory.Stop()
	for _, o := range operations {
		for _, clients := range clientsOf {
			c := cell{kind: kind, shop: s.name, operation: o.name, clients: clients, first: firsts[o.name]}
			if err := takeTurns(ctx, o.targets, clients, p.o.cell, []*child.Server{service, hand, memory},
				[]*sample{&c.service, &c.hand, &c.memory}); err != nil {
				return fmt.Errorf("%s: %w", o.name, err)
			}
			t.cell(c)
		}
	}
	return nil
}

// compareBytes makes sure that the hand-written reference gives what the service gives, and writes the
// answers down for the one from memory. firsts are the times of the first request of each operation.
func (p *place) compareBytes(ctx context.Context, service, hand *child.Server,
	operations []operation) (firsts map[string]time.Duration, file string, err error) {
	firsts, answers := map[string]time.Duration{}, map[string]reference.Answer{}
	for _, o := range operations {
		for i, target := range o.targets {
			ours, took, err := get(ctx, service, target)
			if err != nil {
				return nil, "", err
			}
			if i == 0 {
				firsts[o.name] = took
			}
			theirs, _, err := get(ctx, hand, target)
			if err != nil {
				return nil, "", fmt.Errorf("the hand-written reference: %w", err)
			}
			if !bytes.Equal(ours.Body, theirs.Body) || ours.ETag != theirs.ETag ||
				ours.ContentType != theirs.ContentType || ours.CacheControl != theirs.CacheControl {
				return nil, "", fmt.Errorf("the hand-written reference answers %s otherwise:\n%.2000s\nthe "+
					"service:\n%.2000s", target, theirs.Body, ours.Body)
			}
			answers[target] = ours
		}
	}
	text, err := json.Marshal(answers)
	if err != nil {
		return nil, "", err
	}
	file = filepath.Join(p.folder, "answers.json")
	return firsts, file, os.WriteFile(file, text, 0o600)
}

// takeTurns puts a load on several servers in turn, so that the noise of the machine falls on all alike.
func takeTurns(ctx context.Context, targets []string, clients int, on time.Duration, servers []*child.Server,
	samples []*sample) error {
	for i, server := range servers {
		if _, err := load.Run(ctx, server.Addr, load.Get(targets), clients, on/10); err != nil { // warm
			return err
		}
		if err := errors.Join(server.Forget(), server.Forgive()); err != nil {
			return err
		}
		*samples[i] = sample{}
	}
	spent := make([]time.Duration, len(servers))
	for range spells {
		for i, server := range servers {
			before, err := server.CPU()
			if err != nil {
				return err
			}
			result, err := load.Run(ctx, server.Addr, load.Get(targets), clients, on/spells)
			if err != nil {
				return err
			}
			after, err := server.CPU()
			if err != nil {
				return err
			}
			samples[i].Add(result)
			spent[i] += after - before
		}
	}
	for i, server := range servers {
		peak, err := server.Peak()
		if err != nil {
			return err
		}
		samples[i].peak, samples[i].cpu = peak, spent[i]/time.Duration(max(len(samples[i].Latencies), 1))
	}
	return nil
}

// compareSizes measures whether lists take the same time in a large shop as in a small one.
func (p *place) compareSizes(ctx context.Context, t *table, kind string, small, large shop) error {
	var servers []*child.Server
	var asked [][]operation
	for _, s := range []shop{small, large} {
		server, err := p.service(ctx, kind, s)
		if err != nil {
			return err
		}
		defer server.Stop()
		operations, err := s.operations(ctx, server)
		if err != nil {
			return err
		}
		servers, asked = append(servers, server), append(asked, operations)
	}
	for i, o := range asked[0] {
		if !o.flat {
			continue
		}
		var results [2]load.Result
		for turn := range spells + 1 { // the first warms
			for k, server := range servers {
				result, err := load.Run(ctx, server.Addr, load.Get(asked[k][i].targets), 1, p.o.cell/spells)
				if err != nil {
					return err
				}
				if turn > 0 {
					results[k].Add(result)
				}
			}
		}
		t.sizes(kind, o.name, results[0].Quantile(0.5), results[1].Quantile(0.5))
	}
	return nil
}
