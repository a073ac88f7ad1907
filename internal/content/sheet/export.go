package sheet

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/payment"
	"storefront/ent/product"
	"storefront/internal/content/element"
	"storefront/internal/database/store"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
	"storefront/internal/request"
	"storefront/internal/shop/audit"
)

// Kind is what the rows of a sheet are about.
type Kind string

// The kinds of sheets. All are exported, and products and offers imported, too.
const (
	Products  Kind = "products"
	Offers    Kind = "offers"
	Orders    Kind = "orders"
	Payments  Kind = "payments"
	Customers Kind = "customers"
)

// Known reports whether there are sheets of a kind.
func (k Kind) Known() bool { return k.Imported() || k == Orders || k == Payments || k == Customers }

// Imported reports whether sheets of a kind are imported, too.
func (k Kind) Imported() bool { return k == Products || k == Offers }

// one returns the singular of a kind, for the audit log.
func (k Kind) one() string { return strings.TrimSuffix(string(k), "s") }

// instant returns a time as a cell; empty for the zero time.
func instant(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format(time.RFC3339Nano)
}

// Export writes a sheet of all records of a kind that a shop has. The audit log entry is written before the
// first row. Records are read in pages, without a transaction: concurrent changes may be in the sheet or
// not. still, unless it is nil, is called before each page, and an error of it ends the export. After an
// error the output is incomplete.
func Export(
	ctx context.Context, db *store.Store, shop *ent.Tenant, kind Kind, to io.Writer, still func(context.Context) error,
) error {
	ctx = tenancy.In(ctx, shop.ID)
	e := &export{client: db.Client, shop: shop, w: &writer{still: still}}
	if err := e.note(ctx, kind); err != nil {
		return err
	}
	write := map[Kind]func(context.Context, io.Writer) error{
		Products: e.products, Offers: e.offers, Orders: e.orders, Payments: e.payments,
		Customers: e.customers,
	}[kind]
	if err := write(ctx, to); err != nil {
		return err
	}
	return e.w.rows.Flush()
}

// export is a sheet that is being written.
type export struct {
	client *ent.Client
	shop   *ent.Tenant
	w      *writer
}

// note writes the entry in the audit log: who exported what, and the number of records.
func (e *export) note(ctx context.Context, kind Kind) error {
	ctx, stop := context.WithTimeout(ctx, pageTime)
	defer stop()
	if _, known := request.StaffOf(ctx); !known {
		ctx = request.WithStaff(ctx, request.Staff{Business: e.shop.ID}) // exported by a command
	}
	return transaction.Run(ctx, e.client, func(tx *ent.Tx) error {
		n, err := map[Kind]func(context.Context) (int, error){
			Products: tx.Product.Query().Count, Offers: tx.Variant.Query().Count, Orders: tx.Order.Query().Count,
			Payments:  tx.Payment.Query().Where(payment.ReceivedAtNotNil()).Count,
			Customers: customersOf(tx.Client(), e.shop.ID).Count,
		}[kind](ctx)
		if err != nil {
			return err
		}
		return audit.Record(ctx, tx, "exportSheet", audit.Change{Kind: kind.one(),
			After: map[string]any{"records": n}})
	})
}

// products writes all products with their variants, a row for each variant.
func (e *export) products(ctx context.Context, to io.Writer) error {
	options, values, err := ownColumns(ctx, e.client, e.w.still)
	if err != nil {
		return err
	}
	var header []string
	for _, c := range columns {
		if c.kind != ignored {
			header = append(header, c.name)
		}
	}
	for _, key := range options {
		header = append(header, optionColumn+key)
	}
	for _, key := range values {
		header = append(header, valueColumn+key)
	}
	width := len(header)
	if err := e.w.begin(to, header...); err != nil {
		return err
	}
	return e.eachProduct(ctx, func(p element.ProductContent) error {
		images := convert.All(p.Images, func(one record.Media) string { return one.URL })
		of := []any{p.Slug, p.TitleFa, p.TitleEn, p.Summary, p.SummaryFa, p.Description, p.DescriptionFa,
			p.Category, p.Brand, joined(p.Tags), strings.Join(images, " "), p.Seo.Title, p.Seo.TitleFa,
			p.Seo.Description, p.Seo.DescriptionFa, string(p.Status),
			instant(p.DateInFile())}
		technical := convert.All(values, func(key string) any { return cellOf(p.Values[key]) })
		if len(p.Variants) == 0 {
			of = append(of, make([]any, width-len(of)-len(values))...)
			of[slices.Index(header, "expectedStock")] = 0 // says that it was exported
			return e.w.write(append(of, technical...)...)
		}
		for _, v := range p.Variants {
			cells := append(slices.Clone(of), v.SKU, v.PriceCurrency, optional(v.Price), optional(v.CompareAtPrice),
				v.Stock, v.Stock, optional(v.LowStockAt), optional(v.MaxOrderQuantity),
				optional(v.Weight), optional(v.TaxCategory), v.IsFestival, v.OnSale,
				v.ImageURL)
			for _, key := range options {
				cells = append(cells, v.Options[key])
			}
			if err := e.w.write(append(cells, technical...)...); err != nil {
				return err
			}
		}
		return nil
	})
}

// offers writes all variants with their prices and stock.
func (e *export) offers(ctx context.Context, to io.Writer) error {
	if err := e.w.begin(to, slices.Clone(offerColumns)...); err != nil {
		return err
	}
	return e.eachProduct(ctx, func(p element.ProductContent) error {
		for _, v := range p.Variants {
			title := p.TitleFa
			if e.shop.DefaultLocale == "en" && p.TitleEn != nil {
				title = *p.TitleEn
			}
			for _, key := range slices.Sorted(maps.Keys(v.Options)) {
				title += " " + v.Options[key]
			}
			err := e.w.write(v.SKU, title, v.PriceCurrency, optional(v.Price), optional(v.CompareAtPrice), v.Stock,
				v.Stock, optional(v.LowStockAt), v.OnSale)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// eachProduct reads the products of the shop, in the order of their ids.
func (e *export) eachProduct(ctx context.Context, write func(element.ProductContent) error) error {
	all, err := element.Contents{Client: e.client, Tenant: e.shop.ID}.ProductPages(ctx)
	if err != nil {
		return err
	}
	return pages(ctx, e.w.still, func(ctx context.Context, after uuid.UUID) ([]element.ProductContent, error) {
		return all.After(ctx, after, atOnce)
	}, func(p element.ProductContent) uuid.UUID { return p.ID }, write)
}

// ownColumns returns the keys of all variations and of all technical fields of the shop's products. still is as of
// Export.
func ownColumns(ctx context.Context, client *ent.Client, still func(context.Context) error) (
	options, values []string, err error,
) {
	err = pages(ctx, still, func(ctx context.Context, after uuid.UUID) ([]*ent.Product, error) {
		return client.Product.Query().Where(product.IDGT(after)).Order(product.ByID()).Limit(atOnce).
			Select(product.FieldID, product.FieldVariations).All(ctx)
	}, func(p *ent.Product) uuid.UUID { return p.ID }, func(p *ent.Product) error {
		for _, v := range p.Variations {
			if !slices.Contains(options, v.Key) {
				options = append(options, v.Key)
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	all, err := client.Category.Query().All(ctx)
	for _, one := range all {
		if one.EntityType != record.Product || one.Form == nil {
			continue
		}
		for _, field := range one.Form.Fields {
			if !slices.Contains(values, field.Key) {
				values = append(values, field.Key)
			}
		}
	}
	slices.Sort(options)
	slices.Sort(values)
	return options, values, err
}

// cellOf returns the cell of a technical value.
func cellOf(value json.RawMessage) any {
	var said any
	if len(value) == 0 || json.Unmarshal(value, &said) != nil {
		return nil
	}
	switch said := said.(type) {
	case string:
		return said
	case []any:
		parts := convert.All(said, func(part any) string { return fmt.Sprint(part) })
		if len(parts) == 0 {
			return "|" // an empty list, where an empty cell is an absent value
		}
		return joined(parts)
	}
	return json.Number(value) // numbers, true and false are written as they are
}

// optional returns the cell of an optional number.
func optional[N any](n *N) any {
	if n == nil {
		return nil
	}
	return *n
}
