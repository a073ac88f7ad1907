package order

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"entgo.io/ent/dialect"
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
}

// errShort says that there is less of a variant than an order needs.
var errShort = errors.New("order: the stock does not suffice")

// heldVariants reads the variants that are wanted and locks their rows, in the order of ids, so that two transactions
// never wait for one another. A plain UPDATE would take them in any order. PostgreSQL looks for the ids of an array by
// the index; of the rows of a function it expects a hundred, and would rather read a table of some thousands.
func heldVariants(also string) string {
	return `held AS (
		SELECT id, stock, price FROM variants WHERE tenant_id = $tenant AND id = ANY ($variants)` + also + `
		ORDER BY id FOR NO KEY UPDATE)`
}

// addUnits adds the units that are wanted, which may be less than none, to the stock of variants, where it does not
// fall below zero. updated_at stays, as the public answer about a variant does. PostgreSQL computes with the stock that
// is held: it checks a row's constraints once with what the statement saw at its beginning, even where another
// transaction has changed that since.
const addUnits = `UPDATE variants SET stock = %[1]s.stock + wanted.quantity FROM %[2]s
	WHERE variants.id = wanted.variant AND variants.tenant_id = $tenant AND %[1]s.stock + wanted.quantity >= 0 %[3]s
	RETURNING variants.id, variants.stock, variants.sku`

const unitColumns = `variant uuid, quantity bigint`

// moveUnits gives the id and the new stock of each variant that it changed.
var moveUnits = map[string]database.Text{
	dialect.SQLite: database.Statement(fmt.Sprintf(addUnits, "variants",
		wanted(dialect.SQLite, `$units`, unitColumns), "")),
	dialect.Postgres: database.Statement(`WITH wanted AS (
			SELECT variant, quantity FROM ` + wanted(dialect.Postgres, `$units`, unitColumns) + `
		), ` + heldVariants(``) + ` ` + fmt.Sprintf(addUnits, "held", `wanted JOIN held ON held.id = wanted.variant`,
		`AND variants.id = ANY ($variants)`)),
}

// takeStock takes units out of the stock of a business. It fails with errShort where there are too few.
func takeStock(ctx context.Context, tx *ent.Tx, business uuid.UUID, all []units, at time.Time) error {
	taken := make([]units, len(all))
	for i, u := range all {
		taken[i] = units{u.Variant, -u.Quantity}
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

// moveStock adds units, each of another variant, to the stock of a business, and returns how many variants it changed. It
// tells of those whose stock has become low.
func moveStock(ctx context.Context, tx *ent.Tx, business uuid.UUID, all []units, at time.Time) (changed int, err error) {
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
	values := database.Values{"tenant": business, "units": string(text), "variants": arrayOf(all)}
	err = moveUnits[tx.Raw().Dialect()].Each(ctx, tx.Raw(), values, func(row *sql.Rows) error {
		var variant uuid.UUID
		var now int
		var sku string
		if err := row.Scan(&variant, &now, &sku); err != nil {
			return err
		}
		changed++
		if record.BecameLow(now-added[variant], now) {
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

// arrayOf is a PostgreSQL array of the ids of variants.
func arrayOf(all []units) string {
	ids := make([]string, len(all))
	for i, u := range all {
		ids[i] = u.Variant.String()
	}
	return "{" + strings.Join(ids, ",") + "}"
}
