package order

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/database"
	"storefront/internal/derive"
	"storefront/internal/outbox"
	"storefront/internal/record"
)

// units are so many of a variant.
type units struct {
	Variant  uuid.UUID `json:"variant"`
	Quantity int       `json:"quantity"`
	Price    *int64    `json:"price,omitempty"` // that the variant must have, at a checkout on PostgreSQL
}

// errShort says that there is less of a variant than an order needs.
var errShort = errors.New("order: the stock does not suffice")

// moveUnits adds the units that are wanted, which may be less than none, to the stock of variants, where it
// does not fall below zero, and gives the id, the new stock and the SKU of each variant that it changed. What
// comes back raises no stock above record.MostStock: an export with more could not be imported. updated_at
// stays, as the public answer about a variant does. PostgreSQL locks the rows in the order of ids first, in
// move_stock, so that two transactions never wait for one another: an UPDATE would take them in any order.
var moveUnits = database.Texts{
	SQLite:   database.Statement(moveUnitsOfSQLite),
	Postgres: database.Statement(`SELECT variant, stock, sku, low_stock_at FROM move_stock($tenant, $units, false)`),
}

var unitsOnSQLite, _ = database.RowsOf(`$units`, "wanted", `variant uuid, quantity bigint`)

// moveUnitsOfSQLite finds each variant by its id. Without the plus SQLite would go through all variants of
// the tenant, by an index that begins with it, for each unit.
var moveUnitsOfSQLite = `UPDATE variants
	SET stock = min(stock + wanted.quantity, max(stock, ` + strconv.Itoa(record.MostStock) + `))
	FROM ` + unitsOnSQLite + `
	WHERE variants.id = wanted.variant AND +variants.tenant_id = $tenant AND stock + wanted.quantity >= 0
	RETURNING variants.id, variants.stock, variants.sku, variants.low_stock_at`

// takeStock takes units out of the stock of a business. It fails with errShort where there are too few.
func takeStock(ctx context.Context, tx *ent.Tx, business uuid.UUID, all []units, at time.Time) error {
	taken := make([]units, len(all))
	for i, u := range all {
		taken[i] = units{Variant: u.Variant, Quantity: -u.Quantity}
	}
	changed, err := moveStock(ctx, tx, business, taken, at)
	if err == nil && changed < len(all) {
		err = errShort
	}
	return err
}

// giveBackStock puts units back into the stock of a business. Variants that are gone take nothing.
func giveBackStock(ctx context.Context, tx *ent.Tx, business uuid.UUID, all []units, at time.Time) error {
	_, err := moveStock(ctx, tx, business, all, at)
	return err
}

// moveStock adds units, each of another variant, to the stock of a business, and returns how many variants it
// changed. It tells of those whose stock has become low.
func moveStock(
	ctx context.Context, tx *ent.Tx, business uuid.UUID, all []units, at time.Time,
) (changed int, err error) {
	added := map[uuid.UUID]int{}
	for _, u := range all {
		added[u.Variant] = u.Quantity
	}
	text, err := json.Marshal(all)
	if err != nil {
		return 0, err
	}
	shown := false
	var low []outbox.Event
	values := database.Values{"tenant": business, "units": string(text)}
	err = moveUnits.Of(tx.Raw()).Each(ctx, tx.Raw(), values, func(row *sql.Rows) error {
		var variant uuid.UUID
		var now int
		var sku string
		var lowAt *int
		if err := row.Scan(&variant, &now, &sku, &lowAt); err != nil {
			return err
		}
		changed++
		if record.BecameLow(now-added[variant], now, lowAt) {
			low = append(low, outbox.LowStock(business, variant, sku, now, at))
		}
		shown = shown || min(now, now-added[variant]) <= record.ShownStock
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("the stock of variants: %w", err)
	}
	for _, event := range low {
		if err := outbox.Put(ctx, tx.Raw(), business, event); err != nil {
			return 0, err
		}
	}
	if shown {
		err = derive.Raise(ctx, tx, business)
	}
	return changed, err
}
