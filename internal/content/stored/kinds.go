package stored

import (
	"context"
	"encoding/json"
	"maps"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/movedslug"
	"storefront/internal/fault"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
	"storefront/internal/shop/audit"
)

// Kind is a kind of records that have natural keys. Other kinds belong to one of these, or are found by other
// means.
type Kind struct {
	Name  string          // in the audit log
	NewID string          // in the ids of new records
	Slug  record.SlugKind // of records that keep former slugs; empty for others, and for categories: they have several
	Table *Table
	Find  func(ctx context.Context, client *ent.Client, where func(*sql.Selector)) ([]Record, error)
}

// Record is a record of a kind.
type Record struct {
	ID        uuid.UUID
	Key       string
	UpdatedAt time.Time
	Row       Row
}

// Row is a row of package ent.
type Row interface {
	Row() []any
	Stored() map[string]any
}

// VersionOf returns the version of a record by the time of its last edit.
func VersionOf(updatedAt time.Time) string { return updatedAt.UTC().Format(time.RFC3339Nano) }

// Kinds are the kinds by the section of a bundle that has them; variants are members of products.
var Kinds = map[string]Kind{
	"brands": kindOf("brand", "brand", record.SlugBrand, BrandTable,
		func(c *ent.Client) *ent.BrandQuery { return c.Brand.Query() },
		func(r *ent.Brand) Record { return Record{r.ID, r.Slug, r.UpdatedAt, r} }),
	"categories": kindOf("category", "category", "", CategoryTable,
		func(c *ent.Client) *ent.CategoryQuery { return c.Category.Query() },
		func(r *ent.Category) Record { return Record{r.ID, r.Slug, r.UpdatedAt, r} }),
	"products": kindOf("product", "product", record.SlugProduct, ProductTable,
		func(c *ent.Client) *ent.ProductQuery { return c.Product.Query() },
		func(r *ent.Product) Record { return Record{r.ID, r.Slug, r.UpdatedAt, r} }),
	"variants": kindOf("variant", "variant", "", VariantTable,
		func(c *ent.Client) *ent.VariantQuery { return c.Variant.Query() },
		func(r *ent.Variant) Record { return Record{r.ID, r.Sku, r.UpdatedAt, r} }),
	"userProducts": kindOf("userProduct", "user product", record.SlugUserProduct, userProductTable,
		func(c *ent.Client) *ent.UserProductQuery { return c.UserProduct.Query() },
		func(r *ent.UserProduct) Record { return Record{r.ID, r.Slug, r.UpdatedAt, r} }),
	"blogs": kindOf("blog", "blog", record.SlugBlog, BlogTable,
		func(c *ent.Client) *ent.BlogQuery { return c.Blog.Query() },
		func(r *ent.Blog) Record { return Record{r.ID, r.Slug, r.UpdatedAt, r} }),
	"portfolios": kindOf("portfolio", "portfolio", record.SlugPortfolio, PortfolioTable,
		func(c *ent.Client) *ent.PortfolioQuery { return c.Portfolio.Query() },
		func(r *ent.Portfolio) Record { return Record{r.ID, r.Slug, r.UpdatedAt, r} }),
	"sliders": kindOf("slider", "slider", "", sliderTable,
		func(c *ent.Client) *ent.SliderQuery { return c.Slider.Query() },
		func(r *ent.Slider) Record { return Record{r.ID, r.Key, r.UpdatedAt, r} }),
	"categoryGroups": kindOf("categoryGroup", "category group", "", categoryGroupTable,
		func(c *ent.Client) *ent.CategoryGroupQuery { return c.CategoryGroup.Query() },
		func(r *ent.CategoryGroup) Record { return Record{r.ID, r.Key, r.UpdatedAt, r} }),
	"brandGroups": kindOf("brandGroup", "brand group", "", brandGroupTable,
		func(c *ent.Client) *ent.BrandGroupQuery { return c.BrandGroup.Query() },
		func(r *ent.BrandGroup) Record { return Record{r.ID, r.Key, r.UpdatedAt, r} }),
	"specials": kindOf("storeSpecial", "special", "", storeSpecialTable,
		func(c *ent.Client) *ent.StoreSpecialQuery { return c.StoreSpecial.Query() },
		func(r *ent.StoreSpecial) Record { return Record{r.ID, r.Key, r.UpdatedAt, r} }),
	"deliveryMethods": kindOf("deliveryMethod", "delivery method", "", deliveryMethodTable,
		func(c *ent.Client) *ent.DeliveryMethodQuery { return c.DeliveryMethod.Query() },
		func(r *ent.DeliveryMethod) Record { return Record{r.ID, r.Key, r.UpdatedAt, r} }),
	"taxRates": kindOf("taxRate", "tax rate", "", taxRateTable,
		func(c *ent.Client) *ent.TaxRateQuery { return c.TaxRate.Query() },
		func(r *ent.TaxRate) Record { return Record{r.ID, r.Key, r.UpdatedAt, r} }),
}

// CategoriesOf are the types of the categories that the records of a section have.
var CategoriesOf = map[string]record.EntityType{"products": record.Product, "userProducts": record.Product,
	"blogs": record.Blog, "portfolios": record.Portfolio}

// Query is a query of package ent for rows of a table.
type Query[Q any, P ~func(*sql.Selector), R any] interface {
	Where(...P) Q
	All(context.Context) ([]R, error)
}

func kindOf[Q Query[Q, P, R], P ~func(*sql.Selector), R Row](
	name, newID string, slug record.SlugKind, to *Table, all func(*ent.Client) Q, describe func(R) Record,
) Kind {
	find := func(ctx context.Context, c *ent.Client, where func(*sql.Selector)) ([]Record, error) {
		rows, err := all(c).Where(where).All(ctx)
		return convert.All(rows, describe), err
	}
	return Kind{name, newID, slug, to, find}
}

// One finds a record. If there is none, it fails with NOT_FOUND.
func (k Kind) One(ctx context.Context, client *ent.Client, where func(*sql.Selector)) (Record, error) {
	rows, err := k.Find(ctx, client, where)
	if err == nil && len(rows) != 1 {
		err = fault.New(fault.NotFound, "there is no such record")
	}
	if err != nil {
		return Record{}, err
	}
	return rows[0], nil
}

// Changed returns the change of a member of a record for the audit log.
func (k Kind) Changed(r Record, member string, to any) audit.Change {
	before, _ := audit.Snapshot(r.Row) // rows and values can always be encoded
	after := maps.Clone(before)
	after[member], _ = json.Marshal(to)
	return audit.Change{Kind: k.Name, ID: r.ID, Before: before, After: after}
}

// KeyIs narrows a query to the record with a natural key, given by the names of its members.
func KeyIs(key map[string]string) func(*sql.Selector) {
	return func(s *sql.Selector) {
		for name, text := range key {
			if name == "entityType" {
				name = "entity_type"
			}
			s.Where(sql.EQ(s.C(name), text))
		}
	}
}

// SlugKey returns the section and the natural key of a record with a slug.
func SlugKey(slugKind record.SlugKind, slug string) (section string, key map[string]string) {
	if category, ok := slugKind.Category(); ok {
		return "categories", map[string]string{"entityType": string(category), "slug": slug}
	}
	for section, kind := range Kinds {
		if kind.Slug == slugKind {
			return section, map[string]string{"slug": slug}
		}
	}
	return "", nil
}

// SlugKind returns the kind of slugs of a record; empty if it has none.
func SlugKind(section string, key map[string]string) record.SlugKind {
	if section == "categories" {
		return record.SlugCategory(record.EntityType(key["entityType"]))
	}
	return Kinds[section].Slug
}

// NowCalled returns the error of a look-up by slug. If nothing was found but a record had the slug before,
// the error names its present slug. It is for staff, since the record may not be published.
func NowCalled(ctx context.Context, client *ent.Client, kind record.SlugKind, slug string, err error) error {
	if ent.IsNotFound(err) {
		err = fault.Wrap(fault.NotFound, err, "there is no such record")
	}
	if !fault.Is(err, fault.NotFound) || kind == "" {
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
	section, _ := SlugKey(kind, slug)
	now, failed := Kinds[section].Table.KeysOf(ctx, client, []uuid.UUID{was.RecordID})
	if failed != nil {
		return failed
	}
	if key, ok := now[was.RecordID]; ok {
		return fault.Moved(err, key)
	}
	return err
}
