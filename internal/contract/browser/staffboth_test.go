package browser_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"storefront/internal/content/bundle"
	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// both presses the button that splits the fields of a label into both languages, and waits until the first
// new field has the focus.
func both(label string) chromedp.Action {
	first, _, _ := strings.Cut(label, ",")
	return chromedp.Tasks{click("button", "In both languages: "+label), chromedp.PollFunction(`(name) =>
		[...(document.activeElement.labels ?? []), { innerText: document.activeElement.ariaLabel }].some(
			(label) => label.innerText?.trim() === name)`, nil, chromedp.WithPollingArgs(first+" (Persian)"),
		chromedp.WithPollingInterval(50*time.Millisecond), chromedp.WithPollingTimeout(browserTime))}
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

// TestStaffBothLanguagesInBrowser writes each kind of text in both languages on a phone, and reads by GraphQL that both
// are stored.
func TestStaffBothLanguagesInBrowser(t *testing.T) {
	axe := axeScript(t)
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		summary, err := bundle.Import(t.Context(), c.Store, bundle.Bytes(manyProducts()), nil)
		if err != nil {
			t.Fatal(err)
		}
		shop := summary.Tenant.String()
		d := forms{staffDay{t: t, c: c, b: openBrowser(t), axe: axe, words: staffWords["en"], language: "en",
			shop: shop, staff: c.Staff(t, shop, record.Owner)}}
		d.b.do(t, chromedp.EmulateViewport(390, 844), chromedp.Navigate(c.URL+"/staff#/lamps.example/today"))
		d.signsIn()
		d.b.do(t, shows("h1", "Today"))
		for _, do := range []func(){d.tabbedTo,
			d.olderDraft, d.productInBoth, d.homeInBoth, d.blogInBoth, d.categoryInBoth,
			d.profileInBoth, d.chosenInBoth, d.slideInBoth, d.listingInPersian} {
			do()
		}
	})
}

// invalid waits until the field of a label is marked as wrong.
func invalid(label string) chromedp.Action {
	return chromedp.PollFunction(`(label) => [...document.querySelectorAll('[aria-invalid=true]')].some(
		(e) => [...(e.labels ?? [])].some((l) => l.innerText.trim() === label))`, nil, chromedp.WithPollingArgs(label),
		chromedp.WithPollingInterval(50*time.Millisecond), chromedp.WithPollingTimeout(browserTime))
}

// writes types a text into the editor of a language, which must have the direction of that language.
func writes(language, direction, text string) chromedp.Action {
	return chromedp.Tasks{focuses(`.rich [role=textbox][lang=` + language + `][dir=` + direction + `]`),
		input.InsertText(text)}
}

// clears empties the field of a label.
func clears(label string) chromedp.Action { return chromedp.Tasks{fill(label, "x"), types("\b")} }

// productInBoth writes a product's description, the description of an image, and texts for search engines.
// Texts that are too long must be marked at their own fields, and not at the address of the image.
func (d forms) productInBoth() {
	d.t.Helper()
	seo := "Title for search engines"
	d.b.do(d.t, d.at("products/p-000"), shows("h1", "Product 000"), both("Description"), writes("fa", "rtl", "چراغ"),
		writes("en", "ltr", "A lamp"), both("What the image shows"),
		fill("What the image shows (Persian)", strings.Repeat("ن", 1001)), both(seo+", Description for search engines"),
		fill(seo+" (Persian)", strings.Repeat("ع", 201)), click("button", "Save"), invalid(seo+" (Persian)"),
		invalid("What the image shows (Persian)"))
	if n := evaluate[int](d.t, d.b, `document.querySelectorAll('[aria-invalid=true]').length`); n != 2 {
		d.t.Errorf("%d fields are marked as wrong, want 2", n)
	}
	d.b.do(d.t, fill("What the image shows (Persian)", "نما"), fill(seo+" (Persian)", "چراغ خوب"),
		fill(seo+" (English)", "A good lamp"))
	d.saves()
	d.looks("product")
	product := func(description any) {
		d.t.Helper()
		d.got(`staffProduct(businessId: $shop, slug: "p-000") { content { summary summaryFa description descriptionFa
			images { alt altFa } seo { title titleFa description descriptionFa } } }`, shoptest.Members{
			"content": shoptest.Members{"summary": nil, "summaryFa": nil, "description": description,
				"descriptionFa": "چراغ", "images": []any{shoptest.Members{"alt": "a", "altFa": "نما"},
					shoptest.Members{"alt": "b", "altFa": nil}, shoptest.Members{"alt": "c", "altFa": nil}},
				"seo": shoptest.Members{"title": "A good lamp", "titleFa": "چراغ خوب", "description": nil,
					"descriptionFa": nil}}})
	}
	product("A lamp")

	// A draft has both texts. The English field with a Persian text says where that text is shown.
	says := "shown in both languages until"
	d.b.do(d.t, fill("Summary", "خلاصه"), both("Summary"), shows(".field", says), chromedp.Reload(),
		shows(".field", says), shows(".unsaved", "not saved"), fill("Summary (English)", "In short"),
		chromedp.PollFunction(`(says) => !document.body.innerText.includes(says)`, nil,
			chromedp.WithPollingArgs(says), chromedp.WithPollingTimeout(browserTime)),
		// One that differs from the Persian text is shown in English.
		fill("Summary (English)", "خلاصه دیگر"), shows(".field", "what storefronts in English show"),
		clears("Summary (English)"), clears("Summary (Persian)"), gone(".unsaved"))
}

// olderDraft continues a draft of an earlier version of the page without texts in two languages. The page
// must not report that somebody changed the fields that this version did not have.
func (d forms) olderDraft() {
	d.t.Helper()
	const slides = `[{"title": "%s", "subtitle": "", "imageUrl": "https://images.example/1.png", "linkUrl": "",
		"buttonText": "", "alt": ""}, {"title": "Second of two", "subtitle": "",
		"imageUrl": "https://images.example/2.png", "linkUrl": "", "buttonText": "", "alt": ""}]`
	draft := fmt.Sprintf(`{"base": {"title": "Slider two", "slides": `+slides+`},
		"value": {"title": "Slider two", "slides": `+slides+`}}`, "First of two", "Typed before")
	d.b.do(d.t, d.at("home"), shows(".sorted", "Slider two"), chromedp.Evaluate(fmt.Sprintf(
		`localStorage.setItem('storefront.staff.draft.%s.%s.home.sliders.two', %q)`, d.staff.Customer.ID, d.shop,
		draft), nil),
		d.at("home/sliders/two"), shows("h1", "Slider two"), shows(".unsaved", "not saved"))
	if said := evaluate[[]string](d.t, d.b, `[...document.querySelectorAll('.conflict, .field label')].map(
		(one) => one.innerText).filter((one) => /Somebody|Persian/.test(one))`); len(said) > 0 {
		d.t.Fatalf("the page says %q", said)
	}
	d.saves()
	d.got(`staffSliders(businessId: $shop) { slides { title } }`, []any{
		shoptest.Members{"slides": []any{shoptest.Members{"title": "First of one"},
			shoptest.Members{"title": "Second of one"}}},
		shoptest.Members{"slides": []any{shoptest.Members{"title": "Typed before"},
			shoptest.Members{"title": "Second of two"}}},
		shoptest.Members{"slides": []any{shoptest.Members{"title": "First of three"},
			shoptest.Members{"title": "Second of three"}}},
	})
}

// homeInBoth writes a slide, groups and a special offer.
func (d forms) homeInBoth() {
	d.t.Helper()
	d.b.do(d.t, d.at("home/sliders/one"), shows("h1", "Slider one"),
		both("What the image shows, Title, Subtitle, Words on the button"))
	for _, name := range []string{"What the image shows", "Title", "Subtitle", "Words on the button"} {
		d.b.do(d.t, fill(name+" (English)", "In English"), fill(name+" (Persian)", "فارسی"))
	}
	d.looks("slides")
	d.saves()
	var got struct {
		StaffSliders []struct{ Slides []shoptest.Members }
	}
	d.staff.Do(d.t, `query($shop: ID!) { staffSliders(businessId: $shop) { slides {
		title titleFa subtitle subtitleFa buttonText buttonTextFa alt altFa } } }`,
		shoptest.Members{"shop": d.shop}, &got)
	d.same(map[string]any(got.StaffSliders[0].Slides[0]), shoptest.Members{"title": "In English", "titleFa": "فارسی",
		"subtitle": "In English", "subtitleFa": "فارسی", "buttonText": "In English", "buttonTextFa": "فارسی",
		"alt": "In English", "altFa": "فارسی"})

	for _, one := range []struct {
		path, query string
		chosen      chromedp.Action
	}{
		{"category-groups", "staffCategoryGroups", choose("Add", "Wall")},
		{"brand-groups", "staffBrandGroups", choose("Add", "Sun")},
		{"specials", "staffStoreSpecials", chromedp.Tasks{fill("Add by name or SKU", "product 007"),
			click("[role=option]", "Product 007 · SKU-007")}},
	} {
		d.b.do(d.t, d.at("home/"+one.path+"/+"), fill("Slug", "new"), fill("Title", "New"), both("Title"),
			fill("Title (Persian)", "تازه"), one.chosen)
		d.saves()
		d.got(one.query+`(businessId: $shop) { title titleFa }`,
			[]any{shoptest.Members{"title": "New", "titleFa": "تازه"}})
		d.b.do(d.t, clears("Title (Persian)"))
		d.saves()
		d.got(one.query+`(businessId: $shop) { title titleFa }`,
			[]any{shoptest.Members{"title": "New", "titleFa": nil}})
	}
}

// blogInBoth writes a blog and a portfolio.
func (d forms) blogInBoth() {
	d.t.Helper()
	for _, one := range []struct{ section, heading, query string }{
		{"blogs", "Write a blog", "staffBlog"}, {"portfolios", "Add a portfolio", "staffPortfolio"},
	} {
		d.b.do(d.t, d.at(one.section+"/+"), shows("h1", one.heading), fill("Slug", "light"),
			fill("Persian title", "نور"),
			both("Text"), writes("fa", "rtl", "روشن"), writes("en", "ltr", "Bright"), fill("Summary", "Short"),
			both("Summary"), fill("Summary (Persian)", "کوتاه"))
		d.saves()
		d.got(one.query+`(businessId: $shop, slug: "light") { summary summaryFa body bodyFa }`, shoptest.Members{
			"summary": "Short", "summaryFa": "کوتاه", "body": "Bright", "bodyFa": "روشن"})
	}
}

func (d forms) categoryInBoth() {
	d.t.Helper()
	d.b.do(d.t, d.at("categories/product/desk"), fill("Description", "For desks"), both("Description"),
		fill("Description (Persian)", "برای میز"))
	d.saves()
	d.got(`staffCategory(businessId: $shop, entityType: product, slug: "desk") { description descriptionFa }`,
		shoptest.Members{"description": "For desks", "descriptionFa": "برای میز"})
}

// profileInBoth writes working hours and an address.
func (d forms) profileInBoth() {
	d.t.Helper()
	place := "Title, Province, City, Address"
	d.b.do(d.t, d.at("settings"), fill("Working hours", "9-17"), both("Working hours"),
		fill("Working hours (Persian)", "۹ تا ۱۷"),
		chromedp.Evaluate(`[...document.querySelectorAll('fieldset')].find((e) => e.querySelector(':scope > legend')
			?.innerText === 'Addresses').querySelector(':scope > button').click()`, nil),
		both(place), fill("City (English)", "Shiraz"), fill("City (Persian)", "شیراز"),
		fill("Address (English)", "1 Zand St"), fill("Address (Persian)", "زند ۱"))
	d.looks("profile")
	d.b.do(d.t, chromedp.Evaluate(`[...document.querySelectorAll('form')].find((e) => e.innerText.includes(
		'Working hours')).requestSubmit()`, nil), gone(".unsaved"))
	d.got(`staffBusinessProfile(businessId: $shop) { workingHours workingHoursFa
		addresses { title titleFa city cityFa address addressFa } }`, shoptest.Members{"workingHours": "9-17",
		"workingHoursFa": "۹ تا ۱۷", "addresses": []any{shoptest.Members{"title": nil, "titleFa": nil, "city": "Shiraz",
			"cityFa": "شیراز", "address": "1 Zand St", "addressFa": "زند ۱"}}})
}

// chosenInBoth puts an image of the shop into the text of each language, where it is described in that language.
func (d forms) chosenInBoth() {
	d.t.Helper()
	mine := `li:has(img):first-child`
	d.b.do(d.t, d.at("media"), shows("h1", d.w("images")),
		chromedp.SetUploadFiles(`input[type=file]`, []string{d.pictureFile()}, chromedp.ByQuery),
		shows(mine, d.w("size")), fill(d.w("alt fa"), "لامپ"), fill(d.w("alt en"), "A bulb"),
		click(mine+" button", d.w("save")), gone(".unsaved"),
		d.at("products/p-002"), shows("h1", "Product 002"), both("Description"))
	for _, language := range []string{"fa", "en"} {
		editor := `.rich:has([role=textbox][lang=` + language + `])`
		d.b.do(d.t, click(editor+" button", "Image"), click(editor+" .filters button", "Choose or upload"),
			chromedp.Click(`.library img[alt="A bulb"]`, chromedp.ByQuery), gone(".modal"),
			chromedp.WaitVisible(editor+" img[alt]", chromedp.ByQuery))
	}
	d.saves()
	var got struct {
		StaffProduct struct {
			Content struct{ Description, DescriptionFa string }
		}
	}
	d.staff.Do(d.t, `query($shop: ID!) { staffProduct(businessId: $shop, slug: "p-002") { content {
		description descriptionFa } } }`, shoptest.Members{"shop": d.shop}, &got)
	content := got.StaffProduct.Content
	if !strings.Contains(content.Description, `alt="A bulb"`) ||
		!strings.Contains(content.DescriptionFa, `alt="لامپ"`) {
		d.t.Errorf("got the texts %+v, want an image in each, described in its language", content)
	}
}

// listingInPersian looks at a listing whose image is described in Persian alone.
func (d forms) listingInPersian() {
	d.t.Helper()
	d.staff.Do(d.t, `mutation($shop: ID!) { createUserProduct(businessId: $shop, slug: "old", input: {
		titleFa: "کهنه", priceCurrency: "IRR", condition: scrap, status: pending,
		images: [{url: "/old.png", altFa: "چراغ کهنه"}]}) { version } }`,
		shoptest.Members{"shop": d.shop}, nil)
	d.b.do(d.t, d.at("listings/old"), shows("h1", "کهنه"),
		chromedp.WaitReady(`article img[alt="چراغ کهنه"]`, chromedp.ByQuery))
}

// slideInBoth chooses the image of chosenInBoth for a slide with a text of its own. The image's text in the
// other language must not be added.
func (d forms) slideInBoth() {
	d.t.Helper()
	d.b.do(d.t, d.at("home/sliders/three"), shows("h1", "Slider three"), fill("What the image shows", "A lamp"),
		click("button", "Choose or upload: Address of the image"),
		chromedp.Click(`.library img[alt="A bulb"]`, chromedp.ByQuery), gone(".modal"))
	d.saves()
	var got struct {
		StaffSliders []struct {
			Slides []struct{ ImageURL, Alt, AltFa string }
		}
	}
	d.staff.Do(d.t, `query($shop: ID!) { staffSliders(businessId: $shop) { slides { imageUrl alt altFa } } }`,
		shoptest.Members{"shop": d.shop}, &got)
	of := got.StaffSliders[2].Slides[0]
	if !strings.HasPrefix(of.ImageURL, "/media/") || of.Alt != "A lamp" || of.AltFa != "" {
		d.t.Errorf("got %+v", of)
	}
}
