package sheet

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"storefront/ent"
	"storefront/ent/product"
	"storefront/ent/variant"
	"storefront/internal/content/bundle"
	"storefront/internal/platform/convert"
)

// bundle returns the bundle of all rows, compressed.
func (m *maker) bundle(ctx context.Context, domain string) ([]byte, error) {
	var made bytes.Buffer
	m.out, _ = gzip.NewWriterLevel(&made, gzip.BestSpeed) // fails only for an invalid level
	fmt.Fprintf(m.out, `{"format":%q,"tenant":{"domain":%q},"products":[`, bundle.Format, domain)
	var err error
	if m.kind == Offers {
		err = m.bySKUs(ctx)
	} else {
		err = m.bySlugs()
	}
	if err != nil {
		return nil, err
	}
	_, _ = m.out.Write([]byte("]}\n")) // like Close, never fails on a buffer
	err = m.out.Close()
	return made.Bytes(), err
}

// mostOfProduct is how many rows a product may have, which is how many variants it may have. They are held
// in memory until the last one was read.
const mostOfProduct = 2000

// bySlugs makes products of consecutive rows.
func (m *maker) bySlugs() error {
	var rows []row // of a product
	for {
		one, err := m.rows.next()
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		over, slug := err != nil, one.cells["slug"]
		begins := !over && slug != "" && (len(rows) == 0 || rows[0].cells["slug"] != slug)
		if len(rows) > 0 && (over || begins) {
			if err := m.write(rows); err != nil {
				return err
			}
		}
		switch {
		case over:
			return nil
		case begins:
			rows = []row{one}
		case len(rows) == 0:
			m.faults.add(one.number, "slug", "is required")
		case len(rows) == mostOfProduct:
			m.faults.add(one.number, "slug", "is of a product with more than %d rows; nothing below it was read",
				mostOfProduct)
			return nil
		default:
			rows = append(rows, one)
		}
	}
}

// bySKUs makes products of rows that name only variants.
func (m *maker) bySKUs(ctx context.Context) error {
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
		skus := convert.All(some, func(one row) string { return one.cells["sku"] })
		found, err := m.client.Variant.Query().Where(variant.SkuIn(skus...)).
			WithProduct(func(q *ent.ProductQuery) { q.Select(product.FieldID, product.FieldSlug) }).All(ctx)
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
			case !known && one.cells["expectedStock"] != "":
				m.faults.add(one.number, "sku",
					"names no variant any more: it was deleted since the export, or a spreadsheet changed it")
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
	for _, slug := range order {
		if err := m.write(of[slug]); err != nil {
			return err
		}
	}
	return nil
}

// write writes a product, of its rows.
func (m *maker) write(rows []row) error {
	if len(m.sources) > 0 {
		_, _ = m.out.Write([]byte(","))
	}
	text, err := json.Marshal(m.product(rows))
	if err != nil {
		return err
	}
	_, err = m.out.Write(text)
	return err
}
