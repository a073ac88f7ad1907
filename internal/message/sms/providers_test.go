package sms_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http/httptrace"
	"os"
	"strings"
	"testing"

	"storefront/internal/message/sms"
	"storefront/internal/message/sms/smstest"
)

// text has what each encoding must escape, and what must not be taken for a placeholder.
const text = "کد شما: 123456 & <b>\"a\\b\"</b> +%2F {{key}} {{to.e164}}\n@shop.example #123456 😀"

// settings are accounts of the fake at base, by the name the fake's journal has for them.
func settings(t *testing.T, base string) map[string]sms.Settings {
	t.Helper()
	template := func(name string) string {
		content, err := os.ReadFile("testdata/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		return string(content)
	}
	return map[string]sms.Settings{
		"kavenegar": {Provider: "kavenegar", BaseURL: base, APIKey: smstest.KavenegarKey, Sender: smstest.Line},
		"smsir":     {Provider: "smsir", BaseURL: base + "/", APIKey: smstest.SMSIrKey, Sender: smstest.Line},
		"magfa":     {Provider: "magfa", BaseURL: base, APIKey: smstest.MagfaKey, Sender: smstest.Line},
		"ippanel": {
			Provider: "http",
			BaseURL:  base,
			APIKey:   smstest.IPPanelKey,
			Sender:   smstest.Line,
			Template: template("ippanel"),
		},
		"melipayamak": {
			Provider: "http",
			BaseURL:  base,
			APIKey:   smstest.MeliPayamakPassword,
			Sender:   smstest.Line,
			Template: template("melipayamak"),
		},
	}
}

func newSender(t *testing.T, s sms.Settings) sms.Sender {
	t.Helper()
	sender, err := sms.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return sender
}

// checkQuiet fails when an error holds a key, the text or the number in any form it may be printed in.
func checkQuiet(t *testing.T, err error, key, to string) {
	t.Helper()
	var said strings.Builder
	for e := err; e != nil; e = errors.Unwrap(e) {
		fmt.Fprintf(&said, "%v\n%+v\n%#v\n", e, e, e)
	}
	for _, secret := range []string{key, "/of shop", "of%20shop", strings.TrimPrefix(key, "shop/domain:"),
		text, "123456", "کد", to[3:], "send.json"} {
		if secret != "" && strings.Contains(said.String(), secret) {
			t.Errorf("the error holds %q: %s", secret, said.String())
		}
	}
}

func TestEveryProviderSends(t *testing.T) {
	fake, base := smstest.Start(t)
	for name, s := range settings(t, base) {
		sender := newSender(t, s)
		for _, ref := range []int64{0, 1<<53 + 1} {
			m := sms.Message{To: "+989121230000", Text: text, Ref: ref}
			id, err := sender.Send(t.Context(), m)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			want := smstest.Message{Provider: name, To: m.To, Text: text, Sender: smstest.Line, ServerID: id}
			if ref != 0 && (name == "kavenegar" || name == "magfa") {
				want.Ref = "9007199254740993"
			}
			got, _ := fake.LastTo(m.To)
			if ref == 0 && want.Ref == "" && (name == "kavenegar" || name == "magfa") {
				if len(got.Ref) < 10 { // by chance
					t.Errorf("%s: the number %q", name, got.Ref)
				}
				want.Ref = got.Ref
			}
			if got != want || id == "" || fake.Requests() != 1 {
				t.Errorf("%s: id %q after %d requests,\n got %+v\nwant %+v", name, id, fake.Requests(), got, want)
			}
			fake.Reset()
		}
	}
}

// outcome is an id, or a kind and a code.
type outcome struct {
	id   string
	kind sms.Kind
	code string
}

// TestEveryScenario has each provider answer in each way, on a new connection and on one that has been used.
func TestEveryScenario(t *testing.T) {
	fake, base := smstest.Start(t)
	all := map[string]outcome{
		"0004": {"", sms.Unknown, "HTTP 500"},
		"0008": {"", sms.Unknown, "HTTP 200"},
		"0009": {"", sms.Unknown, "HTTP 200"},
		"0010": {smstest.LongID, "", ""},
		"0011": {"", sms.Unknown, ""},
		"0012": {"", sms.Config, "HTTP 302"},
		"0014": {"", sms.Unknown, "HTTP 200"},
		"0015": {"", sms.Unknown, "HTTP 200"},
	}
	own := map[string]map[string]outcome{
		"kavenegar": {
			"0001": {"", sms.Recipient, "411"}, "0002": {"", sms.Blacklisted, "14"},
			"0003": {"", sms.Credit, "418"},
			"0006": {"", sms.Busy, "451"}, "0007": {"", sms.Config, "412"},
			"0016": {"", sms.Unknown, "HTTP 200"},
		},
		"smsir": {
			"0001": {"", sms.Recipient, "104"}, "0002": {"", sms.Blacklisted, "id 0"},
			"0003": {"", sms.Credit, "102"},
			"0006": {"", sms.Busy, "20"}, "0007": {"", sms.Config, "101"},
			"0016": {"", sms.Unknown, "HTTP 200"},
		},
		"magfa": {
			"0001": {"", sms.Recipient, "1"}, "0002": {"", sms.Blacklisted, "27"},
			"0003": {"", sms.Credit, "14"},
			"0006": {"", sms.Busy, "HTTP 429"}, "0007": {"", sms.Config, "20"},
			"0016": {"", sms.Unknown, "HTTP 200"},
		},
		"ippanel": {
			"0001": {"", sms.Config, "400-2"},
			"0006": {"", sms.Busy, "HTTP 429"}, "0007": {"", sms.Config, "400-1"},
			"0016": {"", sms.Unknown, "HTTP 200"},
		},
		"melipayamak": {
			"0001": {"", sms.Config, "5"}, "0002": {"", sms.Blacklisted, "35"}, "0003": {"", sms.Credit, "2"},
			"0006": {"", sms.Busy, "HTTP 429"}, "0007": {"", sms.Config, "12"}, "0016": {"", sms.Config, "0"},
		},
	}
	for name, s := range settings(t, base) {
		for _, table := range []map[string]outcome{all, own[name]} {
			for ends, want := range table {
				sender := newSender(t, s)
				m := sms.Message{To: "+98912765" + ends, Text: text, Ref: 9}
				for _, connection := range []string{"new", "used"} {
					if connection == "used" {
						_, err := sender.Send(t.Context(), sms.Message{To: "+989127654321", Text: text})
						if err != nil {
							t.Errorf("%s: %v", name, err)
						}
					}
					fake.Reset()
					id, err := sender.Send(t.Context(), m)
					if got := outcomeOf(t, id, err, s.Provider, m.To); got != want {
						t.Errorf("%s %s, %s connection: got %v, want %v: %v", name, ends, connection, got, want, err)
					}
					if n := fake.Requests(); n != 1 {
						t.Errorf("%s %s, %s connection: %d requests", name, ends, connection, n)
					}
					if ends == "0015" && !strings.Contains(fmt.Sprint(err), "too long") {
						t.Errorf("%s does not say that the answer is too long: %v", name, err)
					}
					checkQuiet(t, err, s.APIKey, m.To)
				}
			}
		}
	}
}

// outcomeOf checks what all errors have in common.
func outcomeOf(t *testing.T, id string, err error, provider, to string) outcome {
	t.Helper()
	if err == nil {
		return outcome{id: id}
	}
	failure, ok := errors.AsType[*sms.Error](err)
	if !ok || failure.Provider != provider || failure.To != sms.Masked(to) {
		t.Errorf("a strange error: %#v", err)
		return outcome{}
	}
	return outcome{id, failure.Kind, failure.Code}
}

// TestAHangingProviderIsLeft ends the wait when the message has arrived, and once more in the middle of the
// answer.
func TestAHangingProviderIsLeft(t *testing.T) {
	fake, base := smstest.Start(t)
	for name, s := range settings(t, base) {
		sender := newSender(t, s)
		ctx, cancel := context.WithCancel(t.Context())
		fake.OnArrival(func(smstest.Message) { cancel() })
		to := "+989121230005"
		_, err := sender.Send(ctx, sms.Message{To: to, Text: text})
		if got := outcomeOf(t, "", err, s.Provider, to); got.kind != sms.Unknown || !errors.Is(err, context.Canceled) {
			t.Errorf("%s, silent: %v", name, err)
		}
		fake.OnArrival(nil)

		ctx, cancel = context.WithCancel(t.Context())
		ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotFirstResponseByte: cancel})
		to = "+989121230013"
		_, err = sender.Send(ctx, sms.Message{To: to, Text: text})
		if got := outcomeOf(t, "", err, s.Provider, to); got.kind != sms.Unknown || !errors.Is(err, context.Canceled) {
			t.Errorf("%s, in the middle: %v", name, err)
		}
		if n := fake.Requests(); n != 2 {
			t.Errorf("%s: %d requests", name, n)
		}
		checkQuiet(t, err, s.APIKey, to)
		fake.Reset()
	}
}

func TestWrongCredentials(t *testing.T) {
	fake, base := smstest.Start(t)
	for name, s := range settings(t, base) {
		for what, spoil := range map[string]func(*sms.Settings){
			"key":  func(s *sms.Settings) { s.APIKey = "shop/domain:wrong" },
			"line": func(s *sms.Settings) { s.Sender = "30009999" },
		} {
			wrong := s
			spoil(&wrong)
			_, err := newSender(t, wrong).Send(t.Context(), sms.Message{To: "+989121230000", Text: text})
			got := outcomeOf(t, "", err, s.Provider, "+989121230000")
			if got.kind != sms.Config || fake.Requests() != 1 {
				t.Errorf("%s with a wrong %s: %v after %d requests", name, what, err, fake.Requests())
			}
			checkQuiet(t, err, wrong.APIKey, "+989121230000")
			fake.Reset()
		}
	}
}

func TestWhomTheyReach(t *testing.T) {
	fake, base := smstest.Start(t)
	all := settings(t, base)
	all["log"] = sms.Settings{Provider: "log", Terminal: io.Discard}
	all["none"] = sms.Settings{Provider: "none"}
	for name, s := range all {
		sender := newSender(t, s)
		for to, want := range map[string]bool{
			"+989121234567":  name != "none",
			"+14155552671":   name == "log" || name == "ippanel",
			"+4915112345678": name == "log" || name == "ippanel",
			"09121234567":    false, "989121234567": false, "": false, "+98": false,
			"+9891212345678": false, "+982188776655": false, // no SMS reaches a landline of Iran
			"+989121234567\n": false, "+۹۸۹۱۲۱۲۳۴۵۶۷": false,
		} {
			if got := sender.Reaches(to); got != want {
				t.Errorf("%s reaches %q: %t", name, to, got)
			}
			if want {
				continue
			}
			_, err := sender.Send(t.Context(), sms.Message{To: to, Text: text})
			kind := outcomeOf(t, "", err, s.Provider, to).kind
			if kind != sms.Recipient && name != "none" || kind == "" {
				t.Errorf("%s sends to %q: %v", name, to, err)
			}
		}
	}
	if n := fake.Requests(); n != 0 {
		t.Errorf("%d requests", n)
	}
}
