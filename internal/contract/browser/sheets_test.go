package browser_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"

	"storefront/internal/app"
	"storefront/internal/content/bundle"
	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// TestSheetsInBrowser imports a sheet on the page of staff, and then one that stops half-way. The page must
// say so, and how much was written.
func TestSheetsInBrowser(t *testing.T) {
	var sheet strings.Builder
	sheet.WriteString("slug,titleFa\n")
	for i := range 1500 {
		fmt.Fprintf(&sheet, "many-%d,x\n", i)
	}
	folder := t.TempDir()
	write := func(name, text string) []string {
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return []string{file}
	}
	long, short := write("long.csv", sheet.String()), write("short.csv", "slug,titleFa\nmany-0,x\n")
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		summary, err := bundle.Import(t.Context(), c.Store, bundle.Bytes([]byte(lampShop)), nil)
		if err != nil {
			t.Fatal(err)
		}
		shop := summary.Tenant.String()
		owner := c.Staff(t, shop, record.Owner)
		serving, stop := context.WithCancel(t.Context())
		defer stop()
		var isLong, isWritten atomic.Bool
		there := c.Watched(t, func(text string) {
			if strings.Contains(text, "UPDATE audit_entries SET after") { // in each transaction of an import
				isWritten.Store(isLong.Load())
			} else if text == "BEGIN" && isWritten.Load() {
				stop()
			}
		}, func(o *app.Options) { o.Imports, o.Sender = serving, c.Phones })
		d := staffDay{t: t, c: c, b: openBrowser(t), words: staffWords["en"], language: "en", shop: shop, staff: owner}
		d.b.do(t, chromedp.Navigate(there.URL+"/staff#/lamps.example/products"))
		d.signsIn()
		choose := func(file []string) chromedp.Action {
			return chromedp.Tasks{shows("button", "Upload a CSV"),
				chromedp.SetUploadFiles(`input[type=file]`, file, chromedp.ByQuery)}
		}
		d.b.do(t, choose(short), shows(".modal", "What the sheet would change", "1 new"),
			click(".modal button", "Write it"), shows("[role=status]", "The sheet is written."), gone(".modal"),
			shows("[role=row]", "many-0"))
		isLong.Store(true)
		d.b.do(t, choose(long), shows(".modal", "What the sheet would change", "1,499 new"),
			click(".modal button", "Write it"),
			shows(".modal", "What is written of the sheet", "the sheet was stopped"))
		text := evaluate[string](t, d.b, `document.querySelector('.modal').innerText`)
		if strings.Contains(text, "Products: 0 new") || strings.Contains(text, "1,499 new") {
			t.Errorf("the page says %q, want how many products are written", text)
		}
		d.b.do(t, click(".modal button", "Close"), gone(".modal"))
	})
}
