package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"storefront/cmd/bench/figures"
	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/stage"
	"storefront/internal/password"
)

const (
	buyersInTurn = 20
	besideHash   = 3 // milliseconds that a first-time buyer may take beside the password's hash
)

// measureBuyers measures customers who come for the first time, one after another: each registers, puts
// something into the cart and checks out. Beside it stands the hash of a password alone.
func (p *place) measureBuyers(ctx context.Context, kind string) error {
	s, err := p.copy(ctx, kind, generated(standard), "buyers")
	if err != nil {
		return err
	}
	service, err := p.service(ctx, kind, s)
	if err != nil {
		return err
	}
	defer service.Stop()
	var sold struct{ Items []struct{ ID string } }
	if err := getJSON(ctx, service, s.base()+"/store-items?inStock=true&pageSize=100", &sold); err != nil {
		return err
	}
	hasher := password.NewHasher(password.Recommended)
	var times, cpus, hashTimes, hashCPUs []float64 // milliseconds of one, of each turn
	next := 0
	for turn := range turns + 1 {
		began := time.Now()
		spent, err := spendOn(service, func() error {
			for range buyersInTurn {
				next++
				if err := s.buyFirst(ctx, service, next, sold.Items[next%len(sold.Items)].ID); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		took := time.Since(began)
		began = time.Now()
		beganCPU := processorTime()
		for range buyersInTurn {
			if _, err := hasher.Hash(ctx, "a password of a customer"); err != nil {
				return err
			}
		}
		hashCPU, hashed := processorTime()-beganCPU, time.Since(began)
		if turn > 0 { // the first warms
			times, cpus = append(times, ms(took)/buyersInTurn), append(cpus, ms(spent)/buyersInTurn)
			hashTimes, hashCPUs = append(hashTimes, ms(hashed)/buyersInTurn), append(hashCPUs, ms(hashCPU)/buyersInTurn)
		}
	}
	f := figures.Figure{Group: figures.Buyers, Database: kind, Shop: s.name, Operation: "register, add to cart, check out",
		Clients: 1, PerSecond: 1000 / figures.Median(times), P50: figures.Median(times), CPU: 1000 * figures.Median(cpus)}
	hash, hashCPU := figures.Median(hashTimes), figures.Median(hashCPUs)
	f.Against = []figures.Against{
		figures.Within(fmt.Sprintf("%d ms beside the hash's time", besideHash), less(times, hash), besideHash),
		figures.Within(fmt.Sprintf("%d ms beside the hash's CPU", besideHash), less(cpus, hashCPU), besideHash),
	}
	p.out.add(f)
	p.out.add(figures.Figure{Group: figures.Buyers, Database: kind, Shop: s.name, Operation: "the hash of a password alone",
		Clients: 1, PerSecond: 1000 / hash, P50: hash, CPU: 1000 * hashCPU})
	return nil
}

func less(values []float64, by float64) []float64 {
	rest := make([]float64, len(values))
	for i, v := range values {
		rest[i] = v - by
	}
	return rest
}

// buyFirst is a customer of a number who comes for the first time.
func (s shop) buyFirst(ctx context.Context, server *stage.Server, number int, variant string) error {
	c, err := customer.Register(ctx, customer.Client{Base: customer.At(server.Addr)}, number, s.domain)
	if err == nil {
		err = c.Add(ctx, customer.Variant{ID: variant}, 1).Read(nil)
	}
	if err == nil {
		err = c.REST(ctx, http.MethodPost, c.Shop("/cart/checkout"), []byte(wish)).Read(nil)
	}
	return err
}
