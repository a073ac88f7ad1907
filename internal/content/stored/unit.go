// Package stored reads and writes a shop's content as rows: kinds of records by their natural keys (Kind), tables
// (Table), and changes that are written together (Unit).
package stored

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/variant"
	"storefront/internal/content/derive"
	"storefront/internal/content/document"
	"storefront/internal/database/tenancy"
	"storefront/internal/platform/convert"
	"storefront/internal/shop/audit"
)

// Unit are planned changes of a shop's content that are written together: records with all that belongs to them.
type Unit struct {
	Variants []uuid.UUID      // existing variants that will be changed
	Listings []derive.Listing // of new records
	Change   derive.Change
	Audited  []Audited // the changed records for the audit log, as far as it is to have them
	Stocks   []StockSet
	Outcomes []Outcome

	writes []write
}

// write is rows to write to a table, or another action.
type write struct {
	to   *Table
	rows [][]any
	do   func(ctx context.Context, tx *ent.Tx) error
}

// Outcome is what a unit does with a record.
type Outcome struct {
	Element *document.Node // that has the record, of the section Element.Parent.Name
	Section string         // of the record: "variants" for those of a product
	Fate    Fate
	Moved   bool // a variant moves to another product
}

// Fate is whether a record is written.
type Fate uint8

// The fates of records, in the order in which one outweighs another.
const (
	Unchanged Fate = iota
	Updated
	Created
)

// FateOf returns the fate of a record that is new, or whose fields have changed.
func FateOf(isNew, changed bool) Fate {
	switch {
	case isNew:
		return Created
	case changed:
		return Updated
	}
	return Unchanged
}

// Audited is a record that a unit may change, for the audit log.
type Audited struct {
	Kind      string
	ID        uuid.UUID
	UpdatedAt time.Time     // before the change; zero if the record is new
	Before    audit.Members // nil if the record is new
	Row       any           // as it is written
}

// StockSet is the stock that a unit sets for a variant, or expects of it.
type StockSet struct {
	ID       uuid.UUID
	SKU      string
	To       *int // nil: unchanged
	LowAt    *int // the variant's own threshold of a low stock after the change
	Expected *int // nil: any
}

// StockChanged is a variant whose stock differs from the stock that a unit expects. It is in the details of
// CONFLICT.
type StockChanged struct {
	Sku           string `json:"sku"`
	ExpectedStock int    `json:"expectedStock"`
	Stock         int    `json:"stock"`
}

// Write adds rows that are written to a table; each has a value for each column.
func (u *Unit) Write(to *Table, rows [][]any) { u.writes = append(u.writes, write{to: to, rows: rows}) }

// Do adds another action.
func (u *Unit) Do(what func(ctx context.Context, tx *ent.Tx) error) {
	u.writes = append(u.writes, write{do: what})
}

// IsEmpty reports whether nothing is to be written.
func (u *Unit) IsEmpty() bool { return len(u.writes) == 0 }

// Join adds the changes of another unit.
func (u *Unit) Join(other *Unit) {
	u.writes = append(u.writes, other.writes...)
	u.Variants = append(u.Variants, other.Variants...)
	u.Listings = append(u.Listings, other.Listings...)
	u.Change.Changed = append(u.Change.Changed, other.Change.Changed...)
	u.Change.Offered = append(u.Change.Offered, other.Change.Offered...)
	u.Change.Rated = append(u.Change.Rated, other.Change.Rated...)
	u.Change.Listed = append(u.Change.Listed, other.Change.Listed...)
	u.Audited = append(u.Audited, other.Audited...)
	u.Stocks = append(u.Stocks, other.Stocks...)
	u.Outcomes = append(u.Outcomes, other.Outcomes...)
}

// Changes returns the entries of the audit log for the unit's records.
func (u *Unit) Changes() []audit.Change {
	return convert.All(u.Audited, func(one Audited) audit.Change {
		change := audit.Change{Kind: one.Kind, ID: one.ID, After: one.Row}
		if one.Before != nil {
			change.Before = one.Before
		}
		return change
	})
}

// Lock locks the rows of the variants that the unit changes, as a checkout does.
func (u *Unit) Lock(ctx context.Context, tx *ent.Tx) error {
	return LockVariants(ctx, tx, "NO KEY UPDATE", u.Variants, slices.Concat(u.Change.Changed, u.Change.Offered))
}

// CompareStock returns the present stock of the variants for which the unit sets or expects one, and those that have
// another stock than it expects. It becomes the former stock in the audit log.
func (u *Unit) CompareStock(ctx context.Context, client *ent.Client) (
	now map[uuid.UUID]int, changed []StockChanged, err error,
) {
	if len(u.Stocks) == 0 {
		return nil, nil, nil
	}
	rows, err := client.Variant.Query().
		Where(Among(variant.FieldID, convert.All(u.Stocks, func(set StockSet) uuid.UUID { return set.ID }))).
		Select(variant.FieldID, variant.FieldStock).All(ctx)
	now = map[uuid.UUID]int{}
	for _, row := range rows {
		now[row.ID] = row.Stock
	}
	for _, set := range u.Stocks {
		if set.Expected != nil && *set.Expected != now[set.ID] {
			changed = append(changed, StockChanged{set.SKU, *set.Expected, now[set.ID]})
		}
	}
	for _, one := range u.Audited {
		if stock, ok := now[one.ID]; ok && one.Before != nil {
			one.Before["stock"] = strconv.AppendInt(nil, int64(stock), 10)
		}
	}
	return now, changed, err
}

// WriteTo writes the unit to the context's shop with its derived data, in a transaction that holds the lock of the
// shop's content. The rows of a table are written together. Tables are in the order in which the unit names them, so
// that referenced rows come first. seen reports whether lists show what was changed; the caller then calls
// derive.Raise.
func (u *Unit) WriteTo(ctx context.Context, tx *ent.Tx, shop uuid.UUID) (seen bool, err error) {
	var tables []*Table
	rows := map[*Table][][]any{}
	for _, one := range u.writes {
		if one.do != nil {
			if err := one.do(ctx, tx); err != nil {
				return false, err
			}
			continue
		}
		if rows[one.to] == nil {
			tables = append(tables, one.to)
		}
		rows[one.to] = append(rows[one.to], one.rows...)
	}
	dialectName := tx.Raw().Dialect()
	for _, to := range tables {
		if err := to.Write(ctx, tx, dialectName, rows[to]); err != nil {
			return false, err
		}
	}
	if len(u.Listings) > 0 {
		if err := listings.Write(ctx, tx, dialectName, u.listingRows(shop)); err != nil {
			return false, err
		}
	}
	derived, err := derive.Records(ctx, tx, shop, u.Change)
	return len(u.writes)+len(u.Listings) > 0 || derived > 0, err
}

// listingRows returns the rows of the listings, in the order of their index.
func (u *Unit) listingRows(shop uuid.UUID) [][]any {
	slices.SortFunc(u.Listings, func(a, b derive.Listing) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Facet, b.Facet), a.PublishedAt.Compare(b.PublishedAt))
	})
	return convert.All(u.Listings, func(l derive.Listing) []any {
		return []any{shop, l.Kind, l.Facet, l.PublishedAt, l.Entity}
	})
}

// LockVariants locks the rows of variants of the context's shop, and of those of products, in the order of their ids,
// as a checkout does, to avoid deadlocks. Whoever deletes them locks them for UPDATE: then nobody puts one into a cart
// meanwhile. On SQLite a transaction locks the whole file.
func LockVariants(
	ctx context.Context, tx *ent.Tx, strength sql.LockStrength, ids, products []uuid.UUID,
) error {
	if tx.Raw().Dialect() != dialect.Postgres || len(ids)+len(products) == 0 {
		return nil
	}
	shop, err := tenancy.Of(ctx)
	if err != nil {
		return err
	}
	_, err = tx.Variant.Query().Modify(func(s *sql.Selector) {
		s.Where(sql.P(func(b *sql.Builder) {
			// A union: with two conditions joined by OR PostgreSQL would scan every variant. IS TRUE: otherwise it
			// would use an index that begins with the shop, and scan all variants of the shop.
			own := func(column string, ids []uuid.UUID) {
				b.WriteString("SELECT own.id FROM variants own WHERE (own.tenant_id = ").Arg(shop).
					WriteString(") IS TRUE AND ").Join(AmongList(column, ids))
			}
			b.WriteString(s.C(variant.FieldID) + " IN (")
			own("own.id", ids)
			b.WriteString(" UNION ")
			own("own.product_id", products)
			b.WriteString(")")
		}))
		s.OrderBy(s.C(variant.FieldID)).For(strength)
	}).Select(variant.FieldID).All(ctx)
	return err
}
