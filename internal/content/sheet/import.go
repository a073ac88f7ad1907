package sheet

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"storefront/ent"
	"storefront/internal/content/bundle"
	"storefront/internal/content/document"
	"storefront/internal/content/plan"
	"storefront/internal/database/store"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
)

// Import are the settings of an import.
type Import struct {
	Kind  Kind                                     // Products or Offers
	Check bool                                     // nothing is written
	File  string                                   // its name, for the audit log
	Most  int                                      // maximum number of rows; 0: any number
	Still func(context.Context, *ent.Client) error // called in each transaction, may refuse it; may be nil
	// AtOnce makes the import fail with CONFLICT while another import of the shop is running; else it waits.
	AtOnce  bool
	Between func() // called before each transaction; may be nil
}

// Into imports a sheet of products and their variants, or of offers, into a shop. The rows of a product
// follow each other, with the members of the product in the first. Only members with a column are changed.
// The bundle made of the sheet is held in memory, compressed. A refused sheet returns *Faults, one that
// could not be written completely *bundle.Stopped; the other results are those of bundle.Import.
func (i Import) Into(
	ctx context.Context, db *store.Store, shop *ent.Tenant, from io.Reader,
) (bundle.Summary, error) {
	m := &maker{kind: i.Kind, client: db.Client}
	rows, err := newReader(from, &m.faults)
	if err != nil {
		return bundle.Summary{}, err
	}
	m.rows, rows.most = rows, i.Most
	if err := m.readColumns(tenancy.In(ctx, shop.ID)); err != nil {
		return bundle.Summary{}, err
	}
	made, err := m.bundle(tenancy.In(ctx, shop.ID), shop.Domain)
	if err != nil {
		return bundle.Summary{}, err
	}
	value := func(of record.FieldType, cell string) []byte {
		if of == record.Number && rows.isAmbiguous(cell) {
			return text(cell) // which is not a number
		}
		return technical(of, cell)
	}
	done, err := bundle.Import(ctx, db, bundle.Bytes(made), nil, bundle.FromSheet(bundle.Sheet{
		Sheet: plan.Sheet{Value: value, Offers: i.Kind == Offers}, Kind: i.Kind.one(), File: i.File, Shop: shop.ID,
		Check: i.Check || m.faults.any(), MostFaults: mostFaults, AtOnce: i.AtOnce, Allowed: i.Still,
		Resting: i.Between,
	}))
	if _, stopped := errors.AsType[*bundle.Stopped](err); stopped {
		return done, err
	}
	_, m.faults.Written = errors.AsType[*bundle.LeftOut](err)
	found, refused := errors.AsType[*document.Faults](err)
	if refused {
		m.sources.join(found, &m.faults, rows.top, m.options)
	}
	if m.faults.any() && (refused || err == nil) {
		return done, m.faults.sorted(rows.header)
	}
	return done, err
}

// maker makes a bundle of a sheet.
type maker struct {
	kind    Kind
	client  *ent.Client
	rows    *reader
	out     *gzip.Writer
	sources sourceRows
	faults  Faults
	options []string // keys of variations with a column
	values  []string // keys of technical fields with a column
}

// readColumns refuses a sheet with unknown columns, or without those that identify its records. A sheet of
// offers may have only columns of offers: staff who may change prices may not be allowed to change products.
func (m *maker) readColumns(ctx context.Context) error {
	var bad Faults
	at := m.rows.top
	if most, err := m.mostColumns(ctx); err != nil {
		return err
	} else if len(m.rows.header) > most {
		return refused(at, "", "has more than %d columns", most)
	}
	for _, name := range m.rows.header {
		c, known := columnNamed(name)
		switch {
		case name == "":
		case m.kind == Offers && slices.Contains(offerColumns, name),
			m.kind == Products && known && c.kind != ignored:
		case m.kind == Products && strings.HasPrefix(name, optionColumn) && name != optionColumn:
			m.options = append(m.options, strings.TrimPrefix(name, optionColumn))
		case m.kind == Products && strings.HasPrefix(name, valueColumn) && name != valueColumn:
			m.values = append(m.values, strings.TrimPrefix(name, valueColumn))
		case m.kind == Products && known:
			bad.add(at, name, "is no column of products; did you mean titleFa or titleEn?")
		case bad.any(): // the known columns are listed once
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

// mostColumns returns how many columns a sheet may have: as many as an export, at least.
func (m *maker) mostColumns(ctx context.Context) (int, error) {
	if len(m.rows.header) <= mostColumns {
		return mostColumns, nil
	}
	options, values, err := ownColumns(ctx, m.client, nil)
	return max(mostColumns, len(columns)+len(options)+len(values)), err
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
