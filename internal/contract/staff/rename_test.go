package staff_test

import (
	"strings"
	"testing"
	"time"

	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// TestShopsAreRenamed gives a shop other names. They must show at once everywhere: over REST and GraphQL,
// in cached answers, to members and invited people, and in the shop's SMS.
func TestShopsAreRenamed(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, invitee := c.Staff(t, c.Tools, record.Owner), c.Customer(t)
		invite(t, owner, c.Tools, invitee.Customer.Cell, "editor")
		places := func() map[string]string {
			t.Helper()
			all := map[string]string{}
			for name, path := range map[string]string{"tenant": "", "business": "/website/business-info"} {
				all["REST "+name] = string(c.Send(t, "GET", shoptest.ToolsPath+path, "").Body)
			}
			all["GraphQL tenant"] = string(invitee.Ask(t, `{ tenant(domain: "tools.example") { name nameFa
				businessInfo { name nameFa } } }`, nil).Data["tenant"])
			all["workplaces"] = string(owner.Ask(t, `{ me { workplaces { name nameFa } } }`, nil).Data["me"])
			all["invitations"] = string(invitee.Ask(t, `{ me { invitations { name nameFa } } }`, nil).Data["me"])
			all["staffShop"] = string(owner.Ask(t, `query($shop: ID!) { staffShop(businessId: $shop) { name nameFa } }`,
				map[string]any{"shop": c.Tools}).Data["staffShop"])
			return all
		}
		hold := func(name, nameFa string) {
			t.Helper()
			for place, text := range places() {
				if !strings.Contains(text, `"`+name+`"`) || !strings.Contains(text, `"`+nameFa+`"`) {
					t.Errorf("%s: got %s, want %s and %s", place, text, name, nameFa)
				}
			}
		}
		hold("Tool House", "ابزارسرا")
		owner.Do(t, `mutation($shop: ID!) { updateShop(businessId: $shop, input: {name: " House of Tools ",
			nameFa: "سرای ابزار"}) { version } }`, map[string]any{"shop": c.Tools}, nil)
		hold("House of Tools", "سرای ابزار")
		c.Clock.Pass(time.Minute)
		invitee.Right(t, "sendOtp", shoptest.ToCellFrom(invitee.Customer.Cell, shoptest.ToolsShop))
		if text := c.Phones.Text(t, invitee.Customer.Cell); !strings.Contains(text, "سرای ابزار") {
			t.Errorf("a code comes as %q", text)
		}
		entry := log(t, c, owner, `, action: "updateShop"`)[0]
		if sortedJSON(t, entry.Before) != `{"name":"Tool House","nameFa":"ابزارسرا"}` ||
			sortedJSON(t, entry.After) != `{"name":"House of Tools","nameFa":"سرای ابزار"}` ||
			entry.RecordName != "سرای ابزار" {
			t.Errorf("the log has %q from %s to %s", entry.RecordName, entry.Before, entry.After)
		}
		for _, input := range []string{`name: ""`, `nameFa: null`, `name: " "`} {
			got := owner.Ask(t, `mutation($shop: ID!) {
				updateShop(businessId: $shop, input: {`+input+`}) { version } }`, map[string]any{"shop": c.Tools})
			refused := got.Code() == "VALIDATION_FAILED" // an empty text is absent
			if refused != (input == `name: " "`) && input != `nameFa: null` {
				t.Errorf("%s: got %q", input, got.Code())
			}
		}
		hold("House of Tools", "سرای ابزار")
		c.Staff(t, c.Tools, record.Editor).Refused(t, "FORBIDDEN", `mutation($shop: ID!) {
			updateShop(businessId: $shop, input: {name: "Mine"}) { version } }`, map[string]any{"shop": c.Tools})
	})
}
