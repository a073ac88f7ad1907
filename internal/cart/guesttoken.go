package cart

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"time"

	"github.com/google/uuid"
)

// The token of a guest's cart has 256 random bits, the second in which it was made, and a signature, so that
// a cart needs no row before something is in it: nobody but the service can make a token for which a row is
// made.
const (
	randomBytes    = 32
	madeBytes      = 4
	signatureBytes = 16
)

// newToken makes a token for a guest of a business.
func (s *Service) newToken(business uuid.UUID, at time.Time) string {
	token := make([]byte, randomBytes+madeBytes)
	_, _ = rand.Read(token[:randomBytes]) // never fails
	binary.BigEndian.PutUint32(token[randomBytes:], uint32(at.Unix()))
	return base64.RawURLEncoding.EncodeToString(append(token, signature(s.Key, business, token)...))
}

// signature signs the rest of a token, for one business.
func signature(key []byte, business uuid.UUID, rest []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("guest's cart"))
	mac.Write(business[:])
	mac.Write(rest)
	return mac.Sum(nil)[:signatureBytes]
}

// isFresh reports whether a token was made for the business by this service, at most a day before: then its
// cart may have no row yet.
func (s *Service) isFresh(business uuid.UUID, token string, at time.Time) bool {
	read, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(read) != randomBytes+madeBytes+signatureBytes {
		return false
	}
	rest, signed := read[:randomBytes+madeBytes], read[randomBytes+madeBytes:]
	made := time.Unix(int64(binary.BigEndian.Uint32(rest[randomBytes:])), 0)
	ours := hmac.Equal(signed, signature(s.Key, business, rest)) ||
		s.OtherKey != nil && hmac.Equal(signed, signature(s.OtherKey, business, rest))
	return ours && at.Before(made.Add(unusedIdle))
}
