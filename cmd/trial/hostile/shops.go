package hostile

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"storefront/cmd/bench/catalog"
	"storefront/cmd/internal/child"
	"storefront/internal/contract/ledger"
	"storefront/internal/demo"
	"storefront/internal/store"
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

// fill migrates the database, imports all shops and counts their units.
func (t *trial) fill(ctx context.Context) error {
	files := []string{}
	for _, d := range demo.Bundles() {
		file := filepath.Join(t.Folder, d.Domain+".json")
		if strings.HasPrefix(string(d.Data[:2]), "\x1f\x8b") {
			file += ".gz"
		}
		files = append(files, file)
		if err := os.WriteFile(file, d.Data, 0o600); err != nil {
			return err
		}
	}
	files = append(files, filepath.Join(t.Folder, "texts.json"), t.large(0))
	if err := os.WriteFile(files[len(files)-2], articles(t.articles), 0o600); err != nil {
		return err
	}
	if err := writeLarge(t.large(0), t.large(1), t.products); err != nil {
		return err
	}
	for _, args := range [][]string{{"migrate"}, append([]string{"import"}, files...)} {
		if _, err := child.Run(ctx, t.environment(), t.settings.server, args...); err != nil {
			return err
		}
	}
	var err error
	if t.books, err = store.Open(ctx, t.Database); err != nil {
		return err
	}
	t.initial, err = ledger.Units(ctx, t.books)
	return err
}

// large names one of the two bundles of the large shop.
func (t *trial) large(n int) string {
	return filepath.Join(t.Folder, fmt.Sprintf("large-%d.json", n%2))
}

// writeLarge writes the large shop twice, with other titles, so that an import of the one changes every
// product of the other. Stock is the same in both.
func writeLarge(one, other string, products int) error {
	var text strings.Builder
	if err := catalog.Write(&text, products); err != nil {
		return err
	}
	if err := os.WriteFile(one, []byte(text.String()), 0o600); err != nil {
		return err
	}
	changed := strings.ReplaceAll(text.String(), `"titleFa":"`, `"titleFa":"نو `)
	return os.WriteFile(other, []byte(changed), 0o600)
}

// articles is the bundle of a shop whose articles are long.
func articles(n int) []byte {
	var blogs []any
	for i := range n {
		blogs = append(blogs, map[string]any{"slug": fmt.Sprintf("article-%d", i), "type": "news",
			"titleFa": fmt.Sprintf("مقاله %d", i), "body": strings.Repeat("متن بلند ", 11_000),
			"publishedAt": "2026-01-01T00:00:00Z"})
	}
	text, _ := json.Marshal(map[string]any{ // never fails
		"format": "storefront-bundle/1",
		"tenant": map[string]any{"domain": longTexts, "slug": "texts", "name": "Texts", "nameFa": "متن\u200cها",
			"defaultLocale": "fa"},
		"blogs": blogs,
	})
	return text
}

// look reads what clients know of the market.
func (t *trial) look(ctx context.Context, c *customer) (s shops, err error) {
	s.business = c.business
	var listed struct {
		Items []struct {
			ID, Slug      string
			InStock       bool
			StockQuantity *int
		}
	}
	at := "/tenants/" + market
	if err := c.rest(ctx, "GET", at+"/products?pageSize=100", nil).read(&listed); err != nil {
		return s, err
	}
	for _, p := range listed.Items {
		s.products, s.ids = append(s.products, p.Slug), append(s.ids, p.ID)
	}
	for _, path := range []string{"/blogs", "/categories", "/portfolios", "/user-products"} {
		listed.Items = nil
		if err := c.rest(ctx, "GET", at+path, nil).read(&listed); err != nil {
			return s, err
		}
		for _, record := range listed.Items {
			s.ids = append(s.ids, record.ID)
		}
	}
	listed.Items = nil
	if err := c.rest(ctx, "GET", at+"/store-items?inStock=true&pageSize=100", nil).read(&listed); err != nil {
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
