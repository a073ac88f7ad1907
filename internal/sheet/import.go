package sheet

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"storefront/ent"
	"storefront/internal/bundle"
	"storefront/internal/store"
	"storefront/internal/tenancy"
)

// Import says what becomes of a sheet.
type Import struct {
	Kind  Kind                                     // Products or Offers
	Check bool                                     // nothing is written
	File  string                                   // its name, for the audit log
	Most  int                                      // rows that it may have; 0: any number
	Still func(context.Context, *ent.Client) error // is asked in each transaction; nil: nobody is
	// AtOnce makes it fail with CONFLICT while another import of the shop is under way; else it waits.
	AtOnce  bool
	Between func() // is called before each transaction; nil: nothing is
}

// Into brings a sheet of products and their variants, or of offers, into a shop: the rows of one product stand
// together, below each other, and members of the product in the first of them. A column that is there says what all
// records of the sheet have; what has no column stays. The bundle that is made of it is kept in memory, compressed. A
// sheet that is refused gives *Faults, one that could not be written to its end *bundle.Stopped; what else it returns
// is as bundle.Import does.
func (i Import) Into(
	ctx context.Context, db *store.Store, shop *ent.Tenant, from io.Reader,
) (bundle.Summary, error) {
	m := &maker{kind: i.Kind, client: db.Client}
	rows, err := newReader(from, &m.faults)
	if err != nil {
		return bundle.Summary{}, err
	}
	m.rows, rows.most = rows, i.most()
	if err := m.readColumns(); err != nil {
		return bundle.Summary{}, err
	}
	made, err := m.bundle(tenancy.In(ctx, shop.ID), shop.Domain)
	if err != nil {
		return bundle.Summary{}, err
	}
	options := []bundle.Option{bundle.ListFaults(mostFaults), bundle.Into(shop.ID),
		bundle.NotedAs("importSheet", i.Kind.one(), i.File), bundle.Allowed(i.Still),
		bundle.FromSheet(bundle.Sheet{Value: technical, Offers: i.Kind == Offers})}
	if i.Check || m.faults.any() {
		options = append(options, bundle.CheckOnly)
	}
	if i.AtOnce {
		options = append(options, bundle.AtOnce)
	}
	if i.Between != nil {
		options = append(options, bundle.Resting(i.Between))
	}
	done, err := bundle.Import(ctx, db, bundle.Bytes(made), nil, options...)
	if _, stopped := errors.AsType[*bundle.Stopped](err); stopped {
		return done, err
	}
	_, m.faults.Written = errors.AsType[*bundle.LeftOut](err)
	found, refused := errors.AsType[*bundle.Faults](err)
	if refused {
		m.places.join(found, &m.faults, rows.top, m.options)
	}
	if m.faults.any() && (refused || err == nil) {
		return done, m.faults.sorted(rows.header)
	}
	return done, err
}

// mostOffers is how many rows a sheet of offers may have: those of a product stand anywhere in it.
const mostOffers = 200_000

func (i Import) most() int {
	if i.Kind == Offers && (i.Most == 0 || i.Most > mostOffers) {
		return mostOffers
	}
	return i.Most
}

// maker makes a bundle of a sheet.
type maker struct {
	kind    Kind
	client  *ent.Client
	rows    *reader
	out     *gzip.Writer
	places  places
	faults  Faults
	options []string // the keys of variations that have a column
	values  []string // the keys of technical fields that have one
}

// readColumns refuses a sheet whose columns are not known, or do not say which records it is about. What is no column
// of offers is refused in a sheet of them: who changes prices may not change products.
func (m *maker) readColumns() error {
	var bad Faults
	at := m.rows.top
	for _, name := range m.rows.header {
		c, known := columnNamed(name)
		switch {
		case m.kind == Offers && slices.Contains(offerColumns, name),
			m.kind == Products && known && c.kind != ignored:
		case m.kind == Products && strings.HasPrefix(name, optionColumn) && name != optionColumn:
			m.options = append(m.options, strings.TrimPrefix(name, optionColumn))
		case m.kind == Products && strings.HasPrefix(name, valueColumn) && name != valueColumn:
			m.values = append(m.values, strings.TrimPrefix(name, valueColumn))
		case m.kind == Products && known:
			bad.add(at, name, "is no column of products; did you mean titleFa or titleEn?")
		case bad.any(): // which columns there are is said once
			bad.add(at, name, "is no column of %s either", m.kind)
		case m.kind == Offers:
			bad.add(at, name, "is no column of offers; there are %s", strings.Join(offerColumns, ", "))
		default:
			bad.add(at, name, "is no column of products; there are %s, %sKEY and %sKEY", names(), optionColumn,
				valueColumn)
		}
	}
	if of := map[Kind]string{Products: "slug", Offers: "sku"}[m.kind]; !m.has(of) {
		bad.add(at, of, "is missing: each row names by it what it is about")
	}
	if bad.any() {
		return &bad
	}
	return nil
}

func names() string {
	var all []string
	for _, c := range columns {
		if c.kind != ignored {
			all = append(all, c.name)
		}
	}
	return strings.Join(all, ", ")
}

func (m *maker) has(name string) bool { return slices.Contains(m.rows.header, name) }
