// Package signedlink makes links that serve one purpose for a short time, without other credentials, for
// browsers and programs that download or upload by an address. A link names the person or program that asked
// for it, so that its rights are checked again when the link is used (staff.Links). It is encrypted: a
// recipient of a link does not learn their ids.
package signedlink

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"storefront/internal/fault"
)

// Link is the content of a link. It was asked for by a person, with a session, by a program, with an access
// token, or by a command, with neither.
type Link struct {
	Purpose    string            `json:"-"` // what the link is for; part of what is authenticated
	Business   uuid.UUID         `json:"b"`
	User       uuid.UUID         `json:"u,omitzero"`
	Session    uuid.UUID         `json:"s,omitzero"`
	Token      uuid.UUID         `json:"t,omitzero"` // the id of an access token
	Parameters map[string]string `json:"v,omitempty"`
	Until      int64             `json:"e"` // Unix time in seconds at which the link expires
}

// longest is the maximum length of the text of a link, in bytes.
const longest = 2048

// Signer makes links and reads them.
type Signer struct {
	keys  []cipher.AEAD // the first one makes links
	clock func() time.Time
}

// New returns a signer whose key is derived from the one that signs tokens. It also reads links that were made with the
// other key, which may be nil.
func New(key, other []byte, clock func() time.Time) *Signer {
	s := &Signer{clock: clock}
	for _, one := range [][]byte{key, other} {
		if one != nil {
			s.keys = append(s.keys, derived(one))
		}
	}
	return s
}

// derived returns AES-256 in Galois counter mode. Its calls fail only for other key lengths.
func derived(key []byte) cipher.AEAD {
	own, _ := hkdf.Key(sha256.New, key, nil, "storefront encrypted links", sha256.Size)
	block, _ := aes.NewCipher(own)
	sealer, _ := cipher.NewGCMWithRandomNonce(block)
	return sealer
}

// Make returns the text of a link, and when it expires.
func (s *Signer) Make(l Link, life time.Duration) (text string, expires time.Time) {
	expires = s.clock().Add(life).UTC().Truncate(time.Second)
	l.Until = expires.Unix()
	said, err := json.Marshal(l)
	if err != nil {
		panic(err) // a parameter is not valid UTF-8: a bug
	}
	return base64.RawURLEncoding.EncodeToString(s.keys[0].Seal(nil, nil, said, []byte(l.Purpose))), expires
}

// Read returns the content of a link for a purpose. It fails with FORBIDDEN; the message for a link of this
// service that has expired differs from the one for everything else.
func (s *Signer) Read(purpose, text string) (Link, error) {
	if len(text) > longest || strings.ContainsAny(text, "\r\n") { // the decoder ignores line breaks
		return Link{}, invalid()
	}
	sealed, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil {
		return Link{}, invalid()
	}
	for _, key := range s.keys {
		said, err := key.Open(nil, nil, sealed, []byte(purpose))
		if err != nil {
			continue
		}
		l := Link{Purpose: purpose}
		if err := json.Unmarshal(said, &l, json.RejectUnknownMembers(true)); err != nil {
			break
		}
		if !s.clock().Before(time.Unix(l.Until, 0)) {
			return Link{}, errExpired
		}
		return l, nil
	}
	return Link{}, invalid()
}

var errExpired = fault.New(fault.Forbidden, "this link has expired; ask for a new one")

// IsExpired reports whether an error of Read means that the link is valid for its purpose, but has expired.
func IsExpired(err error) bool { return errors.Is(err, errExpired) }

func invalid() error {
	return fault.New(fault.Forbidden, "this link is not valid here; ask for a new one")
}
