// Package signedlink makes links that are good for one purpose and a short time, without any other credentials: what a
// browser or a program downloads or uploads by an address. A link names who asked for it; whoever takes it asks again
// whether they still may (staff.Links).
package signedlink

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"storefront/internal/fault"
)

// Link is what a link says. Who asked for it is a person, by a session, or a program, by an access token.
type Link struct {
	Purpose    string            `json:"p"`
	Business   uuid.UUID         `json:"b"`
	User       uuid.UUID         `json:"u,omitzero"`
	Session    uuid.UUID         `json:"s,omitzero"`
	Token      uuid.UUID         `json:"t,omitzero"` // the id of an access token
	Parameters map[string]string `json:"v,omitempty"`
	Until      int64             `json:"e"` // a second of the Unix time, from which on the link has expired
}

// longest is how long the text of a link may be, in bytes.
const longest = 2048

// Signer makes links and reads them.
type Signer struct {
	keys  [][]byte // the first one signs
	clock func() time.Time
}

// New returns a signer whose key is derived from the one that signs tokens. Links that were signed with the other key
// are taken as well; nil: there is none.
func New(key, other []byte, clock func() time.Time) *Signer {
	s := &Signer{clock: clock}
	for _, one := range [][]byte{key, other} {
		if one != nil {
			// It fails for a length that is too large alone.
			derived, _ := hkdf.Key(sha256.New, one, nil, "storefront signed links", sha256.Size)
			s.keys = append(s.keys, derived)
		}
	}
	return s
}

// Make returns the text of a link, and when it expires.
func (s *Signer) Make(l Link, life time.Duration) (text string, expires time.Time) {
	expires = s.clock().Add(life).UTC().Truncate(time.Second)
	l.Until = expires.Unix()
	said, err := json.Marshal(l, json.Deterministic(true))
	if err != nil {
		panic(err) // for a parameter that is no UTF-8: a fault of the program
	}
	body := base64.RawURLEncoding.EncodeToString(said)
	return body + "." + signature(s.keys[0], body), expires
}

func signature(key []byte, body string) string {
	mac := hmac.New(sha256.New, key)
	_, _ = mac.Write([]byte(body)) // never fails
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// Read returns what a link of a purpose says. It fails with FORBIDDEN: in other words for a link of this service that
// has expired than for everything else.
func (s *Signer) Read(purpose, text string) (Link, error) {
	body, signed, _ := strings.Cut(text, ".")
	if len(text) > longest || !s.signed(body, signed) {
		return Link{}, invalid()
	}
	said, err := base64.RawURLEncoding.DecodeString(body)
	var l Link
	if err == nil {
		err = json.Unmarshal(said, &l, json.RejectUnknownMembers(true))
	}
	if err != nil || l.Purpose != purpose {
		return Link{}, invalid()
	}
	if !s.clock().Before(time.Unix(l.Until, 0)) {
		return Link{}, fault.New(fault.Forbidden, "this link has expired; ask for a new one")
	}
	return l, nil
}

func (s *Signer) signed(body, by string) bool {
	for _, key := range s.keys {
		if hmac.Equal([]byte(signature(key, body)), []byte(by)) {
			return true
		}
	}
	return false
}

func invalid() error {
	return fault.New(fault.Forbidden, "this link is not valid here; ask for a new one")
}
