package upgrade

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

const customers = 6

// crowd is customers who shop at the same time. Each asks any of the servers with each request.
type crowd struct{ customers []*customer }

// customer is one of them.
type customer struct {
	n        int
	token    string
	refresh  string
	business string
	variants []string
	orders   []string // ids
}

// counts is what was done.
type counts struct{ requests, orders int }

// newCrowd registers the customers.
func newCrowd(ctx context.Context, address string) (*crowd, error) {
	crowd := new(crowd)
	for n := range customers {
		c := &customer{n: n}
		var in struct {
			AccessToken, RefreshToken string
			RegisteredBusiness        struct{ ID string }
		}
		err := c.call(ctx, address, "POST", "/api/v1/auth/register", "", fmt.Sprintf(
			`{"cellNumber": "+98912%07d", "password": "a password of %[1]d", "firstName": "Sara", "lastName": "Karimi", "domain": %q}`,
			n, domain), &in)
		if err != nil {
			return nil, err
		}
		c.token, c.refresh, c.business = in.AccessToken, in.RefreshToken, in.RegisteredBusiness.ID
		var listed struct{ Items []struct{ ID string } }
		err = c.call(ctx, address, "GET", "/api/v1/tenants/"+domain+"/store-items?pageSize=100", "", "", &listed)
		if err == nil && len(listed.Items) != variants {
			err = fmt.Errorf("the shop has %d variants", len(listed.Items))
		}
		if err != nil {
			return nil, err
		}
		for _, v := range listed.Items {
			c.variants = append(c.variants, v.ID)
		}
		crowd.customers = append(crowd.customers, c)
	}
	return crowd, nil
}

// shop has the customers make requests of servers, and fails with the first answer that is wrong.
func (all *crowd) shop(ctx context.Context, requests int, servers []string) (done counts, err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var made, orders atomic.Int64
	var failed error
	var once sync.Once
	var shopping sync.WaitGroup
	for _, c := range all.customers {
		shopping.Go(func() {
			for made.Add(1) <= int64(requests) && ctx.Err() == nil {
				placed, err := c.step(ctx, func() string { return servers[rand.IntN(len(servers))] })
				if err != nil {
					once.Do(func() { failed = fmt.Errorf("customer %d: %w", c.n, err); stop() })
				}
				if placed {
					orders.Add(1)
				}
			}
		})
	}
	shopping.Wait()
	return counts{requests: int(min(made.Load(), int64(requests))), orders: int(orders.Load())}, failed
}

// step does one thing.
func (c *customer) step(ctx context.Context, server func() string) (placed bool, err error) {
	cart := "/api/v1/businesses/" + c.business + "/cart"
	switch n := rand.IntN(100); {
	case n < 35:
		return false, c.call(ctx, server(), "POST", cart+"/items", "",
			fmt.Sprintf(`{"storeItemVariantId": %q, "quantity": 1}`, c.variants[rand.IntN(len(c.variants))]), nil)
	case n < 60:
		var answer struct{ Order struct{ ID string } }
		err := c.call(ctx, server(), "POST", cart+"/checkout", fmt.Sprintf("key-%016x", rand.Uint64()),
			`{"payment": {"type": "pos"}, `+
				`"shippingAddress": {"province": "تهران", "city": "تهران", "address": "خیابان آزادی"}}`, &answer)
		if refused(err, "CART_EMPTY") {
			return false, nil
		}
		if err == nil {
			c.orders = append(c.orders, answer.Order.ID)
		}
		return err == nil, err
	case n < 70 && len(c.orders) > 0:
		err := c.graphQL(ctx, server(), fmt.Sprintf(`mutation { cancelOrder(businessId: %q, orderId: %q) { message } }`,
			c.business, c.orders[rand.IntN(len(c.orders))]))
		if refused(err, "CONFLICT") { // cancelled before
			err = nil
		}
		return false, err
	case n < 75 && len(c.orders) > 0:
		return false, c.look(ctx, server(), c.orders[rand.IntN(len(c.orders))])
	case n < 80:
		var in struct{ AccessToken, RefreshToken string }
		err := c.call(ctx, server(), "POST", "/api/v1/auth/refresh", "", fmt.Sprintf(`{"refreshToken": %q}`, c.refresh), &in)
		if err == nil {
			c.token, c.refresh = in.AccessToken, in.RefreshToken
		}
		return false, err
	case n < 85:
		return false, c.call(ctx, server(), "POST", "/api/v1/tenants/"+domain+"/contact-submissions", "",
			`{"title": "Question", "name": "Sara", "text": "How much?"}`, nil)
	case n < 90:
		return false, c.graphQL(ctx, server(), `{ me { id cellNumber addresses { id } } }`)
	}
	return false, c.call(ctx, server(), "GET", "/api/v1/tenants/"+domain+"/products", "", "", nil)
}

func (c *customer) look(ctx context.Context, server, order string) error {
	return c.call(ctx, server, "GET", "/api/v1/businesses/"+c.business+"/orders/"+order, "", "", nil)
}

// lookAtAll fails where an order that was acknowledged is not there.
func (all *crowd) lookAtAll(ctx context.Context, server string) error {
	for _, c := range all.customers {
		for _, order := range c.orders {
			if err := c.look(ctx, server, order); err != nil {
				return fmt.Errorf("an order that was acknowledged: %w", err)
			}
		}
	}
	return nil
}

// refusal is an answer that is an error.
type refusal struct {
	status     int
	code, text string
}

func (r *refusal) Error() string { return fmt.Sprintf("%d %s", r.status, r.text) }

func refused(err error, code string) bool {
	r, ok := errors.AsType[*refusal](err)
	return ok && r.code == code
}

var web = &http.Client{Timeout: 20 * time.Second}

// call sends a request and reads the answer into to, if any.
func (c *customer) call(ctx context.Context, server, method, path, key, body string, to any) error {
	request, err := http.NewRequestWithContext(ctx, method, "http://"+server+path, bytes.NewBufferString(body))
	if err != nil {
		return err
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		request.Header.Set("Idempotency-Key", key)
	}
	if c.token != "" {
		request.Header.Set("Authorization", "Bearer "+c.token)
	}
	response, err := web.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode >= 400 {
		var said struct{ Code string }
		_ = json.Unmarshal(text, &said) // its absence shows in the code
		return &refusal{response.StatusCode, said.Code, method + " " + path + ": " + string(text)}
	}
	if to == nil {
		return nil
	}
	return json.Unmarshal(text, to)
}

// graphQL runs a document.
func (c *customer) graphQL(ctx context.Context, server, query string) error {
	body, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		return err
	}
	var answer struct {
		Errors []struct {
			Message    string
			Extensions struct{ Code string }
		}
	}
	err = c.call(ctx, server, "POST", "/graphql", "", string(body), &answer)
	if err == nil && len(answer.Errors) > 0 {
		err = &refusal{http.StatusOK, answer.Errors[0].Extensions.Code, query + ": " + answer.Errors[0].Message}
	}
	return err
}
