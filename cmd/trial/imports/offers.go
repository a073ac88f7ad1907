package imports

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"storefront/cmd/internal/child"
)

const (
	offersAtOnce = 1000 // variants that one mutation changes
	offersTimes  = 10   // mutations
)

// offers measures mutations that change stock and price of many variants while customers write in the same shop.
func (t *trial) offers(ctx context.Context, domain string) error {
	crowd, err := t.gather(ctx, domain)
	if err != nil {
		return err
	}
	t.registered++
	editor := &customer{base: "http://" + t.served.Addr + "/api/v1", random: rand.New(rand.NewPCG(0, 2)),
		web: &http.Client{Timeout: patience}}
	cell := fmt.Sprintf("+98912%07d", t.registered)
	if err := editor.begin(ctx, domain, cell); err != nil {
		return err
	}
	if len(editor.skus) < offersAtOnce {
		return fmt.Errorf("the shop has %d variants in stock, fewer than one mutation changes", len(editor.skus))
	}
	_, err = child.Run(ctx, t.environment(), t.server, "staff", "add", "-unproven", domain, cell, "editor")
	if err != nil {
		return err
	}
	over, end := context.WithCancel(ctx)
	written := make(chan waits)
	go func() { written <- crowd.write(over) }()
	began := time.Now()
	for n := range offersTimes {
		if err = editor.change(ctx, n); err != nil {
			break
		}
	}
	took := time.Since(began)
	end()
	w := <-written
	if err := errors.Join(err, w.err); err != nil {
		return err
	}
	return t.tell("offers", fmt.Sprintf("%8.1f %7s %8s", took.Seconds(), "", ""), w)
}

// change gives many variants another stock and price, in one mutation.
func (c *customer) change(ctx context.Context, n int) error {
	offers := make([]any, offersAtOnce)
	for i := range offers {
		offers[i] = map[string]any{"sku": c.skus[i], "stock": 10_000 + n, "price": 100_000 + n}
	}
	var answer struct {
		Errors []struct{ Message string }
	}
	base := c.base
	c.base = base[:len(base)-len("/api/v1")]
	defer func() { c.base = base }()
	err := c.ask(ctx, "POST", "/graphql", map[string]any{
		"query":     `mutation($shop: ID!, $in: [OfferInput!]!) { updateOffers(businessId: $shop, input: $in) { message } }`,
		"variables": map[string]any{"shop": c.business, "in": offers},
	}, &answer)
	if err == nil && len(answer.Errors) > 0 {
		err = fmt.Errorf("updateOffers: %s", answer.Errors[0].Message)
	}
	return err
}
