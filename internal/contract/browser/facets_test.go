package browser_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"storefront/internal/contract/shoptest"
)

// facet is a choice that a list of the example storefront offers.
type facet struct{ Label, Count string }

// facets returns the choices below a heading, in the order of the page.
func (b *browser) facets(t *testing.T, heading string) []facet {
	t.Helper()
	b.do(t, shows(".facets", heading), settled)
	return evaluate[[]facet](t, b, `[...document.querySelectorAll('.facets fieldset')].filter((set) => `+
		`set.querySelector('legend').innerText === `+strconv.Quote(heading)+
		`).flatMap((set) => [...set.querySelectorAll('label')])`+
		`.map((label) => ({Label: label.querySelector('span').innerText, `+
		`Count: label.querySelector('small').innerText}))`)
}

// settled waits until a list has been loaded.
var settled = chromedp.PollFunction(`() => document.querySelector('.list')?.ariaBusy === 'false'`, nil)

// choose ticks the n-th choice below a heading, and checks that as many results are shown as the choice
// announced.
func (b *browser) choose(t *testing.T, heading string, n int, results string) facet {
	t.Helper()
	offered := b.facets(t, heading)
	if len(offered) <= n {
		t.Fatalf("below %q the list offers %v", heading, offered)
	}
	box := `[...document.querySelectorAll('.facets fieldset')].find((set) => ` +
		`set.querySelector('legend').innerText === ` +
		strconv.Quote(heading) + `).querySelectorAll('input')[` + strconv.Itoa(n) + `]`
	b.do(t, chromedp.Evaluate(box+".click()", nil),
		chromedp.PollFunction(`(words) => document.querySelector('.list [role=status]')?.innerText === words`, nil,
			chromedp.WithPollingArgs(offered[n].Count+" "+results), chromedp.WithPollingTimeout(browserTime)), settled)
	if !evaluate[bool](t, b, box+".checked") {
		t.Errorf("%s is not chosen", offered[n].Label)
	}
	return offered[n]
}

// TestFacetsInBrowser chooses sizes, colours, prices and brands in the example storefront, in English at a desk and in
// Persian on a phone, and types into its search.
func TestFacetsInBrowser(t *testing.T) {
	shoptest.EachDemo(t, func(t *testing.T, p *shoptest.Place) {
		shop := storefrontFor(t, p.URL, shoptest.PaperShop)
		b := openBrowser(t)
		b.do(t, chromedp.Navigate(shop+"/c/women-outerwear"), shows(".list h1", "Jackets & Coats"),
			shows(".facets", "Colour", "Size"))
		all := evaluate[string](t, b, `document.querySelector('.list [role=status]').innerText`)
		first := b.choose(t, "Size", 0, "results")
		second := b.choose(t, "Colour", 1, "results")
		b.isFine(t, "facets")
		if sizes := b.facets(t, "Size"); len(sizes) < 2 {
			t.Errorf("with %s and %s the other sizes are gone: %v", first.Label, second.Label, sizes)
		}
		if swatches := evaluate[int](t, b, `document.querySelectorAll('.facets label i').length`); swatches == 0 {
			t.Error("colours have no swatch")
		}
		address := evaluate[string](t, b, "location.search")
		b.do(t, chromedp.Reload(), shows(".list h1", "Jackets & Coats"), settled)
		if again := evaluate[string](t, b, "location.search"); again != address ||
			!strings.Contains(again, "colour") {
			t.Errorf("got the address %s, want %s as before", again, address)
		}
		b.do(t, click("button", "Clear filters"), shows(".list", all))
		b.choose(t, "Price", 1, "results")
		b.do(t, chromedp.NavigateBack(), shows(".list", all), settled)
		b.choose(t, "Brands", 0, "results")

		b.do(t, chromedp.SendKeys("input[type=search]", "letters from s", chromedp.ByQuery),
			shows(".suggestions", "Letters from Shiraz"), chromedp.SendKeys("input[type=search]", "hiraz\r",
				chromedp.ByQuery))
		b.do(t, shows(".list h1", "letters from shiraz"), settled)
		if sort := evaluate[string](t, b, `document.querySelector('.sort').value`); sort != "relevance" {
			t.Errorf("a search is sorted by %s", sort)
		}
		b.do(t, chromedp.Evaluate(`document.querySelector('input[type=search]').value = ''`, nil),
			chromedp.SendKeys("input[type=search]", "poet", chromedp.ByQuery), shows(".suggestions", "Poetry"))
		b.isFine(t, "suggestions")
		b.do(t, shows(".suggestions", "Category"),
			chromedp.Click(`.suggestions a[href="/c/poetry"]`, chromedp.ByQuery),
			shows(".list h1", "Poetry"), settled)

		b.do(t, chromedp.EmulateViewport(390, 844), click("button", "فارسی"),
			chromedp.Navigate(shop+"/c/women-outerwear"),
			shows(".list h1", "کت و پالتو"), click(".facets summary", "پالایه\u200cها"))
		size := b.choose(t, "اندازه", 0, "نتیجه")
		if strings.ContainsAny(size.Count, "0123456789") {
			t.Errorf("in Persian %s is counted as %s", size.Label, size.Count)
		}
		b.choose(t, "رنگ", 0, "نتیجه")
		b.choose(t, "قیمت", 0, "نتیجه")
		b.isFine(t, "facets on a phone")
		latin := `document.body.innerText.replaceAll('English', '').match(/[0-9$]*[0-9][^\n]*/g) ?? []`
		if digits := evaluate[[]string](t, b, latin); len(digits) > 0 {
			t.Errorf("in Persian the page shows %q", digits)
		}
		b.wasQuietOn(t, p, shop)

		machines := storefrontFor(t, p.URL, shoptest.MachineShop)
		b.do(t, chromedp.Navigate(machines+"/search?sort=price_asc"), click("button", "فارسی"),
			shows(".cards", "تومان"), settled)
		b.do(t, click(".facets summary", "پالایه\u200cها"))
		b.choose(t, "قیمت", 0, "نتیجه")
		b.isFine(t, "toman on a phone")
		for _, price := range evaluate[[]string](t, b,
			`[...document.querySelectorAll('.card .price b')].map((b) => b.innerText)`) {
			digits, is := strings.CutSuffix(price, " تومان")
			if !is || strings.Trim(digits, "۰۱۲۳۴۵۶۷۸۹٬") != "" {
				t.Errorf("a price in toman is shown as %q", price)
			}
		}
	})
}
