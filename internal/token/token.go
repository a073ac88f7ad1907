// Package token issues and reads the tokens of a session: access tokens, which are JWTs, and refresh
// tokens, which are opaque. internal/account decides when they are issued and keeps the sessions; this
// package knows no database.
package token

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
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

// Claims are the user and the session a token belongs to.
type Claims struct {
	User, Session uuid.UUID
}

type claims struct {
	Session string `json:"sid"`
	Type    string `json:"type"`
	jwt.RegisteredClaims
}

// Access issues an access token, signed with HMAC-SHA-256. No two are the same, not even within one second.
func (i *Issuer) Access(c Claims) (string, error) {
	now := i.clock()
	return jwt.NewWithClaims(jwt.SigningMethodHS256, claims{
		Session: c.Session.String(),
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
func (i *Issuer) Read(token string) (Claims, error) {
	c, err := i.read(token, i.key)
	if i.other != nil && errors.Is(err, jwt.ErrTokenSignatureInvalid) {
		return i.read(token, i.other)
	}
	return c, err
}

func (i *Issuer) read(token string, key []byte) (Claims, error) {
	var read claims
	_, err := jwt.ParseWithClaims(token, &read, func(*jwt.Token) (any, error) { return key, nil },
		jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}),
		jwt.WithIssuer(issuer), jwt.WithAudience(audience), jwt.WithExpirationRequired(), jwt.WithTimeFunc(i.clock))
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
	return Claims{user, session}, nil
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

// NewRefresh returns the first refresh token of a session: 128 random bits that all its tokens share, and
// 256 of its own.
func NewRefresh() string {
	var common [commonBytes]byte
	_, _ = rand.Read(common[:]) // never fails
	return newRefresh(common)
}

// NextRefresh returns a refresh token that continues the session of another one.
func NextRefresh(token string) string { return newRefresh(commonOf(token)) }

const commonBytes, ownBytes = 16, 32

func newRefresh(common [commonBytes]byte) string {
	var own [ownBytes]byte
	_, _ = rand.Read(own[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(append(common[:], own[:]...))
}

// commonOf returns the part that the tokens of a session share. Of a text that is no token it returns a digest, which
// no session has.
func commonOf(token string) (common [commonBytes]byte) {
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(raw) != commonBytes+ownBytes {
		sum := sha256.Sum256([]byte("common " + token))
		raw = sum[:]
	}
	copy(common[:], raw)
	return common
}

// Hash returns the hash under which a refresh token is stored. Tokens are random, so a fast hash is enough.
func Hash(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// Mark returns the mark of the session of a refresh token: a hash of the part that its tokens share.
func Mark(token string) []byte {
	common := commonOf(token)
	sum := sha256.Sum256(common[:])
	return sum[:]
}

// NewOpaque returns a token of 256 random bits, such as the token of a guest's cart.
func NewOpaque() string {
	var random [ownBytes]byte
	_, _ = rand.Read(random[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(random[:])
}
