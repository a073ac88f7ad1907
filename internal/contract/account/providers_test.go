package account_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/message/sms"
	"storefront/internal/message/sms/smstest"
)

// provider is how a test reaches the fake, and whether it sends beyond Iran.
type provider struct {
	settings sms.Settings
	abroad   bool
}

func providers(t *testing.T) []provider {
	t.Helper()
	template, err := os.ReadFile("../../message/sms/testdata/ippanel.json")
	if err != nil {
		t.Fatal(err)
	}
	return []provider{
		{sms.Settings{Provider: "kavenegar", APIKey: smstest.KavenegarKey}, false},
		{sms.Settings{Provider: "smsir", APIKey: smstest.SMSIrKey}, false},
		{sms.Settings{Provider: "magfa", APIKey: smstest.MagfaKey}, false},
		{sms.Settings{Provider: "http", APIKey: smstest.IPPanelKey, Template: string(template)}, true},
	}
}

// through starts an instance that sends through a fake provider; its messages arrive in the channel.
func through(t *testing.T, a *shoptest.Accounts, p provider) (*shoptest.Accounts, chan smstest.Message) {
	t.Helper()
	fake, base := smstest.Start(t)
	arrivals := make(chan smstest.Message, 100)
	fake.OnArrival(func(m smstest.Message) { arrivals <- m })
	p.settings.BaseURL, p.settings.Sender = base, smstest.Line
	sender, err := sms.New(p.settings)
	if err != nil {
		t.Fatal(err)
	}
	return a.Instance(t, func(o *app.Options) { o.Sender = sender }), arrivals
}

func arrival(t *testing.T, arrivals chan smstest.Message) smstest.Message {
	t.Helper()
	select {
	case m := <-arrivals:
		return m
	case <-time.After(30 * time.Second):
		t.Fatal("no message arrived")
		return smstest.Message{}
	}
}

// TestAccountProviders signs in by a code from each provider, and asks for one for a cell that it cannot
// reach.
func TestAccountProviders(t *testing.T) {
	const abroad = "+442071838750"
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		for n, p := range providers(t) {
			there, arrivals := through(t, a, p)
			d := there.REST()
			cell := d.Cell(9000 + n)
			d.Register(t, cell)
			d.Right(t, "sendOtp", shoptest.ToCellFrom(cell, shoptest.ToolsShop)).Is(t, codeSent)
			m := arrival(t, arrivals)
			code := shoptest.SixDigits.FindString(m.Text)
			if m.To != cell || !strings.Contains(m.Text, "ابزارسرا: "+code) || m.Sender != smstest.Line {
				t.Errorf("%s brought %+v", p.settings.Provider, m)
			}
			d.Right(t, "loginOtp", shoptest.ByCode(cell, code))
			if p.abroad {
				d.Right(t, "sendOtp", shoptest.ToCell(abroad)).Is(t, codeSent)
				if m := arrival(t, arrivals); m.To != abroad {
					t.Errorf("%s brought %+v", p.settings.Provider, m)
				}
				d.Clock.Pass(time.Minute)
			} else {
				d.Right(t, "sendOtp", shoptest.ToCell(abroad)).Is(t, codeless)
				d.Right(t, "verifyOtp", shoptest.ByCode(abroad, "123456")).Is(t, unverified)
				d.Wrong(t, "loginOtp", shoptest.ByCode(abroad, "123456"), 401, "INVALID_CODE")
			}
			if there.Stop(); len(arrivals) > 0 {
				t.Errorf("%s: %d more messages", p.settings.Provider, len(arrivals))
			}
		}
	})
}

// TestAccountProvidersFail lets each provider fail in every way but by hanging: the answer stays the same,
// nothing is retried, and the log has neither number, text nor key.
func TestAccountProvidersFail(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		for n, p := range providers(t) {
			there, arrivals := through(t, a, p)
			d, sent := there.REST(), 0
			var secrets []string
			for scenario := 1; scenario <= 16; scenario++ {
				if scenario == 5 || scenario == 13 {
					continue // they hang: see TestAccountProviderHangs
				}
				cell := fmt.Sprintf("+98913000%04d", scenario)
				d.Clock.Pass(time.Hour)
				d.Right(t, "sendOtp", shoptest.ToCell(cell)).Is(t, codeSent)
				m := arrival(t, arrivals)
				secrets = append(secrets, cell[3:], shoptest.SixDigits.FindString(m.Text))
				sent++
			}
			there.Stop()
			if len(arrivals) > 0 {
				t.Errorf("%s: %d messages more than %d", p.settings.Provider, len(arrivals), sent)
			}
			logged := clockwork.ReplaceAllString(there.Log.String(), "")
			for _, secret := range append(secrets, "کد", p.settings.APIKey) {
				if strings.Contains(logged, secret) {
					t.Errorf("%d, %s: the log holds %s: %s", n, p.settings.Provider, secret, there.Log)
				}
			}
		}
	})
}

// clockwork matches the times in a log, whose digits may equal those of a code.
var clockwork = regexp.MustCompile(`"(time":"[^"]*"|duration_ms":[0-9.]+)`)
