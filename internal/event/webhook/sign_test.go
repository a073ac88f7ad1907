package webhook

import (
	"encoding/base64"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestSign compares with the example of the Standard Webhooks libraries.
func TestSign(t *testing.T) {
	secret, err := base64.StdEncoding.DecodeString("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	if err != nil {
		t.Fatal(err)
	}
	const want = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
	header := http.Header{}
	sign(header, "msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0), `{"test": 2432232314}`, secret)
	if got := header.Get("Webhook-Signature"); got != want || header.Get("Webhook-Timestamp") != "1614265330" {
		t.Errorf("got %v", header)
	}
	sign(header, "msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0), `{"test": 2432232314}`, newSecret(), secret)
	if got := strings.Fields(header.Get("Webhook-Signature")); len(got) != 2 || got[1] != want || got[0] == want {
		t.Errorf("two secrets: got %q", got)
	}
	if shown := shownSecret(secret); shown != "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" {
		t.Error(shown)
	}
}
