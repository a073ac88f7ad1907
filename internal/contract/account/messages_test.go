package account_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"storefront/internal/app"
	"storefront/internal/content/derive"
	"storefront/internal/contract/shoptest"
)

// TestAccountMessages checks that a message holds a code and the shop's Farsi name, and nothing that the
// caller sent, and that each code is one message.
func TestAccountMessages(t *testing.T) {
	const plain, ofTools, ofBare = "کد تأیید شما: CODE",
		"کد تأیید شما در ابزارسرا: CODE\n\n@tools.example #CODE",
		"کد تأیید شما در دکان: CODE\n\n@xn--mgbp4e7t.example #CODE"
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		alias := a.Store.Client.DomainAlias.Create().SetDomain("alias.example").
			SetBusinessID(uuid.MustParse(a.Named(t, "<tenant:tools>")))
		if err := alias.Exec(derive.Alone(t.Context())); err != nil {
			t.Fatal(err)
		}
		sent := 0
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			for domain, want := range map[string]string{
				"": plain, "nobody.example": plain, "www.tools.example": ofTools, "tools.example:80": ofTools,
				"\\n654321 بانک": plain, "https://evil.example": plain,
				"tools.example": ofTools, "TOOLS.Example.": ofTools, "دکان.example": ofBare,
				"alias.example":        strings.Replace(ofTools, "@tools", "@alias", 1),
				"xn--mgbp4e7t.example": ofBare,
			} {
				cell := d.Cell(sent)
				d.Right(t, "sendOtp", `{"cellNumber": "`+cell+`", "domain": "`+domain+`"}`).Is(t, codeSent)
				text := d.Phones.Text(t, cell)
				code := shoptest.SixDigits.FindString(text)
				if got := strings.ReplaceAll(text, code, "CODE"); code == "" || got != want {
					t.Errorf("for %q: %q, want %q", domain, text, want)
				}
				d.Wrong(t, "sendOtp", shoptest.ToCell(cell), 429, "RATE_LIMITED")
				sent++
			}
		})
		if a.Stop(); a.Phones.Sent != sent {
			t.Errorf("got %d messages, want %d, one for each code", a.Phones.Sent, sent)
		}
	})
}

// TestAccountMessageLanguages checks the language of the message: the requested one if the shop supports
// it, otherwise the shop's.
func TestAccountMessageLanguages(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		mugs := uuid.MustParse(a.Named(t, "<tenant:mugs>"))
		english := a.Store.Client.Tenant.UpdateOneID(mugs).SetDefaultLocale("en")
		if err := english.Exec(derive.Alone(t.Context())); err != nil {
			t.Fatal(err)
		}
		sent := 0
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			for _, one := range []struct{ domain, accepts, begins string }{
				{"", "", "کد تأیید شما: "}, {"", "de", "کد تأیید شما: "},
				{"", "fa, en;q=0.5", "کد تأیید شما: "}, {"", "en-US,fa;q=0.5", "Your code: "},
				{shoptest.ToolsShop, "", "کد تأیید شما در ابزارسرا"},
				{shoptest.ToolsShop, "en-US", "کد تأیید شما در "},
				{shoptest.MugsShop, "", "CODE is your code at "}, {shoptest.MugsShop, "en-US", "CODE is your code at "},
				{shoptest.MugsShop, "*, de", "CODE is your code at "},
				{shoptest.MugsShop, "fa-IR,en;q=0.1", "کد تأیید شما در "},
			} {
				cell := d.Cell(sent)
				asks := d
				if one.accepts != "" {
					asks.Headers = append(slices.Clone(d.Headers), "Accept-Language", one.accepts)
				}
				asks.Ask(t, "sendOtp", shoptest.ToCellFrom(cell, one.domain))
				text := d.Phones.Text(t, cell)
				code := shoptest.SixDigits.FindString(text)
				if got := strings.ReplaceAll(text, code, "CODE"); !strings.HasPrefix(got, one.begins) {
					t.Errorf("for %q by %q: %q, want %q", one.domain, one.accepts, got, one.begins)
				}
				d.Right(t, "verifyOtp", shoptest.ByCode(cell, code)).Is(t, verified)
				sent++
			}
		})
	})
}

// TestAccountProviderHangs checks that a hanging provider delays nobody and changes no answer, even when
// the queue of messages is full.
func TestAccountProviderHangs(t *testing.T) {
	const cells = 1100 // 1,024 may wait, and 16 are being sent
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		hold := make(chan struct{})
		t.Cleanup(func() { close(hold) })
		a.Phones.Hold = hold
		all := shoptest.Sides(a)
		for n := 0; n < cells; n += 4 {
			// on a slow machine more would be refused
			for _, got := range shoptest.Together(4, func(i int) shoptest.Reply {
				from := fmt.Sprintf("203.%d.113.%d", (n+i)%250, (n+i)/250) // below the limits of networks
				return all[i%len(all)].From(from).Ask(t, "sendOtp", shoptest.ToCell(cellOfBlock(n+i)))
			}) {
				got.Is(t, codeSent)
			}
		}
		a.REST().Register(t, a.REST().Cell(1))
	}, func(o *app.Options) { o.CodesInMinute = 2 * cells })
}

// TestAccountProviderFails checks that a failing provider changes no answer and is logged.
func TestAccountProviderFails(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.Phones.Hold = make(chan struct{})
		close(a.Phones.Hold)
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			d.Register(t, d.Cell(1))
			for _, cell := range []string{d.Cell(1), d.Cell(2)} {
				d.Right(t, "sendOtp", shoptest.ToCell(cell)).Is(t, codeSent)
				d.Wrong(t, "sendOtp", shoptest.ToCell(cell), 429, "RATE_LIMITED")
				d.Right(t, "verifyOtp", shoptest.ByCode(cell, "123456")).Is(t, notVerified)
			}
		})
		if a.Stop(); bytes.Count(a.Log.Bytes(), []byte("a code was not sent")) != 4 {
			t.Errorf("log: %s", a.Log)
		}
	})
}
