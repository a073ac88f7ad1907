package bundle

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/blog"
	"storefront/ent/brand"
	"storefront/ent/brandgroup"
	"storefront/ent/category"
	"storefront/ent/categorygroup"
	"storefront/ent/comment"
	"storefront/ent/orderitem"
	"storefront/ent/portfolio"
	"storefront/ent/product"
	"storefront/ent/slider"
	"storefront/ent/storespecial"
	"storefront/ent/userproduct"
	"storefront/ent/variant"
	"storefront/internal/audit"
	"storefront/internal/derive"
	"storefront/internal/fault"
	"storefront/internal/record"
	"storefront/internal/tenancy"
	"storefront/internal/transaction"
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
	ctx = tenancy.In(ctx, tenant)
	return transaction.Run(ctx, client, func(tx *ent.Tx) error {
		ctx, err := derive.Lock(ctx, tx, tenant)
		if err != nil {
			return err
		}
		err = r.in(ctx, tx, tenant)
		if err != nil && r.Owner == nil {
			err = nowCalled(ctx, tx.Client(), r.Section, r.Key, err)
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
	gone, err := removers[r.Section](ctx, tx, r.Key)
	if ent.IsNotFound(err) {
		return fault.New(fault.NotFound, "there is no such record")
	}
	if err != nil {
		return err
	}
	listing, ok := gone.row.(*ent.UserProduct)
	if r.Owner != nil && (!ok || listing.UserID == nil || *listing.UserID != *r.Owner) {
		return fault.New(fault.NotFound, "there is no such record")
	}
	if err := forgetSlugs(ctx, tx, gone.id); err != nil {
		return err
	}
	change := derive.Change{Changed: gone.changed}
	if err := derive.Records(ctx, tx, tx.Raw().Dialect(), tenant, change); err != nil || r.Owner != nil {
		return err
	}
	changes := []audit.Change{{Kind: gone.kind, ID: gone.id, Before: gone.row}}
	for _, v := range gone.variants {
		changes = append(changes, audit.Change{Kind: "variant", ID: v.ID, Before: v})
	}
	return audit.Record(ctx, tx, r.Action, append(changes, gone.left...)...)
}

// removed is a deleted record.
type removed struct {
	kind     string
	id       uuid.UUID
	row      any
	variants []*ent.Variant // the variants of a product, deleted with it
	changed  []uuid.UUID    // the records whose derived data must be updated
	left     []audit.Change // of the groups that contained it
}

type remover func(ctx context.Context, tx *ent.Tx, key map[string]string) (removed, error)

var removers = map[string]remover{
	"products":     removeProduct,
	"variants":     removeVariant,
	"categories":   removeCategory,
	"brands":       removeBrand,
	"userProducts": removeUserProduct,
	"blogs":        removeBlog,
	"portfolios":   removePortfolio,
	"sliders": func(ctx context.Context, tx *ent.Tx, key map[string]string) (removed, error) {
		row, err := tx.Slider.Query().Where(slider.Key(key["key"])).Only(ctx)
		if err != nil {
			return removed{}, err
		}
		return removed{kind: "slider", id: row.ID, row: row}, tx.Slider.DeleteOne(row).Exec(ctx)
	},
	"categoryGroups": func(ctx context.Context, tx *ent.Tx, key map[string]string) (removed, error) {
		row, err := tx.CategoryGroup.Query().Where(categorygroup.Key(key["key"])).Only(ctx)
		if err != nil {
			return removed{}, err
		}
		return removed{kind: "categoryGroup", id: row.ID, row: row}, tx.CategoryGroup.DeleteOne(row).Exec(ctx)
	},
	"brandGroups": func(ctx context.Context, tx *ent.Tx, key map[string]string) (removed, error) {
		row, err := tx.BrandGroup.Query().Where(brandgroup.Key(key["key"])).Only(ctx)
		if err != nil {
			return removed{}, err
		}
		return removed{kind: "brandGroup", id: row.ID, row: row}, tx.BrandGroup.DeleteOne(row).Exec(ctx)
	},
	"specials": func(ctx context.Context, tx *ent.Tx, key map[string]string) (removed, error) {
		row, err := tx.StoreSpecial.Query().Where(storespecial.Key(key["key"])).Only(ctx)
		if err != nil {
			return removed{}, err
		}
		return removed{kind: "storeSpecial", id: row.ID, row: row}, tx.StoreSpecial.DeleteOne(row).Exec(ctx)
	},
}

func removeProduct(ctx context.Context, tx *ent.Tx, key map[string]string) (removed, error) {
	row, err := tx.Product.Query().Where(product.Slug(key["slug"])).Only(ctx)
	if err != nil {
		return removed{}, err
	}
	variants, err := lockOffers(ctx, tx, row)
	if err != nil {
		return removed{}, err
	}
	ids := make([]uuid.UUID, len(variants))
	for i, v := range variants {
		ids[i] = v.ID
	}
	ordered, err := tx.OrderItem.Query().
		Where(orderitem.Or(orderitem.ProductID(row.ID), orderitem.StoreItemVariantIDIn(ids...))).Exist(ctx)
	if err != nil {
		return removed{}, err
	}
	if ordered {
		return removed{}, fault.New(fault.Conflict, "an order refers to it; archive it instead")
	}
	if err := removeComments(ctx, tx, record.Product, row.ID); err != nil {
		return removed{}, err
	}
	left, err := leaveSpecials(ctx, tx, ids...)
	if err != nil {
		return removed{}, err
	}
	gone := removed{
		kind: "product", id: row.ID, row: row, variants: variants, changed: []uuid.UUID{row.ID}, left: left,
	}
	return gone, tx.Product.DeleteOne(row).Exec(ctx)
}

// lockOffers locks the variants of a product, so that none is ordered until the transaction ends, and returns
// them.
func lockOffers(ctx context.Context, tx *ent.Tx, p *ent.Product) ([]*ent.Variant, error) {
	locked := &unit{change: derive.Change{Changed: []uuid.UUID{p.ID}}}
	if err := newWriter(tx.Client(), p.TenantID, mostShare).lockVariants(ctx, tx, []*unit{locked}); err != nil {
		return nil, err
	}
	return tx.Variant.Query().Where(variant.ProductID(p.ID)).Order(variant.ByID()).All(ctx)
}

func removeVariant(ctx context.Context, tx *ent.Tx, key map[string]string) (removed, error) {
	row, err := tx.Variant.Query().Where(variant.Sku(key["sku"])).Only(ctx)
	if err != nil {
		return removed{}, err
	}
	locked := &unit{variants: []uuid.UUID{row.ID}}
	if err := newWriter(tx.Client(), row.TenantID, mostShare).lockVariants(ctx, tx, []*unit{locked}); err != nil {
		return removed{}, err
	}
	ordered, err := tx.OrderItem.Query().Where(orderitem.StoreItemVariantID(row.ID)).Exist(ctx)
	if err != nil {
		return removed{}, err
	}
	if ordered {
		return removed{}, fault.New(fault.Conflict, "an order refers to it; take it off sale instead")
	}
	left, err := leaveSpecials(ctx, tx, row.ID)
	if err != nil {
		return removed{}, err
	}
	gone := removed{kind: "variant", id: row.ID, row: row, changed: []uuid.UUID{row.ProductID}, left: left}
	return gone, tx.Variant.DeleteOne(row).Exec(ctx)
}

func removeCategory(ctx context.Context, tx *ent.Tx, key map[string]string) (removed, error) {
	row, err := tx.Category.Query().
		Where(category.EntityTypeEQ(record.EntityType(key["entityType"])), category.Slug(key["slug"])).Only(ctx)
	if err != nil {
		return removed{}, err
	}
	for _, count := range []func(context.Context) (bool, error){
		tx.Category.Query().Where(category.ParentID(row.ID)).Exist,
		tx.Product.Query().Where(product.CategoryID(row.ID)).Exist,
		tx.UserProduct.Query().Where(userproduct.CategoryID(row.ID)).Exist,
		tx.Blog.Query().Where(blog.CategoryID(row.ID)).Exist,
		tx.Portfolio.Query().Where(portfolio.CategoryID(row.ID)).Exist,
	} {
		if some, err := count(ctx); err != nil {
			return removed{}, err
		} else if some {
			return removed{}, fault.New(fault.Conflict, "there are others in it; give them another category first")
		}
	}
	left, err := leaveCategoryGroups(ctx, tx, row.ID)
	if err != nil {
		return removed{}, err
	}
	return removed{kind: "category", id: row.ID, row: row, left: left}, tx.Category.DeleteOne(row).Exec(ctx)
}

func removeBrand(ctx context.Context, tx *ent.Tx, key map[string]string) (removed, error) {
	row, err := tx.Brand.Query().Where(brand.Slug(key["slug"])).Only(ctx)
	if err != nil {
		return removed{}, err
	}
	some, err := tx.Product.Query().Where(product.BrandID(row.ID)).Exist(ctx)
	if err != nil {
		return removed{}, err
	}
	if some {
		return removed{}, fault.New(fault.Conflict, "there are products of it; give them another brand first")
	}
	left, err := leaveBrandGroups(ctx, tx, row.ID)
	if err != nil {
		return removed{}, err
	}
	return removed{kind: "brand", id: row.ID, row: row, left: left}, tx.Brand.DeleteOne(row).Exec(ctx)
}

func removeUserProduct(ctx context.Context, tx *ent.Tx, key map[string]string) (removed, error) {
	row, err := tx.UserProduct.Query().Where(userproduct.Slug(key["slug"])).Only(ctx)
	if err != nil {
		return removed{}, err
	}
	return removed{kind: "userProduct", id: row.ID, row: row, changed: []uuid.UUID{row.ID}},
		tx.UserProduct.DeleteOne(row).Exec(ctx)
}

func removeBlog(ctx context.Context, tx *ent.Tx, key map[string]string) (removed, error) {
	row, err := tx.Blog.Query().Where(blog.Slug(key["slug"])).Only(ctx)
	if err != nil {
		return removed{}, err
	}
	if err := removeComments(ctx, tx, record.Blog, row.ID); err != nil {
		return removed{}, err
	}
	return removed{kind: "blog", id: row.ID, row: row, changed: []uuid.UUID{row.ID}}, tx.Blog.DeleteOne(row).Exec(ctx)
}

func removePortfolio(ctx context.Context, tx *ent.Tx, key map[string]string) (removed, error) {
	row, err := tx.Portfolio.Query().Where(portfolio.Slug(key["slug"])).Only(ctx)
	if err != nil {
		return removed{}, err
	}
	if err := removeComments(ctx, tx, record.Portfolio, row.ID); err != nil {
		return removed{}, err
	}
	return removed{kind: "portfolio", id: row.ID, row: row, changed: []uuid.UUID{row.ID}},
		tx.Portfolio.DeleteOne(row).Exec(ctx)
}

// removeComments deletes the comments on a record.
func removeComments(ctx context.Context, tx *ent.Tx, of record.EntityType, id uuid.UUID) error {
	_, err := tx.Comment.Delete().Where(comment.EntityTypeEQ(of), comment.EntityID(id)).Exec(ctx)
	return err
}
