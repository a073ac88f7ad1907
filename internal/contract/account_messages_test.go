package contract_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"storefront/internal/app"
)

// TestAccountMessages checks that a message holds a code and the shop's Farsi name, and nothing that the
// caller sent, and that each code is one message.
func TestAccountMessages(t *testing.T) {
	const plain, ofTools, ofBare = "کد تأیید شما: CODE",
		"کد تأیید شما در ابزارسرا: CODE\n\n@tools.example #CODE",
		"کد تأیید شما در دکان: CODE\n\n@xn--mgbp4e7t.example #CODE"
	eachAccounts(t, func(t *testing.T, a *accounts) {
		sent := 0
		a.eachDoor(t, func(t *testing.T, d door) {
			for domain, want := range map[string]string{
				"": plain, "nobody.example": plain, "www.tools.example": plain, "tools.example:80": plain,
				"\\n654321 بانک": plain, "https://evil.example": plain,
				"tools.example": ofTools, "TOOLS.Example.": ofTools, "دکان.example": ofBare,
				"xn--mgbp4e7t.example": ofBare,
			} {
				cell := d.cell(sent)
				d.right(t, "sendOtp", `{"cellNumber": "`+cell+`", "domain": "`+domain+`"}`).is(t, codeSent)
				text := d.phones.text(t, cell)
				code := sixDigits.FindString(text)
				if got := strings.ReplaceAll(text, code, "CODE"); code == "" || got != want {
					t.Errorf("for %q: %q, want %q", domain, text, want)
				}
				d.wrong(t, "sendOtp", toCell(cell), 429, "RATE_LIMITED")
				sent++
			}
		})
		if a.stop(); a.phones.sent != sent {
			t.Errorf("%d messages of %d codes", a.phones.sent, sent)
		}
	})
}

// TestAccountProviderHangs checks that a hanging provider delays nobody and changes no answer, even when
// the queue of messages is full.
func TestAccountProviderHangs(t *testing.T) {
	const cells = 1100 // 1,024 may wait, and 16 are being sent
	eachAccounts(t, func(t *testing.T, a *accounts) {
		hold := make(chan struct{})
		t.Cleanup(func() { close(hold) })
		a.phones.hold = hold
		all := sides(a)
		for n := 0; n < cells; n += 4 {
			for _, got := range together(4, func(i int) reply { // on a slow machine more would be refused
				from := fmt.Sprintf("203.%d.113.%d", (n+i)%250, (n+i)/250) // or the limits of networks are met
				return all[i%len(all)].from(from).ask(t, "sendOtp", toCell(cellOfBlock(n+i)))
			}) {
				got.is(t, codeSent)
			}
		}
		a.rest().register(t, a.rest().cell(1))
	}, func(o *app.Options) { o.CodesInMinute = 2 * cells })
}

// TestAccountProviderFails checks that a failing provider changes no answer and is logged.
func TestAccountProviderFails(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.phones.hold = make(chan struct{})
		close(a.phones.hold)
		a.eachDoor(t, func(t *testing.T, d door) {
			d.register(t, d.cell(1))
			for _, cell := range []string{d.cell(1), d.cell(2)} {
				d.right(t, "sendOtp", toCell(cell)).is(t, codeSent)
				d.wrong(t, "sendOtp", toCell(cell), 429, "RATE_LIMITED")
				d.right(t, "verifyOtp", byCode(cell, "123456")).is(t, notVerified)
			}
		})
		if a.stop(); bytes.Count(a.log.Bytes(), []byte("a code was not sent")) != 4 {
			t.Errorf("log: %s", a.log)
		}
	})
}
