// Package orders gives the demo shops' customers something bought, something in their carts and something
// they keep. It is drawn with a fixed seed before a fixed clock, so that it is the same in every database
// but for the ids.
package orders

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/tenant"
	"storefront/internal/demo/chance"
	"storefront/internal/record"
	"storefront/internal/tenancy"
	"storefront/internal/transaction"
)

// shop is a demo shop that sells.
type shop struct {
	domain string
	orders int
	most   int                // units of a line
	warns  record.CartWarning // of the last line of the first customer's cart
	words  words
}

var shops = []shop{
	{domain: "sanat-mashin.example", orders: 150, most: 1, warns: record.InsufficientStock, words: farsi},
	{domain: "paperlane.example", orders: 500, most: 3, warns: record.PriceChanged, words: english},
}

// opening is when the shops sold for the first time. What they sell was published before.
var opening = time.Date(2026, 5, 2, 5, 0, 0, 0, time.UTC)

// Load makes the orders, carts and favorites in a database that holds the demo shops and their customers.
// Shops that have orders are left as they are.
func Load(ctx context.Context, client *ent.Client) error {
	for _, s := range shops {
		id, err := client.Tenant.Query().Where(tenant.Domain(s.domain)).OnlyID(ctx)
		has := false
		if err == nil {
			has, err = client.Order.Query().Exist(tenancy.In(ctx, id))
		}
		if err == nil && !has {
			err = transaction.Run(tenancy.In(ctx, id), client,
				func(tx *ent.Tx) error { return s.load(tenancy.In(ctx, id), tx, id) })
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.domain, err)
		}
	}
	return nil
}

// Complete reports whether the shop that Load comes to last has its orders, and so everything is there.
func Complete(ctx context.Context, client *ent.Client) (bool, error) {
	id, err := client.Tenant.Query().Where(tenant.Domain(shops[len(shops)-1].domain)).OnlyID(ctx)
	if ent.IsNotFound(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return client.Order.Query().Exist(tenancy.In(ctx, id))
}

func (s shop) load(ctx context.Context, tx *ent.Tx, business uuid.UUID) error {
	people, err := customersOf(ctx, tx, business)
	if err != nil {
		return err
	}
	goods, err := goodsOf(ctx, tx)
	if err != nil {
		return err
	}
	if err := write(ctx, tx, s.draw(chance.New("orders of "+s.domain), people, goods)); err != nil {
		return fmt.Errorf("the orders: %w", err)
	}
	if err := takeFromStock(ctx, tx, business); err != nil {
		return err
	}
	if err := s.fillCarts(ctx, tx, people, goods); err != nil {
		return fmt.Errorf("the carts: %w", err)
	}
	if err := s.keep(ctx, tx, people, goods); err != nil {
		return fmt.Errorf("the favorites: %w", err)
	}
	return nil
}

// takeFromStock takes what was ordered, and not cancelled, out of the stock.
func takeFromStock(ctx context.Context, tx *ent.Tx, business uuid.UUID) error {
	_, err := tx.ExecContext(ctx, `
UPDATE variants SET stock = stock - sold.units
FROM (SELECT i.store_item_variant_id AS variant, SUM(i.quantity) AS units
	FROM order_items i JOIN orders o ON o.id = i.order_id AND o.tenant_id = i.tenant_id
	WHERE o.tenant_id = $1 AND o.status <> 'cancelled' GROUP BY i.store_item_variant_id) AS sold
WHERE variants.id = sold.variant AND variants.tenant_id = $1`, business)
	if err != nil {
		return fmt.Errorf("the stock: %w", err)
	}
	return nil
}
