package hostile

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"storefront/cmd/bench/catalog"
)

// customer is an honest client with an account, who keeps within every limit.
type customer struct {
	*client
	trial    *trial
	cell     string
	password string
	business string
	rounds   int
}

// cellOf is the cell number of an honest customer.
func cellOf(i int) string { return fmt.Sprintf("+98912%07d", i) }

// pause is the time between two clicks of a customer.
const pause = 30 * time.Millisecond

// register makes the accounts of the customers, each at an address of its own.
func (t *trial) register(ctx context.Context) (all []*customer, err error) {
	for i := range t.shoppers + 1 { // the last one is the attackers'
		c := &customer{client: t.newClient(fmt.Sprintf("127.1.0.%d", 1+i), t.tallyOf(honest)), trial: t,
			cell: cellOf(i), password: fmt.Sprintf("a password of %d", i)}
		var in struct {
			AccessToken        string
			RegisteredBusiness struct{ ID string }
		}
		if err := c.rest(ctx, "POST", "/auth/register", map[string]any{"cellNumber": c.cell,
			"password": c.password, "firstName": "Sara", "lastName": "Karimi", "domain": market}).
			read(&in); err != nil {
			return nil, err
		}
		c.token, c.business = in.AccessToken, in.RegisteredBusiness.ID
		all = append(all, c)
	}
	return all, nil
}

// goShopping shops until ctx is done, and fails where an answer is one that an honest customer never gets.
func (c *customer) goShopping(ctx context.Context) error {
	for ctx.Err() == nil {
		for _, step := range []struct {
			name string
			take func(context.Context) answer
		}{
			{"home", c.seeHome}, {"list", c.browse}, {"product", c.seeProduct}, {"add to cart", c.addToCart},
			{"cart", c.seeCart}, {"checkout", c.checkOut},
		} {
			c.counted(step.name)
			a := step.take(ctx)
			if a.status >= 400 && !slices.Contains([]int{409, 429, 503}, a.status) {
				return fmt.Errorf("an honest customer's %s was answered %d %s", a.request, a.status, short(a.body))
			}
			wait(ctx, pause)
		}
		if c.rounds++; c.rounds%5 == 0 {
			if err := c.signIn(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// counted lets the customer's next requests count under the name of a step.
func (c *customer) counted(step string) { c.tally = c.trial.tallyOf(honest + ": " + step) }

func (c *customer) seeHome(ctx context.Context) answer {
	return c.ask(ctx, `query($domain: String!) { tenant(domain: $domain) {
		name categories(entityType: product) { id nameFa itemCount }
		products(pageSize: 12) { total items { slug titleFa price inStock } } } }`,
		map[string]any{"domain": market})
}

// browse looks through lists of the market and of the large shop, which are in memory then as after a day of
// ordinary visits.
func (c *customer) browse(ctx context.Context) answer {
	shop := pick(c.random, []string{market, catalog.Domain})
	words := []string{"", "book", "کتاب", "paper", "شعر", "مهندسی"}
	return c.rest(ctx, "GET", fmt.Sprintf("/tenants/%s/products?page=%d&pageSize=100&name=%s", shop,
		1+c.random.IntN(20), url.QueryEscape(pick(c.random, words))), nil)
}

func (c *customer) seeProduct(ctx context.Context) answer {
	return c.rest(ctx, "GET", "/tenants/"+market+"/products/"+pick(c.random, c.trial.shops.products), nil)
}

func (c *customer) addToCart(ctx context.Context) answer {
	return c.rest(ctx, "POST", "/businesses/"+c.business+"/cart/items",
		map[string]any{"storeItemVariantId": pick(c.random, c.trial.shops.variants), "quantity": 1})
}

func (c *customer) seeCart(ctx context.Context) answer {
	return c.rest(ctx, "GET", "/businesses/"+c.business+"/cart", nil)
}

// checkOut orders the cart, or nothing where adding to it was refused, and cancels the order, so that stock
// lasts.
func (c *customer) checkOut(ctx context.Context) answer {
	a := c.rest(ctx, "POST", "/businesses/"+c.business+"/cart/checkout", map[string]any{
		"payment":         map[string]any{"type": "pos"},
		"shippingAddress": map[string]any{"province": "تهران", "city": "تهران", "address": "خیابان آزادی"},
	}, "Idempotency-Key", fmt.Sprintf("key-%016x", c.random.Uint64()))
	var placed struct{ Order struct{ ID string } }
	if a.read(&placed) != nil {
		if a.status == http.StatusBadRequest { // CART_EMPTY
			a.status = http.StatusConflict
		}
		return a
	}
	wait(ctx, pause)
	c.counted("cancel")
	return c.ask(ctx, `mutation($b: ID!, $o: ID!) { cancelOrder(businessId: $b, orderId: $o) { message } }`,
		map[string]any{"b": c.business, "o": placed.Order.ID})
}

// signIn signs in with the password, which others guess at meanwhile.
func (c *customer) signIn(ctx context.Context) error {
	c.counted("sign in")
	a := c.rest(ctx, "POST", "/auth/login", map[string]any{"cellNumber": c.cell, "password": c.password})
	switch a.status {
	case 0, http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return nil
	}
	var in struct{ AccessToken string }
	if err := a.read(&in); err != nil {
		return fmt.Errorf("an honest customer's sign-in: %w", err)
	}
	c.token = in.AccessToken
	return nil
}
