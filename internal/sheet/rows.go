package sheet

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/product"
	"storefront/ent/variant"
	"storefront/internal/bundle"
)

// bundle returns the bundle of all rows, compressed.
func (m *maker) bundle(domain string) ([]byte, error) {
	var made bytes.Buffer
	m.out, _ = gzip.NewWriterLevel(&made, gzip.BestSpeed) // fails for another level
	fmt.Fprintf(m.out, `{"format":%q,"tenant":{"domain":%q},"products":[`, bundle.Format, domain)
	products := m.bySlugs
	if m.kind == Offers {
		products = m.bySKUs
	}
	if err := products(); err != nil {
		return nil, err
	}
	_, _ = m.out.Write([]byte("]}\n")) // as Close, never fails: a buffer takes it
	err := m.out.Close()
	return made.Bytes(), err
}

// bySlugs makes products of the rows that stand together.
func (m *maker) bySlugs() error {
	var products [][]row
	for {
		one, err := m.rows.next()
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		over := err != nil
		slug := one.cells["slug"]
		begins := !over && (slug != "" && (len(products) == 0 || products[len(products)-1][0].cells["slug"] != slug))
		if over || begins && len(products) == atOnce {
			if err := m.write(products); err != nil || over {
				return err
			}
			products = products[:0]
		}
		switch {
		case begins:
			products = append(products, []row{one})
		case len(products) == 0:
			m.faults.add(one.number, "slug", "is required")
		default:
			last := len(products) - 1
			products[last] = append(products[last], one)
		}
	}
}

// bySKUs makes products of rows that name variants alone.
func (m *maker) bySKUs() error {
	var all []row
	for {
		one, err := m.rows.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		all = append(all, one)
	}
	var order []string
	of := map[string][]row{}
	for some := range slices.Chunk(all, atOnce) {
		skus := make([]string, len(some))
		for i, one := range some {
			skus[i] = one.cells["sku"]
		}
		found, err := m.client.Variant.Query().Where(variant.SkuIn(skus...)).
			WithProduct(func(q *ent.ProductQuery) { q.Select(product.FieldID, product.FieldSlug) }).All(m.ctx)
		if err != nil {
			return err
		}
		slugs := map[string]string{}
		for _, one := range found {
			slugs[one.Sku] = one.Edges.Product.Slug
		}
		for _, one := range some {
			slug, known := slugs[one.cells["sku"]]
			switch {
			case one.cells["sku"] == "":
				m.faults.add(one.number, "sku", "is required")
			case !known:
				m.faults.add(one.number, "sku", "names no variant")
			default:
				if of[slug] == nil {
					order = append(order, slug)
				}
				one.cells["slug"] = slug
				of[slug] = append(of[slug], one)
			}
		}
	}
	for some := range slices.Chunk(order, atOnce) {
		products := make([][]row, len(some))
		for i, slug := range some {
			products[i] = of[slug]
		}
		if err := m.write(products); err != nil {
			return err
		}
	}
	return nil
}

// write writes some products, each of its rows.
func (m *maker) write(products [][]row) error {
	slugs := make([]string, len(products))
	for i, rows := range products {
		slugs[i] = rows[0].cells["slug"]
	}
	known := map[string]*ent.Product{}
	if len(m.options)+len(m.values) > 0 {
		found, err := m.client.Product.Query().Where(product.SlugIn(slugs...)).
			Select(product.FieldID, product.FieldSlug, product.FieldCategoryID, product.FieldVariations,
				product.FieldValues).All(m.ctx)
		if err != nil {
			return err
		}
		ids := make([]uuid.UUID, len(found))
		for i, one := range found {
			known[one.Slug], ids[i] = one, one.ID
		}
		variants, err := m.client.Variant.Query().Where(variant.ProductIDIn(ids...)).
			Select(variant.FieldID, variant.FieldSku, variant.FieldOptions).All(m.ctx)
		if err != nil {
			return err
		}
		m.had = map[string]map[string]string{}
		for _, one := range variants {
			m.had[one.Sku] = one.Options
		}
	}
	for i, rows := range products {
		if len(m.places) > 0 {
			_, _ = m.out.Write([]byte(","))
		}
		text, err := json.Marshal(m.product(rows, known[slugs[i]]))
		if err != nil {
			return err
		}
		if _, err := m.out.Write(text); err != nil {
			return err
		}
	}
	return nil
}
