package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"storefront/cmd/bench/figures"
	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
	"storefront/internal/password"
)

const (
	buyersInTurn = 20
	besideHash   = 3 // milliseconds that a first-time buyer may take beside the password's hash
)

// measureBuyers measures customers who come for the first time, one after another: each registers, puts
// something into the cart and checks out. Beside it stands the hash of a password alone.
func (p *place) measureBuyers(ctx context.Context, kind string) {
	s := p.copy(ctx, kind, generated(standard), "buyers")
	service := p.service(ctx, kind, s)
	defer service.Stop()
	var sold struct{ Items []struct{ ID string } }
	getJSON(ctx, service, s.base()+"/store-items?inStock=true&pageSize=100", &sold)
	hasher := password.NewHasher(password.Recommended)
	var times, cpus, hashTimes, hashCPUs []float64 // milliseconds of one, of each turn
	next := 0
	for turn := range turns + 1 {
		began := time.Now()
		spent := spendOn(service, func() {
			for range buyersInTurn {
				next++
				s.buyFirst(ctx, service, next, sold.Items[next%len(sold.Items)].ID)
			}
		})
		took := time.Since(began)
		began = time.Now()
		beganCPU := processorTime()
		for range buyersInTurn {
			must.Get(hasher.Hash(ctx, "a password of a customer"))
		}
		hashCPU, hashed := processorTime()-beganCPU, time.Since(began)
		if turn > 0 { // the first warms
			times, cpus = append(times, ms(took)/buyersInTurn), append(cpus, ms(spent)/buyersInTurn)
			hashTimes, hashCPUs = append(hashTimes, ms(hashed)/buyersInTurn), append(hashCPUs, ms(hashCPU)/buyersInTurn)
		}
	}
	figure := func(operation string, times, cpus []float64) figures.Figure {
		took := figures.Median(times)
		return figures.Figure{Group: figures.Buyers, Database: kind, Shop: s.name, Operation: operation,
			Clients: 1, PerSecond: 1000 / took, P50: took, CPU: 1000 * figures.Median(cpus)}
	}
	f := figure("register, add to cart, check out", times, cpus)
	hash, hashCPU := figures.Median(hashTimes), figures.Median(hashCPUs)
	f.Against = []figures.Against{
		figures.Within(fmt.Sprintf("%d ms beside the hash's time", besideHash), less(times, hash), besideHash),
		figures.Within(fmt.Sprintf("%d ms beside the hash's CPU", besideHash), less(cpus, hashCPU), besideHash),
	}
	p.out.add(f)
	p.out.add(figure("the hash of a password alone", hashTimes, hashCPUs))
}

func less(values []float64, by float64) []float64 {
	rest := make([]float64, len(values))
	for i, v := range values {
		rest[i] = v - by
	}
	return rest
}

// buyFirst is a customer of a number who comes for the first time.
func (s shop) buyFirst(ctx context.Context, server *stage.Server, number int, variant string) {
	c := customer.Register(ctx, customer.Client{Base: customer.At(server.Addr)}, number, s.domain)
	must.Do(c.Add(ctx, customer.Variant{ID: variant}, 1).Read(nil))
	must.Do(c.REST(ctx, http.MethodPost, c.Shop("/cart/checkout"), []byte(wish)).Read(nil))
}
