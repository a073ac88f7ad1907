package bundle

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

// kind is a kind of records that have natural keys. Other kinds belong to one of these, or are found by other
// means.
type kind struct {
	name  string          // in the audit log
	newID string          // in the ids of new records
	slug  record.SlugKind // of records that keep former slugs; empty for others, and for categories: they have several
	table *table
	find  func(ctx context.Context, client *ent.Client, where func(*sql.Selector)) ([]found, error)
}

// found is a record of a kind.
type found struct {
	id        uuid.UUID
	key       string
	updatedAt time.Time
	row       storedRow
}

// storedRow is a row of package ent.
type storedRow interface {
	Row() []any
	Stored() map[string]any
}

// kinds are the kinds by the section of a bundle that has them; variants are members of products.
var kinds = map[string]kind{
	"brands": kindOf("brand", "brand", record.SlugBrand, brandTable,
		func(c *ent.Client) *ent.BrandQuery { return c.Brand.Query() },
		func(r *ent.Brand) found { return found{r.ID, r.Slug, r.UpdatedAt, r} }),
	"categories": kindOf("category", "category", "", categoryTable,
		func(c *ent.Client) *ent.CategoryQuery { return c.Category.Query() },
		func(r *ent.Category) found { return found{r.ID, r.Slug, r.UpdatedAt, r} }),
	"products": kindOf("product", "product", record.SlugProduct, productTable,
		func(c *ent.Client) *ent.ProductQuery { return c.Product.Query() },
		func(r *ent.Product) found { return found{r.ID, r.Slug, r.UpdatedAt, r} }),
	"variants": kindOf("variant", "variant", "", variantTable,
		func(c *ent.Client) *ent.VariantQuery { return c.Variant.Query() },
		func(r *ent.Variant) found { return found{r.ID, r.Sku, r.UpdatedAt, r} }),
	"userProducts": kindOf("userProduct", "user product", record.SlugUserProduct, userProductTable,
		func(c *ent.Client) *ent.UserProductQuery { return c.UserProduct.Query() },
		func(r *ent.UserProduct) found { return found{r.ID, r.Slug, r.UpdatedAt, r} }),
	"blogs": kindOf("blog", "blog", record.SlugBlog, blogTable,
		func(c *ent.Client) *ent.BlogQuery { return c.Blog.Query() },
		func(r *ent.Blog) found { return found{r.ID, r.Slug, r.UpdatedAt, r} }),
	"portfolios": kindOf("portfolio", "portfolio", record.SlugPortfolio, portfolioTable,
		func(c *ent.Client) *ent.PortfolioQuery { return c.Portfolio.Query() },
		func(r *ent.Portfolio) found { return found{r.ID, r.Slug, r.UpdatedAt, r} }),
	"sliders": kindOf("slider", "slider", "", sliderTable,
		func(c *ent.Client) *ent.SliderQuery { return c.Slider.Query() },
		func(r *ent.Slider) found { return found{r.ID, r.Key, r.UpdatedAt, r} }),
	"categoryGroups": kindOf("categoryGroup", "category group", "", categoryGroupTable,
		func(c *ent.Client) *ent.CategoryGroupQuery { return c.CategoryGroup.Query() },
		func(r *ent.CategoryGroup) found { return found{r.ID, r.Key, r.UpdatedAt, r} }),
	"brandGroups": kindOf("brandGroup", "brand group", "", brandGroupTable,
		func(c *ent.Client) *ent.BrandGroupQuery { return c.BrandGroup.Query() },
		func(r *ent.BrandGroup) found { return found{r.ID, r.Key, r.UpdatedAt, r} }),
	"specials": kindOf("storeSpecial", "special", "", storeSpecialTable,
		func(c *ent.Client) *ent.StoreSpecialQuery { return c.StoreSpecial.Query() },
		func(r *ent.StoreSpecial) found { return found{r.ID, r.Key, r.UpdatedAt, r} }),
}

func kindOf[Q query[Q, P, R], P ~func(*sql.Selector), R storedRow](
	name, newID string, slug record.SlugKind, to *table, all func(*ent.Client) Q, of func(R) found,
) kind {
	find := func(ctx context.Context, c *ent.Client, where func(*sql.Selector)) ([]found, error) {
		rows, err := all(c).Where(where).All(ctx)
		return convert.All(rows, of), err
	}
	return kind{name, newID, slug, to, find}
}

// one finds a record. If there is none, it fails with NOT_FOUND.
func (k kind) one(ctx context.Context, client *ent.Client, where func(*sql.Selector)) (found, error) {
	rows, err := k.find(ctx, client, where)
	if err == nil && len(rows) != 1 {
		err = fault.New(fault.NotFound, "there is no such record")
	}
	if err != nil {
		return found{}, err
	}
	return rows[0], nil
}

// changed returns the change of a member of a record for the audit log.
func (k kind) changed(one found, member string, to any) audit.Change {
	before, _ := audit.Snapshot(one.row) // rows and values can always be encoded
	after := maps.Clone(before)
	after[member], _ = json.Marshal(to)
	return audit.Change{Kind: k.name, ID: one.id, Before: before, After: after}
}

// keyIs narrows a query to the record with a natural key, given by the names of its members.
func keyIs(key map[string]string) func(*sql.Selector) {
	return func(s *sql.Selector) {
		for name, text := range key {
			if name == "entityType" {
				name = "entity_type"
			}
			s.Where(sql.EQ(s.C(name), text))
		}
	}
}

// slugKey returns the section and the natural key of a record with a slug.
func slugKey(of record.SlugKind, slug string) (section string, key map[string]string) {
	if category, ok := of.Category(); ok {
		return "categories", map[string]string{"entityType": string(category), "slug": slug}
	}
	for section, kind := range kinds {
		if kind.slug == of {
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
	return kinds[section].slug
}

// take reads the elements of a section and saves the records that differ. make returns a new record, read
// reads all members except the key.
func take[R storedRow](ctx context.Context, im *importer, section string, batch []*object,
	make func(o *object, id uuid.UUID, key string) R, read func(o *object, row R, isThere bool),
) error {
	if of, ok := categoriesOf[section]; ok {
		if err := im.loadMovedCategories(ctx, of, slugsOf(batch, "category")); err != nil {
			return err
		}
	}
	kind := kinds[section]
	texts := textsOf(batch, "key")
	if kind.slug != "" {
		texts = slugsOf(batch, "slug")
	}
	rows := map[string]found{}
	if !im.fresh {
		all, err := kind.find(ctx, im.client, among(kind.table.key, texts))
		if err != nil {
			return err
		}
		for _, one := range all {
			rows[one.key] = one
		}
	}
	if kind.slug != "" {
		if err := im.follow(ctx, kind, batch, rows); err != nil {
			return err
		}
	}
	keys := im.index(section)
	var changed []R
	for _, o := range batch {
		key := ""
		if kind.slug != "" {
			key = o.slug()
		} else {
			o.require("key")
			o.text("key", &key, keyLimit, checkKey)
			o.changed = false
		}
		one, isThere := rows[key]
		if !isThere {
			one.id = keys.newID(key)
			one.row = make(o, one.id, key)
		}
		row := one.row.(R)
		im.noteRecord(kind.name, row, one.id, one.updatedAt, isThere)
		keys.add(o, kind.table.key, key, one.id)
		read(o, row, isThere)
		o.refuseUnknown()
		if im.countFate(o, section, fateOf(!isThere, o.changed)) {
			changed = append(changed, row)
		}
	}
	save(im, kind.table, changed)
	return nil
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
	section, _ := slugKey(kind, slug)
	now, failed := kinds[section].table.keysOf(ctx, client, []uuid.UUID{was.RecordID})
	if failed != nil {
		return failed
	}
	if key, ok := now[was.RecordID]; ok {
		return fault.Moved(err, key)
	}
	return err
}
