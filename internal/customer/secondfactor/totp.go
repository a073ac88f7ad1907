package secondfactor

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"net/url"
	"strings"
	"time"
)

const (
	secretBytes = 20               // as long as SHA-1, which RFC 4226 recommends
	stepTime    = 30 * time.Second // of RFC 6238; apps support no other
	digits      = 6
	skew        = 1 // steps by which the clock of a phone may differ
)

// encoding is how apps write secrets.
var encoding = base32.StdEncoding.WithPadding(base32.NoPadding)

func newSecret() []byte {
	secret := make([]byte, secretBytes)
	_, _ = rand.Read(secret) // never fails
	return secret
}

func stepOf(at time.Time) int64 { return at.Unix() / int64(stepTime/time.Second) }

// codeAt returns the code of a secret in a time step, by RFC 6238 and 4226.
func codeAt(secret []byte, step int64) string {
	mac := hmac.New(sha1.New, secret)
	_ = binary.Write(mac, binary.BigEndian, uint64(step)) // a hash never fails
	sum := mac.Sum(nil)
	at := sum[len(sum)-1] & 0xf
	number := binary.BigEndian.Uint32(sum[at:]) & 0x7fffffff
	return fmt.Sprintf("%0*d", digits, number%1_000_000)
}

// matches returns the time step whose code was typed at a moment, the newest first; ok is false if the code
// is not valid then.
func matches(secret []byte, typed string, at time.Time) (step int64, ok bool) {
	for step := stepOf(at) + skew; step >= stepOf(at)-skew; step-- {
		if hmac.Equal([]byte(codeAt(secret, step)), []byte(typed)) {
			return step, true
		}
	}
	return 0, false
}

// address returns the secret in the form that apps read from a QR code.
func address(secret []byte, issuer, account string) string {
	issuer = strings.ReplaceAll(issuer, ":", " ") // it separates issuer and account
	values := url.Values{"secret": {encoding.EncodeToString(secret)}, "issuer": {issuer}}
	// some apps do not decode a plus sign as a space
	query := strings.ReplaceAll(values.Encode(), "+", "%20")
	return "otpauth://totp/" + url.PathEscape(issuer) + ":" + url.PathEscape(account) + "?" + query
}
