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
	"storefront/ent/variant"
	"storefront/internal/content/derive"
	"storefront/internal/database"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/event/outbox"
	"storefront/internal/fault"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
	"storefront/internal/sale/cart"
	"storefront/internal/shop/audit"
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
	SQLite: database.Statement(moveUnitsOfSQLite),
	Postgres: database.Statement(`SELECT variant, stock, sku, low_stock_at
		FROM move_stock($tenant, $units, false, NULL)`),
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

// Adjustment adds some units to the stock of a variant, or sets it: exactly one of By and To is not nil.
type Adjustment struct {
	SKU    string
	By, To *int
}

// Level is the stock of a variant after an adjustment.
type Level struct {
	Variant       uuid.UUID
	SKU           string
	Before, Stock int
}

// Adjust changes the stock of variants of a business, all or none, for a reason that the audit log keeps. It
// locks their rows in the order of ids, as checkouts do, and for no longer than three statements take.
func (s *Service) Adjust(ctx context.Context, business uuid.UUID, reason string,
	all []Adjustment) (levels []Level, err error) {
	var bad fault.Fields
	skus := make([]string, len(all))
	places := map[string]int{}
	for i, a := range all {
		if (a.By == nil) == (a.To == nil) {
			bad.Add(fmt.Sprintf("input.items.%d", i), "must have exactly one of by and to")
		}
		if _, twice := places[a.SKU]; twice {
			bad.Add(fmt.Sprintf("input.items.%d.sku", i), "is there twice")
		}
		skus[i], places[a.SKU] = a.SKU, i
	}
	if err := bad.Err(); err != nil {
		return nil, err
	}
	ctx = tenancy.In(ctx, business)
	err = transaction.Run(ctx, s.store, func(tx *ent.Tx) error {
		levels, err = s.adjust(ctx, tx, business, all, skus, places)
		if err != nil {
			return err
		}
		var entries []audit.Change
		for _, l := range levels {
			if l.Stock != l.Before {
				entries = append(entries, audit.Change{Kind: "variant", ID: l.Variant, Name: l.SKU,
					Before: map[string]any{"stock": l.Before, "reason": nil},
					After:  map[string]any{"stock": l.Stock, "reason": reason}})
			}
		}
		return audit.Record(ctx, tx, "adjustStock", entries...)
	})
	return levels, err
}

func (s *Service) adjust(ctx context.Context, tx *ent.Tx, business uuid.UUID, all []Adjustment, skus []string,
	places map[string]int) (levels []Level, err error) {
	held, err := tx.Variant.Query().Where(variant.SkuIn(skus...)).Order(variant.ByID()).
		Modify(database.ForNoKeyUpdate).Select(variant.FieldID, variant.FieldSku, variant.FieldStock).All(ctx)
	if err != nil {
		return nil, err
	}
	var bad fault.Fields
	var changes []units
	found := map[string]bool{}
	for _, v := range held {
		i := places[v.Sku]
		found[v.Sku] = true
		level := Level{Variant: v.ID, SKU: v.Sku, Before: v.Stock}
		if a := all[i]; a.To != nil {
			level.Stock = *a.To
		} else if level.Stock = v.Stock + *a.By; level.Stock < 0 {
			bad.Add(fmt.Sprintf("input.items.%d.by", i), "takes more than the %d there are", v.Stock)
		} else if *a.By > 0 && level.Stock > record.MostStock {
			bad.Add(fmt.Sprintf("input.items.%d.by", i), "must be at most %d", max(record.MostStock-v.Stock, 0))
		}
		levels = append(levels, level)
		if level.Stock != level.Before {
			changes = append(changes, units{Variant: v.ID, Quantity: level.Stock - level.Before})
		}
	}
	for i, sku := range skus {
		if !found[sku] {
			bad.Add(fmt.Sprintf("input.items.%d.sku", i), "is no variant of this shop")
		}
	}
	if err := bad.Err(); err != nil || len(changes) == 0 {
		return levels, err
	}
	_, err = moveStock(ctx, tx, business, changes, s.clock.Now())
	return levels, err
}
