package smstest_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"storefront/internal/message/sms/smstest"
)

// TestFakeOverHTTP drives the fake as a program outside the process would.
func TestFakeOverHTTP(t *testing.T) {
	fake, base := smstest.Start(t)
	send := func(key, to string) int {
		form := url.Values{"receptor": {to}, "message": {"سلام"}, "localid": {"7"}}
		return status(t, http.MethodPost, base+"/v1/"+url.PathEscape(key)+"/sms/send.json", form.Encode())
	}
	for want, got := range map[int]int{
		200: send(smstest.KavenegarKey, "09121234567"),
		403: send("wrong", "09121234567"),
		411: send(smstest.KavenegarKey, "09121230001"),
		404: status(t, http.MethodGet, base+"/v1/x/sms/send.json", ""),
	} {
		if got != want {
			t.Errorf("got HTTP %d, want %d", got, want)
		}
	}
	if n := fake.Requests(); n != 4 {
		t.Errorf("%d requests", n)
	}
	first, _ := fake.LastTo("+989121234567")
	if first.Text != "سلام" || first.Ref != "7" || first.Provider != "kavenegar" || first.ServerID == "" {
		t.Errorf("kept %+v", first)
	}
	if _, found := fake.LastTo("+989120000000"); found {
		t.Error("found what was never sent")
	}

	response, err := http.Get(base + "/_fake/messages")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var journal []smstest.Message
	if err := json.NewDecoder(response.Body).Decode(&journal); err != nil || len(journal) != 2 ||
		journal[0] != first && journal[1] != first {
		t.Errorf("journal %+v, %v", journal, err)
	}
	if code := status(t, http.MethodPost, base+"/_fake/reset", ""); code != 204 || len(fake.Messages()) != 0 ||
		fake.Requests() != 0 {
		t.Errorf("reset: HTTP %d, %v", code, fake.Messages())
	}
}

func status(t *testing.T, method, address, body string) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	return response.StatusCode
}
