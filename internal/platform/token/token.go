// Package token issues and reads the tokens of a session: access tokens, which are JWTs, and refresh
// tokens, which are opaque to clients. internal/customer/account decides when they are issued and keeps the
// sessions; this package knows no database.
package token

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"
)

const (
	issuer   = "storefront"
	audience = "storefront-customers"
	access   = "access"
)

// Issuer issues access tokens and reads them.
type Issuer struct {
	key   []byte
	other []byte
	ttl   time.Duration
	clock func() time.Time
}

// NewIssuer returns an issuer. key is secret and has at least 32 bytes; ttl is the life of a token. Tokens signed with
// the other key, unless it is nil, are accepted as well.
func NewIssuer(key, other []byte, ttl time.Duration, clock func() time.Time) *Issuer {
	return &Issuer{key: key, other: other, ttl: ttl, clock: clock}
}

// Claims are the user and the session of an access token, and the number of the refresh token given with it.
type Claims struct {
	User, Session uuid.UUID
	Number        int64
}

type claims struct {
	Session string `json:"sid"`
	Number  int64  `json:"num"`
	Type    string `json:"type"`
	jwt.RegisteredClaims
}

// Access issues an access token, signed with HMAC-SHA-256. No two are the same, not even within one second.
func (i *Issuer) Access(c Claims) (string, error) {
	now := i.clock()
	return jwt.NewWithClaims(jwt.SigningMethodHS256, claims{
		Session: c.Session.String(),
		Number:  c.Number,
		Type:    access,
		RegisteredClaims: jwt.RegisteredClaims{
			ID:     uuid.NewString(),
			Issuer: issuer, Audience: jwt.ClaimStrings{audience}, Subject: c.User.String(),
			IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(now.Add(i.ttl)),
		},
	}).SignedString(i.key)
}

// Read returns the claims of an access token. It fails for one that is expired or was not issued with the
// key, or the other one.
func (i *Issuer) Read(token string) (Claims, error) { return i.readLate(token, 0) }

// ReadExpired is Read for an access token that may have expired. It fails for one that was not issued with the key,
// or the other one.
func (i *Issuer) ReadExpired(token string) (Claims, error) { return i.readLate(token, math.MaxInt64) }

// readLate returns the claims of an access token until some time after it has expired.
func (i *Issuer) readLate(token string, late time.Duration) (Claims, error) {
	c, err := i.read(token, i.key, late)
	if i.other != nil && errors.Is(err, jwt.ErrTokenSignatureInvalid) {
		return i.read(token, i.other, late)
	}
	return c, err
}

func (i *Issuer) read(token string, key []byte, late time.Duration) (Claims, error) {
	var read claims
	_, err := jwt.ParseWithClaims(token, &read, func(*jwt.Token) (any, error) { return key, nil },
		jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}),
		jwt.WithIssuer(issuer), jwt.WithAudience(audience), jwt.WithExpirationRequired(), jwt.WithTimeFunc(i.clock),
		jwt.WithLeeway(late))
	if err != nil {
		return Claims{}, err
	}
	if err := checkForm(token); err != nil {
		return Claims{}, err
	}
	if read.Type != access {
		return Claims{}, fmt.Errorf("token: %q is no access token", read.Type)
	}
	user, err := uuid.Parse(read.Subject)
	if err != nil {
		return Claims{}, fmt.Errorf("token: sub: %w", err)
	}
	session, err := uuid.Parse(read.Session)
	if err != nil {
		return Claims{}, fmt.Errorf("token: sid: %w", err)
	}
	return Claims{user, session, read.Number}, nil
}

// header is the header of every access token, encoded.
var header = base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`))

// checkForm fails for an access token in a form that Access never writes: with another header, such as one with
// unknown extensions, or with members of other names or types.
func checkForm(token string) error {
	first, rest, _ := strings.Cut(token, ".")
	payload, _, _ := strings.Cut(rest, ".")
	if first != header {
		return errors.New("token: its header is not of this service")
	}
	text, err := base64.RawURLEncoding.DecodeString(payload)
	if err != nil {
		return fmt.Errorf("token: %w", err)
	}
	var exact struct {
		Session  string   `json:"sid"`
		Number   int64    `json:"num"`
		Type     string   `json:"type"`
		Issuer   string   `json:"iss"`
		Subject  string   `json:"sub"`
		Audience []string `json:"aud"`
		Expires  int64    `json:"exp"`
		IssuedAt int64    `json:"iat"`
		ID       string   `json:"jti"`
	}
	if err := json.Unmarshal(text, &exact, json.RejectUnknownMembers(true)); err != nil {
		return fmt.Errorf("token: %w", err)
	}
	return nil
}

// Refresh is what a refresh token says: its session, and which of its tokens it is.
type Refresh struct {
	Session uuid.UUID
	Number  int64
}

const refreshBytes = 16 + 8 // and the MAC

// Refresh returns the refresh token with a number. It is the same each time.
func (i *Issuer) Refresh(r Refresh) string {
	said := binary.BigEndian.AppendUint64(r.Session[:], uint64(r.Number))
	return base64.RawURLEncoding.EncodeToString(append(said, refreshMAC(i.key, said)...))
}

// ReadRefresh returns what a refresh token says. It reports false for a text that was not issued with the key, or the
// other one.
func (i *Issuer) ReadRefresh(text string) (r Refresh, ok bool) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(raw) != refreshBytes+sha256.Size {
		return r, false
	}
	said, mac := raw[:refreshBytes], raw[refreshBytes:]
	if !hmac.Equal(mac, refreshMAC(i.key, said)) && (i.other == nil || !hmac.Equal(mac, refreshMAC(i.other, said))) {
		return r, false
	}
	copy(r.Session[:], said)
	r.Number = int64(binary.BigEndian.Uint64(said[len(r.Session):]))
	return r, true
}

func refreshMAC(key, said []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte("refresh token\x00"))
	h.Write(said)
	return h.Sum(nil)
}

// Hash returns the hash under which a random token is stored. A fast hash is enough for it.
func Hash(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// NewOpaque returns a token of 256 random bits, such as the token of a guest's cart.
func NewOpaque() string {
	var random [32]byte
	_, _ = rand.Read(random[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(random[:])
}
