// Package sealer encrypts secrets that are kept in the database with a key of the installation, so that a copy of the
// database alone does not yield them.
package sealer

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"errors"

	"github.com/google/uuid"
)

// Sealer seals secrets of one purpose by AES-256-GCM.
type Sealer struct{ own, other cipher.AEAD } // other opens what was sealed under the other key; nil: there is none

// New returns the sealer of a purpose, whose keys are derived from key and, unless it is nil, otherKey.
func New(purpose string, key, otherKey []byte) (s Sealer, err error) {
	if s.own, err = aeadOf(purpose, key); err == nil && otherKey != nil {
		s.other, err = aeadOf(purpose, otherKey)
	}
	return s, err
}

func aeadOf(purpose string, key []byte) (cipher.AEAD, error) {
	derived, err := hkdf.Key(sha256.New, key, nil, purpose, 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(derived)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// Seal encrypts a secret; it can be opened only with the same about, such as the id of its owner.
func (s Sealer) Seal(secret, about []byte) []byte {
	nonce := make([]byte, s.own.NonceSize())
	_, _ = rand.Read(nonce) // never fails
	return s.own.Seal(nonce, nonce, secret, about)
}

var errSealed = errors.New("a secret is sealed under another key")

// Open returns what Seal sealed, and reports whether that was done with the other key.
func (s Sealer) Open(sealed, about []byte) (secret []byte, byOther bool, err error) {
	n := s.own.NonceSize()
	if len(sealed) < n {
		return nil, false, errSealed
	}
	if secret, err = s.own.Open(nil, sealed[:n], sealed[n:], about); err == nil {
		return secret, false, nil
	}
	if s.other != nil {
		if secret, err = s.other.Open(nil, sealed[:n], sealed[n:], about); err == nil {
			return secret, true, nil
		}
	}
	return nil, false, errSealed
}

// Row is a row of the database with a sealed secret.
type Row struct {
	ID            uuid.UUID
	Sealed, About []byte
}

// Reseal seals with the own key all secrets that are sealed with the other one, so that the other key can be removed,
// and returns their number. read returns the first rows with greater ids; write replaces a secret unless it was changed
// meanwhile. A secret that neither key opens is left: it is reported when it is used.
func (s Sealer) Reseal(
	read func(after uuid.UUID) ([]Row, error), write func(row Row, again []byte) error,
) (resealed int, err error) {
	if s.other == nil {
		return 0, nil
	}
	last := uuid.Nil
	for {
		rows, err := read(last)
		if err != nil || len(rows) == 0 {
			return resealed, err
		}
		for _, row := range rows {
			last = row.ID
			secret, byOther, err := s.Open(row.Sealed, row.About)
			if err != nil || !byOther {
				continue
			}
			if err := write(row, s.Seal(secret, row.About)); err != nil {
				return resealed, err
			}
			resealed++
		}
	}
}
