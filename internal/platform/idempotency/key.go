package idempotency

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"slices"
	"time"

	"github.com/google/uuid"

	"storefront/internal/fault"
)

// Header is the name of the header that holds a key.
const Header = "Idempotency-Key"

// ReplayedHeader marks an answer that was given before; its value is "true".
const ReplayedHeader = "Idempotent-Replayed"

// longestKey is the most characters a key may have.
const longestKey = 255

// ParseKey returns the key in a request's headers of that name, or "" if there is none. It adds what is
// wrong with them to bad. A key is 1 to 255 visible ASCII characters.
func ParseKey(headers []string, bad *fault.Fields) string {
	if len(headers) == 0 {
		return ""
	}
	if len(headers) > 1 {
		bad.Add(Header, "must be given once")
		return ""
	}
	key := headers[0]
	invisible := func(c byte) bool { return c <= ' ' || c > '~' }
	if len(key) < 1 || len(key) > longestKey || slices.ContainsFunc([]byte(key), invisible) {
		bad.Add(Header, "must have 1 to 255 visible ASCII characters")
		return ""
	}
	return key
}

// Request is a request with a key.
type Request struct {
	User  uuid.UUID // the customer; uuid.Nil for a program
	Token uuid.UUID // the program's access token; uuid.Nil for a customer
	Path  string    // with its ids, without a trailing slash
	Key   string    // as returned by ParseKey
	What  any       // what is asked for, as JSON with numbers as json.Number

	Private bool // its answer is only for callers who are entitled to it at that moment, and is not stored
	Secret  bool // it holds a password or a token, which must not be guessable from the stored fingerprint
}

// key is the row of a request's key.
type key struct {
	id          string
	user, token *uuid.UUID // one of them is nil
	fingerprint []byte     // of what was asked for
	until       time.Time
	private     bool
}

// keyOf returns the row of a request's key.
func (s *Store) keyOf(r Request) key {
	k := key{until: s.clock.Now().Add(s.times.Kept), private: r.Private}
	name := sha256.New()
	if r.User != uuid.Nil {
		k.user = &r.User
		name.Write(r.User[:])
	} else {
		k.token = &r.Token
		name.Write(r.Token[:])
	}
	name.Write([]byte(r.Path))
	name.Write([]byte{0}) // a separator: a key cannot contain it
	name.Write([]byte(r.Key))
	what, _ := json.Marshal(r.What) // never fails for JSON, and sorts the members
	sum := sha256.Sum256(what)
	if r.Secret { // the key itself is not stored
		keyed := hmac.New(sha256.New, []byte(r.Key))
		keyed.Write(what)
		sum = [sha256.Size]byte(keyed.Sum(nil))
	}
	k.id, k.fingerprint = base64.RawURLEncoding.EncodeToString(name.Sum(nil)), sum[:]
	return k
}
