package bundle

import (
	"context"
	"fmt"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/category"
	"storefront/ent/movedslug"
	"storefront/internal/fault"
	"storefront/internal/record"
)

// NowCalled returns the error of a look-up by slug. If nothing was found but a record had the slug before,
// the error names its present slug. It is for staff, since the record may not be published.
func NowCalled(ctx context.Context, client *ent.Client, kind record.SlugKind, slug string, err error) error {
	if ent.IsNotFound(err) {
		err = fault.Wrap(fault.NotFound, err, "there is no such record")
	}
	if !fault.Is(err, fault.NotFound) {
		return err
	}
	was, failed := client.MovedSlug.Query().Where(movedslug.Kind(string(kind)), movedslug.Slug(slug)).
		Select(movedslug.FieldRecordID).Only(ctx)
	if ent.IsNotFound(failed) {
		return err
	}
	if failed != nil {
		return failed
	}
	now, failed := findSlugged(ctx, client, kind, sql.FieldEQ("id", was.RecordID))
	if ent.IsNotFound(failed) {
		return err
	}
	if failed != nil {
		return failed
	}
	return fault.Moved(err, now.slug)
}

// nowCalled is NowCalled for a record identified by its section and key.
func nowCalled(ctx context.Context, client *ent.Client, section string, key map[string]string, err error) error {
	if kind := SlugKind(section, key); kind != "" {
		return NowCalled(ctx, client, kind, key["slug"], err)
	}
	return err
}

// SlugKind returns the kind of a record identified by its section and key, or "" if it has no slug.
func SlugKind(section string, key map[string]string) record.SlugKind {
	if section == "categories" {
		return record.SlugCategory(record.EntityType(key["entityType"]))
	}
	return slugKinds[section]
}

// slugKinds are the kinds of records by section, except categories.
var slugKinds = map[string]record.SlugKind{
	"products": record.SlugProduct, "userProducts": record.SlugUserProduct, "blogs": record.SlugBlog,
	"portfolios": record.SlugPortfolio, "brands": record.SlugBrand,
}

// slugged is a record with a slug.
type slugged struct {
	kind      string // in the audit log
	id        uuid.UUID
	slug      string
	updatedAt time.Time
	row       any
	rename    func(to string, at time.Time) (after any, err error)
}

// findSlugged finds a record of a kind.
func findSlugged(
	ctx context.Context, client *ent.Client, kind record.SlugKind, where func(*sql.Selector),
) (slugged, error) {
	switch kind {
	case record.SlugProduct:
		row, err := client.Product.Query().Where(where).Only(ctx)
		if err != nil {
			return slugged{}, err
		}
		return slugged{kind: "product", id: row.ID, slug: row.Slug, updatedAt: row.UpdatedAt, row: row,
			rename: func(to string, at time.Time) (any, error) {
				return client.Product.UpdateOne(row).SetSlug(to).SetUpdatedAt(at).Save(ctx)
			}}, nil
	case record.SlugUserProduct:
		row, err := client.UserProduct.Query().Where(where).Only(ctx)
		if err != nil {
			return slugged{}, err
		}
		return slugged{kind: "userProduct", id: row.ID, slug: row.Slug, updatedAt: row.UpdatedAt, row: row,
			rename: func(to string, at time.Time) (any, error) {
				return client.UserProduct.UpdateOne(row).SetSlug(to).SetUpdatedAt(at).Save(ctx)
			}}, nil
	case record.SlugBlog:
		row, err := client.Blog.Query().Where(where).Only(ctx)
		if err != nil {
			return slugged{}, err
		}
		return slugged{kind: "blog", id: row.ID, slug: row.Slug, updatedAt: row.UpdatedAt, row: row,
			rename: func(to string, at time.Time) (any, error) {
				return client.Blog.UpdateOne(row).SetSlug(to).SetUpdatedAt(at).Save(ctx)
			}}, nil
	case record.SlugPortfolio:
		row, err := client.Portfolio.Query().Where(where).Only(ctx)
		if err != nil {
			return slugged{}, err
		}
		return slugged{kind: "portfolio", id: row.ID, slug: row.Slug, updatedAt: row.UpdatedAt, row: row,
			rename: func(to string, at time.Time) (any, error) {
				return client.Portfolio.UpdateOne(row).SetSlug(to).SetUpdatedAt(at).Save(ctx)
			}}, nil
	case record.SlugBrand:
		row, err := client.Brand.Query().Where(where).Only(ctx)
		if err != nil {
			return slugged{}, err
		}
		return slugged{kind: "brand", id: row.ID, slug: row.Slug, updatedAt: row.UpdatedAt, row: row,
			rename: func(to string, at time.Time) (any, error) {
				return client.Brand.UpdateOne(row).SetSlug(to).SetUpdatedAt(at).Save(ctx)
			}}, nil
	}
	of, ok := kind.Category()
	if !ok {
		return slugged{}, fmt.Errorf("bundle: no slugs of %q", kind)
	}
	row, err := client.Category.Query().Where(category.EntityTypeEQ(of), where).Only(ctx)
	if err != nil {
		return slugged{}, err
	}
	return slugged{kind: "category", id: row.ID, slug: row.Slug, updatedAt: row.UpdatedAt, row: row,
		rename: func(to string, at time.Time) (any, error) {
			return client.Category.UpdateOne(row).SetSlug(to).SetUpdatedAt(at).Save(ctx)
		}}, nil
}
