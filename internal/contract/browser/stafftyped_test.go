package browser_test

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/google/uuid"

	"storefront/internal/content/bundle"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database"
	"storefront/internal/record"
)

// TestStaffTypedInBrowser types an invalid address and an invalid number into forms of the page of staff, and
// loads the page again: each form has it still. A draft that a form cannot show is thrown away by a button, and a
// colleague's answer is not written over without a word.
func TestStaffTypedInBrowser(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		summary, err := bundle.Import(t.Context(), c.Store, bundle.Bytes(manyProducts()), nil)
		if err != nil {
			t.Fatal(err)
		}
		shop := summary.Tenant.String()
		d := forms{staffDay{t: t, c: c, b: openBrowser(t), words: staffWords["en"], language: "en", shop: shop,
			staff: c.Staff(t, shop, record.Owner)}}
		d.b.do(t, chromedp.Navigate(c.URL+"/staff#/lamps.example/today"))
		d.signsIn()
		d.b.do(t, shows("h1", "Today"))
		for _, do := range []func(){d.noAddress, d.noNumber, d.brokenDraft, d.brokenImage, d.answers} {
			do()
		}
	})
}

// noAddress types addresses of an image that cannot be one: the form goes on, with the draft too.
func (d forms) noAddress() {
	d.t.Helper()
	d.b.do(d.t, d.at("brands/sun"), shows("h1", "Sun"))
	for _, typed := range []string{"https:", "https://x:99999/logo.png", "http://["} {
		d.b.do(d.t, fill("Address of the logo", typed), shows(".unsaved", "not saved"), chromedp.Reload(),
			shows("h1", "Sun"), holds("Address of the logo", typed))
	}
	d.b.do(d.t, fill("Address of the logo", "https://x:99999/logo.png"), click("button", "Save"),
		shows(".react-aria-FieldError", "must be a URL"), fill("Address of the logo", ""), gone(".unsaved"))
	d.keepsNothing()
}

// noNumber types a number that cannot be read: it is refused, and still there after the page is loaded again.
func (d forms) noNumber() {
	d.t.Helper()
	price := func(is string) chromedp.Action {
		return chromedp.PollFunction(`(is) => document.querySelector('input[aria-label="Price"]')?.value === is`, nil,
			chromedp.WithPollingArgs(is), chromedp.WithPollingTimeout(browserTime))
	}
	d.b.do(d.t, d.at("products/p-001"), shows("h1", "Product 001"), fill("Price", "12/50"),
		shows(".unsaved", "not saved"), chromedp.Reload(), shows("h1", "Product 001"), price("12/50"),
		click("button", "Save"),
		shows("[role=alert]", "must be a number"), fill("Price", "1250"))
	d.saves()
	var got struct {
		Got struct {
			Content struct{ Variants []struct{ Price float64 } }
		}
	}
	d.staff.Do(d.t, `query($shop: ID!) { got: staffProduct(businessId: $shop, slug: "p-001") { content {
		variants { price } } } }`, shoptest.Members{"shop": d.shop}, &got)
	if v := got.Got.Content.Variants; len(v) != 1 || v[0].Price != 1250 {
		d.t.Errorf("got %v", v)
	}
	d.keepsNothing()
}

// brokenDraft has the browser keep a draft that the form cannot show, as of another version of the page.
func (d forms) brokenDraft() {
	d.t.Helper()
	d.b.do(d.t, d.at("brands/sun"), shows("h1", "Sun"), fill("Name", "Moon"), shows(".unsaved", "not saved"),
		chromedp.Evaluate(`for (const key of Object.keys(localStorage).filter((key) => key.includes('.draft.')))
			localStorage[key] = '"Moon"'`, nil),
		chromedp.Reload(), shows("[role=alert]", "The page failed here"),
		click("button", "Throw away all that is typed on this screen"), shows("h1", "Sun"), holds("Name", "Sun"))
	d.keepsNothing()
}

// brokenImage has a listing with an image whose address no browser reads, as an old one may have: a moderator opens
// it.
func (d forms) brokenImage() {
	d.t.Helper()
	d.staff.Do(d.t, `mutation($shop: ID!) { createUserProduct(businessId: $shop, slug: "closed", input: {
		titleFa: "بسته", priceCurrency: "IRR", condition: scrap, status: pending,
		images: [{url: "https://images.example/closed.png"}]}) { version } }`, shoptest.Members{"shop": d.shop}, nil)
	set := database.Statement(`UPDATE user_products SET images = $images WHERE slug = 'closed' AND tenant_id = $shop`)
	if _, err := set.Exec(d.t.Context(), d.c.Store.Client.Raw(), database.Values{
		"images": `[{"mediaId": "m", "url": "https://x:99999/closed.png"}]`, "shop": uuid.MustParse(d.shop),
	}); err != nil {
		d.t.Fatal(err)
	}
	d.b.do(d.t, d.at("listings/closed"), shows("h1", "بسته"), click("button", "Published"),
		shows("h1 .badge", "Published"))
}

// answers has a colleague answer a comment whose answer is being typed here.
func (d forms) answers() {
	d.t.Helper()
	var made struct {
		CreateComment struct{ Comment struct{ ID string } }
	}
	d.staff.Do(d.t, `mutation($in: CommentInput!) { createComment(domain: "lamps.example", input: $in) {
		comment { id } } }`,
		shoptest.Members{"in": shoptest.Members{"entityType": "product", "entityId": d.productID("p-002"),
			"authorName": "Mina", "text": "Is it bright?"}}, &made)
	answer := func(text string) {
		d.t.Helper()
		d.staff.Do(d.t, `mutation($shop: ID!, $id: ID!, $text: String) {
			replyToComment(businessId: $shop, commentId: $id, text: $text) { comment { id } } }`,
			shoptest.Members{"shop": d.shop, "id": made.CreateComment.Comment.ID, "text": text}, nil)
	}
	d.b.do(d.t, d.at("opinions"), shows("article", "Is it bright?"), click("summary", "The shop’s public answer"),
		fill("The shop’s public answer", "Very."))
	answer("Yes.")
	d.b.do(d.t, click("button", "Publish the answer"),
		shows(".conflict", "Somebody else has changed this", "Yes.", "Very."),
		click("button", "Keep yours"), gone(".conflict"), click("button", "Publish the answer"),
		shows("[role=status]", "Saved."))
	// Its text, and so its version, is what it was before.
	for _, text := range []string{"", "Very.", "", "Very."} {
		d.b.do(d.t, fill("The shop’s public answer", text), click("button", "Publish the answer"), gone(".unsaved"))
	}
	d.got(`moderatedCommentsConnection(businessId: $shop, status: pending) { nodes { reply { text } } }`,
		shoptest.Members{"nodes": []any{shoptest.Members{"reply": shoptest.Members{"text": "Very."}}}})
}

// productID returns the id of a product of the shop.
func (d forms) productID(slug string) string {
	d.t.Helper()
	var got struct {
		Tenant struct{ Product struct{ ID string } }
	}
	d.staff.Do(d.t, `query($slug: String!) { tenant(domain: "lamps.example") { product(slug: $slug) { id } } }`,
		shoptest.Members{"slug": slug}, &got)
	return got.Tenant.Product.ID
}
