package browser_test

import (
	"encoding/base32"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"storefront/internal/app"
	"storefront/internal/content/bundle"
	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// manyProducts returns a shop with more products than a list shows at once, and what its forms choose from.
func manyProducts() []byte {
	products := make([]map[string]any, 320)
	for i := range products {
		products[i] = map[string]any{"slug": fmt.Sprintf("p-%03d", i), "titleFa": fmt.Sprintf("کالای %d", i),
			"titleEn": fmt.Sprintf("Product %03d", i), "status": "published",
			"publishedAt": time.Date(2026, 1, 1, 0, 0, -i, 0, time.UTC), // the list begins with product 0
			"variants": []any{map[string]any{
				"sku": fmt.Sprintf("SKU-%03d", i), "priceCurrency": "IRR", "price": 1000}}}
	}
	images := []any{}
	for _, name := range []string{"a", "b", "c"} {
		images = append(images, map[string]any{"url": "https://images.example/" + name + ".png", "alt": name})
	}
	products[0]["images"] = images
	text, err := json.Marshal(map[string]any{
		"format": "storefront-bundle/1",
		"tenant": map[string]any{"domain": "lamps.example", "slug": "lamps", "name": "Lamps", "nameFa": "چراغ‌ها",
			"defaultLocale": "fa"},
		"products": products,
		"categories": []any{
			map[string]any{"entityType": "product", "slug": "desk", "name": "Desk", "nameFa": "رومیزی"},
			map[string]any{"entityType": "product", "slug": "wall", "name": "Wall", "nameFa": "دیواری"}},
		"brands":  []any{map[string]any{"slug": "sun", "name": "Sun", "nameFa": "آفتاب"}},
		"sliders": []any{slider("one"), slider("two"), slider("three")},
	})
	if err != nil {
		panic(err)
	}
	return text
}

func slider(key string) map[string]any {
	return map[string]any{"key": key, "title": "Slider " + key, "slides": []any{
		map[string]any{"title": "First of " + key, "imageUrl": "https://images.example/1.png"},
		map[string]any{"title": "Second of " + key, "imageUrl": "https://images.example/2.png"}}}
}

// TestStaffFormsInBrowser fills in the forms of the page of staff that the first day does not, and checks
// over GraphQL that the input is stored. It arranges items by mouse and by keyboard, and pages through a
// long list.
func TestStaffFormsInBrowser(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		summary, err := bundle.Import(t.Context(), c.Store, bundle.Bytes(manyProducts()), nil)
		if err != nil {
			t.Fatal(err)
		}
		shop := summary.Tenant.String()
		d := forms{staffDay{t: t, c: c, b: openBrowser(t), words: staffWords["en"], language: "en", shop: shop,
			staff: c.Staff(t, shop, record.Owner)}}
		// Images of other hosts do not load, so wasQuiet is not called.
		d.b.do(t, chromedp.Navigate(c.URL+"/staff#/lamps.example/today"))
		d.signsIn()
		d.b.do(t, shows("h1", "Today"))
		for _, do := range []func(){d.inEnglish, d.saysWhatIsWrong, d.longList, d.comesBack, d.sheet,
			d.images, d.sliders, d.bothLanguages, d.portfolio, d.groups, d.special, d.delivery, d.taxes, d.message,
			d.listing,
			d.team, d.invited, d.webhook, d.missing, d.emptyLog, d.calendars, d.settings, d.secondFactor, d.person} {
			do()
		}
	}, func(o *app.Options) { o.ShopSMSInDay = 100 })
}

// forms is a day of an owner who fills in the forms of the page.
type forms struct{ staffDay }

// got checks the answer to a query of staff.
func (d forms) got(query string, want any) {
	d.t.Helper()
	var got map[string]any
	d.staff.Do(d.t, `query($shop: ID!) { got: `+query+` }`, shoptest.Members{"shop": d.shop}, &got)
	d.same(got["got"], want)
}

func (d forms) same(got, want any) {
	d.t.Helper()
	text, err := json.Marshal(want)
	if err != nil {
		d.t.Fatal(err)
	}
	var wanted any
	if err := json.Unmarshal(text, &wanted); err != nil {
		d.t.Fatal(err)
	}
	if !reflect.DeepEqual(got, wanted) {
		d.t.Errorf("got %v, want %v", got, wanted)
	}
}

// saves presses Save and waits until all is stored.
func (d forms) saves() {
	d.t.Helper()
	d.b.do(d.t, click("button", "Save"), shows("[role=status]", "Saved."), gone(".unsaved"), chromedp.Poll(
		`!location.hash.endsWith('+')`, nil, chromedp.WithPollingTimeout(browserTime)))
}

// sets switches a switch on.
func sets(label string) chromedp.Action {
	return chromedp.PollFunction(`(label) => {
		const found = [...document.querySelectorAll('label.toggle')].find((e) => e.innerText.trim() === label);
		found?.querySelector('input').click();
		return Boolean(found);
	}`, nil, chromedp.WithPollingArgs(label), chromedp.WithPollingInterval(50*time.Millisecond),
		chromedp.WithPollingTimeout(browserTime))
}

// types sends keys to the element with the focus.
func types(keys string) chromedp.Action { return chromedp.KeyEvent(keys) }

// enter presses Enter as a keyboard does, so that a field that handles the key gets no character.
func enter() chromedp.Action {
	key := func(kind input.KeyType) chromedp.Action {
		return input.DispatchKeyEvent(kind).WithKey("Enter").WithCode("Enter").WithWindowsVirtualKeyCode(13)
	}
	return chromedp.Tasks{key(input.KeyRawDown), key(input.KeyUp)}
}

// focuses puts the focus on the first element of a selector.
func focuses(selector string) chromedp.Action {
	return chromedp.PollFunction(`(selector) => {
		const element = document.querySelector(selector);
		element?.focus();
		return element !== null && document.activeElement === element;
	}`, nil, chromedp.WithPollingArgs(selector), chromedp.WithPollingInterval(50*time.Millisecond),
		chromedp.WithPollingTimeout(browserTime))
}

// images arranges the images of a product by mouse and by keys, and chooses one for its variant.
func (d forms) images() {
	d.t.Helper()
	alts := `[...document.querySelectorAll('.pictures input')].map((field) => field.value).join()`
	d.b.do(d.t, d.at("products/p-000"), shows("h1", "Product 000"),
		chromedp.WaitReady(`.prose [role=textbox]`, chromedp.ByQuery)) // or the fields below it move
	d.drags(".pictures", 0, 2)
	d.b.do(d.t, chromedp.Poll(alts+` === 'b,c,a'`, nil, chromedp.WithPollingTimeout(browserTime)))
	d.carries(".pictures", 0, 1)
	d.b.do(d.t, chromedp.Poll(alts+` === 'c,b,a'`, nil, chromedp.WithPollingTimeout(browserTime)),
		fill("Image SKU-000", "https://images.example/v.png"), shows(".unsaved", "not saved"))
	d.saves()
	d.got(`staffProduct(businessId: $shop, slug: "p-000") { content { images { alt } variants { imageUrl } } }`,
		shoptest.Members{"content": shoptest.Members{
			"images":   []any{shoptest.Members{"alt": "c"}, shoptest.Members{"alt": "b"}, shoptest.Members{"alt": "a"}},
			"variants": []any{shoptest.Members{"imageUrl": "https://images.example/v.png"}}}})

	// The link of a preview leads to the storefront, and its text shows the draft to anybody.
	d.b.do(d.t, click("button", "Preview"),
		fill("The page in your shop’s website", "https://shop.example/p/{slug}"),
		click(".modal button", "Make the link"), shows(".modal a", "Open"))
	link := evaluate[string](d.t, d.b, `document.querySelector('.modal a').href`)
	text, found := strings.CutPrefix(link, "https://shop.example/p/p-000?preview=")
	if !found {
		d.t.Errorf("got the link %q", link)
	}
	if got := d.c.Get(d.t, "/tenants/lamps.example/products/p-000?preview="+text); got.Status != 200 {
		d.t.Errorf("the preview: got %d %s", got.Status, got.Body)
	}
	d.b.do(d.t, click(".modal button", "Close"), gone(".modal"))
}

// sliders arranges blocks of the home page, and the slides of one.
func (d forms) sliders() {
	d.t.Helper()
	order := func(want ...string) {
		d.t.Helper()
		d.b.do(d.t, shows(".sorted", want...), chromedp.PollFunction(`(want) =>
			[...document.querySelectorAll('.sorted [role=row]')]
				.map((row) => row.innerText.split(' ').pop()).join() === want`,
			nil, chromedp.WithPollingArgs(strings.Join(want, ",")), chromedp.WithPollingTimeout(browserTime)))
	}
	d.b.do(d.t, d.at("home"), shows(".sorted", "Slider one", "Slider three"))
	d.drags(".sorted", 0, 2)
	order("two", "three", "one")
	d.carries(".sorted", 0, 1)
	order("three", "two", "one")
	d.b.do(d.t, d.at("home/sliders/one"), shows("h1", "Slider one"))
	d.carries(".slides", 0, 1)
	d.b.do(d.t, shows(".unsaved", "not saved"), fill("Words on the button", "Buy"))
	d.saves()
	d.got(`staffSliders(businessId: $shop) { key position slides { title buttonText } }`, []any{
		shoptest.Members{"key": "one", "position": 3, "slides": []any{
			shoptest.Members{"title": "Second of one", "buttonText": "Buy"},
			shoptest.Members{"title": "First of one", "buttonText": nil}}},
		shoptest.Members{"key": "two", "position": 2, "slides": d.slides("two")},
		shoptest.Members{"key": "three", "position": 1, "slides": d.slides("three")},
	})
}

func (forms) slides(key string) []any {
	return []any{shoptest.Members{"title": "First of " + key, "buttonText": nil},
		shoptest.Members{"title": "Second of " + key, "buttonText": nil}}
}

// portfolio writes a portfolio with a link and an image in its text.
func (d forms) portfolio() {
	d.t.Helper()
	text := `.prose [role=textbox]`
	d.b.do(d.t, d.at("portfolios/+"), shows("h1", "Add a portfolio"), fill("Slug", "hall"),
		fill("Persian title", "تالار"),
		fill("Client", "City"), fill("Type one and press Enter", "light"), enter(),
		focuses(text), input.InsertText("See "),
		// Before the address there is a wrong one, which is refused in words.
		click(".tools button", "Link"), fill("Address", "javascript:alert(1)"), click("button", "Insert"),
		shows(".react-aria-FieldError", "It begins with https://"), fill("Address", "https://city.example"),
		click("button", "Insert"),
		shows(text+" a", "https://city.example"),
		click(".tools button", "Image"), fill("Address", "https://images.example/hall.png"),
		fill("What the image shows", "The hall"), click("button", "Insert"),
		chromedp.WaitReady(text+" img[alt='The hall']", chromedp.ByQuery))
	d.saves()
	d.got(`staffPortfolio(businessId: $shop, slug: "hall") { titleFa clientName tags body status }`, shoptest.Members{
		"titleFa": "تالار", "clientName": "City", "tags": []any{"light"}, "status": "draft",
		"body": `<p>See <a href="https://city.example">https://city.example</a>` +
			`<img src="https://images.example/hall.png" alt="The hall"></p>`})
}

// groups chooses categories and brands by their names.
func (d forms) groups() {
	d.t.Helper()
	d.b.do(d.t, d.at("home/category-groups/+"), shows("h1", "Add a group of categories"), fill("Slug", "rooms"),
		fill("Title", "Rooms"), choose("Add", "Wall"), shows(".tags", "Wall"), choose("Add", "Desk"),
		shows(".tags", "Desk"))
	d.saves()
	d.b.do(d.t, d.at("home/brand-groups/+"), shows("h1", "Add a group of brands"), fill("Slug", "known"),
		fill("Title", "Known"), choose("Add", "Sun"), shows(".tags", "Sun"))
	d.saves()
	d.got(`staffCategoryGroups(businessId: $shop) { key title categories }`,
		[]any{shoptest.Members{"key": "rooms", "title": "Rooms", "categories": []any{"wall", "desk"}}})
	d.got(`staffBrandGroups(businessId: $shop) { key title brands }`,
		[]any{shoptest.Members{"key": "known", "title": "Known", "brands": []any{"sun"}}})
}

// special adds a special offer that begins at a given time. Its variants are found by name and SKU, and
// arranged by keyboard.
func (d forms) special() {
	d.t.Helper()
	d.b.do(d.t, d.at("home/specials/+"), shows("h1", "Add a special offer"), fill("Slug", "autumn"),
		fill("Title", "Autumn"),
		focuses(".moment [role=spinbutton]"), types("05112026"+"0930"), shows(".moment", "05"),
		fill("Add by name or SKU", "product 007"),
		click("[role=option]", "Product 007 · SKU-007"), shows(".sorted", "SKU-007"),
		fill("Add by name or SKU", "SKU-001"), click("[role=option]", "Product 001 · SKU-001"),
		shows(".sorted", "Product 007", "Product 001"))
	d.carries(".sorted", 0, 1)
	d.saves()
	d.got(`staffStoreSpecials(businessId: $shop) { key title variants startsAt }`, []any{shoptest.Members{
		"key": "autumn", "title": "Autumn", "variants": []any{"SKU-001", "SKU-007"},
		"startsAt": "2026-11-05T09:30:00Z"}})
	// What was chosen before is shown by name, and can be taken out.
	d.b.do(d.t, chromedp.Reload(), shows(".sorted", "Product 001", "Product 007"),
		click("button", "Remove: Product 001"), shows(".unsaved", "not saved"))
	d.saves()
	d.got(`staffStoreSpecials(businessId: $shop) { variants }`,
		[]any{shoptest.Members{"variants": []any{"SKU-007"}}})
	// The same holds for more variants than one request names.
	many := make([]string, 230)
	for i := range many {
		many[i] = fmt.Sprintf("SKU-%03d", i)
	}
	d.staff.Do(d.t, `mutation($shop: ID!, $skus: [String!]) { updateStoreSpecial(businessId: $shop, key: "autumn",
		input: {variants: $skus}) { version } }`, shoptest.Members{"shop": d.shop, "skus": many}, nil)
	d.b.do(d.t, chromedp.Reload(), shows(".sorted", "Product 000", "Product 099", "Product 100", "Product 229"))
}

// delivery sets up a delivery method by weight.
func (d forms) delivery() {
	d.t.Helper()
	d.b.do(d.t, d.at("delivery/+"), shows("h1", "Add a delivery method"), fill("Slug", "post"),
		fill("Name", "Post"), fill("Persian name", "پست"), choose("Price", "By weight"), fill("Currency", "irr"),
		click("button", "Add a step"), fill("Up to, in grams", "2000"), fill("Amount", "90000"),
		fill("Provinces, by slug", "tehran، alborz"), fill("Days at most", "3"))
	d.saves()
	d.got(`staffDeliveryMethods(businessId: $shop) { key name nameFa kind priceCurrency price steps { upTo price }
		provinces daysFrom daysTo active }`, []any{shoptest.Members{"key": "post", "name": "Post", "nameFa": "پست",
		"kind": "steps", "priceCurrency": "IRR", "price": nil,
		"steps":     []any{shoptest.Members{"upTo": 2000.0, "price": 90000.0}},
		"provinces": []any{"tehran", "alborz"}, "daysFrom": nil, "daysTo": 3.0, "active": true}})
	d.b.do(d.t, d.at("delivery"), shows(".sorted", "Post"))
	d.staff.Do(d.t, `mutation($shop: ID!) { deleteDeliveryMethod(businessId: $shop, key: "post") { message } }`,
		shoptest.Members{"shop": d.shop}, nil)
}

// taxes sets up a tax rate in percent, from a day on.
func (d forms) taxes() {
	d.t.Helper()
	d.b.do(d.t, d.at("taxes/+"), shows("h1", "Add a tax rate"), fill("Slug", "vat"), fill("Name", "VAT"),
		fill("Persian name", "مالیات"), fill("Percent", "۸٫۲۵"),
		focuses(".moment [role=spinbutton]"), types("21032026"), shows(".moment", "21"))
	d.saves()
	d.got(`staffTaxRates(businessId: $shop) { key category name nameFa rate from until }`, []any{shoptest.Members{
		"key": "vat", "category": "standard", "name": "VAT", "nameFa": "مالیات", "rate": 82500.0,
		"from": "2026-03-21", "until": nil}})
	d.b.do(d.t, d.at("taxes"), shows("main li", "VAT: standard 8.25%"))
	d.staff.Do(d.t, `mutation($shop: ID!) { deleteTaxRate(businessId: $shop, key: "vat") { message } }`,
		shoptest.Members{"shop": d.shop}, nil)
}

// message writes a note on a message and answers it.
func (d forms) message() {
	d.t.Helper()
	d.staff.Do(d.t, `mutation { submitContact(domain: "lamps.example", input: {title: "Hours", name: "Sara",
		cellNumber: "0912 000 1234", text: "When are you open?"}) { message } }`, nil, nil)
	d.b.do(d.t, d.at("messages"), shows("article", "When are you open?"), click("summary", "Answer by SMS"),
		fill("Note for the team", "asked twice"), click("button", "Keep the note"),
		fill("Answer by SMS", "From nine to five."),
		click("button", "Send"), gone("article")) // an answered message leaves the list
	if text := d.c.Phones.Text(d.t, "+989120001234"); !strings.Contains(text, "From nine to five.") {
		d.t.Errorf("got the message %q", text)
	}
	d.got(`contactSubmissionsConnection(businessId: $shop, handled: true) { nodes { title note reply { text } } }`,
		shoptest.Members{"nodes": []any{shoptest.Members{"title": "Hours", "note": "asked twice",
			"reply": shoptest.Members{"text": "From nine to five."}}}})
}

// listing rejects a customer's listing with a reason. Its image elsewhere is a link: the other host does not learn who
// looks at it.
func (d forms) listing() {
	d.t.Helper()
	d.staff.Do(d.t, `mutation($shop: ID!) { createUserProduct(businessId: $shop, slug: "old", input: {
		titleFa: "کهنه", priceCurrency: "IRR", condition: scrap, status: pending,
		images: [{url: "/icon.svg"}, {url: "https://stranger.example/seen.png"}]}) { version } }`,
		shoptest.Members{"shop": d.shop}, nil)
	d.b.do(d.t, d.at("listings"), shows(".list", "کهنه"), click(".list [role=rowheader]", "کهنه"),
		shows("h1", "کهنه"), chromedp.WaitReady(`article img[src$="/icon.svg"]`, chromedp.ByQuery),
		shows("article a[target]", "https://stranger.example/seen.png"),
		fill("Why it is rejected, for the customer", "no picture"), click("button", "Rejected"),
		shows("h1 .badge", "Rejected"),
		shows("article", "no picture"))
	d.b.mu.Lock()
	defer d.b.mu.Unlock()
	if slices.Contains(d.b.asked, "https://stranger.example/seen.png") {
		d.t.Error("the page has asked the host of a customer's image")
	}
	d.got(`staffListing(businessId: $shop, slug: "old") { content { status rejectionReason } }`, shoptest.Members{
		"content": shoptest.Members{"status": "rejected", "rejectionReason": "no picture"}})
}

// settings writes the names and the description of the shop.
func (d forms) settings() {
	d.t.Helper()
	d.b.do(d.t, d.at("settings"), shows("h1", "Settings"), fill("Colour (#rrggbb)", "#aa3300"),
		fill("Time zone, such as Asia/Tehran", "Asia/Tehran"))
	d.saves()
	// The addresses of the shop's pages: an invalid one is marked, and the others are kept.
	d.b.do(d.t, sets("The pages are at the usual addresses"), fill("Product", "/lamp/{id}"), fill("Blog", ""),
		fill("Portfolio", ""), fill("Brand", "{prefix}/makers/{slug}"),
		chromedp.Evaluate(`[...document.querySelectorAll('form')][1].requestSubmit()`, nil),
		shows(".react-aria-FieldError", "{slug}"), fill("Product", "/lamp/{slug}"),
		chromedp.Evaluate(`[...document.querySelectorAll('form')][1].requestSubmit()`, nil),
		gone(".unsaved"))
	d.got(`staffShop(businessId: $shop) { pages { site home product category brand blog portfolio listing order } }`,
		shoptest.Members{"pages": shoptest.Members{"site": "https://{domain}", "home": "/", "product": "/lamp/{slug}",
			"category": "/categories/{slug}", "brand": "{prefix}/makers/{slug}", "blog": nil, "portfolio": nil,
			"listing": nil, "order": "/orders/{number}"}})
	d.b.do(d.t, fill("About", "Lamps of glass"), fill("Working hours", "9-17"),
		focuses(".editor:nth-of-type(3) .field:has(.tags) input"), input.InsertText("02112345678"),
		enter(), shows(".tags", "02112345678"),
		chromedp.Evaluate(`[...document.querySelectorAll('form')][2].requestSubmit()`, nil),
		gone(".unsaved"))
	// A number is kept without Enter. A fault of a link is shown at that link.
	link := `[...document.querySelectorAll('fieldset')].find((e) => e.querySelector('legend')?.innerText === 'Links')`
	d.b.do(d.t, focuses(".editor:nth-of-type(3) .field:has(.tags) input"), input.InsertText("02187654321"),
		chromedp.Evaluate(link+`.querySelector(':scope > button').click()`, nil),
		fill("Kind, such as instagram", "instagram"), shows(".tags", "02187654321"),
		chromedp.Evaluate(`[...document.querySelectorAll('form')][2].requestSubmit()`, nil),
		shows(".cells [role=alert]", "must "),
		chromedp.WaitVisible(`.cells [aria-label=Address][aria-invalid=true]`, chromedp.ByQuery),
		fill("Address", "https://instagram.com/lamps"),
		chromedp.Evaluate(`[...document.querySelectorAll('form')][2].requestSubmit()`, nil),
		gone(".unsaved"))
	d.b.do(d.t, fill("Hours for a transfer", "24"), fill("Hours for a payment gateway", "72"),
		fill("Minutes instead of these hours, while customers can pay at a gateway here", "45"),
		sets("Only customers whose number was proven by a code order"), sets("Prices contain the taxes"),
		chromedp.Evaluate(`[...document.querySelectorAll('form')][3].requestSubmit()`, nil), gone(".unsaved"))
	d.got(`staffShop(businessId: $shop) {
		orderRules { transferHours gatewayHours gatewayMinutes mostUnpaid provenNumber
			pricesIncludeTax } }`,
		shoptest.Members{"orderRules": shoptest.Members{"transferHours": 24.0, "gatewayHours": 72.0,
			"gatewayMinutes": 45.0, "mostUnpaid": nil, "provenNumber": true, "pricesIncludeTax": true}})
	d.got(`staffShop(businessId: $shop) { primaryColor timeZone }`,
		shoptest.Members{"primaryColor": "#aa3300", "timeZone": "Asia/Tehran"})
	d.got(`staffBusinessProfile(businessId: $shop) { about workingHours phones }`, shoptest.Members{
		"about": "Lamps of glass", "workingHours": "9-17", "phones": []any{"02112345678", "02187654321"}})
}

// secondFactor turns on a second factor by an SMS code, and requires one of the team.
func (d forms) secondFactor() {
	d.t.Helper()
	cell := d.staff.Customer.Cell
	d.c.Phones.Text(d.t, cell) // the notice of the sign-in
	d.b.do(d.t, d.at("account"), shows("h2", "Second factor"), click("button", "Send a code by SMS instead"),
		shows("label", "Code from the SMS"))
	d.b.do(d.t, fill("Code from the SMS", d.c.Phones.Code(d.t, cell)), click("button", "Switch it on"),
		shows("label", "Code of the app"))
	secret, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(
		evaluate[string](d.t, d.b, `document.querySelector('code').innerText`))
	if err != nil {
		d.t.Fatal(err)
	}
	d.b.do(d.t, fill("Code of the app", shoptest.AppCode(secret, d.c.Clock.Now())), click("button", "Confirm"),
		shows("[role=status]", "Keep these recovery codes"))
	d.b.do(d.t, d.at("settings"), shows("h1", "Settings"), sets("The team needs a second factor"),
		chromedp.PollFunction(`() => [...document.querySelectorAll('label.toggle')]
			.some((one) => one.dataset.selected)`, nil,
			chromedp.WithPollingTimeout(browserTime)))
	// Another session of the owner has to prove it.
	d.staff.Refused(d.t, "SECOND_FACTOR_REQUIRED", `query($shop: ID!) { shopAccess(businessId: $shop) { domain } }`,
		shoptest.Members{"shop": d.shop})
}
