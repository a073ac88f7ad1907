package browser_test

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/chromedp"

	"storefront/internal/contract/shoptest"
)

// inList waits until a row of the list is visible.
func inList(title string) chromedp.Action { return rolls(-1, title) }

// rolls scrolls the list to a row, as far as it has been loaded, until the row with a title is visible.
func rolls(row int, title string) chromedp.Action {
	return chromedp.PollFunction(`(row, title) => {
		const list = document.querySelector('.list');
		const box = list?.getBoundingClientRect();
		if (row >= 0 && list) list.scrollTop = row * 44;
		return box && [...list.querySelectorAll('[role=row]')].some((row) => row.innerText.includes(title) &&
			row.getBoundingClientRect().top >= box.top && row.getBoundingClientRect().bottom <= box.bottom);
	}`, nil, chromedp.WithPollingArgs(row, title), chromedp.WithPollingInterval(50*time.Millisecond),
		chromedp.WithPollingTimeout(browserTime))
}

// longList scrolls through the products, and checks that the page holds only the rows around the visible
// ones.
func (d forms) longList() {
	d.t.Helper()
	titles := d.titles()
	d.b.do(d.t, d.at("products"), inList(titles[0]))
	for row := 45; row < len(titles)-5; row += 45 {
		d.b.do(d.t, rolls(row, titles[row+2]))
	}
	d.b.do(d.t, rolls(len(titles), titles[len(titles)-1]))
	if rows := evaluate[int](d.t, d.b, `document.querySelectorAll('.list [role=row]').length`); rows > 60 {
		d.t.Errorf("got %d rows on the page, want those about what is on the screen", rows)
	}
	d.b.do(d.t, rolls(100, titles[102]), rolls(0, titles[0]))
	// All loaded rows are selected, including those that are not on the screen.
	d.b.do(d.t, click(".list [role=columnheader] input", "Select all"),
		shows(".list [role=row][aria-selected=true]", titles[0]), rolls(300, titles[302]))
	chosen := evaluate[int](d.t, d.b, `document.querySelectorAll('.list [role=row][aria-selected=true]').length`)
	if chosen < 10 {
		d.t.Errorf("got %d chosen rows far down, want all that are shown", chosen)
	}
	d.b.do(d.t, click("button", "Archived"), shows("[role=status]", "320 changed."), inList(titles[302]),
		shows(".list .badge", "Archived"))
	// Once a filter is cleared, the list is whole again.
	d.b.do(d.t, d.at("products?find=Product+01"), shows("h1", "Products 14"), d.at("products"),
		shows("h1", "Products 320"), inList(titles[0]))
}

// titles returns the titles of all products in the order of the page.
func (d forms) titles() (titles []string) {
	d.t.Helper()
	after := ""
	for {
		var got struct {
			List struct {
				Nodes    []struct{ TitleEn string }
				PageInfo struct {
					HasNextPage bool
					EndCursor   string
				}
			}
		}
		variables := shoptest.Members{"shop": d.shop}
		if after != "" {
			variables["after"] = after
		}
		d.staff.Do(d.t, `query($shop: ID!, $after: String) { list: staffRecordsConnection(businessId: $shop,
			kind: product, first: 100, after: $after) { nodes { titleEn } pageInfo { hasNextPage endCursor } } }`,
			variables, &got)
		for _, node := range got.List.Nodes {
			titles = append(titles, node.TitleEn)
		}
		if after = got.List.PageInfo.EndCursor; !got.List.PageInfo.HasNextPage {
			return titles
		}
	}
}

// sheet imports a sheet while the list is scrolled down. The list must show the change and keep its
// position.
func (d forms) sheet() {
	d.t.Helper()
	titles := d.titles()
	slug := strings.Replace(strings.ToLower(titles[102]), "product ", "p-", 1)
	path := filepath.Join(d.t.TempDir(), "products.csv")
	if err := os.WriteFile(path, []byte("slug,titleEn\n"+slug+",Changed by a sheet\n"), 0o600); err != nil {
		d.t.Fatal(err)
	}
	d.b.do(d.t, rolls(100, titles[102]),
		chromedp.SetUploadFiles(`input[type=file]`, []string{path}, chromedp.ByQuery),
		shows(".modal", "1 changed"), click(".modal button", "Write it"), gone(".modal"),
		inList("Changed by a sheet"), inList(titles[103]))
}
