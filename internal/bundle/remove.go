package bundle

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/blog"
	"storefront/ent/category"
	"storefront/ent/comment"
	"storefront/ent/expertreview"
	"storefront/ent/orderitem"
	"storefront/ent/portfolio"
	"storefront/ent/predicate"
	"storefront/ent/product"
	"storefront/ent/userproduct"
	"storefront/ent/variant"
	"storefront/internal/audit"
	"storefront/internal/derive"
	"storefront/internal/fault"
	"storefront/internal/record"
)

// Remove deletes a record with all that belongs to it. It refuses records to which orders or other records
// refer.
type Remove struct {
	Action  string            // the name of the mutation, for the audit log
	Section string            // of the bundle, or "variants"
	Key     map[string]string // the members that identify the record
	Owner   *uuid.UUID        // the customer who deletes an own listing; nil: staff, with an entry in the audit log
}

// Apply deletes the record of a tenant, with its entry in the audit log, in one transaction.
func (r Remove) Apply(ctx context.Context, client *ent.Client, tenant uuid.UUID) error {
	return inShop(ctx, client, tenant, nil, func(ctx context.Context, tx *ent.Tx) error {
		err := r.in(ctx, tx, tenant)
		if err != nil && r.Owner == nil {
			err = NowCalled(ctx, tx.Client(), SlugKind(r.Section, r.Key), r.Key["slug"], err)
		}
		if err != nil {
			return err
		}
		return derive.Raise(ctx, tx, tenant)
	})
}

// in deletes the record in a transaction that holds the lock of the shop's content. It checks the rights of
// staff before it writes.
func (r Remove) in(ctx context.Context, tx *ent.Tx, tenant uuid.UUID) error {
	kind := kinds[r.Section]
	gone, err := kind.one(ctx, tx.Client(), keyIs(r.Key))
	if err != nil {
		return err
	}
	listing, ok := gone.row.(*ent.UserProduct)
	if r.Owner != nil && (!ok || listing.UserID == nil || *listing.UserID != *r.Owner) {
		return fault.New(fault.NotFound, "there is no such record")
	}
	var (
		variants []*ent.Variant                            // of a product: they are deleted with it
		changed  = []uuid.UUID{gone.id}                    // the records whose derived data must be updated
		refers   []func(ctx context.Context) (bool, error) // report whether others refer to it
		why      *fault.Error                              // the refusal then
		groups   string                                    // the section of groups that may contain it
		items    = []uuid.UUID{gone.id}                    // of these groups
	)
	switch row := gone.row.(type) {
	case *ent.Product:
		if err := lockVariants(ctx, tx, tenant, nil, changed); err != nil { // no order takes one meanwhile
			return err
		}
		variants, err = tx.Variant.Query().Where(variant.ProductID(row.ID)).Order(variant.ByID()).All(ctx)
		if err != nil {
			return err
		}
		items = nil
		for _, v := range variants {
			items = append(items, v.ID)
		}
		refers = append(refers, tx.OrderItem.Query().
			Where(orderitem.Or(orderitem.ProductID(row.ID), orderitem.StoreItemVariantIDIn(items...))).Exist)
		why = fault.New(fault.Conflict, "an order refers to it; archive it instead")
		groups = "specials"
	case *ent.Variant:
		if err := lockVariants(ctx, tx, tenant, items, nil); err != nil {
			return err
		}
		changed = []uuid.UUID{row.ProductID}
		refers = append(refers, tx.OrderItem.Query().Where(orderitem.StoreItemVariantID(row.ID)).Exist)
		why = fault.New(fault.Conflict, "an order refers to it; take it off sale instead")
		groups = "specials"
	case *ent.Category:
		changed = nil
		refers = append(refers, tx.Category.Query().Where(category.ParentID(row.ID)).Exist,
			tx.Product.Query().Where(product.CategoryID(row.ID)).Exist,
			tx.UserProduct.Query().Where(userproduct.CategoryID(row.ID)).Exist,
			tx.Blog.Query().Where(blog.CategoryID(row.ID)).Exist,
			tx.Portfolio.Query().Where(portfolio.CategoryID(row.ID)).Exist)
		why = fault.New(fault.Conflict, "there are others in it; give them another category first")
		groups = "categoryGroups"
	case *ent.Brand:
		changed = nil
		refers = append(refers, tx.Product.Query().Where(product.BrandID(row.ID)).Exist)
		why = fault.New(fault.Conflict, "there are products of it; give them another brand first")
		groups = "brandGroups"
	case *ent.Slider, *ent.CategoryGroup, *ent.BrandGroup, *ent.StoreSpecial:
		changed = nil
	}
	for _, exist := range refers {
		if others, err := exist(ctx); err != nil {
			return err
		} else if others {
			return why
		}
	}
	if err := removeOpinions(ctx, tx, tenant, kind, gone.id); err != nil {
		return err
	}
	left, err := leave(ctx, tx, tenant, groups, items)
	if err != nil {
		return err
	}
	if err := kind.table.remove(ctx, tx, tenant, gone.id); err != nil {
		return err
	}
	if err := forgetSlugs(ctx, tx, gone.id); err != nil {
		return err
	}
	change := derive.Change{Changed: changed}
	if err := derive.Records(ctx, tx, tx.Raw().Dialect(), tenant, change); err != nil || r.Owner != nil {
		return err
	}
	changes := []audit.Change{{Kind: kind.name, ID: gone.id, Before: gone.row}}
	for _, v := range variants {
		changes = append(changes, audit.Change{Kind: "variant", ID: v.ID, Before: v})
	}
	return audit.Record(ctx, tx, r.Action, append(changes, left...)...)
}

// removeOpinions deletes the comments on a record, and what staff said of those who wrote its comments and reviews.
func removeOpinions(ctx context.Context, tx *ent.Tx, tenant uuid.UUID, kind kind, id uuid.UUID) error {
	on := []predicate.Comment{comment.EntityTypeEQ(record.EntityType(kind.name)), comment.EntityID(id)}
	opinions, err := tx.Comment.Query().Where(on...).IDs(ctx)
	if err != nil {
		return err
	}
	if kind.table == productTable {
		reviews, err := tx.ExpertReview.Query().Where(expertreview.ProductIDIn(id)).IDs(ctx)
		if err != nil {
			return err
		}
		opinions = append(opinions, reviews...)
	}
	if err := audit.Forget(ctx, tx, tenant, uuid.Nil, opinions...); err != nil {
		return err
	}
	_, err = tx.Comment.Delete().Where(on...).Exec(ctx)
	return err
}

// leave removes deleted records from the groups or specials of the home page, and returns the changes of
// those that contained one, for the audit log.
func leave(ctx context.Context, tx *ent.Tx, tenant uuid.UUID, groups string, gone []uuid.UUID) (
	changes []audit.Change, err error,
) {
	if groups == "" {
		return nil, nil
	}
	kind := kinds[groups]
	all, err := kind.find(ctx, tx.Client(), func(*sql.Selector) {})
	for _, one := range all {
		ids := one.row.Stored()["item_ids"].([]uuid.UUID)
		rest := slices.DeleteFunc(slices.Clone(ids), func(id uuid.UUID) bool { return slices.Contains(gone, id) })
		if len(rest) == len(ids) {
			continue
		}
		text, err := json.Marshal(rest)
		if err == nil {
			now := time.Now().UTC().Truncate(time.Microsecond)
			err = kind.table.set(ctx, tx, tenant, one.id, "item_ids", text, now)
		}
		if err != nil {
			return nil, err
		}
		changes = append(changes, kind.changed(one, "itemIds", rest))
	}
	return changes, err
}
