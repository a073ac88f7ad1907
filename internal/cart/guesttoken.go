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

// The token of a guest's cart has 256 random bits, the second in which it was made, and a signature. So an
// empty cart needs no row: rows are made only for tokens that the service has signed.
const (
	randomBytes    = 32
	madeBytes      = 4
	signatureBytes = 16
)

// newToken returns a new token for a guest of a business.
func (s *Service) newToken(business uuid.UUID, at time.Time) string {
	token := make([]byte, randomBytes+madeBytes)
	_, _ = rand.Read(token[:randomBytes]) // never fails
	binary.BigEndian.PutUint32(token[randomBytes:], uint32(at.Unix()))
	return base64.RawURLEncoding.EncodeToString(append(token, signature(s.Key, business, token)...))
}

// signature returns the signature of the rest of a token, for one business.
func signature(key []byte, business uuid.UUID, rest []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("guest's cart"))
	mac.Write(business[:])
	mac.Write(rest)
	return mac.Sum(nil)[:signatureBytes]
}

// isFresh reports whether this service made a token for the business at most a day ago. Then its cart may
// have no row yet.
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
