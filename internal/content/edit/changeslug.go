package edit

import (
	"context"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/movedslug"
	"storefront/internal/content/derive"
	"storefront/internal/content/document"
	"storefront/internal/content/stored"
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
	err = derive.InShop(ctx, client, tenant, func(ctx context.Context, tx *ent.Tx) error {
		section, key := stored.SlugKey(c.Kind, c.From)
		kind := stored.Kinds[section]
		found, err := kind.One(ctx, tx.Client(), stored.KeyIs(key))
		if err != nil {
			return stored.NowCalled(ctx, tx.Client(), c.Kind, c.From, err)
		}
		edited = Edited{ID: found.ID, Version: stored.VersionOf(found.UpdatedAt)}
		if to == c.From {
			return nil
		}
		_, key = stored.SlugKey(c.Kind, to)
		if others, err := kind.Find(ctx, tx.Client(), stored.KeyIs(key)); err != nil {
			return err
		} else if len(others) > 0 {
			return fault.New(fault.Conflict, "there is one of this slug already")
		}
		at := time.Now().UTC().Truncate(time.Microsecond)
		if !at.After(found.UpdatedAt) { // the clock was set back or has stopped
			at = found.UpdatedAt.UTC().Add(time.Microsecond)
		}
		if err := kind.Table.Set(ctx, tx, found.ID, at, "slug", to); err != nil {
			return err
		}
		edited.Version = stored.VersionOf(at)
		if err := c.remember(ctx, tx, found.ID, to); err != nil {
			return err
		}
		if err := audit.Record(ctx, tx, c.Action, kind.Changed(found, "slug", to)); err != nil {
			return err
		}
		return derive.Raise(ctx, tx, tenant)
	})
	return edited, err
}

// mostMoved is how many former slugs of a record are remembered: the newest ones.
const mostMoved = 20

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
	o := document.Of("slug", text)
	slug := o.Slug()
	var bad fault.Fields
	for _, one := range o.Faults.List {
		bad.AddText("newSlug", one.Text())
	}
	return slug, bad.Err()
}
