package secondfactor

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"errors"

	"github.com/google/uuid"
)

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
