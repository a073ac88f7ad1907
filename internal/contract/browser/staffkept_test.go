package browser_test

import (
	"fmt"
	"regexp"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"storefront/internal/contract/shoptest"
)

// holds waits until the field of a label has a value.
func holds(label, value string) chromedp.Action {
	return chromedp.PollFunction(`(label, value) => [...document.querySelectorAll('input, textarea')].some((e) =>
		[...(e.labels ?? [])].some((l) => l.innerText.trim() === label) && JSON.stringify(e.value) === value)`, nil,
		chromedp.WithPollingArgs(label, fmt.Sprintf("%q", value)), chromedp.WithPollingInterval(50*time.Millisecond),
		chromedp.WithPollingTimeout(browserTime))
}

// switchedOn waits until n switches of the forms on a screen are on.
func switchedOn(n int) chromedp.Action {
	return chromedp.PollFunction(`(n) => document.querySelectorAll('form label.toggle[data-selected]').length === n`,
		nil, chromedp.WithPollingArgs(n), chromedp.WithPollingInterval(50*time.Millisecond),
		chromedp.WithPollingTimeout(browserTime))
}

// team invites somebody, and makes a token for a program. What was typed survives a reload.
func (d forms) team() {
	d.t.Helper()
	d.b.do(d.t, d.at("team"), shows("h1", "Team"), fill("Cell number", "0912"), click("button", "Invite"),
		shows(".react-aria-FieldError", "must"), shows("main > [data-screen] > [role=alert]", "Cell number: "),
		fill("Name of the program", "Stock of the till"),
		sets("Change stock and prices"), chromedp.Reload(), shows("h1", "Team"), holds("Cell number", "0912"),
		holds("Name of the program", "Stock of the till"), switchedOn(1))
	d.b.do(d.t, fill("Cell number", "09120001122"), click("button", "Invite"),
		shows("li", "+989120001122"), holds("Cell number", ""), click("button", "Make a token"),
		shows("[role=status] code", "sft_"), holds("Name of the program", ""), switchedOn(0))
	d.got(`staffInvitations(businessId: $shop) { cellNumber role }`,
		[]any{shoptest.Members{"cellNumber": "+989120001122", "role": "editor"}})
	d.got(`accessTokens(businessId: $shop) { name permissions }`,
		[]any{shoptest.Members{"name": "Stock of the till", "permissions": []any{"changeStock"}}})
	d.keepsNothing()
}

// keepsNothing checks that the browser keeps no draft of the shop.
func (d forms) keepsNothing() {
	d.t.Helper()
	if kept := evaluate[[]string](d.t, d.b, `Object.keys(localStorage).filter((key) => key.includes('.draft.'))`); len(
		kept) > 0 {
		d.t.Errorf("the browser keeps %q", kept)
	}
}

// webhook adds a webhook for two kinds of events. Faults are named by the fields, and input survives a
// reload.
func (d forms) webhook() {
	d.t.Helper()
	d.b.do(d.t, d.at("webhooks"), shows("h1", "Webhooks"), fill("Address", "nowhere"),
		fill("Description", "The till"), sets("Stock runs out"), click("button", "Add"),
		shows("form > [role=alert]", "Address: must "), chromedp.Reload(), shows("h1", "Webhooks"),
		holds("Address", "nowhere"), holds("Description", "The till"), switchedOn(2),
		fill("Address", "https://hooks.example/in"), click("button", "Add"), shows("article", "hooks.example"),
		holds("Address", ""), holds("Description", ""), switchedOn(1))
	d.got(`webhooks(businessId: $shop) { url description events active }`, []any{shoptest.Members{
		"url": "https://hooks.example/in", "description": "The till", "events": []any{"order_placed", "stock_low"},
		"active": true}})
	d.keepsNothing()
}

// tabbedTo moves through a form by Tab. No focused field may be covered by the buttons at the end of the
// screen.
func (d forms) tabbedTo() {
	d.t.Helper()
	d.b.do(d.t, d.at("products/p-000"), shows("h1", "Product 000"),
		chromedp.WaitReady(`.prose [role=textbox]`, chromedp.ByQuery), focuses("main p > a"))
	for range 60 {
		d.b.do(d.t, chromedp.KeyEvent(kb.Tab))
		name := evaluate[string](d.t, d.b, `(() => {
			const at = document.activeElement, buttons = document.querySelector('.save')
			if (!at.closest('main')) return 'out'
			const { top, bottom } = at.getBoundingClientRect(), above = buttons.getBoundingClientRect().top
			return buttons.contains(at) || bottom - top > innerHeight / 2 || bottom <= above ? '' : at.outerHTML
		})()`)
		if name == "out" {
			return
		}
		if name != "" {
			d.t.Errorf("behind the buttons is %s", name)
		}
	}
	d.t.Error("the form has no end")
}

// missing opens records that are not there: each screen has a heading, and a link back to the list.
func (d forms) missing() {
	d.t.Helper()
	for _, list := range []string{"products", "orders", "categories/product", "brands", "blogs", "portfolios",
		"listings", "home/sliders", "home/specials"} {
		gone := "/none"
		if list == "orders" {
			gone = "/00000000-0000-4000-8000-000000000000"
		}
		d.b.do(d.t, d.at(list+gone), shows("h1", "This is not here"),
			shows("main [role=alert]", "has been deleted"), click("main p > a", "Back to the list"),
			chromedp.PollFunction(`(list) => location.hash.endsWith(list)`,
				nil, chromedp.WithPollingArgs("/"+list), chromedp.WithPollingTimeout(browserTime)))
	}
	d.b.do(d.t, d.at("customers/09120000000"), shows("h1", "09120000000"), shows("main", "no customer of this"))
}

// emptyLog looks for changes that nobody has made.
func (d forms) emptyLog() {
	d.t.Helper()
	d.b.do(d.t, d.at("audit?find=nothing-of-this-name"), shows("h1", "Audit log"),
		shows(".empty", "No change is recorded here."))
}

// calendars checks that the dates of a chart are in the calendar of the page's language.
func (d forms) calendars() {
	d.t.Helper()
	day := map[string]*regexp.Regexp{"en": regexp.MustCompile(`^20\d\d-\d\d-\d\d$`),
		"fa": regexp.MustCompile(`^۱۴\d*[۰-۹]{2}/[۰-۹]{2}/[۰-۹]{2}$`)}
	for screen, heading := range map[string]string{"reports": "Figures", "today": "Today"} {
		for _, language := range []string{"fa", "en"} {
			d.b.do(d.t, d.at(screen), shows("h1", heading),
				chromedp.Evaluate(fmt.Sprintf(`localStorage.setItem('storefront.staff.language', '%q')`,
					language), nil),
				chromedp.Reload(), chromedp.WaitVisible(".bars .axis span", chromedp.ByQuery))
			got := evaluate[string](d.t, d.b, `document.querySelector('.bars .axis span').innerText`)
			if !day[language].MatchString(got) {
				d.t.Errorf("%s, %s: the chart begins on %q", screen, language, got)
			}
			d.b.do(d.t, chromedp.Evaluate(`localStorage.setItem('storefront.staff.language', '"en"')`, nil),
				chromedp.Reload())
		}
	}
}
