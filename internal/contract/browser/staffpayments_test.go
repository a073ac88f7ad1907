package browser_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/google/uuid"

	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
)

const payHost = "https://pay.invalid"

// demoPays pays a new order of the tool shop at the demo's gateway, over HTTP, and returns its id.
func demoPays(t *testing.T, c *shoptest.Crew, s shoptest.Shopper) string {
	t.Helper()
	id := s.Pays(t, "D-13", record.PayAtGateway).ID
	in := tenancy.In(t.Context(), uuid.MustParse(c.Tools))
	o := c.Store.Client.Order.GetX(in, uuid.MustParse(id))
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
	return id
}

// TestStaffSeePaymentsInBrowser shows staff how an order was paid at a gateway, in both languages.
func TestStaffSeePaymentsInBrowser(t *testing.T) {
	axe := axeScript(t)
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		if err := c.Service.OpenDemoGateways(t.Context()); err != nil {
			t.Fatal(err)
		}
		c.StockedUp(t, "D-13", 20)
		buyer := c.REST().Shopper(t, 1)
		for language, words := range map[string][]string{
			"en": {"Paid", "Test money", "demo"},
			"fa": {"پرداخت‌شده", "پول آزمایشی", "demo"},
		} {
			d := staffDay{t: t, c: c, b: openBrowser(t), axe: axe, words: staffWords[language], language: language,
				shop: c.Tools, staff: c.Staff(t, c.Tools, record.Owner)}
			id := demoPays(t, c, buyer)
			speaks := fmt.Sprintf(`localStorage.setItem('storefront.staff.language', '%q')`, language)
			d.b.do(t, chromedp.Navigate(c.URL+"/staff#/tools.example/orders/"+id), chromedp.Evaluate(speaks, nil),
				chromedp.Reload())
			d.signsIn()
			d.b.do(t, shows(".history", words...))
			d.looks("payments")
		}
	}, func(o *app.Options) { o.Shops, o.PublicURL = []string{"tools.example"}, payHost })
}
