package edit

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/blog"
	"storefront/ent/cartitem"
	"storefront/ent/category"
	"storefront/ent/comment"
	"storefront/ent/expertreview"
	"storefront/ent/favorite"
	"storefront/ent/orderitem"
	"storefront/ent/portfolio"
	"storefront/ent/predicate"
	"storefront/ent/product"
	shop "storefront/ent/tenant"
	"storefront/ent/userproduct"
	"storefront/ent/variant"
	"storefront/internal/content/derive"
	"storefront/internal/content/stored"
	"storefront/internal/fault"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
	"storefront/internal/shop/audit"
)

// Remove deletes a record with all that belongs to it. It refuses records to which orders or other records
// refer, and those about which customers have written. Lines of carts stay, without their variant.
type Remove struct {
	Action    string            // the name of the mutation, for the audit log
	Section   string            // of the bundle, or "variants"
	Key       map[string]string // the members that identify the record
	CountOnly bool              // nothing is deleted
	Owner     *uuid.UUID        // the customer who deletes an own listing; nil: staff, with an entry in the audit log
}

// DeletedWith counts the records that are deleted together with another one.
type DeletedWith struct {
	Variants      int `json:"variants"`
	Favorites     int `json:"favorites"`
	Comments      int `json:"comments"` // of visitors without an account, like reviews
	ExpertReviews int `json:"expertReviews"`
}

// Apply deletes the record of a tenant, with its entry in the audit log, in one transaction.
func (r Remove) Apply(ctx context.Context, client *ent.Client, tenant uuid.UUID) (with DeletedWith, err error) {
	err = derive.InShop(ctx, client, tenant, func(ctx context.Context, tx *ent.Tx) (err error) {
		with, err = r.in(ctx, tx, tenant)
		if err != nil && r.Owner == nil {
			err = stored.NowCalled(ctx, tx.Client(), stored.SlugKind(r.Section, r.Key), r.Key["slug"], err)
		}
		if err != nil || r.CountOnly {
			return err
		}
		return derive.Raise(ctx, tx, tenant)
	})
	return with, err
}

// in deletes the record in a transaction that holds the lock of the shop's content. The caller raises its version.
func (r Remove) in(ctx context.Context, tx *ent.Tx, tenant uuid.UUID) (with DeletedWith, err error) {
	kind := stored.Kinds[r.Section]
	gone, err := kind.One(ctx, tx.Client(), stored.KeyIs(r.Key))
	if err != nil {
		return with, err
	}
	listing, ok := gone.Row.(*ent.UserProduct)
	if r.Owner != nil && (!ok || listing.UserID == nil || *listing.UserID != *r.Owner) {
		return with, fault.New(fault.NotFound, "there is no such record")
	}
	tied, err := r.ties(ctx, tx, gone)
	if err != nil {
		return with, err
	}
	said := comment.And(comment.EntityTypeEQ(record.EntityType(kind.Name)), comment.EntityID(gone.ID))
	if with, err = r.with(ctx, tx, said, gone, tied.variants); err != nil || r.CountOnly {
		return with, err
	}
	if err := keepInCarts(ctx, tx, gone.Row, tied.variants); err != nil {
		return with, err
	}
	if with.Comments+with.ExpertReviews > 0 {
		if err := removeOpinions(ctx, tx, tenant, said, gone); err != nil {
			return with, err
		}
	}
	left, err := leave(ctx, tx, tenant, tied.groups, tied.items)
	if err != nil {
		return with, err
	}
	if err := kind.Table.Remove(ctx, tx, gone.ID); err != nil {
		return with, err
	}
	if err := forgetSlugs(ctx, tx, gone.ID); err != nil {
		return with, err
	}
	if r.Section == "deliveryMethods" || r.Section == "taxRates" {
		if err := derive.RaiseSale(ctx, tx, shop.ID(tenant)); err != nil {
			return with, err
		}
	}
	change := derive.Change{Changed: tied.changed}
	if _, err := derive.Records(ctx, tx, tenant, change); err != nil || r.Owner != nil {
		return with, err
	}
	before, err := audit.Snapshot(gone.Row)
	if err != nil {
		return with, err
	}
	if with != (DeletedWith{}) {
		before["deletedWith"], _ = json.Marshal(with) // never fails for numbers
	}
	changes := []audit.Change{{Kind: kind.Name, ID: gone.ID, Before: before}}
	for _, v := range tied.variants {
		changes = append(changes, audit.Change{Kind: "variant", ID: v.ID, Before: v})
	}
	return with, audit.Record(ctx, tx, r.Action, append(changes, left...)...)
}

// ties are what connects a record that is to be deleted with others.
type ties struct {
	variants []*ent.Variant // of a product: they are deleted with it
	changed  []uuid.UUID    // the records whose derived data must be updated
	groups   string         // the section of groups that may contain it
	items    []uuid.UUID    // of these groups
}

// ties returns what connects a record with others, and fails with CONFLICT if some refer to it.
func (r Remove) ties(ctx context.Context, tx *ent.Tx, gone stored.Record) (t ties, err error) {
	t = ties{changed: []uuid.UUID{gone.ID}, items: []uuid.UUID{gone.ID}}
	var refers []func(ctx context.Context) (bool, error) // report whether others refer to it
	var why *fault.Error                                 // the refusal then
	switch row := gone.Row.(type) {
	case *ent.Product:
		if !r.CountOnly { // a question holds up no customer
			if err := stored.LockVariants(ctx, tx, sql.LockUpdate, nil, t.changed); err != nil {
				return t, err
			}
		}
		t.variants, err = tx.Variant.Query().Where(variant.ProductID(row.ID)).Order(variant.ByID()).All(ctx)
		if err != nil {
			return t, err
		}
		t.items = convert.All(t.variants, func(v *ent.Variant) uuid.UUID { return v.ID })
		refers = append(refers, tx.OrderItem.Query().
			Where(orderitem.Or(orderitem.ProductID(row.ID), orderitem.StoreItemVariantIDIn(t.items...))).Exist)
		why = fault.New(fault.Conflict, "an order refers to it; archive it instead")
		t.groups = "specials"
	case *ent.Variant:
		if !r.CountOnly {
			if err := stored.LockVariants(ctx, tx, sql.LockUpdate, t.items, nil); err != nil {
				return t, err
			}
		}
		t.changed = []uuid.UUID{row.ProductID}
		refers = append(refers, tx.OrderItem.Query().Where(orderitem.StoreItemVariantID(row.ID)).Exist)
		why = fault.New(fault.Conflict, "an order refers to it; take it off sale instead")
		t.groups = "specials"
	case *ent.Category:
		t.changed = nil
		refers = append(refers, tx.Category.Query().Where(category.ParentID(row.ID)).Exist,
			tx.Product.Query().Where(product.CategoryID(row.ID)).Exist,
			tx.UserProduct.Query().Where(userproduct.CategoryID(row.ID)).Exist,
			tx.Blog.Query().Where(blog.CategoryID(row.ID)).Exist,
			tx.Portfolio.Query().Where(portfolio.CategoryID(row.ID)).Exist)
		why = fault.New(fault.Conflict, "there are others in it; give them another category first")
		t.groups = "categoryGroups"
	case *ent.Brand:
		t.changed = nil
		refers = append(refers, tx.Product.Query().Where(product.BrandID(row.ID)).Exist)
		why = fault.New(fault.Conflict, "there are products of it; give them another brand first")
		t.groups = "brandGroups"
	case *ent.Slider, *ent.CategoryGroup, *ent.BrandGroup, *ent.StoreSpecial, *ent.DeliveryMethod,
		*ent.TaxRate:
		t.changed = nil
	}
	for _, exist := range refers {
		if others, err := exist(ctx); err != nil {
			return t, err
		} else if others {
			return t, why
		}
	}
	return t, nil
}

// with counts the records that are deleted together with a record. It fails with CONFLICT if a customer has written
// about the record.
func (r Remove) with(
	ctx context.Context, tx *ent.Tx, said predicate.Comment, gone stored.Record, variants []*ent.Variant,
) (with DeletedWith, err error) {
	with.Variants = len(variants)
	customers := false
	if with.Comments, err = tx.Comment.Query().Where(said).Count(ctx); err == nil && with.Comments > 0 {
		customers, err = tx.Comment.Query().Where(said, comment.UserIDNotNil()).Exist(ctx)
	}
	if _, is := gone.Row.(*ent.Product); is && err == nil {
		reviews := tx.ExpertReview.Query().Where(expertreview.ProductID(gone.ID))
		with.ExpertReviews, err = reviews.Clone().Count(ctx)
		if err == nil && with.ExpertReviews > 0 && !customers {
			customers, err = reviews.Where(expertreview.UserIDNotNil()).Exist(ctx)
		}
		if err == nil {
			with.Favorites, err = tx.Favorite.Query().Where(favorite.ProductID(gone.ID)).Count(ctx)
		}
	}
	if err == nil && customers {
		err = fault.New(fault.Conflict, "a customer has written about it; archive it instead")
	}
	return with, err
}

// keepInCarts copies what carts show of variants into their lines, before the variants are deleted.
func keepInCarts(ctx context.Context, tx *ent.Tx, gone stored.Row, variants []*ent.Variant) error {
	var of *ent.Product
	switch row := gone.(type) {
	case *ent.Product:
		of = row
	case *ent.Variant:
		var err error
		if of, err = tx.Product.Get(ctx, row.ProductID); err != nil {
			return err
		}
		variants = []*ent.Variant{row}
	}
	ids := convert.All(variants, func(v *ent.Variant) uuid.UUID { return v.ID })
	var lines []*ent.CartItem
	if len(ids) > 0 {
		var err error
		lines, err = tx.CartItem.Query().Unique(true).Where(stored.Among(cartitem.FieldVariantID, ids)).
			Select(cartitem.FieldVariantID).All(ctx)
		if err != nil {
			return err
		}
	}
	for _, line := range lines {
		v := variants[slices.Index(ids, *line.VariantID)]
		was := &record.GoneVariant{
			ID: v.ID, Product: of.ID, Slug: of.Slug, TitleFa: of.TitleFa, TitleEn: of.TitleEn, Sku: v.Sku,
			Options: record.OptionsOf(of.Variations, v.Options), Image: record.First(of.Images),
			Currency: v.PriceCurrency,
		}
		if v.ImageURL != nil {
			was.Image = record.WithURL(of.Images, *v.ImageURL, v.ID.String())
		}
		err := tx.CartItem.Update().Where(cartitem.VariantID(v.ID)).ClearVariantID().SetGone(was).Exec(ctx)
		if err != nil {
			return err
		}
	}
	return nil
}

// removeOpinions deletes the comments on a record, and the words of staff about their authors from the audit log.
func removeOpinions(
	ctx context.Context, tx *ent.Tx, tenant uuid.UUID, said predicate.Comment, gone stored.Record,
) error {
	opinions, err := tx.Comment.Query().Where(said).IDs(ctx)
	if err != nil {
		return err
	}
	if _, is := gone.Row.(*ent.Product); is {
		reviews, err := tx.ExpertReview.Query().Where(expertreview.ProductID(gone.ID)).IDs(ctx)
		if err != nil {
			return err
		}
		opinions = append(opinions, reviews...)
	}
	if err := audit.Forget(ctx, tx, tenant, uuid.Nil, opinions...); err != nil {
		return err
	}
	_, err = tx.Comment.Delete().Where(said).Exec(ctx)
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
	kind := stored.Kinds[groups]
	all, err := kind.Find(ctx, tx.Client(), func(*sql.Selector) {})
	for _, one := range all {
		ids := one.Row.Stored()["item_ids"].([]uuid.UUID)
		rest := slices.DeleteFunc(slices.Clone(ids), func(id uuid.UUID) bool { return slices.Contains(gone, id) })
		if len(rest) == len(ids) {
			continue
		}
		text, err := json.Marshal(rest)
		if err == nil {
			now := time.Now().UTC().Truncate(time.Microsecond)
			err = kind.Table.Set(ctx, tx, one.ID, now, "item_ids", json.RawMessage(text))
		}
		if err != nil {
			return nil, err
		}
		changes = append(changes, kind.Changed(one, "itemIds", rest))
	}
	return changes, err
}
