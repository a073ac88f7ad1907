package bundle

import (
	"context"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/movedslug"
	"storefront/internal/content/derive"
	"storefront/internal/fault"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
	"storefront/internal/shop/audit"
)

// ChangeSlug gives a record another slug, and remembers the old one.
type ChangeSlug struct {
	Action   string // the name of the mutation, for the audit log
	Kind     record.SlugKind
	From, To string
}

// Apply changes the slug in one transaction, with its entry in the audit log.
func (c ChangeSlug) Apply(ctx context.Context, client *ent.Client, tenant uuid.UUID) (edited Edited, err error) {
	to, err := newSlug(c.To)
	if err != nil {
		return edited, err
	}
	err = inShop(ctx, client, tenant, nil, func(ctx context.Context, tx *ent.Tx) error {
		section, key := slugKey(c.Kind, c.From)
		kind := kinds[section]
		found, err := kind.one(ctx, tx.Client(), keyIs(key))
		if err != nil {
			return NowCalled(ctx, tx.Client(), c.Kind, c.From, err)
		}
		edited = Edited{ID: found.id, Version: VersionOf(found.updatedAt)}
		if to == c.From {
			return nil
		}
		_, key = slugKey(c.Kind, to)
		if others, err := kind.find(ctx, tx.Client(), keyIs(key)); err != nil {
			return err
		} else if len(others) > 0 {
			return fault.New(fault.Conflict, "there is one of this slug already")
		}
		at := time.Now().UTC().Truncate(time.Microsecond)
		if !at.After(found.updatedAt) { // the clock was set back or has stopped
			at = found.updatedAt.UTC().Add(time.Microsecond)
		}
		if err := kind.table.set(ctx, tx, editedRow{tenant, found.id, at}, "slug", to); err != nil {
			return err
		}
		edited.Version = VersionOf(at)
		if err := c.remember(ctx, tx, found.id, to); err != nil {
			return err
		}
		if err := audit.Record(ctx, tx, c.Action, kind.changed(found, "slug", to)); err != nil {
			return err
		}
		return derive.Raise(ctx, tx, tenant)
	})
	return edited, err
}

// remember stores the former slug of a record. It deletes the new slug from the former slugs of other
// records, and the oldest former slugs of the record beyond mostMoved.
func (c ChangeSlug) remember(ctx context.Context, tx *ent.Tx, id uuid.UUID, to string) error {
	_, err := tx.MovedSlug.Delete().Where(movedslug.Kind(string(c.Kind)), movedslug.SlugIn(c.From, to)).Exec(ctx)
	if err != nil {
		return err
	}
	had, err := tx.MovedSlug.Query().Where(movedslug.RecordIDIn(id)).
		Order(sql.OrderByField(movedslug.FieldCreatedAt, sql.OrderDesc()).ToFunc(),
			sql.OrderByField(movedslug.FieldID, sql.OrderDesc()).ToFunc()).All(ctx)
	if err != nil {
		return err
	}
	oldest := convert.All(had[min(len(had), mostMoved-1):], func(row *ent.MovedSlug) string { return row.Slug })
	if len(oldest) > 0 {
		_, err := tx.MovedSlug.Delete().Where(movedslug.Kind(string(c.Kind)), movedslug.SlugIn(oldest...)).Exec(ctx)
		if err != nil {
			return err
		}
	}
	return tx.MovedSlug.Create().SetKind(string(c.Kind)).SetSlug(c.From).SetRecordID(id).Exec(ctx)
}

// forgetSlugs deletes the former slugs of deleted records.
func forgetSlugs(ctx context.Context, tx *ent.Tx, ids ...uuid.UUID) error {
	_, err := tx.MovedSlug.Delete().Where(movedslug.RecordIDIn(ids...)).Exec(ctx)
	return err
}

// newSlug returns a slug that staff have chosen. It fails with a fault of the member newSlug.
func newSlug(text string) (string, error) {
	faults := Faults{}
	named := &node{kind: jsontext.KindString, text: text, parent: &node{}, name: "slug", index: -1}
	o := &object{node: &node{children: []*node{named}, index: -1}, faults: &faults, strict: true}
	slug := o.slug()
	var bad fault.Fields
	for _, one := range faults.List {
		bad.AddText("newSlug", one.Text())
	}
	return slug, bad.Err()
}
