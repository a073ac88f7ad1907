package payment_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
)

// TestDemoGateway cancels at the page of a demo's gateway and then pays there, as a person would. The payment is marked
// as a test.
func TestDemoGateway(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		service := c.Instance(t, func(o *app.Options) { o.Shops, o.PublicURL = []string{"tools.example"}, public })
		for range 2 { // it is started twice
			if err := service.Service.OpenDemoGateways(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		d := &desk{Crew: &shoptest.Crew{Accounts: service, Tools: c.Tools, Mugs: c.Mugs}}
		d.StockedUp(t, "D-13", 20)
		d.Shopper = d.REST().Shopper(t, 1)
		account := shoptest.Must(d.Store.Client.GatewayAccount.Query().All(d.in(t)))(t)[0]
		o := d.buys(t)
		page := d.URL + "/pay/" + o.code
		if got := browse(t, "GET", page, nil); !strings.Contains(got.body, `class="test"`) {
			t.Errorf("the page does not say that it is a test: %s", got.body)
		}
		for _, step := range []struct{ do, want string }{
			{"cancel", "[pending] returned"}, {"pay", "cancelled [paid]"},
		} {
			d.Clock.Pass(10 * time.Second)
			bank := browse(t, "POST", page, url.Values{"with": {account.ID.String()}})
			at := d.URL + strings.TrimPrefix(bank.location, public)
			if got := browse(t, "GET", at, nil); !strings.Contains(got.body, `value="pay"`) {
				t.Fatalf("got %s", got.body)
			}
			home := browse(t, "POST", at, url.Values{"do": {step.do}})
			d.back(t, home.location)
			d.wantStates(t, o, step.want)
		}
		if p := d.row(t, o.id).Edges.Payments[1]; !p.IsTest {
			t.Error("the payment is not marked as a test")
		}
	})
}
