package secondfactor

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
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

// sealer encrypts secrets with a key of the installation, so that a copy of the database does not yield
// working codes.
type sealer struct{ own, other cipher.AEAD } // other opens what was sealed under the other key; nil: there is none

func newSealer(key, otherKey []byte) (s sealer, err error) {
	if s.own, err = aeadOf(key); err == nil && otherKey != nil {
		s.other, err = aeadOf(otherKey)
	}
	return s, err
}

func aeadOf(key []byte) (cipher.AEAD, error) {
	derived, err := hkdf.Key(sha256.New, key, nil, "storefront second factors", 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(derived)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// seal encrypts a secret of a user; it can be opened only for the same user.
func (s sealer) seal(secret []byte, user uuid.UUID) []byte {
	nonce := make([]byte, s.own.NonceSize())
	_, _ = rand.Read(nonce) // never fails
	return s.own.Seal(nonce, nonce, secret, user[:])
}

// errSealed is the error for a secret that was sealed with an unknown key.
var errSealed = errors.New("secondfactor: a secret is sealed under another key")

// open returns the secret of a user, and reports whether it was sealed with the other key.
func (s sealer) open(sealed []byte, user uuid.UUID) (secret []byte, byOther bool, err error) {
	n := s.own.NonceSize()
	if len(sealed) < n {
		return nil, false, errSealed
	}
	if secret, err = s.own.Open(nil, sealed[:n], sealed[n:], user[:]); err == nil {
		return secret, false, nil
	}
	if s.other != nil {
		if secret, err = s.other.Open(nil, sealed[:n], sealed[n:], user[:]); err == nil {
			return secret, true, nil
		}
	}
	return nil, false, errSealed
}
