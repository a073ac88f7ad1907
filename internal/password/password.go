// Package password hashes and checks passwords with argon2id.
package password

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"runtime"

	"golang.org/x/crypto/argon2"
)

// The cost of a hash, as OWASP has it.
const (
	memory  = 19 << 10 // KiB
	passes  = 2
	threads = 1
	saltLen = 16 // bytes
	keyLen  = 32 // bytes
)

// Hasher hashes passwords, a few at a time, so that a flood of sign-ins takes turns instead of all the memory.
type Hasher struct {
	turns chan struct{}
	decoy string // checked where there is no account, so that both take the same work
}

// NewHasher makes a hasher that runs one hash for each core at once: more would not be faster.
func NewHasher() *Hasher {
	h := &Hasher{turns: make(chan struct{}, runtime.GOMAXPROCS(0))}
	h.decoy = encode(random(saltLen), random(keyLen))
	return h
}

// Hash gives what is stored of a password: parameters, salt and hash in the PHC form. It waits for its turn, and fails
// only when ctx ends first.
func (h *Hasher) Hash(ctx context.Context, password string) (string, error) {
	salt := random(saltLen)
	key, err := h.derive(ctx, password, salt)
	if err != nil {
		return "", err
	}
	return encode(salt, key), nil
}

// Check tells whether a password is that of a stored hash; nil is that of nobody, and takes as long.
func (h *Hasher) Check(ctx context.Context, password string, stored *string) (bool, error) {
	against := h.decoy
	if stored != nil {
		against = *stored
	}
	salt, want, err := decode(against)
	if err != nil {
		return false, err
	}
	got, err := h.derive(ctx, password, salt)
	if err != nil {
		return false, err
	}
	return subtle.ConstantTimeCompare(got, want) == 1 && stored != nil, nil
}

func (h *Hasher) derive(ctx context.Context, password string, salt []byte) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case h.turns <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-h.turns }()
	return argon2.IDKey([]byte(password), salt, passes, memory, threads, keyLen), nil
}

const form = "$argon2id$v=%d$m=%d,t=%d,p=%d$"

func encode(salt, key []byte) string {
	b64 := base64.RawStdEncoding
	return fmt.Sprintf(form, argon2.Version, memory, passes, threads) + b64.EncodeToString(salt) + "$" + b64.EncodeToString(key)
}

// decode reads a stored hash. There is one set of parameters so far; a second one would be read here.
func decode(stored string) (salt, key []byte, err error) {
	prefix := fmt.Sprintf(form, argon2.Version, memory, passes, threads)
	b64 := base64.RawStdEncoding
	saltEnd := len(prefix) + b64.EncodedLen(saltLen)
	if len(stored) != saltEnd+1+b64.EncodedLen(keyLen) || stored[:len(prefix)] != prefix || stored[saltEnd] != '$' {
		return nil, nil, fmt.Errorf("password: a stored hash is not of the form that is written")
	}
	if salt, err = b64.DecodeString(stored[len(prefix):saltEnd]); err != nil {
		return nil, nil, fmt.Errorf("password: %w", err)
	}
	if key, err = b64.DecodeString(stored[saltEnd+1:]); err != nil {
		return nil, nil, fmt.Errorf("password: %w", err)
	}
	return salt, key, nil
}

func random(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails
	return b
}
