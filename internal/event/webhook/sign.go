package webhook

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// secretPrefix precedes the base64 of a secret wherever people see it.
const secretPrefix = "whsec_"

// secretSize is the length of a secret in bytes; the scheme allows 24 to 64.
const secretSize = 32

func newSecret() []byte {
	secret := make([]byte, secretSize)
	_, _ = rand.Read(secret) // never fails
	return secret
}

func shownSecret(secret []byte) string {
	return secretPrefix + base64.StdEncoding.EncodeToString(secret)
}

// sign sets the three headers of Standard Webhooks: an id, which stays the same when an event is sent again,
// the moment of the attempt, and a signature of both and the body by each secret.
func sign(header http.Header, id string, at time.Time, body string, secrets ...[]byte) {
	moment := strconv.FormatInt(at.Unix(), 10)
	header.Set("webhook-id", id)
	header.Set("webhook-timestamp", moment)
	var signatures []string
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, secret)
		_, _ = mac.Write([]byte(id + "." + moment + "." + body)) // never fails
		signatures = append(signatures, "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	}
	header.Set("webhook-signature", strings.Join(signatures, " "))
}
