package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"net/url"
	"time"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"storefront/cmd/bench/load"
	"storefront/cmd/bench/reference"
	"storefront/cmd/internal/must"
	"storefront/ent"
	"storefront/ent/tenant"
	"storefront/internal/database/store"
	"storefront/internal/database/tenancy"
	"storefront/internal/platform/token"
)

const (
	lines  = 3   // of a full cart
	spread = 500 // variants that may be in the same line of carts
	hot    = 0   // the variant that is in all carts of hotCarts
)

// numbered returns the id of the n-th customer, session, cart or variant.
func numbered(n int) uuid.UUID {
	id := uuid.UUID{6: 0x70, 8: 0x80}
	binary.BigEndian.PutUint32(id[12:], uint32(n))
	return id
}

// variantIn returns the number of the variant in a line of a customer's cart, lowest first.
func variantIn(customer, line int) int { return line*spread + (customer*7919+line*131)%spread }

// crowd is the customers of a shop. Each is signed in and has a cart, and there is more stock than all of
// them can buy.
type crowd struct {
	store    *store.Store
	business uuid.UUID
	tokens   []string
}

// gather creates customers of the shop of a domain, in a database without customers. key is
// TOKEN_SIGNING_KEY.
func gather(ctx context.Context, database, domain, key string, customers int) *crowd {
	address := must.Get(url.Parse(database))
	if address.Scheme == "postgres" {
		values := address.Query()
		values.Set("statement_timeout", "60s") // some statements fill thousands of carts
		address.RawQuery = values.Encode()
	}
	c := &crowd{store: must.Get(store.Open(ctx, address.String())), tokens: make([]string, customers)}
	c.business = must.Get(c.store.Client.Tenant.Query().Where(tenant.Domain(domain)).OnlyID(ctx))
	c.number(ctx)
	c.register(tenancy.In(ctx, c.business), customers)
	issuer := reference.SignCustomers(key, time.Hour)
	for i := range c.tokens {
		c.tokens[i] = must.Get(issuer.Access(token.Claims{User: numbered(i), Session: numbered(i)}))
	}
	return c
}

// number returns numbered ids to variants on sale.
func (c *crowd) number(ctx context.Context) {
	id := "'00000000-0000-7000-8000-' || printf('%012x', n)"
	if c.store.Dialect == dialect.Postgres {
		id = "('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid"
	}
	c.do(ctx, fmt.Sprintf(`UPDATE variants SET id = %s, stock = 100000000, max_order_quantity = NULL FROM (
		SELECT v.id AS was, row_number() OVER (ORDER BY v.id) - 1 AS n FROM variants v
		WHERE v.tenant_id = '%s' AND v.listed_at IS NOT NULL AND v.price IS NOT NULL
	) w WHERE variants.id = was`, id, c.business))
}

// batch is how many records are made by one statement.
const batch = 500

func (c *crowd) register(ctx context.Context, customers int) {
	for from := 0; from < customers; from += batch {
		var users []*ent.UserCreate
		var sessions []*ent.SessionCreate
		var carts []*ent.CartCreate
		var items []*ent.CartItemCreate
		to := c.store.Client
		for i := from; i < min(from+batch, customers); i++ {
			users = append(users, to.User.Create().SetID(numbered(i)).SetCellNumber(fmt.Sprintf("+98912%07d", i)))
			sessions = append(sessions, to.Session.Create().SetID(numbered(i)).SetUserID(numbered(i)).
				SetExpiresAt(time.Now().Add(time.Hour)))
			carts = append(carts, to.Cart.Create().SetID(numbered(i)).SetUserID(numbered(i)))
			for line := range lines {
				items = append(items, to.CartItem.Create().SetCartID(numbered(i)).
					SetVariantID(numbered(variantIn(i, line))).SetQuantity(1).SetSeenPrice(0))
			}
		}
		must.Do(to.User.CreateBulk(users...).Exec(ctx))
		must.Do(to.Session.CreateBulk(sessions...).Exec(ctx))
		must.Do(to.Cart.CreateBulk(carts...).Exec(ctx))
		must.Do(to.CartItem.CreateBulk(items...).Exec(ctx))
	}
	c.do(ctx, `UPDATE cart_items SET seen_price = (SELECT price FROM variants WHERE variants.id = variant_id)`,
		`CREATE TABLE `+fullCarts+` AS SELECT * FROM cart_items`,
		`CREATE TABLE `+hotCarts+` AS SELECT * FROM cart_items`,
		fmt.Sprintf(`UPDATE `+hotCarts+` SET variant_id = '%s',
			seen_price = (SELECT price FROM variants WHERE id = '%[1]s') WHERE variant_id < '%s'`,
			numbered(hot), numbered(spread)))
}

func (c *crowd) do(ctx context.Context, statements ...string) {
	for _, text := range statements {
		_, err := c.store.Client.ExecContext(ctx, text)
		must.Hold(err == nil, "%s: %w", text, err)
	}
}

// Tables of lines: fullCarts has three for each cart, and in hotCarts the first of each is of one variant.
const (
	fullCarts = "bench_lines"
	hotCarts  = "bench_hot"
)

// fill empties all carts and fills them from a table of lines, if any.
func (c *crowd) fill(ctx context.Context, from string) {
	if c.store.Dialect == dialect.Postgres {
		c.do(ctx, `TRUNCATE cart_items`)
	} else {
		c.do(ctx, `DELETE FROM cart_items`)
	}
	if from != "" {
		c.do(ctx, `INSERT INTO cart_items SELECT * FROM `+from)
	}
}

// adds returns requests that each add a variant to another cart.
func (c *crowd) adds() []load.Request {
	return c.each(func(customer int) load.Request {
		variant := numbered(variantIn(customer, customer%lines))
		return c.post(customer, "/items", fmt.Sprintf(`{"storeItemVariantId": "%s", "quantity": 1}`, variant))
	})
}

// wish is the body of a checkout.
const wish = `{"shippingAddress": {"province": "Tehran", "city": "Tehran", "address": "12 Valiasr Street",
	"postalCode": "1415512345"}, "payment": {"type": "pos"}}`

// checkouts returns requests that each order another cart. Each can be sent once.
func (c *crowd) checkouts() []load.Request {
	return c.each(func(customer int) load.Request { return c.post(customer, "/checkout", wish) })
}

// each returns a request of each customer.
func (c *crowd) each(request func(customer int) load.Request) []load.Request {
	all := make([]load.Request, len(c.tokens))
	for i := range all {
		all[i] = request(i)
	}
	return all
}

func (c *crowd) post(customer int, path, body string) load.Request {
	return load.Request{Method: "POST", Target: "/api/v1/businesses/" + c.business.String() + "/cart" + path,
		Token: c.tokens[customer], Body: body, Status: 201}
}
