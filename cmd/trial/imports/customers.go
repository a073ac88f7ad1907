package imports

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// patience is longer than the service may take for any answer.
const patience = 30 * time.Second

// crowd are customers of one shop.
type crowd []*customer

// customer is signed in.
type customer struct {
	base     string // of the interface
	web      *http.Client
	token    string
	business string
	variants []string // that can be bought
	products []string
	skus     []string
	random   *rand.Rand
	waits
}

// waits are how long writes took.
type waits struct {
	took  []time.Duration
	most  time.Duration
	which string // took the longest
	err   error
}

// quantile is the time that a share of the writes did not exceed.
func (w *waits) quantile(share float64) time.Duration {
	slices.Sort(w.took)
	return w.took[min(int(share*float64(len(w.took))), len(w.took)-1)]
}

// gather registers new customers in a shop.
func (t *trial) gather(ctx context.Context, domain string) (crowd, error) {
	var all crowd
	for i := range t.customers {
		dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 1, 0, byte(1+i))}}
		c := &customer{base: "http://" + t.served.Addr + "/api/v1", random: rand.New(rand.NewPCG(uint64(i), 1)),
			web: &http.Client{Timeout: patience, Transport: &http.Transport{DialContext: dialer.DialContext}}}
		t.registered++
		if err := c.begin(ctx, domain, fmt.Sprintf("+98912%07d", t.registered)); err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

// begin registers the customer and looks at what there is to buy.
func (c *customer) begin(ctx context.Context, domain, cell string) error {
	var in struct {
		AccessToken        string
		RegisteredBusiness struct{ ID string }
	}
	if err := c.ask(ctx, "POST", "/auth/register", map[string]any{"cellNumber": cell, "password": "a long password",
		"firstName": "Sara", "lastName": "Karimi", "domain": domain}, &in); err != nil {
		return err
	}
	c.token, c.business = in.AccessToken, in.RegisteredBusiness.ID
	for page := range 20 {
		var listed struct {
			Items []struct {
				ID        string
				ProductID string
				Sku       string
				Price     *float64
			}
		}
		if err := c.ask(ctx, "GET", fmt.Sprintf("/tenants/%s/store-items?inStock=true&pageSize=100&page=%d", domain, 1+page),
			nil, &listed); err != nil {
			return err
		}
		for _, v := range listed.Items {
			if v.Price != nil {
				c.variants, c.products = append(c.variants, v.ID), append(c.products, v.ProductID)
				c.skus = append(c.skus, v.Sku)
			}
		}
	}
	if len(c.variants) == 0 {
		return fmt.Errorf("nothing is for sale in %s", domain)
	}
	return nil
}

// write lets all customers write until ctx is done.
func (all crowd) write(ctx context.Context) (total waits) {
	var running sync.WaitGroup
	for _, c := range all {
		running.Go(func() { c.err = c.shop(ctx) })
	}
	running.Wait()
	for _, c := range all {
		total.took = append(total.took, c.took...)
		total.err = errors.Join(total.err, c.err)
		if c.most > total.most {
			total.most, total.which = c.most, c.which
		}
	}
	return total
}

// shop fills carts, orders and remembers.
func (c *customer) shop(ctx context.Context) error {
	at := "/businesses/" + c.business
	for n := 0; ctx.Err() == nil; n++ {
		i := c.random.IntN(len(c.variants))
		steps := []struct {
			name, method, path string
			body               any
		}{
			{"add to cart", "POST", at + "/cart/items", map[string]any{"storeItemVariantId": c.variants[i], "quantity": 1}},
			{"favorite", "POST", at + "/favorites", map[string]any{"productId": c.products[i]}},
			{"checkout", "POST", at + "/cart/checkout", map[string]any{"payment": map[string]any{"type": "pos"},
				"shippingAddress": map[string]any{"province": "تهران", "city": "تهران", "address": "خیابان آزادی"}}},
		}
		for _, s := range steps {
			start := time.Now()
			err := c.ask(ctx, s.method, s.path, s.body, nil)
			took := time.Since(start)
			if ctx.Err() != nil {
				return nil
			}
			var refused *refusal
			if errors.As(err, &refused) && refused.status != http.StatusConflict && refused.status != http.StatusBadRequest ||
				err != nil && refused == nil {
				return fmt.Errorf("%s, after %v: %w", s.name, took, err)
			}
			c.took = append(c.took, took)
			if took > c.most {
				c.most, c.which = took, s.name
			}
			select {
			case <-ctx.Done():
			case <-time.After(10 * time.Millisecond): // between two clicks
			}
		}
	}
	return nil
}

// refusal is an answer that is no success.
type refusal struct {
	status int
	body   []byte
}

func (r *refusal) Error() string { return fmt.Sprintf("%d %s", r.status, r.body) }

func (c *customer) ask(ctx context.Context, method, path string, body, into any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	if body == nil {
		text = nil
	}
	request, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	if c.token != "" {
		request.Header.Set("Authorization", "Bearer "+c.token)
	}
	response, err := c.web.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode/100 != 2 {
		return &refusal{response.StatusCode, answer}
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(answer, into)
}
