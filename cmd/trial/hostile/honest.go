package hostile

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"time"

	"storefront/cmd/bench/catalog"
	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
)

// shopper is an honest customer, who keeps within every limit.
type shopper struct {
	*customer.Customer
	trial *trial
}

// pause is the time between two clicks of a customer.
const pause = 30 * time.Millisecond

// register makes the accounts of the customers, each at an address of its own.
func (t *trial) register(ctx context.Context) (all []*shopper) {
	for i := range t.shoppers + 1 { // the last one is the attackers'
		by := t.newClient(fmt.Sprintf("127.1.0.%d", 1+i), t.tallies.Of(honest)).Client
		c := customer.Register(ctx, by, i, market)
		c.Random = rand.New(rand.NewPCG(t.seed, t.clients.Add(1)))
		all = append(all, &shopper{Customer: c, trial: t})
	}
	return all
}

// visit sees the shop once, buys, and at times signs in. It fails where an answer is one that an honest
// customer never gets.
func visit(ctx context.Context, c *shopper, n int) error {
	for _, step := range []struct {
		name string
		take func(context.Context) customer.Answer
	}{
		{"home", c.seeHome}, {"list", c.browse}, {"product", c.seeProduct}, {"add to cart", c.addToCart},
		{"cart", c.seeCart}, {"checkout", c.checkOut},
	} {
		if ctx.Err() != nil {
			break
		}
		c.counted(step.name)
		a := step.take(ctx)
		if a.Status >= 400 && !slices.Contains([]int{409, 429, 503}, a.Status) {
			return fmt.Errorf("an honest customer's %w", a.Read(nil))
		}
		wait(ctx, pause)
	}
	if n%5 == 4 {
		c.signIn(ctx)
	}
	return nil
}

// counted lets the customer's next requests count under the name of a step.
func (c *shopper) counted(step string) { c.Tally = c.trial.tallies.Of(honest + ": " + step) }

func (c *shopper) seeHome(ctx context.Context) customer.Answer {
	return c.Ask(ctx, `query($domain: String!) { tenant(domain: $domain) {
		name categories(entityType: product) { id nameFa itemCount }
		products(pageSize: 12) { total items { slug titleFa price inStock } } } }`,
		map[string]any{"domain": market})
}

// browse looks through lists of the market and of the large shop, which are in memory then as after a day of
// ordinary visits.
func (c *shopper) browse(ctx context.Context) customer.Answer {
	shop := pick(c.Random, []string{market, catalog.Domain})
	words := []string{"", "book", "کتاب", "paper", "شعر", "مهندسی"}
	return c.REST(ctx, "GET", fmt.Sprintf("/tenants/%s/products?page=%d&pageSize=100&name=%s", shop,
		1+c.Random.IntN(20), url.QueryEscape(pick(c.Random, words))), nil)
}

func (c *shopper) seeProduct(ctx context.Context) customer.Answer {
	return c.REST(ctx, "GET", "/tenants/"+market+"/products/"+pick(c.Random, c.trial.shops.products), nil)
}

func (c *shopper) addToCart(ctx context.Context) customer.Answer {
	return c.Add(ctx, customer.Variant{ID: pick(c.Random, c.trial.shops.variants)}, 1)
}

func (c *shopper) seeCart(ctx context.Context) customer.Answer {
	return c.REST(ctx, "GET", c.Shop("/cart"), nil)
}

// checkOut orders the cart, or nothing where adding to it was refused, and cancels the order, so that stock
// lasts.
func (c *shopper) checkOut(ctx context.Context) customer.Answer {
	a := c.Buy(ctx, c.NewKey())
	var placed struct{ Order struct{ ID string } }
	if a.Read(&placed) != nil {
		if a.Status == http.StatusBadRequest { // CART_EMPTY
			a.Status = http.StatusConflict
		}
		return a
	}
	wait(ctx, pause)
	c.counted("cancel")
	return c.Cancel(ctx, placed.Order.ID)
}

// signIn signs in with the password, which others guess at meanwhile.
func (c *shopper) signIn(ctx context.Context) {
	c.counted("sign in")
	a := c.REST(ctx, "POST", "/auth/login", map[string]any{"cellNumber": c.Cell, "password": c.Password})
	switch a.Status {
	case 0, http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return
	}
	var in struct{ AccessToken string }
	must.In("an honest customer's sign-in", func() { must.Do(a.Read(&in)) })
	c.Token = in.AccessToken
}
