package sheet

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/product"
	"storefront/ent/variant"
	"storefront/internal/bundle"
	"storefront/internal/record"
	"storefront/internal/store"
	"storefront/internal/tenancy"
)

// ImportProducts brings a sheet of products and their variants, or of offers, into a shop: the rows of one product
// stand together, below each other, and members of the product in the first of them. A column that is there says what
// all records of the sheet have; what has no column stays. With check nothing is written. A sheet that is refused
// gives *Faults; what else is told is as of bundle.Import.
func ImportProducts(
	ctx context.Context, db *store.Store, shop *ent.Tenant, from io.Reader, check bool, options ...bundle.Option,
) (bundle.Summary, error) {
	file, err := os.CreateTemp("", "storefront-sheet-*.json")
	if err != nil {
		return bundle.Summary{}, err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	rows, err := newReader(from)
	if err != nil {
		return bundle.Summary{}, err
	}
	m := &maker{client: db.Client, ctx: tenancy.In(ctx, shop.ID), rows: rows, out: bufio.NewWriter(file)}
	if err := m.readColumns(); err != nil {
		return bundle.Summary{}, err
	}
	if err := m.categories(); err != nil {
		return bundle.Summary{}, err
	}
	if err := m.bundle(shop.Domain); err != nil {
		return bundle.Summary{}, err
	}
	if check || m.faults.any() {
		options = append(options, bundle.CheckOnly)
	}
	options = append(options, bundle.ListFaults(mostFaults))
	done, err := bundle.Import(ctx, db, bundle.File(file.Name()), nil, options...)
	found, refused := errors.AsType[*bundle.Faults](err)
	if refused {
		m.places.note(found, &m.faults)
	}
	if m.faults.any() && (refused || err == nil) {
		return done, m.faults.sorted()
	}
	return done, err
}

// maker makes a bundle of a sheet.
type maker struct {
	client  *ent.Client
	ctx     context.Context // of the shop
	rows    *reader
	out     *bufio.Writer
	places  places
	faults  Faults
	options []string                     // the keys of variations that have a column
	values  []string                     // the keys of technical fields that have one
	had     map[string]map[string]string // the options of variants of the products that are being made, by SKU
	byID    map[uuid.UUID]*ent.Category
	bySlug  map[string]*ent.Category
}

// readColumns refuses a sheet whose columns are not known, or do not say which records it is about.
func (m *maker) readColumns() error {
	for _, name := range m.rows.header {
		if key, ok := strings.CutPrefix(name, optionColumn); ok && key != "" {
			m.options = append(m.options, key)
		} else if key, ok := strings.CutPrefix(name, valueColumn); ok && key != "" {
			m.values = append(m.values, key)
		} else if _, known := columnNamed(name); !known {
			return fmt.Errorf("there is no column %q; there are %s, %sKEY and %sKEY", name, names(), optionColumn,
				valueColumn)
		}
	}
	if !m.has("slug") && !m.has("sku") {
		return errors.New("a sheet has a column slug, or sku, which says what its rows are about")
	}
	return nil
}

func names() string {
	all := make([]string, len(columns))
	for i, c := range columns {
		all[i] = c.name
	}
	return strings.Join(all, ", ")
}

func (m *maker) has(name string) bool { return slices.Contains(m.rows.header, name) }

// categories reads those of products, whose forms say what kind the technical values are of.
func (m *maker) categories() error {
	all, err := m.client.Category.Query().All(m.ctx)
	m.byID, m.bySlug = map[uuid.UUID]*ent.Category{}, map[string]*ent.Category{}
	for _, one := range all {
		m.byID[one.ID] = one
		if one.EntityType == record.Product {
			m.bySlug[one.Slug] = one
		}
	}
	return err
}

// formOf is the technical form of a category, which may be that of one above it.
func (m *maker) formOf(c *ent.Category) *record.Form {
	for range len(m.byID) { // circles are refused elsewhere
		if c == nil || c.Form != nil {
			break
		}
		if c.ParentID == nil {
			return nil
		}
		c = m.byID[*c.ParentID]
	}
	if c == nil {
		return nil
	}
	return c.Form
}

// atOnce is how many products are looked up together.
const atOnce = 500

// bundle writes the bundle of all rows.
func (m *maker) bundle(domain string) error {
	fmt.Fprintf(m.out, `{"format":%q,"tenant":{"domain":%q},"products":[`, bundle.Format, domain)
	var err error
	if m.has("slug") {
		err = m.bySlugs()
	} else {
		err = m.bySKUs()
	}
	if err != nil {
		return err
	}
	_, _ = m.out.WriteString("]}\n")
	return m.out.Flush()
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
			m.faults.add(Fault{one.number, "slug", "is required"})
		default:
			last := len(products) - 1
			products[last] = append(products[last], one)
		}
	}
}

// mostOffers is how many rows a sheet without slugs may have: their products stand anywhere in it.
const mostOffers = 200_000

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
		if len(all) == mostOffers {
			return fmt.Errorf("there are more than %d rows; with a column slug there may be more", mostOffers)
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
				m.faults.add(Fault{one.number, "sku", "is required"})
			case !known:
				m.faults.add(Fault{one.number, "sku", "names no variant"})
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
			_ = m.out.WriteByte(',')
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
