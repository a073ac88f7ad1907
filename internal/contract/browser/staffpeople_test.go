package browser_test

import (
	"slices"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"storefront/internal/contract/shoptest"
)

// invited signs up as a person without an account whose cell the team has invited, and accepts the
// invitation.
func (d forms) invited() {
	d.t.Helper()
	const cell = "09120001122"
	b := openBrowser(d.t)
	d.c.Phones.Text(d.t, "+989120001122") // the invitation
	b.do(d.t, chromedp.Navigate(d.c.URL+"/staff#/lamps.example/"),
		chromedp.Evaluate(`localStorage.setItem('storefront.staff.language', '"en"')`, nil), chromedp.Reload(),
		fill("Cell number", cell), click("button", "Send a code by SMS"), shows("label", "Code"))
	b.do(d.t, fill("Code", d.c.Phones.Code(d.t, "+989120001122")), click("button", "Sign in"),
		shows("[role=status]", "has no account yet"), fill("First name", "Mina"), fill("Last name", "Rad"),
		click("button", "Make the account"), shows("main", "Lamps", "invites you to work for it", "Editor"))
	b.do(d.t, click("button", "Accept"), shows("nav", "Products"), shows("h1", "Today"))
	var got struct {
		Staff []struct{ FirstName, Role string }
	}
	d.staff.Do(d.t, `query($shop: ID!) { staff(businessId: $shop) { firstName role } }`,
		shoptest.Members{"shop": d.shop}, &got)
	if want := (struct{ FirstName, Role string }{"Mina", "editor"}); !slices.Contains(got.Staff, want) {
		d.t.Errorf("got the team %+v, want %+v in it", got.Staff, want)
	}
}

// person changes the owner's own name, e-mail address and password, which ends the other sessions.
func (d forms) person() {
	d.t.Helper()
	// What is typed while the name is being saved is kept, and saved next.
	d.b.do(d.t, d.at("account"), shows("h2", "Your name"), fill("First name", "Roya"),
		network.EmulateNetworkConditions(false, 3000, -1, -1), click("button", "Save"),
		fill("E-mail", "roya@lamps.example"), network.EmulateNetworkConditions(false, 0, -1, -1),
		shows("[role=status]", "Saved."), shows(".unsaved", "not saved"))
	d.saves()
	var got struct {
		Me struct{ FirstName, LastName, Email string }
	}
	d.staff.Do(d.t, `{ me { firstName lastName email } }`, nil, &got)
	if me := got.Me; me.FirstName != "Roya" || me.LastName != "Karimi" || me.Email != "roya@lamps.example" {
		d.t.Errorf("got the profile %+v, want what was typed", me)
	}
	// A forgotten password is replaced by a code, which can be requested again.
	const first, fresh = "green grass today", "purple rain today"
	d.b.do(d.t, fill("Current password", shoptest.OtherPassword), fill("New password", first),
		click("button", "Set the password"), shows("main [role=alert]", "current password is wrong"),
		click(password+" button", "Send a code by SMS"), shows(password+" label", "Code from the SMS"),
		gone("main [role=alert]"), shows(password+" button", "Send a code by SMS"))
	code := ""
	for code == "" { // notices come before it
		code = shoptest.SixDigits.FindString(d.c.Phones.Text(d.t, d.staff.Customer.Cell))
	}
	d.b.do(d.t, fill("Code from the SMS", code), click("button", "Set the password"),
		shows("[role=status]", "Saved."), gone("main [role=alert]"))
	d.b.do(d.t, fill("Current password", shoptest.OtherPassword), fill("New password", fresh),
		click("button", "Set the password"), shows("main [role=alert]", "current password is wrong"),
		fill("Current password", first), click("button", "Set the password"),
		shows("[role=status]", "Saved."), gone("main [role=alert]"))
	d.staff.Login(d.t, d.staff.Customer.Cell, fresh)
}

// password selects the form of the member's own password.
const password = "section.editor:has(input[autocomplete=new-password])"

// seesCustomer goes from an order to the customer's screen, and from there to the order.
func (d staffDay) seesCustomer(number string) {
	d.t.Helper()
	d.b.do(d.t, chromedp.Click(`article.order a[href*="/customers/"]`, chromedp.ByQuery),
		shows(".list [role=row]", number), shows("main", d.w("of which")))
	d.looks("customer")
	d.b.do(d.t, click(".list [role=row] bdi", number), shows("h1", number))
}

// refunds cancels a paid order, finds it on the screen of today's work, and marks it as refunded, which
// needs a confirmation.
func (d staffDay) refunds(number string) {
	d.t.Helper()
	d.b.do(d.t, d.at("orders"), shows("[role=row]", number), click("[role=row] bdi", number), shows("h1", number),
		click("button", d.w("paid")), shows("h2 .badge", d.w("paid")),
		click("button", d.w("cancel")), shows("[role=alertdialog]", d.w("cannot")),
		click("[role=alertdialog] button", d.w("cancel")), shows("h1 .badge", d.w("cancelled")),
		d.at("today"), shows(".tasks", d.w("refunds")),
		chromedp.Click(`.tasks a[href$="refundDue"]`, chromedp.ByQuery),
		shows("[role=row]", number), click("[role=row] bdi", number), shows("h1", number),
		click("button", d.w("refunded")), shows("[role=alertdialog]", d.w("cannot")))
	d.looks("refund")
	d.b.do(d.t, click("[role=alertdialog] button", d.w("is refunded")), shows("h2 .badge", d.w("refunded")),
		d.at("orders?status=refundDue"), shows("main", d.w("nothing")))
}

// inEnglish checks titles that exist in both languages, and a price, on the English page.
func (d forms) inEnglish() {
	d.t.Helper()
	d.b.do(d.t, d.at("products/p-300"), shows("h1", "Product 300"),
		d.at("brands/sun"), shows("h1", "Sun"), d.at("stock?find=SKU-300"), shows("main", "SKU-300"),
		chromedp.Poll(`document.querySelector('[aria-label="Price SKU-300"]')?.value === '1,000'`, nil,
			chromedp.WithPollingTimeout(browserTime)))
}

// saysWhatIsWrong saves an empty form. The faults must be named by the fields, and the first must get the
// focus.
func (d forms) saysWhatIsWrong() {
	d.t.Helper()
	d.b.do(d.t, d.at("products/+"), shows("h1", "Add a product"), click("button", "Save"),
		shows(".editor > [role=alert]", "Slug: must not be empty", "Persian title: ", "«English title»"),
		shows(".react-aria-FieldError", "«English title»"),
		chromedp.Poll(`document.activeElement.labels?.[0].innerText === 'Slug'`, nil,
			chromedp.WithPollingTimeout(browserTime)))
}

// comesBack opens a record far down in a filtered list, and goes back. The list must be as it was.
func (d forms) comesBack() {
	d.t.Helper()
	titles := d.titles()
	d.b.do(d.t, d.at("today"), shows("h1", "Today"), d.at("products?status=archived"), inList(titles[0]),
		rolls(40, titles[42]), rolls(140, titles[142]), rolls(200, titles[202]),
		click(".list [role=rowheader]", titles[202]), chromedp.WaitVisible(".editor", chromedp.ByQuery),
		chromedp.Evaluate(`document.querySelector('main p > a').click()`, nil), inList(titles[202]))
	if hash := evaluate[string](d.t, d.b, `location.hash`); hash != "#/lamps.example/products?status=archived" {
		d.t.Errorf("got the list at %s, want it with its filter", hash)
	}
	// The keyboard walks the rows, chooses and opens.
	d.b.do(d.t, rolls(0, titles[0]), chromedp.Focus("[data-row='0']", chromedp.ByQuery),
		chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(" "),
		shows(".list [aria-selected=true]", titles[2]),
		chromedp.KeyEvent(kb.Enter), chromedp.WaitVisible(".editor", chromedp.ByQuery))
	d.b.do(d.t, d.at("products"), rolls(0, titles[0]))
}
