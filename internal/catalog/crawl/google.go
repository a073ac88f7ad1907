package crawl

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"

	"storefront/ent"
	"storefront/internal/catalog/seo"
	"storefront/internal/locale/money"
	"storefront/internal/record"
)

// Limits of Google's product data, in characters.
const (
	googleTitle   = 150
	googleText    = 5_000
	googleImages  = 10 // in addition to the first one
	googleChoices = 100
)

// feedName matches the name of a feed, with its language.
var feedName = regexp.MustCompile(`^google(?:-(fa|en))?\.xml$`)

// feed writes all variants on sale for Google's Merchant Center: RSS 2.0 with Google's own elements.
func (s *Service) feed(ctx context.Context, site shop, w *answer) error {
	name := feedName.FindStringSubmatch(w.request.PathValue("file"))
	if name == nil || !site.Has(record.ProductPage) {
		return noFile()
	}
	w.contentType = xmlType
	page := seo.NewPage(site.Tenant, name[1])
	f := &googleFeed{page: page, xmlFile: xmlFile{to: w}}
	f.markup(xmlHeader + `<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">` + "\n<channel>")
	title := page.Name(site.Name, site.NameFa)
	f.element("title", title)
	f.element("link", site.Base)
	f.element("description", title)
	f.markup("\n")
	err := s.records.eachOffer(ctx, site.ID, offerFilter{}, func(variants []*ent.Variant) error {
		for _, v := range variants {
			if err := f.add(v); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	f.markup("</channel>\n</rss>\n")
	return f.flush()
}

// googleFeed writes the items of a feed.
type googleFeed struct {
	page seo.Page
	xmlFile
}

// googleAttributes are the options of variants that have an element of their own.
var googleAttributes = []string{"color", "size", "material", "pattern"}

// add adds a variant if it has a price, as Google requires one.
func (f *googleFeed) add(v *ent.Variant) error {
	of := v.Edges.Product
	if v.Price == nil || of == nil {
		return nil
	}
	p := f.page
	g := func(name, content string) {
		if content != "" {
			f.element("g:"+name, content)
		}
	}
	f.markup("<item>")
	g("id", v.ID.String())
	title := p.Title(of.TitleEn, of.TitleFa)
	if choices := p.Choices(of, v); len(choices) > 0 {
		title += " - " + strings.Join(choices, ", ")
	}
	g("title", seo.Plain(title, googleTitle))
	g("description", cmp.Or(seo.Plain(p.Description(of), googleText), title))
	g("link", p.Of(record.ProductPage, of.Slug))
	images := offeredImages(p, v)
	for i, address := range images[:min(len(images), 1+googleImages)] {
		if i == 0 {
			g("image_link", address)
		} else {
			g("additional_image_link", address)
		}
	}
	availability := "out_of_stock"
	if v.Stock > 0 {
		availability = "in_stock"
	}
	g("availability", availability)
	price := priceOf(v.Price, v.PriceCurrency)
	if v.CompareAtPrice != nil && *v.CompareAtPrice > *v.Price {
		g("price", priceOf(v.CompareAtPrice, v.PriceCurrency))
		g("sale_price", price)
	} else {
		g("price", price)
	}
	if of.Edges.Brand != nil {
		g("brand", p.Name(of.Edges.Brand.Name, of.Edges.Brand.NameFa))
	}
	g("identifier_exists", "no") // a SKU of the shop is not the manufacturer's part number
	if of.Edges.Category != nil {
		g("product_type", p.Name(of.Edges.Category.Name, of.Edges.Category.NameFa))
	}
	if len(of.Variations) > 0 {
		g("item_group_id", of.ID.String())
	}
	for _, option := range record.OptionsOf(of.Variations, v.Options) {
		if slices.Contains(googleAttributes, option.Key) {
			g(option.Key, seo.Plain(p.Name(option.Label, option.LabelFa), googleChoices))
		}
	}
	g("condition", "new")
	f.markup("</item>\n")
	return f.send()
}

// offeredImages returns the variant's own image, if it has one, and those of its product.
func offeredImages(p seo.Page, v *ent.Variant) []string {
	images := p.Images(v.Edges.Product.Images)
	if v.ImageURL == nil {
		return images
	}
	own := p.Absolute(*v.ImageURL)
	return slices.Concat([]string{own}, slices.DeleteFunc(images, func(other string) bool { return other == own }))
}

// priceOf returns a price in Google's form: 12.50 USD.
func priceOf(minor *int64, currency string) string {
	price := money.Amount{Minor: *minor, Currency: currency}.ISO()
	return price.String() + " " + price.Currency
}
