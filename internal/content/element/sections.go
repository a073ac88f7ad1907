package element

import (
	"cmp"
	"context"
	"fmt"
	"maps"

	entsql "entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/brand"
	"storefront/ent/product"
	"storefront/internal/content/plan"
	"storefront/internal/content/stored"
	"storefront/internal/locale/money"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
)

// sectionsInOrder are the members of a bundle, in the order in which they are exported.
var sectionsInOrder = []string{"tenant", "profile", "brands", "categories", "products", "userProducts", "blogs",
	"portfolios", "sliders", "categoryGroups", "brandGroups", "specials", "deliveryMethods", "taxRates",
	"comments", "expertReviews"}

// Read passes all elements of the shop of ctx to take, section by section, in the order of their ids; categories are
// passed after their parents. They are values of a type of this package, or written as JSON as they are.
func Read(
	ctx context.Context, client *ent.Client, shop *ent.Tenant, take func(section string, element any) error,
) error {
	section := ""
	e := &reader{client: client, take: func(element any) error {
		if content, ok := element.(interface{ members() members }); ok {
			element = content.members()
		}
		return take(section, element)
	}}
	if err := e.loadCategories(ctx); err != nil {
		return err
	}
	sections := map[string]func(context.Context) error{
		"tenant": func(context.Context) error { return e.take(ShopContent{shop, ""}) }, "profile": e.profile,
		"brands": e.brands, "categories": e.allCategories, "products": e.products,
		"userProducts": e.userProducts, "blogs": e.blogs, "portfolios": e.portfolios, "sliders": e.sliders,
		"categoryGroups": e.categoryGroups, "brandGroups": e.brandGroups, "specials": e.specials,
		"deliveryMethods": e.deliveryMethods, "taxRates": e.taxRates, "comments": e.comments,
		"expertReviews": e.reviews,
	}
	for _, section = range sectionsInOrder {
		if err := sections[section](ctx); err != nil {
			return fmt.Errorf("read %s: %w", section, err)
		}
	}
	return nil
}

// reader reads the content of one shop, for a bundle or for staff.
type reader struct {
	client     *ent.Client
	narrow     func(*entsql.Selector) // selects some records of a section; nil: all
	take       func(element any) error
	categories *plan.Categories
}

// pageSize is how many records are read at a time.
const pageSize = 500

// page reads up to most of the requested records with ids above after, in the order of their ids.
func page[Q stored.Query[Q, P, R], P ~func(*entsql.Selector), R any](
	ctx context.Context, e *reader, all Q, after uuid.UUID, most int,
) ([]R, error) {
	return all.Where(func(s *entsql.Selector) {
		if e.narrow != nil {
			e.narrow(s)
		}
		s.Where(entsql.GT(s.C("id"), after)).OrderBy(s.C("id")).Limit(most)
	}).All(ctx)
}

// each passes the elements of all requested records of a section to take, in the order of their ids. content
// returns the id of a record and its element; nil: it is left out.
func each[Q stored.Query[Q, P, R], P ~func(*entsql.Selector), R any](
	ctx context.Context, e *reader, all func() Q, content func(R) (uuid.UUID, any, error),
) error {
	return pages(func(after uuid.UUID) ([]R, error) { return page(ctx, e, all(), after, pageSize) },
		func(row R) (uuid.UUID, error) {
			id, element, err := content(row)
			if err == nil && element != nil {
				err = e.take(element)
			}
			return id, err
		})
}

// pages reads all records in the order of their ids, page by page. read returns the records after an id; use
// returns the id of a record.
func pages[R any](read func(after uuid.UUID) ([]R, error), use func(row R) (uuid.UUID, error)) error {
	after := uuid.Nil
	for {
		rows, err := read(after)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if after, err = use(row); err != nil {
				return err
			}
		}
		if len(rows) < pageSize {
			return nil
		}
	}
}

func (e *reader) profile(ctx context.Context) error {
	row, err := e.client.BusinessProfile.Query().Only(ctx)
	if ent.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	return e.take(BusinessProfileContent{row, new(stored.VersionOf(row.UpdatedAt))})
}

func (e *reader) brands(ctx context.Context) error {
	return each(ctx, e, e.client.Brand.Query, func(row *ent.Brand) (uuid.UUID, any, error) {
		return row.ID, BrandContent{row, stored.VersionOf(row.UpdatedAt)}, nil
	})
}

// loadCategories reads all categories: other records show their slugs and need their forms.
func (e *reader) loadCategories(ctx context.Context) (err error) {
	e.categories, err = plan.LoadCategories(ctx, e.client)
	return err
}

// allCategories takes all categories, parents before children.
func (e *reader) allCategories(ctx context.Context) error {
	for _, row := range e.categories.InOrder() {
		if err := e.take(e.category(row)); err != nil {
			return err
		}
	}
	return nil
}

func (e *reader) category(row *ent.Category) CategoryContent {
	out := CategoryContent{
		Category: row, Version: stored.VersionOf(row.UpdatedAt), ParentSlug: e.categorySlug(row.ParentID),
	}
	if row.Form != nil {
		out.Form = &FormContent{row.Form.Title, row.Form.TitleFa, row.Form.Fields}
	}
	return out
}

// categorySlug returns a category's slug, or nil if id is nil.
func (e *reader) categorySlug(id *uuid.UUID) *string {
	if id != nil {
		if row := e.categories.ByID(*id); row != nil {
			return &row.Slug
		}
	}
	return nil
}

func (e *reader) products(ctx context.Context) error {
	return pages(func(after uuid.UUID) ([]ProductContent, error) { return e.productsAfter(ctx, after, pageSize) },
		func(p ProductContent) (uuid.UUID, error) { return p.ID, e.take(p) })
}

// productsAfter reads up to most products with ids above after, in the order of their ids.
func (e *reader) productsAfter(ctx context.Context, after uuid.UUID, most int) ([]ProductContent, error) {
	rows, err := page(ctx, e, e.client.Product.Query().
		WithBrand(func(q *ent.BrandQuery) { q.Select(brand.FieldSlug) }), after, most)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	ids := convert.All(rows, func(row *ent.Product) uuid.UUID { return row.ID })
	all, err := e.client.Variant.Query().Where(func(s *entsql.Selector) {
		s.Where(stored.AmongList(s.C("product_id"), ids)).OrderBy(s.C("id"))
	}).All(ctx)
	if err != nil {
		return nil, err
	}
	variants := map[uuid.UUID][]VariantContent{}
	for _, one := range all {
		variants[one.ProductID] = append(variants[one.ProductID], VariantContent{one, one.Sku,
			priceOut(one.Price, one.PriceCurrency), priceOut(one.CompareAtPrice, one.PriceCurrency)})
	}
	found := make([]ProductContent, len(rows))
	for i, row := range rows {
		out := ProductContent{Product: row, Version: stored.VersionOf(row.UpdatedAt),
			Category: e.categorySlug(row.CategoryID), Variants: variants[row.ID]}
		if row.Edges.Brand != nil {
			out.Brand = &row.Edges.Brand.Slug
		}
		out.Values, out.OtherValues = plan.SplitValues(row.Values, e.categories.Form(row.CategoryID))
		for _, one := range row.Variations {
			values := make([]VariationValueContent, len(one.Values))
			for i, value := range one.Values {
				values[i] = VariationValueContent(value)
			}
			out.Variations = append(out.Variations, VariationContent{one.Key, one.Name, one.NameFa, values})
		}
		found[i] = out
	}
	return found, nil
}

func (e *reader) userProducts(ctx context.Context) error {
	slugs, err := e.locationSlugs(ctx)
	if err != nil {
		return err
	}
	slug := func(id *uuid.UUID) *string {
		if id == nil {
			return nil
		}
		if slug, ok := slugs[*id]; ok {
			return &slug
		}
		return nil
	}
	return each(ctx, e, e.client.UserProduct.Query, func(row *ent.UserProduct) (uuid.UUID, any, error) {
		out := UserProductContent{UserProduct: row, Version: stored.VersionOf(row.UpdatedAt),
			Price: priceOut(row.Price, row.PriceCurrency), Category: e.categorySlug(row.CategoryID),
			City: slug(row.CityID), Province: slug(row.ProvinceID), Country: slug(row.CountryID)}
		out.Values, out.OtherValues = plan.SplitValues(row.Values, e.categories.Form(row.CategoryID))
		return row.ID, out, nil
	})
}

// locationSlugs returns the slugs of all locations.
func (e *reader) locationSlugs(ctx context.Context) (map[uuid.UUID]string, error) {
	places, err := e.client.Location.Query().All(ctx)
	slugs := make(map[uuid.UUID]string, len(places))
	for _, one := range places {
		slugs[one.ID] = one.Slug
	}
	return slugs, err
}

func (e *reader) blogs(ctx context.Context) error {
	return each(ctx, e, e.client.Blog.Query, func(row *ent.Blog) (uuid.UUID, any, error) {
		return row.ID, BlogContent{row, stored.VersionOf(row.UpdatedAt), e.categorySlug(row.CategoryID)}, nil
	})
}

func (e *reader) portfolios(ctx context.Context) error {
	return each(ctx, e, e.client.Portfolio.Query, func(row *ent.Portfolio) (uuid.UUID, any, error) {
		return row.ID, PortfolioContent{row, stored.VersionOf(row.UpdatedAt), e.categorySlug(row.CategoryID)}, nil
	})
}

func (e *reader) sliders(ctx context.Context) error {
	return each(ctx, e, e.client.Slider.Query, func(row *ent.Slider) (uuid.UUID, any, error) {
		slides := convert.All(row.Slides, func(one record.Slide) SlideContent { return SlideContent(one) })
		return row.ID, SliderContent{row, stored.VersionOf(row.UpdatedAt), slides}, nil
	})
}

func (e *reader) categoryGroups(ctx context.Context) error {
	return each(ctx, e, e.client.CategoryGroup.Query, func(row *ent.CategoryGroup) (uuid.UUID, any, error) {
		out := CategoryGroupContent{CategoryGroup: row, Version: stored.VersionOf(row.UpdatedAt)}
		for _, id := range row.ItemIds {
			if one := e.categories.ByID(id); one != nil && one.EntityType == record.Product {
				out.Categories = append(out.Categories, one.Slug)
			}
		}
		return row.ID, out, nil
	})
}

func (e *reader) brandGroups(ctx context.Context) error {
	return each(ctx, e, e.client.BrandGroup.Query, func(row *ent.BrandGroup) (uuid.UUID, any, error) {
		slugs, err := stored.BrandTable.KeysOf(ctx, e.client, row.ItemIds)
		return row.ID, BrandGroupContent{row, stored.VersionOf(row.UpdatedAt), inOrder(row.ItemIds, slugs)}, err
	})
}

func (e *reader) specials(ctx context.Context) error {
	return each(ctx, e, e.client.StoreSpecial.Query, func(row *ent.StoreSpecial) (uuid.UUID, any, error) {
		skus, err := stored.VariantTable.KeysOf(ctx, e.client, row.ItemIds)
		return row.ID, StoreSpecialContent{row, stored.VersionOf(row.UpdatedAt), inOrder(row.ItemIds, skus)}, err
	})
}

func (e *reader) deliveryMethods(ctx context.Context) error {
	slugs, err := e.locationSlugs(ctx)
	if err != nil {
		return err
	}
	return each(ctx, e, e.client.DeliveryMethod.Query, func(row *ent.DeliveryMethod) (uuid.UUID, any, error) {
		return row.ID, DeliveryMethodContent{
			DeliveryMethod: row, Version: stored.VersionOf(row.UpdatedAt),
			Price: priceOut(row.Price, row.PriceCurrency), FreeFrom: priceOut(row.FreeFrom, row.PriceCurrency),
			Countries: inOrder(row.CountryIds, slugs), Provinces: inOrder(row.ProvinceIds, slugs),
			Cities: inOrder(row.CityIds, slugs),
			Steps: convert.All(row.Steps, func(step record.DeliveryStep) DeliveryStepContent {
				return DeliveryStepContent{step.UpTo, money.Amount{Minor: step.Price, Currency: row.PriceCurrency}}
			}),
		}, nil
	})
}

func (e *reader) taxRates(ctx context.Context) error {
	return each(ctx, e, e.client.TaxRate.Query, func(row *ent.TaxRate) (uuid.UUID, any, error) {
		return row.ID, TaxRateContent{row, stored.VersionOf(row.UpdatedAt)}, nil
	})
}

// inOrder returns the keys of those records that exist.
func inOrder(ids []uuid.UUID, keys map[uuid.UUID]string) []string {
	var found []string
	for _, id := range ids {
		if key, ok := keys[id]; ok {
			found = append(found, key)
		}
	}
	return found
}

func (e *reader) comments(ctx context.Context) error {
	slugs := map[uuid.UUID]string{} // of the records that the page's comments are on
	return pages(func(after uuid.UUID) ([]*ent.Comment, error) {
		rows, err := page(ctx, e, e.client.Comment.Query(), after, pageSize)
		clear(slugs)
		ids := map[record.EntityType][]uuid.UUID{}
		for _, row := range rows {
			ids[row.EntityType] = append(ids[row.EntityType], row.EntityID)
		}
		for of, table := range map[record.EntityType]*stored.Table{record.Product: stored.ProductTable,
			record.Blog: stored.BlogTable, record.Portfolio: stored.PortfolioTable} {
			found, failed := table.KeysOf(ctx, e.client, ids[of])
			maps.Copy(slugs, found)
			err = cmp.Or(err, failed)
		}
		return rows, err
	}, func(row *ent.Comment) (uuid.UUID, error) {
		slug, ok := slugs[row.EntityID]
		if !ok {
			return row.ID, nil
		}
		return row.ID, e.take(membersOf(row, members{"entity": slug, "repliedAt": utc(row.RepliedAt),
			"createdAt": row.CreatedAt.UTC()}))
	})
}

func (e *reader) reviews(ctx context.Context) error {
	return each(ctx, e, func() *ent.ExpertReviewQuery {
		return e.client.ExpertReview.Query().WithProduct(func(q *ent.ProductQuery) { q.Select(product.FieldSlug) })
	}, func(row *ent.ExpertReview) (uuid.UUID, any, error) {
		if row.Edges.Product == nil {
			return row.ID, nil, nil
		}
		return row.ID, membersOf(row, members{"product": row.Edges.Product.Slug, "repliedAt": utc(row.RepliedAt),
			"createdAt": row.CreatedAt.UTC()}), nil
	})
}
