package secondfactor

import (
	"context"
	"crypto/rand"
	"strings"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/recoverycode"
	"storefront/internal/token"
)

const (
	recoveryCodes = 10
	recoveryBytes = 10 // 80 bits: nobody guesses it, and a fast hash is enough
	groupLength   = 4  // letters, with a hyphen between groups
)

// newRecoveryCode returns a code as people write it down: abcd-efgh-ijkl-mnop.
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

// replaceCodes gives an account that is locked new recovery codes in place of all that it has.
func replaceCodes(ctx context.Context, tx *ent.Tx, user uuid.UUID, now time.Time) ([]string, error) {
	if _, err := tx.RecoveryCode.Delete().Where(recoverycode.UserID(user)).Exec(ctx); err != nil {
		return nil, err
	}
	codes, rows := make([]string, recoveryCodes), make([]*ent.RecoveryCodeCreate, recoveryCodes)
	for i := range codes {
		codes[i] = newRecoveryCode()
		rows[i] = tx.RecoveryCode.Create().SetUserID(user).SetCreatedAt(now).
			SetHash(recoveryHash(strings.ReplaceAll(codes[i], "-", "")))
	}
	return codes, tx.RecoveryCode.CreateBulk(rows...).Exec(ctx)
}

// codesMade returns when the recovery codes of an account were made; nil: there are none left.
func codesMade(ctx context.Context, tx *ent.Tx, user uuid.UUID) (*time.Time, error) {
	first, err := tx.RecoveryCode.Query().Where(recoverycode.UserID(user)).First(ctx)
	if err != nil {
		return nil, ent.MaskNotFound(err)
	}
	return new(first.CreatedAt.UTC()), nil
}

func codesLeft(ctx context.Context, of *ent.RecoveryCodeClient, user uuid.UUID) (int, error) {
	return of.Query().Where(recoverycode.UserID(user)).Count(ctx)
}
