package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// verify returns an error unless body came from the shop's service within the last five minutes.
func verify(secret string, header http.Header, body []byte, now time.Time) error {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return err
	}
	id, moment := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(moment, 10, 64)
	if err != nil || now.Sub(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return errors.New("the timestamp is missing, or too far from now")
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + moment + "."))
	mac.Write(body)
	want := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	for _, signature := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(signature), want) {
			return nil
		}
	}
	return errors.New("no signature is right")
}

// TestVerify runs the code that docs/webhooks.md shows to receivers.
func TestVerify(t *testing.T) {
	now, header, older := time.Unix(1_800_000_000, 0), http.Header{}, newSecret()
	secret := newSecret()
	sign(header, "e1", now, `{"a":1}`, secret, older)
	for name, c := range map[string]struct {
		secret []byte
		body   string
		at     time.Time
		good   bool
	}{
		"right": {secret, `{"a":1}`, now, true}, "the older secret": {older, `{"a":1}`, now, true},
		"another body": {secret, `{"a":2}`, now, false}, "another secret": {newSecret(), `{"a":1}`, now, false},
		"too late": {secret, `{"a":1}`, now.Add(6 * time.Minute), false},
	} {
		if err := verify(shownSecret(c.secret), header, []byte(c.body), c.at); (err == nil) != c.good {
			t.Errorf("%s: %v", name, err)
		}
	}
	source, err := os.ReadFile("verify_test.go")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../../docs/webhooks.md")
	if err != nil {
		t.Fatal(err)
	}
	_, shown, _ := strings.Cut(string(source), "\n// verify returns")
	shown, _, _ = strings.Cut(shown, "\n}\n")
	if !strings.Contains(string(text), "// verify returns"+shown+"\n}\n") {
		t.Error("docs/webhooks.md shows other code")
	}
}
