package report

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"slices"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/category"
	"storefront/ent/product"
	"storefront/internal/database"
	"storefront/internal/locale/money"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
)

// revenues are amounts by currency.
type revenues []int64

func (r *revenues) add(currency int, amount int64) error {
	for len(*r) <= currency {
		*r = append(*r, 0)
	}
	return plus(&(*r)[currency], amount)
}

// shown returns the amounts that are not zero, in the order of their currencies' names.
func (r revenues) shown(currencies []string) []money.Amount {
	shown := []money.Amount{}
	for i, minor := range r {
		if minor != 0 {
			shown = append(shown, money.Amount{Minor: minor, Currency: currencies[i]})
		}
	}
	slices.SortFunc(shown, func(a, b money.Amount) int { return cmp.Compare(a.Currency, b.Currency) })
	return shown
}

// sold is the quantity and revenue of a product, or of a category.
type sold struct {
	id       uuid.UUID
	units    int64
	revenues revenues
}

// sales are the sales of all products, or of all categories.
type sales struct {
	at         map[uuid.UUID]int // indexes in sold
	sold       []sold
	currencies []string
}

// of returns what was sold of a product or category.
func (s *sales) of(id uuid.UUID) *sold {
	at, known := s.at[id]
	if !known {
		at = len(s.sold)
		s.at[id] = at
		s.sold = append(s.sold, sold{id: id})
	}
	return &s.sold[at]
}

func (s *sales) add(all []sale, currencies []int) error {
	for i := range all {
		one := &all[i]
		to := s.of(one.product)
		to.units += one.units
		if err := to.revenues.add(currencies[one.currency], one.revenue); err != nil {
			return err
		}
	}
	return nil
}

// best returns the first in an order, at most so many, and their ids.
func (s *sales) best(by record.Rank, most int) (first []sold, ids []uuid.UUID) {
	worth := func(one sold) (sum float64) { // a common measure of all currencies, for sorting only
		for i, minor := range one.revenues {
			sum += float64(minor) / math.Pow10(money.Amount{Currency: s.currencies[i]}.Decimals())
		}
		return sum
	}
	slices.SortFunc(s.sold, func(a, b sold) int {
		byUnits, byWorth := cmp.Compare(b.units, a.units), cmp.Compare(worth(b), worth(a))
		if by == record.ByRevenue {
			byUnits, byWorth = byWorth, byUnits
		}
		return cmp.Or(byUnits, byWorth, bytes.Compare(a.id[:], b.id[:]))
	})
	first = s.sold[:min(most, len(s.sold))]
	return first, convert.All(first, func(one sold) uuid.UUID { return one.id })
}

// into writes the best products and categories into a report.
func (s *sales) into(ctx context.Context, tx *ent.Tx, business uuid.UUID, r *Report, wanted Request) error {
	if wanted.Categories {
		if err := s.categoriesInto(ctx, tx, business, r, wanted); err != nil {
			return err
		}
	}
	if !wanted.Products {
		return nil
	}
	first, ids := s.best(wanted.BestBy, wanted.Best)
	rows, err := tx.Product.Query().Where(product.IDIn(ids...)).
		Select(product.FieldID, product.FieldSlug, product.FieldTitleFa, product.FieldTitleEn).All(ctx)
	if err != nil {
		return err
	}
	r.Products = make([]*ProductSales, len(first))
	for i, one := range first {
		r.Products[i] = &ProductSales{ProductID: one.id, Units: int(one.units),
			Revenue: one.revenues.shown(s.currencies)}
		if at := slices.IndexFunc(rows, func(p *ent.Product) bool { return p.ID == one.id }); at >= 0 {
			r.Products[i].Slug, r.Products[i].TitleFa, r.Products[i].TitleEn = &rows[at].Slug, &rows[at].TitleFa,
				rows[at].TitleEn
		}
	}
	return nil
}

var readCategories = database.Statement(`SELECT id, category_id FROM products
	WHERE tenant_id = $tenant AND category_id IS NOT NULL`)

// categoriesInto adds up the sales of products by their categories.
func (s *sales) categoriesInto(ctx context.Context, tx *ent.Tx, business uuid.UUID, r *Report, wanted Request) error {
	of := map[uuid.UUID]uuid.UUID{}
	err := readCategories.Each(ctx, tx.Raw(), database.Values{"tenant": business}, func(row *sql.Rows) error {
		var id, category uuid.UUID
		if err := row.Scan(&id, &category); err != nil {
			return err
		}
		if _, is := s.at[id]; is {
			of[id] = category
		}
		return nil
	})
	if err != nil {
		return err
	}
	all := &sales{at: map[uuid.UUID]int{}, currencies: s.currencies}
	for _, one := range s.sold {
		to := all.of(of[one.id]) // the zero id if it has none
		to.units += one.units
		for currency, amount := range one.revenues {
			if err := to.revenues.add(currency, amount); err != nil {
				return err
			}
		}
	}
	first, ids := all.best(wanted.BestBy, wanted.Best)
	rows, err := tx.Category.Query().Where(category.IDIn(ids...)).
		Select(category.FieldID, category.FieldSlug, category.FieldName, category.FieldNameFa).All(ctx)
	if err != nil {
		return err
	}
	r.Categories = make([]*CategorySales, len(first))
	for i, one := range first {
		r.Categories[i] = &CategorySales{Units: int(one.units), Revenue: one.revenues.shown(s.currencies)}
		if at := slices.IndexFunc(rows, func(c *ent.Category) bool { return c.ID == one.id }); at >= 0 {
			r.Categories[i].Slug, r.Categories[i].Name, r.Categories[i].NameFa = &rows[at].Slug, &rows[at].Name,
				&rows[at].NameFa
		}
	}
	return nil
}
