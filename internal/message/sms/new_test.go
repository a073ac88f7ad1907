package sms_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"storefront/internal/message/sms"
)

func TestWhatIsWrongWithSettings(t *testing.T) {
	for want, s := range map[string]sms.Settings{
		"SMS_PROVIDER is":              {Provider: "twilio", APIKey: "hidden"},
		"SMS_PROVIDER=log":             {Provider: "log"},
		"SMS_API_KEY must be set":      {Provider: "kavenegar"},
		"SMS_API_KEY must be USERNAME": {Provider: "magfa", APIKey: "hidden", Sender: "3000"},
		"SMS_SENDER must be":           {Provider: "smsir", APIKey: "hidden", Sender: "+3000"},
		"SMS_BASE_URL must be set":     {Provider: "http", APIKey: "hidden", Template: "{}"},
		"SMS_SENDER must be set":       {Provider: "magfa", APIKey: "user/domain:hidden"},
		"SMS_HTTP_TEMPLATE must be set": {
			Provider: "http", APIKey: "hidden", BaseURL: "https://sms.example",
		},
		"SMS_HTTP_TEMPLATE is not": {
			Provider: "http", APIKey: "hidden", BaseURL: "https://sms.example", Template: "[]",
		},
	} {
		sender, err := sms.New(s)
		if err == nil || sender != nil || !strings.HasPrefix(err.Error(), want) ||
			strings.Contains(err.Error(), "hidden") {
			t.Errorf("%+v: %v", s, err)
		}
	}
	for _, key := range []string{"user:word", "user/domain", "/domain:word", "user/:word", "user/domain:"} {
		if _, err := sms.New(sms.Settings{Provider: "magfa", APIKey: key, Sender: "3000"}); err == nil {
			t.Errorf("magfa takes the key %q", key)
		}
	}
	for _, provider := range []string{"kavenegar", "smsir", "magfa"} {
		if _, err := sms.New(sms.Settings{Provider: provider, APIKey: "user/domain:word", Sender: "3000"}); err != nil {
			t.Errorf("%s at its own address: %v", provider, err)
		}
	}
}

func TestWithoutAProvider(t *testing.T) {
	for _, provider := range []string{"", "none"} {
		sender := newSender(t, sms.Settings{Provider: provider})
		id, err := sender.Send(t.Context(), sms.Message{To: "+989121234567", Text: text})
		if got := outcomeOf(t, id, err, "none", "+989121234567"); got.kind != sms.Config {
			t.Errorf("got %q, %v", id, err)
		}
	}
}

func TestTheTerminalShowsMessages(t *testing.T) {
	var shown bytes.Buffer
	sender := newSender(t, sms.Settings{Provider: "log", Terminal: &shown})
	for i, want := range []string{"log-1", "log-2"} {
		text := []string{"کد: 123456\nSMS log-9", "\x1b[2J\r"}[i]
		id, err := sender.Send(t.Context(), sms.Message{To: "+989121234567", Text: text})
		if id != want || err != nil {
			t.Errorf("got %q, %v", id, err)
		}
	}
	want := "SMS log-1 to +989121234567:\n    کد: 123456\n    SMS log-9\nSMS log-2 to +989121234567:\n    ?[2J?\n"
	if shown.String() != want {
		t.Errorf("shows %q", shown.String())
	}
	broken := newSender(t, sms.Settings{Provider: "log", Terminal: closed{}})
	id, err := broken.Send(t.Context(), sms.Message{To: "+989121234567", Text: text})
	if got := outcomeOf(t, id, err, "log", "+989121234567"); got.kind != sms.Unreachable {
		t.Errorf("got %q, %v", id, err)
	}
}

type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, errors.New("closed") }
