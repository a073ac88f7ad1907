package account_test

import (
	"strings"
	"testing"
	"time"
)

// TestPartnerNumbers checks that the four forms of a number share one window, and that other texts are
// refused.
func TestPartnerNumbers(t *testing.T) {
	forms := []string{"09121234567", "9121234567", "+989121234567", "989121234567", " 09121234567\n"}
	eachGateway(t, func(t *testing.T, g *gateway) {
		for _, api := range smsAPIs {
			for _, to := range forms {
				if got := api.send(g, t, g.key, message(apex, to, hello)); !got.ok() {
					t.Errorf("%s: %q: got %+v", api.name, to, got)
				}
			}
			for _, to := range forms { // five have filled its window
				if got := api.send(g, t, g.key, message(apex, to, hello)); got != (outcome{status: 429,
					code: "RATE_LIMITED", wait: 60}) {
					t.Errorf("%s: %q: got %+v", api.name, to, got)
				}
			}
			g.clock.move(time.Minute)
		}
		for _, m := range g.provider.Messages() {
			if m.To != "+989121234567" {
				t.Errorf("sent to %q", m.To)
			}
		}
	})
}

func TestPartnerNumbersThatAreNone(t *testing.T) {
	eachGateway(t, func(t *testing.T, g *gateway) {
		for _, api := range smsAPIs {
			for _, to := range []string{
				"00989121234567", "+9809121234567", "9809121234567", "+09121234567", "+9121234567", "0989121234567",
				"++989121234567",
				"912123456", "91212345678", "0912123456", "091212345678", "+98912123456", "+9891212345678",
				"08121234567", "02122334455", "+982122334455", "+14155552671", "0912 123 4567", "0912-123-4567",
				"(0912)1234567", "+98 9121234567",
				"۰۹۱۲۱۲۳۴۵۶۷", "٠٩١٢١٢٣٤٥٦٧", "+۹۸۹۱۲۱۲۳۴۵۶۷",
				"０９１２１２３４５６７", "0912\u200c1234567", "\u200e09121234567",
				"0912123456x", "09121234567;09127654321",
				"09121234567,", "", " ", "null", "0", strings.Repeat("9", 300),
			} {
				if got := api.send(g, t, g.key, message(apex, to, hello)); got != wrongFields("to") {
					t.Errorf("%s: %q: got %+v", api.name, to, got)
				}
			}
		}
		if g.provider.Requests() != 0 || g.booked(t) != 0 {
			t.Errorf("%d messages, %d events", g.provider.Requests(), g.booked(t))
		}
	})
}

// TestPartnerTexts checks that 700 counts code points, and that a text arrives as it was sent.
func TestPartnerTexts(t *testing.T) {
	family := "👨\u200d👩\u200d👧" // one sign to a reader, five code points
	right := []string{
		"a", "  hi \n", "{{key}} & <b>%41+\"\\\"</b>", "\u200c.", strings.Repeat("a", 700),
		strings.Repeat("ی", 700), strings.Repeat("😀", 700),
		strings.Repeat(family, 140), strings.Repeat("e\u0301", 350), strings.Repeat(" ", 699) + "a",
		strings.Repeat("a\n", 350),
	}
	wrong := []string{
		"", " ", "\n\t ", "\u00a0\u2003\u3000", strings.Repeat(" ", 700), strings.Repeat("a", 701),
		"\u200b\u2060", "\u200c", " \ufeff\u2800 ", "\u00ad",
		strings.Repeat("ی", 701), strings.Repeat("😀", 701),
		strings.Repeat(family, 140) + "a", strings.Repeat("e\u0301", 350) + "e", strings.Repeat("a", 700) + " ",
		" " + strings.Repeat("a", 700),
	}
	eachGateway(t, func(t *testing.T, g *gateway) {
		for _, api := range smsAPIs {
			for _, text := range right {
				if got := api.send(g, t, g.key, message(apex, mobile, text)); !got.ok() {
					t.Errorf("%s: %.20q: %+v", api.name, text, got)
				}
				if m, _ := g.provider.LastTo("+989121234567"); m.Text != text {
					t.Errorf("%s: got the text %.20q, want %.20q", api.name, m.Text, text)
				}
				g.clock.move(time.Minute)
			}
			sent := g.provider.Requests()
			for _, text := range wrong {
				if got := api.send(g, t, g.key, message(apex, mobile, text)); got != wrongFields("message") {
					t.Errorf("%s: %.20q: %+v", api.name, text, got)
				}
			}
			if g.provider.Requests() != sent {
				t.Errorf("%s: a wrong text was sent", api.name)
			}
		}
	})
}
