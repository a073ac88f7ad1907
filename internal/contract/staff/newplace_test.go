package staff_test

import (
	"strings"
	"testing"
	"time"

	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"

// TestSMSAboutSignInFromNewNetwork signs in from known and unknown networks and with other programs.
func TestSMSAboutSignInFromNewNetwork(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, customer := c.Staff(t, c.Tools, record.Owner), c.Customer(t)
		operator := c.Staff(t, "", record.Operator)
		in := func(w shoptest.Worker, address, agent string) {
			t.Helper()
			d := c.REST().From(address)
			d.Headers = append(d.Headers, "User-Agent", agent)
			d.Login(t, w.Customer.Cell, shoptest.GoodPassword)
		}
		wantSMS := func(w shoptest.Worker, words ...string) {
			t.Helper()
			text := c.Phones.Text(t, w.Customer.Cell)
			for _, word := range words {
				if !strings.Contains(text, word) {
					t.Errorf("%s does not say %s", text, word)
				}
			}
			if strings.Contains(text, "Firefox") || strings.Contains(text, "evil") {
				t.Errorf("%s says what the client has sent", text)
			}
		}
		in(owner, "203.0.113.7", firefox)
		wantSMS(owner, "203.0.113.0/24", "ورود تازه", "ابزارسرا")
		in(owner, "203.0.113.99", strings.ReplaceAll(firefox, "145", "146")) // the same network and program
		in(customer, "203.0.113.7", firefox)
		in(owner, "2001:db8:5::1", firefox)
		wantSMS(owner, "2001:db8:5::/48")
		in(owner, "2001:db8:5:77::1", firefox)
		in(owner, "203.0.113.7", "evil.example/1.0 (go to evil)")
		wantSMS(owner, "203.0.113.0/24")
		in(owner, "198.51.100.1", firefox) // no notice for the fourth new place in a day
		in(operator, "198.51.100.1", firefox)
		wantSMS(operator, "198.51.100.0/24")
		c.Clock.Pass(24 * time.Hour)
		in(owner, "192.0.2.1", firefox)
		wantSMS(owner, "192.0.2.0/24")
		in(owner, "198.51.100.1", firefox) // known, although there was no notice

		// A sign-in by code gets a notice too, after the SMS with the code.
		d := c.GraphQL().From("192.0.2.200")
		code := d.Code(t, owner.Customer.Cell)
		d.Headers = append(d.Headers, "User-Agent", "okhttp/5.1")
		d.Right(t, "loginOtp", shoptest.ByCode(owner.Customer.Cell, code))
		wantSMS(owner, "192.0.2.0/24")

		// A place is known for 90 days.
		c.Clock.Pass(89 * shoptest.Days)
		in(owner, "192.0.2.1", firefox)
		c.Clock.Pass(2 * shoptest.Days)
		in(owner, "203.0.113.7", firefox)
		wantSMS(owner, "203.0.113.0/24")

		// If all shops are English, the notice is in English.
		_, err := c.Store.Client.ExecContext(t.Context(), "UPDATE tenants SET default_locale = 'en'")
		if err != nil {
			t.Fatal(err)
		}
		in(owner, "192.0.2.77", "curl/8.1")
		wantSMS(owner, "New sign-in", "192.0.2.0/24", "SMS code")
		c.Stop()
		if c.Phones.Sent != 9 {
			t.Errorf("%d messages were sent, want 9", c.Phones.Sent)
		}
		if strings.Contains(c.Log.String(), owner.Customer.Cell) {
			t.Error("the log has the whole number")
		}
	})
}

// TestNewPlaceWithoutSMS signs in while the provider fails, and where no message arrives at all.
func TestNewPlaceWithoutSMS(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, beyond := c.Staff(t, c.Tools, record.Owner), c.Staff(t, c.Tools, record.Owner)
		c.Phones.Hold = make(chan struct{})
		c.REST().From("203.0.113.7").Login(t, owner.Customer.Cell, shoptest.GoodPassword)
		c.Phones.OutOfReach(beyond.Customer.Cell)
		c.REST().From("203.0.113.7").Login(t, beyond.Customer.Cell, shoptest.GoodPassword)
		close(c.Phones.Hold)
		c.Stop()
		if !strings.Contains(c.Log.String(), "a notice of a sign-in was not sent") {
			t.Errorf("the log does not say that the provider failed")
		}
	})
}
