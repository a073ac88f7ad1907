package browser_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"storefront/internal/contract/shoptest"
)

// TestStaffKeepsWhatItReadsInBrowser types numbers that can be meant otherwise, edits a text that a colleague
// has given a table, closes a picker during an upload, writes a sheet over a line that is cut, follows
// addresses with invalid dates, and opens a list of orders that change faster than it is answered.
func TestStaffKeepsWhatItReadsInBrowser(t *testing.T) {
	eachWhose(t, func(t *testing.T, w whose) {
		price := func(want float64) {
			t.Helper()
			var got struct {
				StaffVariantsConnection struct{ Nodes []struct{ Price float64 } }
			}
			w.staff.Do(t, `query($shop: ID!) { staffVariantsConnection(businessId: $shop) { nodes { price } } }`,
				shoptest.Members{"shop": w.shop}, &got)
			if found := got.StaffVariantsConnection.Nodes[0].Price; found != want {
				t.Errorf("the price is %v, want %v", found, want)
			}
		}
		save := chromedp.Tasks{click("button", "Save"), gone(".unsaved")}
		w.goes("lamps.example", "products/lamp")
		for _, text := range []string{"12,50", "12/50", "1e3", "12 EUR"} {
			w.b.do(t, fill("Price", text), click("button", "Save"), shows(".problem", "Price: must be a number"))
		}
		price(10)
		for text, want := range map[string]float64{"12.50": 12.5, "۱۲٫۷۵": 12.75, "1,250": 1250, "۱٬۲۵۱": 1251} {
			w.b.do(t, fill("Price", text), save)
			price(want)
		}
		w.b.do(t, fill("Price", "77"), chromedp.Reload(), shows("h1", "Lamp"), shows(".unsaved", "not saved"),
			waitFor(`document.querySelector('[aria-label=Price]')?.value === '77'`))

		const table = "<p>Its sizes</p><table><tbody><tr><td>S</td><td>90 cm</td></tr></tbody></table>"
		w.b.do(t, chromedp.WaitReady(".prose [role=textbox]", chromedp.ByQuery))
		w.staff.Do(t, `mutation($shop: ID!, $text: String) { updateProduct(businessId: $shop, slug: "lamp",
			input: {description: $text}) { version } }`, shoptest.Members{"shop": w.shop, "text": table}, nil)
		w.b.do(t, click("button", "Save"),
			waitFor(`[...document.querySelectorAll('textarea')].some((e) => e.value.includes('<table>'))`),
			fill("English title", "Lamp of tables"), save)
		var got struct {
			StaffProduct struct{ Content struct{ Description string } }
		}
		w.staff.Do(t, `query($shop: ID!) { staffProduct(businessId: $shop, slug: "lamp") { content { description } } }`,
			shoptest.Members{"shop": w.shop}, &got)
		if found := got.StaffProduct.Content.Description; found != table {
			t.Errorf("got the description %q, want that of the colleague", found)
		}

		file := filepath.Join(t.TempDir(), "logo.png")
		if err := os.WriteFile(file, []byte("no image"), 0o600); err != nil {
			t.Fatal(err)
		}
		w.goes("lamps.example", "brands/sun")
		answers := `const open = XMLHttpRequest.prototype.send
			XMLHttpRequest.prototype.send = function () {
				window.uploaded = () => {
					const text = '{"id": "m", "url": "/media/late.png"}'
					for (const [name, value] of [['status', 201], ['responseText', text]])
						Object.defineProperty(this, name, { value })
					this.onload()
				}
			}`
		w.b.do(t, chromedp.Evaluate(answers, nil), click("button", "Choose or upload: Address of the logo"),
			chromedp.SetUploadFiles(`.modal input[type=file]`, []string{file}, chromedp.ByQuery),
			waitFor(`window.uploaded`), click(".modal button", "Close"), gone(".modal"),
			chromedp.Evaluate(`window.uploaded()`, nil), chromedp.Sleep(200*time.Millisecond),
			holds("Address of the logo", ""), gone(".unsaved"))

		sheet := filepath.Join(t.TempDir(), "products.csv")
		if err := os.WriteFile(sheet, []byte("slug,titleEn\nlamp,Of a sheet\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		w.goes("lamps.example", "products")
		w.b.do(t, chromedp.SetUploadFiles(`input[type=file]`, []string{sheet}, chromedp.ByQuery),
			shows(".modal", "1 changed"),
			network.EmulateNetworkConditions(true, 0, -1, -1), click(".modal button", "Write it"),
			shows(".modal [role=alert]", "send the sheet again"), network.EmulateNetworkConditions(false, 0, -1, -1),
			click(".modal button", "Write it"), gone(".modal"), shows(".list", "Of a sheet"))

		for _, address := range []string{"reports?from=yesterday", "audit?from=x&until=y"} {
			w.b.do(t, w.at(address), waitFor(`location.hash.endsWith(given[0]) && /\w/.test(
				document.querySelector('main h1 ~ [role=alert]')?.innerText)`, address), gone(".problem button"))
		}

		// An answer takes longer than the pause between two readings of a list that changes.
		id := w.order(w.c.Customer(t))
		w.b.do(t, chromedp.Evaluate(`{
			const send = fetch
			window.fetch = async (to, how) => {
				if (String(how?.body).includes('query Orders')) await new Promise((done) => setTimeout(done, 5000))
				return send(to, how)
			}
		}`, nil), w.at("orders"))
		for turn, moves := 0, []string{"confirmed", "processing", "shipped", "delivered"}; turn < 13; turn++ {
			if turn%3 == 2 && turn/3 < len(moves) {
				w.staff.Do(t, fmt.Sprintf(`mutation($shop: ID!, $order: ID!) {
					moveOrder(businessId: $shop, orderId: $order, status: %s) { message } }`, moves[turn/3]),
					shoptest.Members{"shop": w.shop, "order": id}, nil)
			}
			time.Sleep(time.Second)
		}
		if rows := evaluate[int](t, w.b, `document.querySelectorAll('.list [data-row]').length`); rows != 1 {
			t.Errorf("got %d rows after 13 s, want the order", rows)
		}
		w.b.do(t, shows(".list .badge", "Delivered"))
	})
}

// TestStaffWithoutStorageInBrowser uses the page in a browser that keeps nothing: it says so, and works until it
// is left. The playground is there, too.
func TestStaffWithoutStorageInBrowser(t *testing.T) {
	eachWhose(t, func(t *testing.T, w whose) {
		w.b.do(t, chromedp.ActionFunc(func(ctx context.Context) error {
			_, err := page.AddScriptToEvaluateOnNewDocument(`for (const name of ['localStorage', 'sessionStorage'])
				Object.defineProperty(window, name,
					{ get() { throw new DOMException('denied', 'SecurityError') } })`).Do(ctx)
			return err
		}), chromedp.Reload(), shows("main", "keep nothing"))
		w.c.Phones.Text(t, w.staff.Customer.Cell) // the notice of the first sign-in
		w.signsIn()
		w.b.do(t, shows("h1", "Today"))
		w.goes("lamps.example", "brands/sun")
		w.b.do(t, fill("Name", "Kept nowhere"), shows(".unsaved", "not saved"), w.at("today"), shows("h1", "Today"))
		w.goes("lamps.example", "brands/sun")
		w.b.do(t, holds("Name", "Kept nowhere"), click("button", "Save"), shows("[role=status]", "Saved."))
		if said, _ := w.b.heard(); strings.Contains(strings.Join(said, " "), "SecurityError") {
			t.Errorf("the console said %q", said)
		}
		w.b.do(t, chromedp.Navigate(w.c.URL+"/playground"), chromedp.WaitVisible(runButton))
	})
}

// TestStaffDoesOnceInBrowser loses the answer of a mutation and reloads the page. A retry is not done again, unless
// another mutation was sent between. A mutation in flight is not sent twice, also if another of the form is sent.
func TestStaffDoesOnceInBrowser(t *testing.T) {
	eachWhose(t, func(t *testing.T, w whose) {
		w.goes("lamps.example", "webhooks")
		lost := chromedp.Evaluate(`{
			const send = fetch
			window.fetch = async (to, how) => {
				const answer = await send(to, how)
				if (String(how?.body).includes('mutation AddWebhook')) throw new TypeError('Failed to fetch')
				return answer
			}
		}`, nil)
		w.b.do(t, fill("Address", "https://hooks.example/in"), lost, click("button", "Add"),
			shows("form > [role=alert]", "could not be reached"), chromedp.Reload(), shows("h1", "Webhooks"),
			holds("Address", "https://hooks.example/in"),
			shows("article", "hooks.example"), click("button", "Add"), shows("form > [role=alert]", "was done before"))
		release := w.b.withhold(t, "mutation AddWebhook")
		for _, name := range []string{"a", "b", "a"} {
			w.b.do(t, fill("Address", "https://hooks.example/"+name),
				chromedp.Evaluate(`document.querySelector('form.editor').requestSubmit()`, nil))
		}
		release()
		w.b.do(t, shows("ul", "https://hooks.example/a", "https://hooks.example/b"))
		var got struct{ Webhooks []struct{ ID, URL string } }
		read := func() {
			w.staff.Do(t, `query($shop: ID!) { webhooks(businessId: $shop) { id url } }`,
				shoptest.Members{"shop": w.shop}, &got)
		}
		if read(); len(got.Webhooks) != 3 {
			t.Errorf("got %v, want each once", got.Webhooks)
		}
		w.b.do(t, fill("Address", "https://hooks.example/lost"), lost, click("button", "Add"),
			shows("form > [role=alert]", "could not be reached"), chromedp.Reload(), shows("h1", "Webhooks"),
			fill("Address", "https://hooks.example/next"), click("button", "Add"),
			shows("ul", "https://hooks.example/next"))
		read()
		for _, one := range got.Webhooks {
			if one.URL == "https://hooks.example/lost" {
				w.staff.Do(t, `mutation($shop: ID!, $id: ID!) {
					removeWebhook(businessId: $shop, webhookId: $id) { message } }`,
					shoptest.Members{"shop": w.shop, "id": one.ID}, nil)
			}
		}
		w.b.do(t, chromedp.Reload(), shows("h1", "Webhooks"), fill("Address", "https://hooks.example/lost"),
			click("button", "Add"), shows("ul", "https://hooks.example/lost"))
		if kept := evaluate[[]string](t, w.b, `Object.keys(sessionStorage)`); len(kept) > 0 {
			t.Errorf("got %q, want no key of what was answered", kept)
		}
	})
}
