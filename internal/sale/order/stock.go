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
	"storefront/internal/content/derive"
	"storefront/internal/database"
	"storefront/internal/event/outbox"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
	"storefront/internal/sale/cart"
)

// units is a quantity of a variant.
type units struct {
	Variant      uuid.UUID `json:"variant"`
	Quantity     int       `json:"quantity"`
	*cart.Looked           // what the variant must be like, in a checkout on PostgreSQL
}

// errShort is the error if the stock of a variant is less than an order needs.
var errShort = errors.New("order: the stock does not suffice")

// moveUnits adds quantities, which may be negative, to the stock of variants, as long as it does not fall
// below zero, and returns the id, new stock and SKU of each changed variant. Returned units raise no stock
// above record.MostStock, which an import would refuse. updated_at stays the same, as the public answer
// about a variant does. On PostgreSQL move_stock first locks the rows in the order of ids, so that no two
// transactions deadlock: an UPDATE would lock them in any order.
var moveUnits = database.Texts{
	SQLite:   database.Statement(moveUnitsOfSQLite),
	Postgres: database.Statement(`SELECT variant, stock, sku, low_stock_at FROM move_stock($tenant, $units, false)`),
}

var unitsOnSQLite, _ = database.RowsOf(`$units`, "wanted", `variant uuid, quantity bigint`)

// moveUnitsOfSQLite finds each variant by its id. Without the plus SQLite would scan all variants of the
// tenant for each unit, by an index that begins with the tenant.
var moveUnitsOfSQLite = `UPDATE variants
	SET stock = min(stock + wanted.quantity, max(stock, ` + strconv.Itoa(record.MostStock) + `))
	FROM ` + unitsOnSQLite + `
	WHERE variants.id = wanted.variant AND +variants.tenant_id = $tenant AND stock + wanted.quantity >= 0
	RETURNING variants.id, variants.stock, variants.sku, variants.low_stock_at`

// takeStock takes units out of the stock of a business. It fails with errShort if there are not enough.
func takeStock(ctx context.Context, tx *ent.Tx, business uuid.UUID, all []units, at time.Time) error {
	taken := convert.All(all, func(u units) units { return units{Variant: u.Variant, Quantity: -u.Quantity} })
	changed, err := moveStock(ctx, tx, business, taken, at)
	if err == nil && changed < len(all) {
		err = errShort
	}
	return err
}

// moveStock adds units, each of another variant, to the stock of a business, and returns how many variants
// it changed. It writes an event for each variant whose stock has become low.
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
