package browser_test

import (
	"github.com/chromedp/chromedp"

	"storefront/internal/contract/shoptest"
)

// both presses the button with which the fields of a label begin to take both languages.
func both(label string) chromedp.Action {
	return click("button", "In both languages: "+label)
}

// bothLanguages writes texts in both languages, and clears one.
func (d forms) bothLanguages() {
	d.t.Helper()
	d.b.do(d.t, d.at("products/p-001"), fill("Summary", "چراغ"), both("Summary"),
		fill("Summary (English)", "A lamp"),
		both("Title for search engines, Description for search engines"),
		fill("Title for search engines (Persian)", "چراغ خوب"),
		fill("Title for search engines (English)", "A good lamp"))
	d.saves()
	product := func(summary, summaryFa any) {
		d.t.Helper()
		d.got(`staffProduct(businessId: $shop, slug: "p-001") { content { summary summaryFa
			seo { title titleFa description descriptionFa } } }`, shoptest.Members{"content": shoptest.Members{
			"summary": summary, "summaryFa": summaryFa, "seo": shoptest.Members{"title": "A good lamp",
				"titleFa": "چراغ خوب", "description": nil, "descriptionFa": nil}}})
	}
	product("A lamp", "چراغ") // the Persian text went to its own field when both began
	d.b.do(d.t, d.at("products/p-001"), fill("Summary (Persian)", "x"), types("\b"),
		fill("Summary (English)", "One lamp"))
	d.saves()
	product("One lamp", nil)

	d.b.do(d.t, d.at("home/sliders/two"), both("Title"), fill("Title (Persian)", "ردیف"))
	d.b.do(d.t, both("What the image shows, Title, Subtitle, Words on the button"), fill("Subtitle (Persian)", "زیر"))
	d.saves()
	d.got(`staffSliders(businessId: $shop) { titleFa slides { subtitleFa } }`, []any{
		shoptest.Members{"titleFa": nil, "slides": []any{shoptest.Members{"subtitleFa": nil},
			shoptest.Members{"subtitleFa": nil}}},
		shoptest.Members{"titleFa": "ردیف", "slides": []any{shoptest.Members{"subtitleFa": "زیر"},
			shoptest.Members{"subtitleFa": nil}}},
		shoptest.Members{"titleFa": nil, "slides": []any{shoptest.Members{"subtitleFa": nil},
			shoptest.Members{"subtitleFa": nil}}},
	})
}
