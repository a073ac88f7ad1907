package crash

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync/atomic"
	"time"
)

// client is a program that shops for a customer. A patient one sends a checkout that got no answer again,
// with the same key, until it gets one; the others let it be and go on.
type client struct {
	*door
	shop
	random   *rand.Rand
	patient  bool
	bought   []*purchase
	open     *purchase // got no answer, and is to be sent again
	answered int       // requests
	answers  atomic.Pointer[countdown]
}

// goShopping goes on until stop is closed or the server is gone, and fails where an answer is wrong.
func (c *client) goShopping(ctx context.Context, stop <-chan struct{}) error {
	for {
		select {
		case <-stop:
			return nil
		default:
		}
		err := c.step(ctx)
		switch {
		case err == nil:
			c.answered++
			c.answers.Load().tick()
		case errors.Is(err, errGone):
			return ctx.Err()
		case errors.Is(err, errLost):
			err = wait(ctx, restAfterLoss)
		}
		if err != nil {
			return err
		}
	}
}

// restAfterLoss is how long a client waits after the service has said that it cannot answer.
const restAfterLoss = 20 * time.Millisecond

// step sends one request.
func (c *client) step(ctx context.Context) error {
	if c.open != nil {
		return c.send(ctx, c.open)
	}
	switch n := c.random.IntN(100); {
	case n < 55:
		return c.add(ctx)
	case n < 85:
		return c.checkout(ctx)
	case n < 95:
		return c.cancelOne(ctx)
	case n < 98:
		return c.again(ctx)
	}
	return c.call(ctx, http.MethodDelete, "/api/v1/businesses/"+c.business+"/cart", "", nil, nil)
}

func (c *client) add(ctx context.Context) error {
	body := fmt.Appendf(nil, `{"storeItemVariantId": %q, "quantity": %d}`,
		c.variants[c.random.IntN(len(c.variants))], 1+c.random.IntN(perCart))
	err := c.call(ctx, http.MethodPost, "/api/v1/businesses/"+c.business+"/cart/items", "", body, nil)
	if c := code(err); c == "INSUFFICIENT_STOCK" || c == "MAX_ORDER_QUANTITY_EXCEEDED" {
		return nil
	}
	return err
}

func (c *client) checkout(ctx context.Context) error {
	p := &purchase{key: newKey(c.random)}
	p.body = checkoutOf(p.key)
	c.bought = append(c.bought, p)
	return c.send(ctx, p)
}

// newKey makes a key. A letter in its middle keeps it from looking like the number of a bank card, which
// notes do not keep.
func newKey(random *rand.Rand) string {
	return fmt.Sprintf("key-%08x-x%08x", random.Uint32(), random.Uint32())
}

// checkoutOf is the body of a checkout, with a key in its notes.
func checkoutOf(key string) []byte {
	return fmt.Appendf(nil, `{"customerNotes": %q, "payment": {"type": "pos"},
		"shippingAddress": {"province": "تهران", "city": "تهران", "address": "خیابان آزادی"}}`, key)
}

// send asks for a purchase, and notes what is answered.
func (c *client) send(ctx context.Context, p *purchase) error {
	var answer struct{ Order *order }
	err := c.call(ctx, http.MethodPost, "/api/v1/businesses/"+c.business+"/cart/checkout", p.key, p.body,
		&answer)
	c.open = nil
	switch code(err) {
	case "CART_EMPTY", "INSUFFICIENT_STOCK", "MAX_ORDER_QUANTITY_EXCEEDED", "CONFLICT":
		p.refused = err // for good: had a request before made the order, this one had been answered with it
		return nil
	}
	if errors.Is(err, errLost) {
		p.doubtful = true
		if c.patient {
			c.open = p
		}
		return err
	}
	if err != nil {
		return err
	}
	p.order = answer.Order
	return nil
}

// again sends a checkout that was acknowledged once more: the answer must be the same order.
func (c *client) again(ctx context.Context) error {
	i := slices.IndexFunc(c.bought, func(p *purchase) bool { return p.order != nil && c.random.IntN(8) == 0 })
	if i < 0 {
		return nil
	}
	p := c.bought[i]
	var answer struct{ Order *order }
	err := c.call(ctx, http.MethodPost, "/api/v1/businesses/"+c.business+"/cart/checkout", p.key, p.body,
		&answer)
	if err == nil && !answer.Order.sameAs(p.order) {
		err = fmt.Errorf("the same Idempotency-Key was answered with %+v, and with %+v", *p.order, *answer.Order)
	}
	return err
}

// cancelOne cancels an order of this client's own.
func (c *client) cancelOne(ctx context.Context) error {
	i := slices.IndexFunc(c.bought, func(p *purchase) bool {
		return p.order != nil && !p.cancelled &&
			c.random.IntN(4) == 0
	})
	if i < 0 {
		return nil
	}
	p := c.bought[i]
	p.cancel = true
	err := c.ask(ctx, `mutation($business: ID!, $order: ID!) { cancelOrder(businessId: $business, orderId: $order) { message } }`,
		map[string]any{"business": c.business, "order": p.order.ID})
	if err == nil || code(err) == "CONFLICT" { // it was cancelled by a request that got no answer
		p.cancelled = true
		return nil
	}
	return err
}
