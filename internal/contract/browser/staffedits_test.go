package browser_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"storefront/internal/content/bundle"
	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// TestStaffEditsAreNotLostInBrowser edits a brand on the page of staff while somebody else does, before it has been
// read again, while the line is cut, and while the session ends.
func TestStaffEditsAreNotLostInBrowser(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		summary, err := bundle.Import(t.Context(), c.Store, bundle.Bytes([]byte(lampShop)), nil)
		if err != nil {
			t.Fatal(err)
		}
		shop := summary.Tenant.String()
		owner := c.Staff(t, shop, record.Owner)
		owner.Do(t, `mutation($shop: ID!) { createBrand(businessId: $shop, slug: "sun",
			input: {name: "Sun", nameFa: "آفتاب"}) { version } }`, shoptest.Members{"shop": shop}, nil)
		d := staffDay{t: t, c: c, b: openBrowser(t), words: staffWords["en"], language: "en", shop: shop, staff: owner}
		d.b.do(t, chromedp.Navigate(c.URL+"/staff#/lamps.example/brands/sun"))
		d.signsIn()
		name := func(want string) {
			t.Helper()
			var got struct{ StaffBrand struct{ Name string } }
			owner.Do(t, `query($shop: ID!) { staffBrand(businessId: $shop, slug: "sun") { name } }`,
				shoptest.Members{"shop": shop}, &got)
			if got.StaffBrand.Name != want {
				t.Errorf("got the name %q, want %q", got.StaffBrand.Name, want)
			}
		}
		saved := chromedp.Tasks{click("button", d.w("save")), chromedp.PollFunction(
			`() => !document.querySelector('.unsaved')`, nil, chromedp.WithPollingInterval(50*time.Millisecond),
			chromedp.WithPollingTimeout(browserTime))}

		d.b.do(t, shows("h1", "Sun"), fill(d.w("name"), "Mine"))
		owner.Do(t, `mutation($shop: ID!) { updateBrand(businessId: $shop, slug: "sun", input: {name: "Theirs"}) {
			version } }`, shoptest.Members{"shop": shop}, nil)
		d.b.do(t, click("button", d.w("save")), shows(".conflict", "Theirs", "Mine"))
		name("Theirs")
		d.b.do(t, click("button", "Keep yours"), saved)
		name("Mine")

		// What is typed after a save is saved too, though the record has not been read again.
		release := d.b.withhold(t, "query OneBrand")
		d.b.do(t, fill(d.w("name"), "Soon"), saved, fill(d.w("name"), "Sooner"), saved)
		name("Sooner")
		owner.Do(t, `mutation($shop: ID!) { updateBrand(businessId: $shop, slug: "sun", input: {nameFa: "خورشید"}) {
			version } }`, shoptest.Members{"shop": shop}, nil)
		release()
		d.b.do(t, holds(d.w("name fa"), "خورشید"), holds(d.w("name"), "Sooner"))

		d.b.do(t, fill(d.w("name"), "Offline"), network.EmulateNetworkConditions(true, 0, -1, -1),
			click("button", d.w("save")), shows("[role=alert]", "could not be reached"), shows(".unsaved", "not saved"),
			network.EmulateNetworkConditions(false, 0, -1, -1), saved)
		name("Offline")

		d.b.do(t, fill(d.w("name"), "Signed out"))
		owner.Do(t, `mutation { endOtherSessions { message } }`, nil, nil)
		d.b.do(t, click("button", d.w("save")), shows("h1", "Your shop"))
		name("Offline")
		c.Phones.Text(t, owner.Customer.Cell) // the notice of the first sign-in
		d.signsIn()
		d.b.do(t, shows("h1", "Offline"), shows(".unsaved", "not saved"), saved)
		name("Signed out")

		// Two people write the first profile of the business.
		submit := chromedp.Evaluate(`[...document.querySelectorAll('form')].find((e) => e.innerText.includes(
			'Working hours')).requestSubmit()`, nil)
		d.b.do(t, chromedp.Navigate(c.URL+"/staff#/lamps.example/settings"), fill("Working hours", "Mine"))
		owner.Do(t, `mutation($shop: ID!) { updateBusinessProfile(businessId: $shop, input: {workingHours: "Theirs"}) {
			version } }`, shoptest.Members{"shop": shop}, nil)
		d.b.do(t, submit, shows(".conflict", "Theirs", "Mine"), click("button", "Keep yours"), submit, gone(".unsaved"),
			chromedp.Navigate(c.URL+"/staff#/lamps.example/brands/sun"), shows("h1", "Signed out"))

		// Who may not edit sees the form, and can neither type nor save.
		d.b.do(t, click("button", d.w("sign out")), shows("h1", "Your shop"))
		d.staff = c.Staff(t, shop, record.Moderator)
		d.signsIn()
		d.b.do(t, shows("h1", "Signed out"))
		open := evaluate[int](t, d.b,
			`document.querySelectorAll('form :is(input, textarea, button):enabled').length`)
		if open != 0 {
			t.Errorf("got %d fields and buttons that a moderator may use in the form of a brand, want none", open)
		}
	})
}

// TestStaffGiveNoStockBackInBrowser changes prices and stock in a form that was opened before something was sold.
func TestStaffGiveNoStockBackInBrowser(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		summary, err := bundle.Import(t.Context(), c.Store, bundle.Bytes([]byte(strings.TrimSuffix(lampShop, "}")+`,
			"products": [{"slug": "cup", "titleFa": "فنجان", "titleEn": "Cup", "variants": [
				{"sku": "S-A", "priceCurrency": "EUR", "price": 10, "stock": 10},
				{"sku": "S-B", "priceCurrency": "EUR", "price": 10, "stock": 10}]}]}`)), nil)
		if err != nil {
			t.Fatal(err)
		}
		shop := summary.Tenant.String()
		owner := c.Staff(t, shop, record.Owner)
		d := staffDay{t: t, c: c, b: openBrowser(t), words: staffWords["en"], language: "en", shop: shop, staff: owner}
		offers := func(items string) {
			t.Helper()
			owner.Do(t, `mutation($shop: ID!) { updateOffers(businessId: $shop, input: [`+items+`]) { changed } }`,
				shoptest.Members{"shop": shop}, nil)
		}
		variants := func(want string) {
			t.Helper()
			var got struct {
				StaffProduct struct {
					Content struct{ Variants json.RawMessage }
				}
			}
			owner.Do(t, `query($shop: ID!) { staffProduct(businessId: $shop, slug: "cup") { content { variants {
				sku stock price compareAtPrice } } } }`, shoptest.Members{"shop": shop}, &got)
			if found := string(got.StaffProduct.Content.Variants); found != want {
				t.Errorf("got the variants %s, want %s", found, want)
			}
		}
		d.b.do(t, chromedp.Navigate(c.URL+"/staff#/lamps.example/products/cup"))
		d.signsIn()
		save := chromedp.Tasks{click("button", d.w("save")), gone(".unsaved")}

		// A draft of a price, kept while the other variant is sold and the first gets another member.
		d.b.do(t, shows("h1", "Cup"), fill(d.w("price"), "20"), types(kb.Tab))
		offers(`{sku: "S-B", stock: 7}, {sku: "S-A", compareAtPrice: 30}`)
		d.b.do(t, chromedp.Reload(), shows(".unsaved", "not saved"), gone(".conflict"), save)
		variants(`[{"sku":"S-A","stock":10,"price":20.00,"compareAtPrice":30.00},` +
			`{"sku":"S-B","stock":7,"price":10.00,"compareAtPrice":null}]`)

		// Two more units come in, while three are sold.
		d.b.do(t, fill(d.w("stock"), "12"), types(kb.Tab))
		offers(`{sku: "S-A", stock: 7}`)
		d.b.do(t, click("button", d.w("save")), shows(".conflict", "S-A", "7", "As typed: 12"))
		variants(`[{"sku":"S-A","stock":7,"price":20.00,"compareAtPrice":30.00},` +
			`{"sku":"S-B","stock":7,"price":10.00,"compareAtPrice":null}]`)
		d.b.do(t, click("button", "As typed, less what was sold since: 9"), gone(".conflict"), save)
		variants(`[{"sku":"S-A","stock":9,"price":20.00,"compareAtPrice":30.00},` +
			`{"sku":"S-B","stock":7,"price":10.00,"compareAtPrice":null}]`)

		// An emptied field is not a stock of 0.
		d.b.do(t, fill(d.w("stock"), "5"), types("\b"), types(kb.Tab), click("button", d.w("save")),
			shows(".problem", "the stock is empty"))
		variants(`[{"sku":"S-A","stock":9,"price":20.00,"compareAtPrice":30.00},` +
			`{"sku":"S-B","stock":7,"price":10.00,"compareAtPrice":null}]`)

		// In the grid a comma is not a decimal point.
		d.b.do(t, chromedp.Navigate(c.URL+"/staff#/lamps.example/stock"), fill("Price S-A", "12,50"),
			click("button", "Save 1"), shows(".problem", "must be a number"))
	})
}

// signsIn signs the owner in by a code.
func (d staffDay) signsIn() {
	d.t.Helper()
	d.b.do(d.t, fill(d.w("cell"), d.staff.Customer.Cell), click("button", d.w("send")), shows("label", d.w("code")))
	d.b.do(d.t, fill(d.w("code"), d.c.Phones.Code(d.t, d.staff.Customer.Cell)), click("button", d.w("sign in")))
}
