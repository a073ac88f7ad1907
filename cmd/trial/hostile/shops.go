package hostile

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"storefront/cmd/bench/catalog"
	"storefront/cmd/internal/customer"
	"storefront/internal/demo"
)

// market is the demo shop where honest customers buy; the others are attacked and imported.
const (
	market    = "paperlane.example"
	longTexts = "texts.example"
)

// shops is what clients know of the content.
type shops struct {
	business string   // id of the market
	variants []string // ids of the market's variants in stock
	products []string // slugs of the market's products
	ids      []string // of products, articles and categories of the market
	fuzzer   *fuzzer
}

// fill imports all shops and counts their units.
func (t *trial) fill(ctx context.Context) error {
	var files []string
	keep := func(name string, text []byte) error {
		file, err := t.File(name, text)
		files = append(files, file)
		return err
	}
	for _, d := range demo.Bundles() {
		name := d.Domain + ".json"
		if strings.HasPrefix(string(d.Data[:2]), "\x1f\x8b") {
			name += ".gz"
		}
		if err := keep(name, d.Data); err != nil {
			return err
		}
	}
	if err := errors.Join(keep("texts.json", articles(t.articles)), t.writeLarge()); err != nil {
		return err
	}
	if _, err := t.Run(ctx, append([]string{"import", t.large(0)}, files...)...); err != nil {
		return err
	}
	return t.Count(ctx)
}

// large names one of the two bundles of the large shop.
func (t *trial) large(n int) string {
	return filepath.Join(t.Folder, fmt.Sprintf("large-%d.json", n%2))
}

// writeLarge writes the large shop twice, with other titles, so that an import of the one changes every
// product of the other. Stock is the same in both.
func (t *trial) writeLarge() error {
	var text strings.Builder
	if err := catalog.Write(&text, t.products); err != nil {
		return err
	}
	changed := strings.ReplaceAll(text.String(), `"titleFa":"`, `"titleFa":"نو `)
	return errors.Join(os.WriteFile(t.large(0), []byte(text.String()), 0o600),
		os.WriteFile(t.large(1), []byte(changed), 0o600))
}

// articles is the bundle of a shop whose articles are long.
func articles(n int) []byte {
	var blogs []any
	for i := range n {
		blogs = append(blogs, map[string]any{"slug": fmt.Sprintf("article-%d", i), "type": "news",
			"titleFa": fmt.Sprintf("مقاله %d", i), "body": strings.Repeat("متن بلند ", 11_000),
			"publishedAt": "2026-01-01T00:00:00Z"})
	}
	return customer.JSON(map[string]any{
		"format": "storefront-bundle/1",
		"tenant": map[string]any{"domain": longTexts, "slug": "texts", "name": "Texts", "nameFa": "متن\u200cها",
			"defaultLocale": "fa"},
		"blogs": blogs,
	})
}

// look reads what clients know of the market.
func (t *trial) look(ctx context.Context, c *shopper) (s shops, err error) {
	s.business = c.Business
	var listed struct {
		Items []struct {
			ID, Slug      string
			InStock       bool
			StockQuantity *int
		}
	}
	at := "/tenants/" + market
	if err := c.REST(ctx, "GET", at+"/products?pageSize=100", nil).Read(&listed); err != nil {
		return s, err
	}
	for _, p := range listed.Items {
		s.products, s.ids = append(s.products, p.Slug), append(s.ids, p.ID)
	}
	for _, path := range []string{"/blogs", "/categories", "/portfolios", "/user-products"} {
		listed.Items = nil
		if err := c.REST(ctx, "GET", at+path, nil).Read(&listed); err != nil {
			return s, err
		}
		for _, record := range listed.Items {
			s.ids = append(s.ids, record.ID)
		}
	}
	listed.Items = nil
	if err := c.REST(ctx, "GET", at+"/store-items?inStock=true&pageSize=100", nil).Read(&listed); err != nil {
		return s, err
	}
	for _, v := range listed.Items {
		if v.StockQuantity == nil { // more than a few
			s.variants = append(s.variants, v.ID)
		}
	}
	if len(s.products) == 0 || len(s.variants) == 0 {
		return s, fmt.Errorf("%s has %d products and %d variants in stock", market, len(s.products),
			len(s.variants))
	}
	return s, nil
}
