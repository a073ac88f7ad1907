package secondfactor

import (
	"context"
	"crypto/rand"
	"strings"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/predicate"
	"storefront/ent/recoverycode"
	"storefront/internal/platform/token"
)

const (
	recoveryCodes = 10
	recoveryBytes = 10 // 80 bits: nobody guesses it, and a fast hash is enough
	groupLength   = 4  // letters, with a hyphen between groups
)

// newRecoveryCode returns a code in the form in which people write it down: abcd-efgh-ijkl-mnop.
func newRecoveryCode() string {
	random := make([]byte, recoveryBytes)
	_, _ = rand.Read(random) // never fails
	letters := strings.ToLower(encoding.EncodeToString(random))
	var groups []string
	for len(letters) > 0 {
		groups, letters = append(groups, letters[:groupLength]), letters[groupLength:]
	}
	return strings.Join(groups, "-")
}

// recoveryHash returns the hash under which the letters of a recovery code are stored.
func recoveryHash(letters string) []byte { return token.Hash("recovery code " + letters) }

func addCodes(ctx context.Context, tx *ent.Tx, user uuid.UUID, now time.Time) ([]string, error) {
	codes, rows := make([]string, recoveryCodes), make([]*ent.RecoveryCodeCreate, recoveryCodes)
	for i := range codes {
		codes[i] = newRecoveryCode()
		rows[i] = tx.RecoveryCode.Create().SetUserID(user).SetCreatedAt(now).
			SetHash(recoveryHash(strings.ReplaceAll(codes[i], "-", "")))
	}
	return codes, tx.RecoveryCode.CreateBulk(rows...).Exec(ctx)
}

// dropCodes deletes the recovery codes of a locked account that match all predicates.
func dropCodes(ctx context.Context, tx *ent.Tx, user uuid.UUID, which ...predicate.RecoveryCode) (int, error) {
	return tx.RecoveryCode.Delete().Where(append(which, recoverycode.UserID(user))...).Exec(ctx)
}

// codesMade returns when the newest recovery codes of an account were made; nil if none are left.
func codesMade(ctx context.Context, of *ent.RecoveryCodeClient, user uuid.UUID) (*time.Time, error) {
	newest, err := of.Query().Where(recoverycode.UserID(user)).
		Order(recoverycode.ByCreatedAt(sql.OrderDesc())).First(ctx)
	if err != nil {
		return nil, ent.MaskNotFound(err)
	}
	return new(newest.CreatedAt.UTC()), nil
}

// codesLeft returns how many of the newest recovery codes of an account are left.
func codesLeft(ctx context.Context, of *ent.RecoveryCodeClient, user uuid.UUID) (int, error) {
	made, err := codesMade(ctx, of, user)
	if err != nil || made == nil {
		return 0, err
	}
	return of.Query().Where(recoverycode.UserID(user), recoverycode.CreatedAt(*made)).Count(ctx)
}
