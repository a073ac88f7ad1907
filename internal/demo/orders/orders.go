// Package orders gives the demo shops' customers orders, carts and favorites. They are made with a fixed
// seed and a fixed clock, so that they are the same in every database, except for the ids.
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
	warns  record.CartWarning // of the last line in the first customer's cart
	words  words
}

var shops = []shop{
	{domain: "sanat-mashin.example", orders: 150, most: 1, warns: record.InsufficientStock, words: farsi},
	{domain: "paperlane.example", orders: 500, most: 3, warns: record.PriceChanged, words: english},
}

// opening is when the shops began to sell. Their products were published before.
var opening = time.Date(2026, 5, 2, 5, 0, 0, 0, time.UTC)

// Load makes the orders, carts and favorites in a database that holds the demo shops and their customers. It
// skips shops that have orders.
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

// Complete reports whether the last shop that Load fills has its orders, and so Load has finished.
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

// takeFromStock subtracts the quantities of orders that are not cancelled from the stock.
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
