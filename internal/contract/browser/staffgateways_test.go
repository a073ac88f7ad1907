package browser_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/chromedp/chromedp"

	"storefront/internal/app"
	"storefront/internal/content/bundle"
	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// TestStaffSetUpAGatewayInBrowser adds an account at a payment gateway by the fields that the service names, tests it,
// switches it on, and forgets it.
func TestStaffSetUpAGatewayInBrowser(t *testing.T) {
	axe := axeScript(t)
	zibal := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"result": 203}`)
	}))
	t.Cleanup(zibal.Close)
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		summary, err := bundle.Import(t.Context(), c.Store, bundle.Bytes([]byte(lampShop)), nil)
		if err != nil {
			t.Fatal(err)
		}
		shop := summary.Tenant.String()
		d := staffDay{t: t, c: c, b: openBrowser(t), axe: axe, words: staffWords["en"], language: "en", shop: shop,
			staff: c.Staff(t, shop, record.Owner)}
		d.b.do(t, chromedp.Navigate(c.URL+"/staff#/lamps.example/gateways"))
		d.signsIn()
		const merchant = "the merchant of the gateway in Zibal's panel; zibal for test money"
		d.b.do(t, shows("h1", "Payment gateways"), shows("main", "Nothing has been set up yet."),
			choose("Gateway", "Zibal"), fill(merchant, "a b"), fill("Password of your account", "wrong password"),
			click("button", "Add"), shows("form", "does not have the form"),
			fill(merchant, "zibal"), click("button", "Add"), shows("form > [role=alert]", "password"),
			fill("Password of your account", shoptest.GoodPassword), click("button", "Add"),
			shows("article", "Zibal", "test money", "…al"))
		d.looks("gateways")
		d.b.do(t, click("button", "Test it"), shows("[role=status]", "The gateway accepts the account."),
			sets("Customers pay by it"), shows(".conflict", "Customers pay with test money"),
			click("button", "Forget the credentials"), shows("[role=alertdialog]", "cannot be brought back"),
			click("[role=alertdialog] button", "Forget the credentials"), shows("article", "forgotten"))
	}, func(o *app.Options) {
		o.PublicURL, o.GatewayURLs = "https://api.example", map[string]string{"zibal": zibal.URL}
	})
}
