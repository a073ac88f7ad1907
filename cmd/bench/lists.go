package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"storefront/cmd/bench/figures"
	"storefront/cmd/bench/load"
	"storefront/cmd/bench/reference"
	"storefront/cmd/internal/stage"
)

// measureLists measures lists and records beside the hand-written reference.
func (p *place) measureLists(ctx context.Context, kind string) error {
	for _, s := range p.o.listed() {
		if err := p.measureShop(ctx, kind, s); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}

func (p *place) measureShop(ctx context.Context, kind string, s shop) error {
	service, err := p.service(ctx, kind, s)
	if err != nil {
		return err
	}
	defer service.Stop()
	hand, err := p.byHand(ctx, kind, s)
	if err != nil {
		return err
	}
	defer hand.Stop()
	operations, err := s.operations(ctx, service)
	if err != nil {
		return err
	}
	for _, o := range operations {
		if _, err := sameBytes(ctx, service, hand, o); err != nil {
			return err
		}
		requests := load.Get(o.targets)
		samples, err := takeTurns(ctx, p.o.spell(), []contender{
			asks("service", service, requests, p.o.clients), asks("by hand", hand, requests, p.o.clients),
		})
		if err != nil {
			return fmt.Errorf("%s: %w", o.name, err)
		}
		f := figures.Figure{Group: figures.Lists, Database: kind, Shop: s.name, Operation: o.name, Clients: p.o.clients}
		samples[0].fill(&f)
		f.Against = []figures.Against{against("by hand", &samples[0], &samples[1], o.aim)}
		p.out.add(f)
	}
	return nil
}

// sameBytes makes sure that a reference gives what the service gives, and returns the answers by target.
func sameBytes(ctx context.Context, service, hand *stage.Server, o operation) (map[string]reference.Answer, error) {
	answers := map[string]reference.Answer{}
	for _, target := range o.targets {
		ours, err := get(ctx, service, target)
		if err != nil {
			return nil, err
		}
		theirs, err := get(ctx, hand, target)
		if err != nil {
			return nil, fmt.Errorf("the hand-written reference: %w", err)
		}
		if !bytes.Equal(ours.Body, theirs.Body) || ours.ETag != theirs.ETag ||
			ours.ContentType != theirs.ContentType || ours.CacheControl != theirs.CacheControl {
			return nil, fmt.Errorf("the hand-written reference answers %s otherwise:\n%.2000s\nthe service:\n%.2000s",
				target, theirs.Body, ours.Body)
		}
		answers[target] = ours
	}
	return answers, nil
}

// measureCached measures what the service answers from its cache beside a server that has the answers in
// memory and never looks whether they are still right.
func (p *place) measureCached(ctx context.Context, kind string) error {
	s := generated(standard)
	service, err := p.service(ctx, kind, s, "CACHE_SIZE=") // as the service sets it
	if err != nil {
		return err
	}
	defer service.Stop()
	operations, err := s.operations(ctx, service)
	if err != nil {
		return err
	}
	for _, o := range operations {
		if o.name != "list" && o.name != "detail" {
			continue
		}
		memory, err := p.fromMemory(ctx, service, o)
		if err != nil {
			return err
		}
		defer memory.Stop()
		requests := load.Get(o.targets)
		samples, err := takeTurns(ctx, p.o.spell(), []contender{
			asks("service", service, requests, p.o.clients), asks("from memory", memory, requests, p.o.clients),
		})
		if err != nil {
			return fmt.Errorf("%s: %w", o.name, err)
		}
		f := figures.Figure{Group: figures.Cached, Database: kind, Shop: s.name, Operation: o.name, Clients: p.o.clients}
		samples[0].fill(&f)
		f.Against = []figures.Against{against("from memory", &samples[0], &samples[1], 0.6)}
		p.out.add(f)
	}
	return nil
}

// fromMemory starts the reference that has the service's answers in memory.
func (p *place) fromMemory(ctx context.Context, service *stage.Server, o operation) (*stage.Server, error) {
	answers, err := sameBytes(ctx, service, service, o)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(answers)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(p.folder, "answers.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return nil, err
	}
	return stage.Serve(ctx, p.folder, nil, p.self, memoryCommand, file)
}
