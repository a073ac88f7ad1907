package bundle

import (
	"cmp"
	"context"
	stdsql "database/sql"
	"slices"
	"time"

	"storefront/internal/content/stored"

	"storefront/internal/content/document"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/listing"
	"storefront/ent/variant"
	"storefront/internal/content/derive"
	"storefront/internal/database/tenancy"
	"storefront/internal/platform/convert"
)

// part is something that is written in one transaction, such as some elements of a bundle. In that
// transaction, under the lock of the shop's content, plan reads the present records and returns the unit to
// write. It may be called again.
type part struct {
	weight int  // its approximate work, in records
	after  bool // planned only after the parts before it are written; others are planned together
	plan   func(ctx context.Context, tx *ent.Tx) (*unit, error)
}

// unit is the planned writes of some elements of a bundle: records with all that belongs to them.
type unit struct {
	weight   int // its approximate work, in records
	writes   []write
	variants []uuid.UUID // existing variants that will be changed
	listings [][]any     // rows of new records
	change   derive.Change
	left     document.Faults // the faults for which elements are left out
	done     Sections        // the counts of its records
	audited  []auditedRecord // the records of an edit or a sheet, for the audit log
	stocks   []stockSet      // of an edit or a sheet
}

// join adds the writes of another unit.
func (u *unit) join(other *unit) {
	u.writes = append(u.writes, other.writes...)
	u.variants = append(u.variants, other.variants...)
	u.listings = append(u.listings, other.listings...)
	u.change.Changed = append(u.change.Changed, other.change.Changed...)
	u.change.Offered = append(u.change.Offered, other.change.Offered...)
	u.change.Rated = append(u.change.Rated, other.change.Rated...)
	u.change.Listed = append(u.change.Listed, other.change.Listed...)
	u.done = u.done.with(other.done)
	u.audited = append(u.audited, other.audited...)
	u.stocks = append(u.stocks, other.stocks...)
}

// joined returns the writes of units.
func joined(units []*unit) *unit {
	all := new(unit)
	for _, u := range units {
		all.join(u)
	}
	return all
}

// write is rows to write to a table, or another action.
type write struct {
	to     *stored.Table
	rows   [][]any
	do     func(ctx context.Context, tx *ent.Tx) error
	unseen bool // whether it changes nothing that lists show
}

const (
	unitWeight = 100
	weightSize = 4 << 10 // this many bytes of an element's text weigh like one more record
)

// save adds records to the current unit. During the check of a bundle nothing is written yet.
func save[R stored.Row](im *importer, to *stored.Table, records []R) {
	if !im.writing || len(records) == 0 {
		return
	}
	rows := convert.All(records, func(r R) []any { return im.rowOf(to, r.Row()) })
	im.unit.writes = append(im.unit.writes, write{to: to, rows: rows})
}

// listed is a record of a kind that is in lists.
type listed struct {
	kind        listing.Kind
	id          uuid.UUID
	published   bool
	publishedAt time.Time
	category    *uuid.UUID
	tagKeys     []string
}

// list adds the listings of a new record.
func (im *importer) list(r listed) {
	if !im.writing || !r.published {
		return
	}
	var categories []uuid.UUID
	for e := range im.categories.up(r.category) {
		categories = append(categories, e.row.ID)
	}
	for _, l := range derive.Listings(r.kind, r.id, r.publishedAt, categories, r.tagKeys) {
		im.unit.listings = append(im.unit.listings, []any{im.tenant, l.Kind, l.Facet, l.PublishedAt, l.Entity})
	}
}

// noteListed notes a record that is in lists: as new, or as one whose listings may have to be updated.
func (im *importer) noteListed(o *document.Object, isThere bool, r listed) {
	if !isThere {
		im.list(r)
	} else if o.Changed {
		im.noteChanged(r.id)
	}
}

// do adds another action to the current unit.
func (im *importer) do(what func(ctx context.Context, tx *ent.Tx) error) {
	im.unit.writes = append(im.unit.writes, write{do: what})
}

// writeIn writes units and their derived data in a transaction. The rows of a table are written together.
// Tables are in the order in which the units name them, so that referenced rows come first.
func (w *writer) writeIn(ctx context.Context, tx *ent.Tx, units []*unit) error {
	ctx = tenancy.In(ctx, w.tenant)
	if w.im != nil { // before the rows: their records of the audit log hold them as they are written
		if err := w.im.record(ctx, tx, units); err != nil {
			return err
		}
	}
	all := joined(units)
	w.adds = w.adds.with(all.done)
	w.changed = w.changed || len(all.listings) > 0
	var tables []*stored.Table
	rows := map[*stored.Table][][]any{}
	for _, one := range all.writes {
		w.changed = w.changed || !one.unseen
		if one.do != nil {
			if err := one.do(ctx, tx); err != nil {
				return err
			}
			continue
		}
		if rows[one.to] == nil {
			tables = append(tables, one.to)
		}
		rows[one.to] = append(rows[one.to], one.rows...)
	}
	for _, to := range tables {
		if err := to.Write(ctx, tx, w.dialect, rows[to]); err != nil {
			return err
		}
	}
	if err := w.list(ctx, tx, all.listings); err != nil {
		return err
	}
	derived := &counted{Executor: tx}
	err := derive.Records(ctx, derived, w.dialect, w.tenant, all.change)
	w.changed = w.changed || derived.rows > 0
	return err
}

// counted counts the rows that statements change.
type counted struct {
	derive.Executor
	rows int64
}

func (c *counted) ExecContext(ctx context.Context, query string, args ...any) (stdsql.Result, error) {
	result, err := c.Executor.ExecContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	n, err := result.RowsAffected()
	c.rows += n
	return result, err
}

// list writes the listings of new records, in the order of their index.
func (w *writer) list(ctx context.Context, tx *ent.Tx, rows [][]any) error {
	if len(rows) == 0 {
		return nil
	}
	slices.SortFunc(rows, func(a, b []any) int {
		return cmp.Or(cmp.Compare(a[1].(listing.Kind), b[1].(listing.Kind)), cmp.Compare(a[2].(string), b[2].(string)),
			a[3].(time.Time).Compare(b[3].(time.Time)))
	})
	return stored.Listings.Write(ctx, tx, w.dialect, rows)
}

// lockVariants locks the rows of variants that units will change.
func (w *writer) lockVariants(ctx context.Context, tx *ent.Tx, units []*unit) error {
	all := joined(units)
	products := append(all.change.Changed, all.change.Offered...)
	err := lockVariants(ctx, tx, "NO KEY UPDATE", w.tenant, all.variants, products)
	if err == nil && w.im != nil {
		err = w.im.settleStock(ctx, tx, units)
	}
	return err
}

// lockVariants locks the rows of variants, and of those of products, in the order of their ids, as a checkout
// does, to avoid deadlocks. Whoever deletes them locks them for UPDATE: then nobody puts one into a cart meanwhile. On
// SQLite a transaction locks the whole file.
func lockVariants(
	ctx context.Context, tx *ent.Tx, strength sql.LockStrength, tenant uuid.UUID, ids, products []uuid.UUID,
) error {
	if tx.Raw().Dialect() != dialect.Postgres || len(ids)+len(products) == 0 {
		return nil
	}
	_, err := tx.Variant.Query().Modify(func(s *sql.Selector) {
		s.Where(sql.P(func(b *sql.Builder) {
			// A union: with two conditions joined by OR PostgreSQL would scan every variant. IS TRUE: otherwise it
			// would use an index that begins with the shop, and scan all variants of the shop.
			own := func(column string, ids []uuid.UUID) {
				b.WriteString("SELECT own.id FROM variants own WHERE (own.tenant_id = ").Arg(tenant).
					WriteString(") IS TRUE AND ").Join(stored.AmongList(column, ids))
			}
			b.WriteString(s.C(variant.FieldID) + " IN (")
			own("own.id", ids)
			b.WriteString(" UNION ")
			own("own.product_id", products)
			b.WriteString(")")
		}))
		s.OrderBy(s.C(variant.FieldID)).For(strength)
	}).Select(variant.FieldID).All(tenancy.In(ctx, tenant))
	return err
}

// rowOf completes the values of a record by its tenant and its times, and returns them.
func (im *importer) rowOf(t *stored.Table, values []any) []any {
	now := im.writtenAt()
	for i, c := range t.Columns {
		switch at, _ := values[i].(time.Time); {
		case c.Name == "tenant_id":
			values[i] = im.tenant
		case c.Name == "updated_at", c.Name == "created_at" && at.IsZero():
			values[i] = now
		}
	}
	return values
}

// writtenAt returns the updated_at of written rows.
func (im *importer) writtenAt() time.Time {
	if im.edit != nil {
		return im.edit.at
	}
	return time.Now().UTC().Truncate(time.Microsecond)
}
