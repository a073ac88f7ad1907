package main

import (
	"bytes"
	"context"
	"encoding/json"

	"storefront/cmd/bench/figures"
	"storefront/cmd/bench/load"
	"storefront/cmd/bench/reference"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
)

// measureLists measures lists and records beside the hand-written reference.
func (p *place) measureLists(ctx context.Context, kind string) {
	for _, s := range p.o.listed() {
		must.In(s.name, func() {
			service, hand := p.service(ctx, kind, s), p.byHand(ctx, kind, s)
			defer service.Stop()
			defer hand.Stop()
			for _, o := range s.operations(ctx, service) {
				sameBytes(ctx, service, hand, o)
				requests := load.Get(o.targets)
				f := figures.Figure{Group: figures.Lists, Database: kind, Shop: s.name, Operation: o.name}
				p.beside(ctx, f, p.o.spell(), map[string]float64{"by hand": o.aim},
					p.asks("service", service, requests), p.asks("by hand", hand, requests))
			}
		})
	}
}

// sameBytes makes sure that a reference gives what the service gives, and returns the answers by target.
func sameBytes(ctx context.Context, service, hand *stage.Server, o operation) map[string]reference.Answer {
	answers := map[string]reference.Answer{}
	for _, target := range o.targets {
		ours, theirs := get(ctx, service, target), get(ctx, hand, target)
		must.Hold(bytes.Equal(ours.Body, theirs.Body) && ours.ETag == theirs.ETag &&
			ours.ContentType == theirs.ContentType && ours.CacheControl == theirs.CacheControl,
			"%s: the hand-written reference answers %s otherwise:\n%.2000s\nthe service:\n%.2000s",
			o.name, target, theirs.Body, ours.Body)
		answers[target] = ours
	}
	return answers
}

// measureCached measures what the service answers from its cache beside a server that has the answers in
// memory and never looks whether they are still right.
func (p *place) measureCached(ctx context.Context, kind string) {
	s := generated(standard)
	service := p.service(ctx, kind, s, "CACHE_SIZE=") // as the service sets it
	defer service.Stop()
	for _, o := range s.operations(ctx, service) {
		if o.name != "list" && o.name != "detail" {
			continue
		}
		answers := must.Get(json.Marshal(sameBytes(ctx, service, service, o)))
		memory := p.ServeBy(ctx, nil, p.self, memoryCommand, p.File("answers.json", answers))
		defer memory.Stop()
		requests := load.Get(o.targets)
		f := figures.Figure{Group: figures.Cached, Database: kind, Shop: s.name, Operation: o.name}
		p.beside(ctx, f, p.o.spell(), map[string]float64{"from memory": 0.6},
			p.asks("service", service, requests), p.asks("from memory", memory, requests))
	}
}
