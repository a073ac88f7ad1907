package topology

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Shopper is a customer's client that orders and browses. It sends a checkout that got no clear answer again, with the
// same Idempotency-Key, until it has one.
type Shopper struct {
	Base   func() string // where a request is sent: http://host:port
	Tally  *Tally
	Random *rand.Rand

	web      *http.Client
	token    string
	business string
	variants []string

	key      string           // of the order that is under way; empty: none is
	acked    map[string]order // by key
	sent     map[string]bool  // keys
	Acquired atomic.Int64     // orders that were acknowledged
}

// order is what is compared of an order.
type order struct {
	ID, CustomerNotes string
	Total             int64
}

// Status of a request without an answer.
const lost = 0

// Enter makes a visitor of the shop, who only browses.
func Enter(n int, base func() string, tally *Tally) *Shopper {
	return &Shopper{
		Base: base, Tally: tally, Random: rand.New(rand.NewPCG(uint64(n), 0)), acked: map[string]order{}, sent: map[string]bool{},
		web: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 2}, Timeout: 20 * time.Second},
	}
}

// Register makes a customer of the shop.
func Register(ctx context.Context, n int, base func() string, tally *Tally) (*Shopper, error) {
	s := Enter(n, base, tally)
	body := fmt.Appendf(nil, `{"cellNumber": "+98912%07d", "password": "a password of %[1]d",
		"firstName": "Sara", "lastName": "Karimi", "domain": %q}`, n, Domain)
	var in struct {
		AccessToken        string
		RegisteredBusiness struct{ ID string }
	}
	if status, text := s.call(ctx, http.MethodPost, "/api/v1/auth/register", "", body, &in); status != http.StatusCreated {
		return nil, fmt.Errorf("register customer %d: %d %s", n, status, text)
	}
	s.token, s.business = in.AccessToken, in.RegisteredBusiness.ID
	var listed struct {
		Items []struct{ ID string }
	}
	if status, text := s.call(ctx, http.MethodGet, "/api/v1/tenants/"+Domain+"/store-items?pageSize=100", "", nil,
		&listed); status != http.StatusOK || len(listed.Items) != Products {
		return nil, fmt.Errorf("the shop's items: %d, %d of them %.200s", status, len(listed.Items), text)
	}
	for _, v := range listed.Items {
		s.variants = append(s.variants, v.ID)
	}
	return s, nil
}

// Order sends the next request of an order: one that fills the cart, and then one that checks out.
func (s *Shopper) Order(ctx context.Context) {
	if s.key == "" {
		body := fmt.Appendf(nil, `{"storeItemVariantId": %q, "quantity": 1}`, s.variants[s.Random.IntN(len(s.variants))])
		if status, _ := s.call(ctx, http.MethodPost, s.shop("/cart/items"), "", body, nil); status >= 300 || status == lost {
			return
		}
		// Not sixteen digits in a row by any chance: the service hides what may be the number of a bank card in notes.
		s.key = fmt.Sprintf("key-%08x-order-%08x", s.Random.Uint32(), s.Random.Uint32())
		s.sent[s.key] = true
	}
	body := fmt.Appendf(nil, `{"customerNotes": %q, "payment": {"type": "pos"},
		"shippingAddress": {"province": "تهران", "city": "تهران", "address": "خیابان آزادی"}}`, s.key)
	var answer struct{ Order order }
	switch status, _ := s.call(ctx, http.MethodPost, s.shop("/cart/checkout"), s.key, body, &answer); {
	case status == http.StatusCreated:
		s.acked[s.key] = answer.Order
		s.Acquired.Add(1)
		s.key = ""
	case status != lost && status < 500 && status != http.StatusTooManyRequests:
		s.key = "" // refused for good
	}
}

// Browse reads a public page.
func (s *Shopper) Browse(ctx context.Context) {
	path := fmt.Sprintf("/api/v1/tenants/%s/products?pageSize=%d&page=%d", Domain, 1+s.Random.IntN(20), 1+s.Random.IntN(2))
	if s.Random.IntN(3) == 0 {
		path = fmt.Sprintf("/api/v1/tenants/%s/products/product-%d", Domain, s.Random.IntN(Products))
	}
	s.call(ctx, http.MethodGet, path, "", nil, nil)
}

// Own reads the customer's cart.
func (s *Shopper) Own(ctx context.Context) {
	s.call(ctx, http.MethodGet, s.shop("/cart"), "", nil, nil)
}

// Repeat lets customers do something again and again for a while, all at once. None of their requests is cut off.
func Repeat(ctx context.Context, d time.Duration, who []*Shopper, do func(*Shopper, context.Context)) {
	end := time.Now().Add(d)
	var busy sync.WaitGroup
	for _, one := range who {
		busy.Go(func() {
			for time.Now().Before(end) && ctx.Err() == nil {
				do(one, ctx)
			}
		})
	}
	busy.Wait()
}

func (s *Shopper) shop(path string) string { return "/api/v1/businesses/" + s.business + path }

// Check compares the orders that are there with those that were acknowledged.
func (s *Shopper) Check(ctx context.Context) error {
	var there []order
	for page, total := 1, 1; len(there) < total; page++ {
		var listed struct {
			Items []order
			Total int
		}
		path := fmt.Sprintf("/orders?pageSize=100&page=%d", page)
		if status, text := s.call(ctx, http.MethodGet, s.shop(path), "", nil, &listed); status != http.StatusOK {
			return fmt.Errorf("list the orders: %d %s", status, text)
		}
		if total = listed.Total; len(listed.Items) == 0 && len(there) < total {
			return fmt.Errorf("%d of %d orders are listed", len(there), total)
		}
		there = append(there, listed.Items...)
	}
	return compare(there, s.acked, s.sent)
}

// compare fails where an order that was acknowledged is missing or another one, and where one is there twice,
// or was never sent. acked and sent are by key.
func compare(all []order, acked map[string]order, sent map[string]bool) error {
	there := map[string]order{}
	for _, o := range all {
		if _, twice := there[o.CustomerNotes]; twice {
			return fmt.Errorf("the order %s was made twice", o.CustomerNotes)
		}
		if !sent[o.CustomerNotes] {
			return fmt.Errorf("no customer asked for the order %s", o.CustomerNotes)
		}
		there[o.CustomerNotes] = o
	}
	for key, acknowledged := range acked {
		if there[key] != acknowledged {
			return fmt.Errorf("the order %s was acknowledged as %+v, and is %+v", key, acknowledged, there[key])
		}
	}
	return nil
}

// call sends a request, counts what became of it, and returns its status; 0: it got no answer.
func (s *Shopper) call(ctx context.Context, method, path, key string, body []byte, to any) (status int, text []byte) {
	// A reader that net/http cannot rewind: it would send a request with this header again by itself.
	request, err := http.NewRequestWithContext(ctx, method, s.Base()+path, io.NopCloser(bytes.NewReader(body)))
	if err != nil {
		return lost, []byte(err.Error())
	}
	request.ContentLength = int64(len(body))
	if len(body) == 0 {
		request.Body = nil
	} else {
		request.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		request.Header.Set("Idempotency-Key", key)
	}
	if s.token != "" {
		request.Header.Set("Authorization", "Bearer "+s.token)
	}
	began := time.Now()
	defer func() {
		if ctx.Err() == nil {
			s.Tally.count(began, time.Since(began), method+" "+path, status, text)
		}
	}()
	response, err := s.web.Do(request)
	if err != nil {
		return lost, []byte(err.Error())
	}
	defer response.Body.Close()
	if text, err = io.ReadAll(response.Body); err != nil {
		return lost, []byte(err.Error())
	}
	if to != nil && response.StatusCode < 300 {
		if err := json.Unmarshal(text, to); err != nil {
			return lost, []byte(err.Error())
		}
	}
	return response.StatusCode, text
}
