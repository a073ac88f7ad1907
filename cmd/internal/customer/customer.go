package customer

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
)

// Customer is a customer with an account who orders in one shop.
type Customer struct {
	Client
	Cell, Password string
	Domain         string // of the shop
	Business       string // its id
	Variants       []Variant
	Refresh        string // token
	Random         *rand.Rand
	Fickle         bool // does not repeat a checkout without an answer; other customers repeat it with its key
	Bought         []*Purchase

	open  *Purchase // the checkout to send again
	acked atomic.Int64
}

// Variant is a variant on sale.
type Variant struct{ ID, ProductID, Sku string }

// Cell returns the cell number of the n-th customer.
func Cell(n int) string { return fmt.Sprintf("+98912%07d", n) }

// Register registers the n-th customer at a shop.
func Register(ctx context.Context, by Client, n int, domain string) *Customer {
	c := &Customer{Client: by, Cell: Cell(n), Password: fmt.Sprintf("a password of %d", n), Domain: domain,
		Random: rand.New(rand.NewPCG(uint64(n), 0))}
	var in struct {
		AccessToken, RefreshToken string
		RegisteredBusiness        struct{ ID string }
	}
	must.Do(c.REST(ctx, http.MethodPost, "/auth/register", map[string]any{"cellNumber": c.Cell,
		"password": c.Password, "firstName": "Sara", "lastName": "Karimi", "domain": domain}).Read(&in))
	c.Token, c.Refresh, c.Business = in.AccessToken, in.RefreshToken, in.RegisteredBusiness.ID
	return c
}

// Enter registers a customer and reads the variants on sale.
func Enter(ctx context.Context, by Client, n int, domain string) *Customer {
	c := Register(ctx, by, n, domain)
	type item struct {
		Variant
		Price *float64
	}
	for _, v := range Listed[item](ctx, &c.Client, "/tenants/"+domain+"/store-items?inStock=true", 20) {
		if v.Price != nil {
			c.Variants = append(c.Variants, v.Variant)
		}
	}
	must.Hold(len(c.Variants) > 0, "nothing is for sale in %s", domain)
	return c
}

// EnterAll registers customers at the shop of Domain. They get copies of the clients in turn, each with a
// connection of its own.
func EnterAll(ctx context.Context, number int, clients ...Client) (all []*Customer) {
	for i := range number {
		by := clients[i%len(clients)]
		by.Web = Web("")
		all = append(all, Enter(ctx, by, i, Domain))
	}
	return all
}

// EnterBoth registers the given number of customers at the shop of Domain through each of two servers. It
// returns a tally for each server.
func EnterBoth(ctx context.Context, each int, servers [2]*stage.Server) (all []*Customer, tallies [2]*Tally) {
	tallies = [2]*Tally{{}, {}}
	return EnterAll(ctx, 2*each, Client{Base: At(servers[0].Addr), Tally: tallies[0]},
		Client{Base: At(servers[1].Addr), Tally: tallies[1]}), tallies
}

// Another returns another client of the customer's account, with its own record of orders.
func (c *Customer) Another(random *rand.Rand) *Customer {
	return &Customer{Client: c.Client, Domain: c.Domain, Business: c.Business, Variants: c.Variants, Random: random}
}

// Shop returns a path below the shop's path for signed-in customers.
func (c *Customer) Shop(path string) string { return "/businesses/" + c.Business + path }

// Any returns a random variant.
func (c *Customer) Any() Variant { return c.Variants[c.Random.IntN(len(c.Variants))] }

// Add adds units of a variant to the cart.
func (c *Customer) Add(ctx context.Context, v Variant, units int) Answer {
	body := map[string]any{"storeItemVariantId": v.ID, "quantity": units}
	return c.REST(ctx, http.MethodPost, c.Shop("/cart/items"), body)
}

// Empty empties the cart.
func (c *Customer) Empty(ctx context.Context) Answer {
	return c.REST(ctx, http.MethodDelete, c.Shop("/cart"), nil)
}

// NewKey returns a new key. A letter in its middle keeps it from looking like the number of a bank card,
// which would be removed from notes.
func (c *Customer) NewKey() string {
	return fmt.Sprintf("key-%08x-x%08x", c.Random.Uint32(), c.Random.Uint32())
}

// CheckoutBody returns the body of a checkout with a key in its notes.
func CheckoutBody(key string) []byte {
	address := map[string]any{"province": "تهران", "city": "تهران", "address": "خیابان آزادی"}
	return JSON(map[string]any{"customerNotes": key, "payment": map[string]any{"type": "pos"},
		"shippingAddress": address})
}

// Buy orders the cart by a checkout with a key.
func (c *Customer) Buy(ctx context.Context, key string) Answer {
	return c.REST(ctx, http.MethodPost, c.Shop("/cart/checkout"), CheckoutBody(key), "Idempotency-Key", key)
}

// Checkout orders the cart, or repeats the open checkout, and records the answer.
func (c *Customer) Checkout(ctx context.Context) error {
	p := c.open
	if p == nil {
		p = &Purchase{Key: c.NewKey()}
		c.Bought = append(c.Bought, p)
	}
	c.open = nil
	var answer struct{ Order *Order }
	a := c.Buy(ctx, p.Key)
	err := a.Read(&answer)
	refused, _ := errors.AsType[*Refusal](err)
	switch {
	case err == nil:
		p.Order = answer.Order
		c.acked.Add(1)
	case errors.Is(err, ErrLost) || a.Status >= 500 || a.Status == http.StatusTooManyRequests ||
		refused != nil && strings.Contains(refused.Message, "still being worked on"):
		p.Doubtful = true
		if !c.Fickle {
			c.open = p
		}
	case slices.Contains(forGood, Code(err)):
		p.Refused = err // final: if an earlier request had made the order, this one would have returned it
		return nil
	}
	return err
}

// forGood are the codes of a final refusal of a checkout.
var forGood = []string{"CART_EMPTY", "INSUFFICIENT_STOCK", "MAX_ORDER_QUANTITY_EXCEEDED", "CONFLICT"}

// CheckoutAny is Checkout, but fails if the order is refused, unless the cart is empty.
func (c *Customer) CheckoutAny(ctx context.Context) error {
	err := c.Checkout(ctx)
	if p := c.Bought[len(c.Bought)-1]; err == nil && p.Refused != nil && Code(p.Refused) != "CART_EMPTY" {
		return p.Refused
	}
	return err
}

// Open reports whether a checkout got no answer, and must be sent again.
func (c *Customer) Open() bool { return c.open != nil }

// Repeat sends an acknowledged checkout again. The answer must be the same order.
func (c *Customer) Repeat(ctx context.Context) error {
	p := c.one(func(p *Purchase) bool { return p.Order != nil })
	if p == nil {
		return nil
	}
	var answer struct{ Order *Order }
	err := c.Buy(ctx, p.Key).Read(&answer)
	if err == nil && !answer.Order.SameAs(p.Order) {
		err = fmt.Errorf("the same Idempotency-Key was answered with %+v, and with %+v", *p.Order, *answer.Order)
	}
	return err
}

// CancelOne cancels an order of this client's own.
func (c *Customer) CancelOne(ctx context.Context) error {
	p := c.one(func(p *Purchase) bool { return p.Order != nil && !p.Cancelled })
	if p == nil {
		return nil
	}
	p.cancel = true
	err := c.Cancel(ctx, p.Order.ID).Read(nil)
	if err == nil || Code(err) == "CONFLICT" { // an earlier request without an answer cancelled it
		p.Cancelled = true
		return nil
	}
	return err
}

// one returns a random purchase for which is reports true, or nil if there is none.
func (c *Customer) one(is func(*Purchase) bool) *Purchase {
	of := slices.DeleteFunc(slices.Clone(c.Bought), func(p *Purchase) bool { return !is(p) })
	if len(of) == 0 {
		return nil
	}
	return of[c.Random.IntN(len(of))]
}

// Cancel cancels an order.
func (c *Customer) Cancel(ctx context.Context, order string) Answer {
	return c.Ask(ctx, `mutation($b: ID!, $o: ID!) { cancelOrder(businessId: $b, orderId: $o) { message } }`,
		map[string]any{"b": c.Business, "o": order})
}

// Listen adds a webhook for events to the shop. The customer must be its owner.
func (c *Customer) Listen(ctx context.Context, url string, events ...string) error {
	return c.Ask(ctx, fmt.Sprintf(`mutation($b: ID!, $url: String!) {
		addWebhook(businessId: $b, input: { url: $url, events: %v }) { webhook { id } } }`, events),
		map[string]any{"b": c.Business, "url": url}).Read(nil)
}

// Order fills the cart and checks out, or repeats the open checkout.
func (c *Customer) Order(ctx context.Context) {
	if !c.Open() && c.Add(ctx, c.Any(), 1).Read(nil) != nil {
		return
	}
	_ = c.Checkout(ctx) // the tally and the records have it
}

// Browse reads a public page.
func (c *Customer) Browse(ctx context.Context) {
	path := fmt.Sprintf("/products?pageSize=%d&page=%d", 1+c.Random.IntN(20), 1+c.Random.IntN(2))
	if c.Random.IntN(3) == 0 {
		path = fmt.Sprintf("/products/product-%d", c.Random.IntN(Products))
	}
	c.REST(ctx, http.MethodGet, "/tenants/"+c.Domain+path, nil)
}

// Own reads the customer's cart.
func (c *Customer) Own(ctx context.Context) Answer {
	return c.REST(ctx, http.MethodGet, c.Shop("/cart"), nil)
}

// Domain is the domain of the shop of Shop.
const Domain = "shop.example"

// Products is the number of products in the shop of AlwaysInStock.
const Products = 40

// AlwaysInStock returns the bundle of a shop whose products never run out.
func AlwaysInStock() []byte { return Shop(slices.Repeat([]int{100_000_000}, Products)...) }

// Shop returns the bundle of a shop with products of one variant each: product-0 with V-0 and so on. stocks
// are the units in stock.
func Shop(stocks ...int) []byte {
	var products []any
	for i, stock := range stocks {
		products = append(products, map[string]any{
			"slug": fmt.Sprintf("product-%d", i), "titleFa": fmt.Sprintf("کالای %d", i),
			"publishedAt": time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
			"variants": []any{map[string]any{"sku": fmt.Sprintf("V-%d", i), "price": 1000 + 7*i, "priceCurrency": "IRT",
				"stock": stock}},
		})
	}
	return Bundle(Domain, "shop", map[string]any{"products": products})
}

// Bundle returns the bundle of a shop with sections.
func Bundle(domain, slug string, sections map[string]any) []byte {
	sections["format"] = "storefront-bundle/1"
	sections["tenant"] = map[string]any{"domain": domain, "slug": slug, "name": "Shop", "nameFa": "فروشگاه",
		"defaultLocale": "fa"}
	return JSON(sections)
}
