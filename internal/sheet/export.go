package sheet

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/product"
	"storefront/internal/bundle"
	"storefront/internal/goroutine"
	"storefront/internal/record"
	"storefront/internal/store"
	"storefront/internal/tenancy"
)

// sold is a product as it stands in a bundle.
type sold struct {
	Slug        string
	TitleFa     string
	TitleEn     *string
	Summary     *string
	Description *string
	Category    *string
	Brand       *string
	Tags        []string
	Images      []struct{ URL string }
	SEO         record.SEO
	Status      string
	PublishedAt time.Time
	Values      map[string]json.RawMessage
	Variants    []soldVariant
}

type soldVariant struct {
	SKU              string
	Options          map[string]string
	Price            *json.Number
	CompareAtPrice   *json.Number
	PriceCurrency    string
	Stock            int
	IsFestival       bool
	MaxOrderQuantity *int
	ImageURL         *string
	OnSale           bool
}

// ExportProducts writes all products of a shop with their variants, a row for each variant.
func ExportProducts(ctx context.Context, db *store.Store, shop *ent.Tenant, to io.Writer) error {
	options, values, err := ownColumns(tenancy.In(ctx, shop.ID), db.Client)
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
	w, err := newWriter(to, header...)
	if err != nil {
		return err
	}
	err = eachProduct(ctx, db, shop.Domain, func(p *sold) error {
		images := make([]string, len(p.Images))
		for i, one := range p.Images {
			images[i] = one.URL
		}
		of := []any{p.Slug, p.TitleFa, p.TitleEn, p.Summary, p.Description, p.Category, p.Brand, joined(p.Tags),
			strings.Join(images, " "), p.SEO.Title, p.SEO.Description, p.Status,
			p.PublishedAt.UTC().Format(time.RFC3339Nano)}
		technical := make([]any, len(values))
		for i, key := range values {
			technical[i] = cellOf(p.Values[key])
		}
		if len(p.Variants) == 0 {
			of = append(of, make([]any, len(header)-len(of)-len(values))...)
			return w.write(append(of, technical...)...)
		}
		for _, v := range p.Variants {
			cells := append(slices.Clone(of), v.SKU, v.PriceCurrency, cellOfNumber(v.Price),
				cellOfNumber(v.CompareAtPrice), v.Stock, cellOfCount(v.MaxOrderQuantity),
				v.IsFestival, v.OnSale, v.ImageURL)
			for _, key := range options {
				cells = append(cells, v.Options[key])
			}
			if err := w.write(append(cells, technical...)...); err != nil {
				return err
			}
		}
		return nil
	})
	return w.end(err)
}

// ExportOffers writes all variants of a shop with their prices and stock.
func ExportOffers(ctx context.Context, db *store.Store, shop *ent.Tenant, to io.Writer) error {
	w, err := newWriter(to, "sku", "title", "priceCurrency", "price", "compareAtPrice", "stock", "onSale")
	if err != nil {
		return err
	}
	err = eachProduct(ctx, db, shop.Domain, func(p *sold) error {
		for _, v := range p.Variants {
			title := p.TitleFa
			if shop.DefaultLocale == "en" && p.TitleEn != nil {
				title = *p.TitleEn
			}
			for _, key := range slices.Sorted(maps.Keys(v.Options)) {
				title += " " + v.Options[key]
			}
			err := w.write(v.SKU, title, v.PriceCurrency, cellOfNumber(v.Price), cellOfNumber(v.CompareAtPrice),
				v.Stock, v.OnSale)
			if err != nil {
				return err
			}
		}
		return nil
	})
	return w.end(err)
}

// ownColumns are the keys of all variations and of all technical fields that the shop's products have.
func ownColumns(ctx context.Context, client *ent.Client) (options, values []string, err error) {
	after := uuid.Nil
	for {
		rows, err := client.Product.Query().Where(product.IDGT(after)).Order(product.ByID()).Limit(atOnce).
			Select(product.FieldID, product.FieldVariations).All(ctx)
		if err != nil {
			return nil, nil, err
		}
		for _, one := range rows {
			for _, v := range one.Variations {
				if !slices.Contains(options, v.Key) {
					options = append(options, v.Key)
				}
			}
		}
		if len(rows) < atOnce {
			break
		}
		after = rows[len(rows)-1].ID
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

// errRead ends an export of which all is read that is needed.
var errRead = errors.New("sheet: all products are read")

// eachProduct gives the products of a shop's bundle to f, as it is written.
func eachProduct(ctx context.Context, db *store.Store, domain string, f func(*sold) error) error {
	text, into := io.Pipe()
	written := make(chan error, 1)
	goroutine.Start("exporting the products of a sheet", func() {
		err := errors.New("the export did not end")
		defer func() { // after a panic, too
			into.CloseWithError(cmp.Or(err, io.EOF))
			written <- err
		}()
		err = bundle.Export(ctx, db, domain, into)
	})
	err := readProducts(json.NewDecoder(text), f)
	text.CloseWithError(errRead)
	if exported := <-written; err == nil && !errors.Is(exported, errRead) {
		err = exported
	}
	return err
}

// readProducts reads the products of a bundle.
func readProducts(from *json.Decoder, f func(*sold) error) error {
	if _, err := from.Token(); err != nil { // {
		return err
	}
	for from.More() {
		name, err := from.Token()
		if err != nil {
			return err
		}
		if name != "products" {
			var skipped json.RawMessage
			if err := from.Decode(&skipped); err != nil {
				return err
			}
			continue
		}
		if _, err := from.Token(); err != nil { // [
			return err
		}
		for from.More() {
			one := new(sold)
			if err := from.Decode(one); err != nil {
				return fmt.Errorf("read a product: %w", err)
			}
			if err := f(one); err != nil {
				return err
			}
		}
		return nil
	}
	return nil
}

// cellOf is the cell of a technical value.
func cellOf(value json.RawMessage) any {
	var said any
	if len(value) == 0 || json.Unmarshal(value, &said) != nil {
		return nil
	}
	switch said := said.(type) {
	case string:
		return said
	case []any:
		parts := make([]string, len(said))
		for i, part := range said {
			parts[i] = fmt.Sprint(part)
		}
		return joined(parts)
	}
	return json.Number(value) // or true, false: as they are written
}

func cellOfNumber(n *json.Number) any {
	if n == nil {
		return nil
	}
	return *n
}

func cellOfCount(n *int) any {
	if n == nil {
		return nil
	}
	return *n
}
