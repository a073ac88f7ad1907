package personal

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/idempotencykey"
	"storefront/ent/mediafile"
	"storefront/ent/movedslug"
	"storefront/ent/order"
	"storefront/ent/receipt"
	"storefront/ent/tenant"
	"storefront/internal/content/derive"
	"storefront/internal/database"
	"storefront/internal/database/tenancy"
	"storefront/internal/event/outbox"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
	"storefront/internal/shop/audit"
)

// nobody is the name shown for an author who was erased, in the language of a shop.
var nobody = map[string]string{"fa": "ناشناس", "en": "Anonymous"}

func (w *walker) forget(ctx context.Context, tx *ent.Tx, shop uuid.UUID) (erased Figures, err error) {
	ctx = tenancy.In(ctx, shop)
	if err := derive.Lock(ctx, tx, shop); err != nil {
		return erased, err
	}
	// as those do who change an order, before its payment
	orders, err := tx.Order.Query().Where(order.UserID(w.id)).Order(order.ByID()).Modify(database.ForUpdate).
		Select(order.FieldID, order.FieldCreatedAt).All(ctx)
	if err != nil {
		return erased, err
	}
	placed := convert.All(orders, func(o *ent.Order) time.Time { return o.CreatedAt })
	found, _, err := w.find(ctx, shop)
	if err != nil {
		return erased, err
	}
	if err := w.forgetRows(ctx, tx, shop, found); err != nil {
		return erased, err
	}
	if err := outbox.PutErased(ctx, tx.Raw(), shop, record.Now(), placed...); err != nil {
		return erased, err
	}
	signed := slices.Concat(found["comments"], found["expert_reviews"])
	if err := audit.Forget(ctx, tx, shop, w.id, signed...); err != nil {
		return erased, err
	}
	// an answer may show an address; the request still counts as done
	err = tx.IdempotencyKey.Update().Where(idempotencykey.UserID(w.id)).ClearAnswer().SetSize(0).Exec(ctx)
	if erased = found.figures(); err != nil || erased.Opinions+erased.Listings == 0 {
		return erased, err
	}
	return erased, derive.Raise(ctx, tx, shop)
}

// forgetRows deletes or changes rows of a shop as ent/schema says, those that belong to others first.
func (w *walker) forgetRows(ctx context.Context, tx *ent.Tx, shop uuid.UUID, theirs rows) error {
	if err := w.forgetFiles(ctx, tx); err != nil {
		return err
	}
	of, err := tx.Tenant.Query().Where(tenant.ID(shop)).Select(tenant.FieldDefaultLocale).Only(ctx)
	if err != nil {
		return err
	}
	for _, t := range slices.Backward(tables) {
		text, args := change(t, tx.Raw().Dialect(), nobody[of.DefaultLocale])
		if text == "" {
			continue
		}
		args = append(args, shop)
		text += fmt.Sprintf(" WHERE %s = $%d AND ", shopColumn(t), len(args))
		for some := range slices.Chunk(theirs[t.Name], together) {
			condition, all := isIn("id", some, args)
			if _, err := tx.ExecContext(ctx, text+condition, all...); err != nil {
				return fmt.Errorf("erase a person from %s: %w", t.Name, err)
			}
		}
	}
	listings := theirs["user_products"]
	if len(listings) == 0 {
		return nil
	}
	if _, err := tx.MovedSlug.Delete().Where(movedslug.RecordIDIn(listings...)).Exec(ctx); err != nil { // from titles
		return err
	}
	_, err = derive.Records(ctx, tx, shop, derive.Change{Changed: listings})
	return err
}

// change returns the beginning of the statement that erases a person from rows of a shop's table, "" if these stay
// as they are.
func change(t *ent.Table, kind, nobody string) (text string, args []any) {
	p := t.Personal
	if shopColumn(t) == "" || !p.Deleted && p.Cleared == nil {
		return "", nil
	}
	if p.Deleted {
		return "DELETE FROM " + t.Name, nil
	}
	args = []any{record.Now()}
	set := []string{"updated_at = $1"}
	for _, column := range p.Cleared {
		set = append(set, column+" = NULL")
	}
	if p.Nameless != "" {
		args = append(args, nobody)
		set = append(set, p.Nameless+" = $2")
	}
	for _, column := range slices.Sorted(maps.Keys(p.Reduced)) {
		var members []string
		for _, name := range p.Reduced[column] {
			from := "CAST(" + column + " AS text)"
			if kind == dialect.Postgres {
				from = column
			}
			members = append(members, fmt.Sprintf("'%s', %s ->> '%[1]s'", name, from))
		}
		object := map[string]string{dialect.Postgres: "jsonb_build_object", dialect.SQLite: "json_object"}[kind]
		set = append(set, column+" = "+object+"("+strings.Join(members, ", ")+")")
	}
	return "UPDATE " + t.Name + " SET " + strings.Join(set, ", "), args
}

// forgetFiles lets the next sweep remove the files of the person's images and receipts in a shop.
func (w *walker) forgetFiles(ctx context.Context, tx *ent.Tx) error {
	receipts, err := tx.Receipt.Query().Where(receipt.UserID(w.id)).Order(receipt.ByID()).All(ctx)
	if err != nil {
		return err
	}
	for _, r := range receipts {
		prefix := record.ReceiptFolder(r.TenantID, r.ID)
		if err := tx.FileRemoval.Create().SetPrefix(prefix).SetDueAt(r.CreatedAt).Exec(ctx); err != nil {
			return err
		}
	}
	files, err := tx.MediaFile.Query().Where(mediafile.UserID(w.id)).Order(mediafile.ByID()).All(ctx)
	if err != nil {
		return err
	}
	for _, f := range files {
		address, ok := record.ParseMediaAddress(f.Address)
		if !ok {
			return fmt.Errorf("personal: %q is no address of an image", f.Address)
		}
		if err := tx.FileRemoval.Create().SetPrefix(address.Folder()).SetDueAt(f.CreatedAt).Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}
