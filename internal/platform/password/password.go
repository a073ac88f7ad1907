// Package password hashes and checks passwords with argon2id. internal/customer/account calls it, outside of any
// database transaction, because a hash takes tens of milliseconds.
package password

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	_ "embed"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/crypto/argon2"

	"storefront/internal/platform/cores"
	"storefront/internal/platform/share"
)

// Cost is the work that one hash takes, on one thread.
type Cost struct {
	Memory uint32 // KiB
	Passes uint32
}

// Recommended is the cost that OWASP recommends for argon2id (contract 3.2).
var Recommended = Cost{Memory: 19 << 10, Passes: 2}

const (
	threads = 1
	saltLen = 16 // bytes
	keyLen  = 32 // bytes
)

// Hasher hashes passwords, a few at a time, so that a flood of sign-ins waits instead of using all memory.
type Hasher struct {
	cost    Cost
	running *share.Slots // slots for hashes that are being computed
	decoy   string       // compared if there is no account, so that both cases take the same time
}

// hashesPerCore is above one, so that a hash does not queue behind another that waits for a core busy with
// something else.
const hashesPerCore = 2

// NewHasher returns a hasher that computes hashesPerCore hashes at once for each core.
func NewHasher(cost Cost) *Hasher {
	most := hashesPerCore * cores.Count()
	h := &Hasher{cost: cost, running: share.New(most, most)}
	h.decoy = h.encode(random(saltLen), random(keyLen))
	return h
}

// Hash returns the stored form of a password: parameters, salt and hash in the PHC string format. It waits
// while too many others are being computed, and fails only if ctx ends first.
func (h *Hasher) Hash(ctx context.Context, password string) (string, error) {
	salt := random(saltLen)
	key, err := h.derive(ctx, password, salt)
	if err != nil {
		return "", err
	}
	return h.encode(salt, key), nil
}

// Check reports whether a password matches a stored hash. For nil it reports false after the same time.
func (h *Hasher) Check(ctx context.Context, password string, stored *string) (bool, error) {
	against := h.decoy
	if stored != nil {
		against = *stored
	}
	salt, want, err := h.decode(against)
	if err != nil {
		return false, err
	}
	got, err := h.derive(ctx, password, salt)
	return err == nil && subtle.ConstantTimeCompare(got, want) == 1 && stored != nil, err
}

func (h *Hasher) derive(ctx context.Context, password string, salt []byte) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	release, err := h.running.Take(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	return argon2.IDKey([]byte(password), salt, h.cost.Passes, h.cost.Memory, threads, keyLen), nil
}

func (h *Hasher) prefix() string {
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$", argon2.Version, h.cost.Memory, h.cost.Passes, threads)
}

func (h *Hasher) encode(salt, key []byte) string {
	b64 := base64.RawStdEncoding
	return h.prefix() + b64.EncodeToString(salt) + "$" + b64.EncodeToString(key)
}

// decode parses a PHC string. All hashes have the same parameters so far; others would be parsed here.
func (h *Hasher) decode(stored string) (salt, key []byte, err error) {
	prefix := h.prefix()
	b64 := base64.RawStdEncoding
	saltEnd := len(prefix) + b64.EncodedLen(saltLen)
	if len(stored) != saltEnd+1+b64.EncodedLen(keyLen) || stored[:len(prefix)] != prefix || stored[saltEnd] != '$' {
		return nil, nil, fmt.Errorf("password: a stored hash does not have the format that Hash writes")
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

// common.txt has the passwords of at least 8 characters among the 10,000 most used ones, in lower case,
// sorted. SOURCES.md says where they come from.
//
//go:embed common.txt
var commonLines string

var common = strings.Fields(commonLines)

// IsCommon reports whether a password is one of the most used ones. Letter case does not count. Passwords of
// less than 8 characters are not in the list: they are too short anyway.
func IsCommon(password string) bool {
	_, found := slices.BinarySearch(common, strings.ToLower(password))
	return found
}
