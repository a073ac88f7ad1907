package browser_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
)

const payHost = "https://pay.invalid"

// demoPays pays a new order of the tool shop at the demo's gateway, over HTTP, and returns it.
func demoPays(t *testing.T, c *shoptest.Crew, s shoptest.Shopper) *ent.Order {
	t.Helper()
	id := uuid.MustParse(s.Pays(t, "D-13", record.PayAtGateway).ID)
	in := tenancy.In(t.Context(), uuid.MustParse(c.Tools))
	o := c.Store.Client.Order.GetX(in, id)
	account := shoptest.Must(c.Store.Client.GatewayAccount.Query().All(in))(t)[0]
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	at := "/pay/" + *o.PayCode
	for _, form := range []url.Values{{"with": {account.ID.String()}}, {"do": {"pay"}}, {}} {
		response, err := client.PostForm(c.URL+at, form)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		at = strings.TrimPrefix(response.Header.Get("Location"), payHost)
	}
	return o
}

// TestStaffSeePaymentsInBrowser shows staff how an order was paid at a gateway. They record that they gave a part of
// it back, and have the gateway give back the rest; then they find the payment among all, in both languages.
func TestStaffSeePaymentsInBrowser(t *testing.T) {
	axe := axeScript(t)
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		if err := c.Service.OpenDemoGateways(t.Context()); err != nil {
			t.Fatal(err)
		}
		c.StockedUp(t, "D-13", 20)
		buyer := c.REST().Shopper(t, 1)
		for language, w := range map[string]map[string]string{
			"en": {"paid": "Paid", "test": "Test money", "refund": "Refund", "amount": "Amount that goes back",
				"reference": "Reference of your transfer", "record": "Refunded", "yes": "It is refunded",
				"by": "By the gateway", "done": "Given back", "part": "450,000", "rest": "1,000,000",
				"asked": "Asked for", "list": "Payments", "all": "1,450,000"},
			"fa": {"paid": "پرداخت‌شده", "test": "پول آزمایشی", "refund": "بازپرداخت",
				"amount": "مبلغ بازپرداخت", "reference": "شماره پیگیری واریز شما",
				"record": "بازپرداخت‌شده", "yes": "برگردانده شده", "by": "با درگاه",
				"done": "برگشت‌داده‌شده", "part": "۴۵۰٬۰۰۰", "rest": "۱٬۰۰۰٬۰۰۰",
				"asked": "درخواست‌شده", "list": "پرداخت‌ها", "all": "۱٬۴۵۰٬۰۰۰"},
		} {
			d := staffDay{t: t, c: c, b: openBrowser(t), axe: axe, words: staffWords[language], language: language,
				shop: c.Tools, staff: c.Staff(t, c.Tools, record.Owner)}
			paid := demoPays(t, c, buyer)
			speaks := fmt.Sprintf(`localStorage.setItem('storefront.staff.language', '%q')`, language)
			d.b.do(t, chromedp.Navigate(c.URL+"/staff#/tools.example/orders/"+paid.ID.String()),
				chromedp.Evaluate(speaks, nil), chromedp.Reload())
			d.signsIn()
			d.b.do(t, shows(".history", w["paid"], w["test"], "demo"), click("summary", w["refund"]))
			d.looks("payments")
			d.b.do(t, fill(w["amount"], "450000"), fill(w["reference"], "7744"), click("details button", w["record"]),
				click("[role=alertdialog] button", w["yes"]), shows(".history", w["done"], w["part"], "7744"),
				click("summary", w["refund"]), click("details button", w["by"]), shows("[role=alertdialog]", w["rest"]),
				click("[role=alertdialog] button", w["by"]), shows(".history", w["asked"]), gone("details"))
			c.Clock.Pass(time.Minute)
			c.Service.WatchPayments(t.Context())
			d.b.do(t, gone(".asked"), shows(".history .refunded", w["record"]), click("nav a", w["list"]),
				shows("[role=grid]", w["all"], "demo …", w["test"]))
			d.looks("received")
			d.b.do(t, click("[role=rowheader] a", paid.OrderNumber), shows(".history", w["rest"]))
		}
	}, func(o *app.Options) { o.Shops, o.PublicURL = []string{"tools.example"}, payHost })
}
