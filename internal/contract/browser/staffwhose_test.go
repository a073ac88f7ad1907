package browser_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"storefront/internal/content/bundle"
	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// typedMark is what the tests of whose work it is type into every field: a text and a number.
const typedMark = "7131"

// whose is a browser in which people work for two shops that have the same records.
type whose struct {
	staffDay
	other string // the id of cups.example
}

// eachWhose runs f with an owner of two shops, who is signed in to the first, lamps.example.
func eachWhose(t *testing.T, f func(t *testing.T, w whose)) {
	t.Helper()
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		one := strings.TrimSuffix(lampShop, "}") + `, "brands": [{"slug": "sun", "name": "Sun", "nameFa": "آفتاب"}],
			"categories": [{"entityType": "product", "slug": "desk", "name": "Desk", "nameFa": "رومیزی"}],
			"products": [{"slug": "lamp", "titleFa": "چراغ", "titleEn": "Lamp", "status": "published",
				"publishedAt": "2026-01-01T00:00:00Z", "variants": [
				{"sku": "S-1", "priceCurrency": "EUR", "price": 10, "stock": 10, "onSale": true}]}]}`
		var ids []string
		for _, text := range []string{one, strings.NewReplacer("lamps", "cups", "Lamps", "Cups").Replace(one)} {
			summary, err := bundle.Import(t.Context(), c.Store, bundle.Bytes([]byte(text)), nil)
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, summary.Tenant.String())
		}
		owner := c.Staff(t, ids[0], record.Owner)
		c.Employ(t, owner, ids[1], record.Owner)
		w := whose{staffDay{t: t, c: c, b: openBrowser(t), words: staffWords["en"], language: "en", shop: ids[0],
			staff: owner}, ids[1]}
		w.b.do(t, chromedp.Navigate(c.URL+"/staff#/lamps.example/today"))
		w.signsIn()
		w.b.do(t, shows("h1", "Today"))
		f(t, w)
	})
}

// waitFor waits until an expression is true in the tab.
func waitFor(expression string, arguments ...any) chromedp.Action {
	return chromedp.PollFunction(`(...given) => `+expression, nil, chromedp.WithPollingArgs(arguments...),
		chromedp.WithPollingInterval(50*time.Millisecond), chromedp.WithPollingTimeout(browserTime))
}

// screens returns the addresses of the screens of the first shop, and of some of its records.
func (w whose) screens() []string {
	w.t.Helper()
	all := evaluate[[]string](w.t, w.b, `[...document.querySelectorAll('nav a')].map((a) => a.hash.split('/')[2])`)
	if len(all) < 15 {
		w.t.Fatalf("got the screens %q, want those of an owner", all)
	}
	return append(all, "products/lamp", "products/+", "brands/sun", "brands/+", "categories/product/desk", "blogs/+")
}

var screenName = regexp.MustCompile(`^\w+`)

// goes goes to a screen of a shop, and waits until it is there and has read what it shows.
func (w whose) goes(domain, screen string) {
	w.t.Helper()
	w.b.do(w.t, chromedp.Evaluate(fmt.Sprintf(`location.hash = '#/%s/%s'`, domain, screen), nil),
		waitFor(`document.querySelector('[data-screen="' + given[0] + '"] h1') &&
			document.querySelector('header.top select').value === given[1]`, screenName.FindString(screen), domain))
	w.settles()
}

// settles waits until the tab has sent nothing for a moment.
func (w whose) settles() {
	w.t.Helper()
	for count := -1; ; time.Sleep(150 * time.Millisecond) {
		w.b.mu.Lock()
		now := len(w.b.posted)
		w.b.mu.Unlock()
		if now == count {
			return
		}
		count = now
	}
}

// typesEverywhere types the mark into every field of the screen, and ticks every box.
func (w whose) typesEverywhere() {
	w.t.Helper()
	w.b.do(w.t, chromedp.Evaluate(`for (const field of document.querySelectorAll(
			'main input:not([type=checkbox], [type=file], [role=combobox]), main textarea')) {
		if (field.readOnly || field.disabled || !field.checkVisibility()) continue
		const kind = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement
		Object.getOwnPropertyDescriptor(kind.prototype, 'value').set.call(field, '`+typedMark+`')
		field.dispatchEvent(new Event('input', { bubbles: true }))
	}
	for (const box of document.querySelectorAll('main .check input:not(:checked)')) box.click()
	for (const box of document.querySelectorAll('main .list .select input')) box.click()`, nil))
}

// showsNothing checks that nothing that was typed, ticked or made for somebody else is on the screen.
func (w whose) showsNothing(b *browser, screen string) {
	w.t.Helper()
	found := evaluate[[]string](w.t, b, `[
		...[...document.querySelectorAll('input, textarea')].map((field) => field.value),
		document.body.innerText].filter((text) => /`+typedMark+`|sft_/.test(text))`)
	if len(found) > 0 {
		w.t.Errorf("%s shows %q", screen, found)
	}
	left := evaluate[int](w.t, b, `document.querySelectorAll('main :is(.unsaved, tr.typed, .conflict)').length`)
	if left > 0 {
		w.t.Errorf("%s has %d signs of work that is not saved", screen, left)
	}
}

// sent returns the requests of a tab that contain all the texts.
func sent(b *browser, texts ...string) (found []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, body := range b.posted {
		has := true
		for _, text := range texts {
			has = has && strings.Contains(body, text)
		}
		if has {
			found = append(found, body)
		}
	}
	return found
}

// TestStaffShopsInBrowser types into every screen of one shop, and switches to another that the account works for:
// nothing of it is seen or sent there, and what was typed is there on the way back.
func TestStaffShopsInBrowser(t *testing.T) {
	eachWhose(t, func(t *testing.T, w whose) {
		for _, screen := range w.screens() {
			w.goes("lamps.example", screen)
			if screen == "team" {
				w.b.do(t, fill("Name of the program", "The till"), sets("Change stock and prices"),
					click("button", "Make a token"), shows("[role=status] code", "sft_"))
			}
			w.typesEverywhere()
			if strings.Contains(screen, "/") {
				w.goes("cups.example", screen)
			} else {
				w.b.do(t, chromedp.Evaluate(`{
					const shops = document.querySelector('header.top select')
					shops.value = 'cups.example'
					shops.dispatchEvent(new Event('change', { bubbles: true }))
				}`, nil))
				w.goes("cups.example", screen)
			}
			if screen != "account" { // it is of no shop
				w.showsNothing(w.b, screen)
			}
			w.b.do(t, chromedp.Evaluate(`for (const form of document.querySelectorAll('[data-screen=settings] form'))
				form.requestSubmit()`, nil))
		}
		w.settles()
		if bodies := sent(w.b, w.other, typedMark); len(bodies) > 0 {
			t.Errorf("sent to the other shop: %q", bodies)
		}
		w.goes("lamps.example", "stock")
		w.b.do(t, shows("button", "Save 1"))
		w.goes("lamps.example", "brands/sun")
		w.b.do(t, holds("Name", typedMark), shows(".unsaved", "not saved"))
		// Records of the same address in the other shop have their own drafts, too.
		w.goes("cups.example", "brands/sun")
		w.b.do(t, fill("Name", "Cup sun"), click("button", "Save"), shows("[role=status]", "Saved."))
		w.goes("lamps.example", "brands/sun")
		w.b.do(t, holds("Name", typedMark))
	})
}

// signsInElsewhere gives the browser the session of another person, as another tab does.
func signsInElsewhere(who shoptest.Worker) chromedp.Action {
	session := shoptest.Members{"accessToken": who.Customer.Access, "refreshToken": who.Customer.Refresh}
	text, _ := json.Marshal(session)
	return chromedp.Evaluate(fmt.Sprintf(`localStorage.setItem('storefront.staff.session', %q)`, text), nil)
}

// isOf waits until the menu is that of a moderator, or of an owner.
func isOf(role record.StaffRole) chromedp.Action {
	return waitFor(`document.querySelector('nav a') && !document.body.hidden &&
		[...document.querySelectorAll('nav a')].some((a) => a.hash.endsWith('/customers')) === given[0]`,
		role == record.Owner)
}

// TestStaffPersonsInBrowser signs somebody else in, in another tab, while there is work on each screen: the page
// begins again, and nothing of the former person's is seen or sent. It does so also for a page that is gone back
// to, and for one that hears of it late.
func TestStaffPersonsInBrowser(t *testing.T) {
	eachWhose(t, func(t *testing.T, w whose) {
		moderator := w.c.Staff(t, w.shop, record.Moderator)
		w.c.Employ(t, moderator, w.other, record.Moderator)
		tab := w.b.tab(t)
		tab.do(t, chromedp.Navigate(w.c.URL+"/docs"))
		for _, screen := range w.screens() {
			w.goes("lamps.example", screen)
			w.typesEverywhere()
			w.settles()
			tab.do(t, signsInElsewhere(moderator))
			w.b.do(t, isOf(record.Moderator))
			w.settles()
			w.showsNothing(w.b, screen)
			tab.do(t, signsInElsewhere(w.staff))
			w.b.do(t, isOf(record.Owner))
		}
		if bodies := sent(w.b, "mutation", typedMark); len(bodies) > 0 {
			t.Errorf("sent: %q", bodies)
		}
		w.goes("lamps.example", "brands/sun") // the owner's work is the owner's
		w.b.do(t, holds("Name", typedMark))

		w.goes("lamps.example", "customers")
		w.b.do(t, chromedp.Evaluate(`location.href = '../docs'`, nil),
			waitFor(`!document.querySelector('nav a[href*="customers"]')`))
		tab.do(t, signsInElsewhere(moderator))
		w.b.do(t, chromedp.Evaluate(`history.back()`, nil), isOf(record.Moderator))

		// A page that hears of nothing, with an order of the owner's on its way.
		tab.do(t, signsInElsewhere(w.staff))
		w.b.do(t, isOf(record.Owner))
		id := w.order(w.c.Customer(t))
		w.b.do(t, chromedp.ActionFunc(func(ctx context.Context) error {
			_, err := page.AddScriptToEvaluateOnNewDocument(`
				for (const name of ['storage', 'visibilitychange', 'pageshow'])
					addEventListener(name, (event) => event.stopImmediatePropagation(), true)`).Do(ctx)
			return err
		}), chromedp.Reload())
		w.goes("lamps.example", "orders/"+id)
		release := w.b.withhold(t, "mutation MoveOrder")
		w.b.do(t, click("button", "Confirmed"))
		tab.do(t, signsInElsewhere(moderator))
		w.staff.Do(t, `mutation { logout { message } }`, nil, nil)
		release()
		w.b.do(t, isOf(record.Moderator))
		if bodies := sent(w.b, "mutation MoveOrder"); len(bodies) != 1 {
			t.Errorf("got the move sent as %q, want it once, by the owner", bodies)
		}
		w.has(w.c.Staff(t, w.shop, record.Owner), id, "pending")
	})
}

// order has a customer order the lamp, and returns the id of the order.
func (w whose) order(buyer shoptest.Worker) string {
	w.t.Helper()
	var items struct{ Items []struct{ ID string } }
	w.c.Decode(w.t, "/tenants/lamps.example/store-items", &items)
	buyer.Do(w.t, `mutation($shop: ID!, $item: ID!) {
		addToCart(businessId: $shop, items: [{storeItemVariantId: $item}]) { message } }`,
		shoptest.Members{"shop": w.shop, "item": items.Items[0].ID}, nil)
	var done struct {
		Checkout struct{ Order struct{ ID string } }
	}
	buyer.Do(w.t, `mutation($shop: ID!, $in: CheckoutInput!) {
		checkout(businessId: $shop, input: $in) { order { id } } }`,
		shoptest.Members{"shop": w.shop, "in": json.RawMessage(shoptest.ToHome)}, &done)
	return done.Checkout.Order.ID
}

// has checks the status of an order, as a member of the staff sees it.
func (w whose) has(owner shoptest.Worker, id, status string) {
	w.t.Helper()
	var got struct {
		ShopOrder struct{ Order struct{ Status string } }
	}
	owner.Do(w.t, `query($shop: ID!, $order: ID!) {
		shopOrder(businessId: $shop, orderId: $order) { order { status } } }`,
		shoptest.Members{"shop": w.shop, "order": id}, &got)
	if got.ShopOrder.Order.Status != status {
		w.t.Errorf("the order is %s, want %s", got.ShopOrder.Order.Status, status)
	}
}

// TestStaffShowsWhatItActsOnInBrowser opens records and lists while the answers are late, and signs out while none
// comes: an action is about what is shown, and a choice belongs to the list that it was made in.
func TestStaffShowsWhatItActsOnInBrowser(t *testing.T) {
	eachWhose(t, func(t *testing.T, w whose) {
		buyers := []shoptest.Worker{w.c.Customer(t), w.c.Customer(t)}
		ids := []string{w.order(buyers[0]), w.order(buyers[1])}
		for _, screens := range [][3]string{
			{"orders/" + ids[0], "orders/" + ids[1], "query OneOrder"},
			{"customers/" + buyers[0].Customer.Cell, "customers/" + buyers[1].Customer.Cell, "query OneCustomer"},
			{"products/lamp", "products/none", "query OneProduct"},
			{"brands/sun", "brands/none", "query OneBrand"},
			{"categories/product/desk", "categories/product/none", "query OneCategory"},
		} {
			w.goes("lamps.example", screens[0])
			const heading = `document.querySelector('main').innerText`
			first := evaluate[string](t, w.b, heading)
			release := w.b.withhold(t, screens[2])
			w.b.do(t, w.at(screens[1]), chromedp.Sleep(300*time.Millisecond))
			if late := evaluate[string](t, w.b, heading); late == first {
				t.Errorf("%s shows %s: %q", screens[1], screens[0], late)
			}
			release()
			w.settles()
		}
		w.goes("lamps.example", "orders/"+ids[1])
		w.b.do(t, click("button", "Confirmed"), shows("h1 .badge", "Confirmed"))
		w.has(w.staff, ids[0], "pending")
		w.has(w.staff, ids[1], "confirmed")

		var found struct{ Product struct{ ID string } }
		w.c.Decode(t, "/tenants/lamps.example/products/lamp", &found)
		for _, name := range []string{"Sara", "Mina"} {
			w.staff.Do(t, `mutation($in: CommentInput!) {
				createComment(domain: "lamps.example", input: $in) { message } }`,
				shoptest.Members{"in": shoptest.Members{"entityType": "product", "entityId": found.Product.ID,
					"authorName": name, "text": "good"}}, nil)
		}
		w.goes("lamps.example", "opinions")
		w.b.do(t, shows("article", "Sara", "Mina"), chromedp.Evaluate(
			`document.querySelectorAll('main .check input').forEach((box) => box.click())`, nil),
			shows("p.buttons span", "2"), click("p.buttons button", "Delete"),
			shows("[role=alertdialog]", "2", "«Sara»", "«Mina»"), click("[role=alertdialog] button", "Cancel"),
			w.at("opinions/comments?status=approved"), shows(".empty", "Nothing waits here."),
			waitFor(`[...document.querySelectorAll('p.buttons button')].every((button) => button.disabled)`))
		w.goes("lamps.example", "products?status=published")
		w.b.do(t, chromedp.Evaluate(`document.querySelector('.list [data-row] input').click()`, nil),
			waitFor(`!document.querySelector('[role=group] .danger').disabled`), click("[role=group] button", "Delete"),
			shows("[role=alertdialog]", "(1)", "«Lamp»"), click("[role=alertdialog] button", "Cancel"),
			w.at("products"), waitFor(`document.querySelector('[role=group] .danger').disabled`))

		// Signing out needs no answer.
		release := w.b.withhold(t, "logout")
		w.b.do(t, click("button", "Sign out"), shows("h1", "Your shop"),
			waitFor(`localStorage.getItem('storefront.staff.session') === null`))
		release()
	})
}
