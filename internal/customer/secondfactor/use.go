package secondfactor

import (
	"context"
	"crypto/rand"
	"math"
	"strings"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/authenticator"
	"storefront/ent/predicate"
	"storefront/ent/recoverycode"
	"storefront/ent/staffmember"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/locale/search"
	"storefront/internal/platform/convert"
	"storefront/internal/platform/ratelimit"
	"storefront/internal/platform/token"
	"storefront/internal/request"
	"storefront/internal/shop/audit"
)

// The limits of wrong codes (contract 3.6). Only a signed-in caller can try one. A thief with a session
// cannot lock the holder out: no limit of the account applies to recovery codes.
const (
	wrongInSession = 5 // in 10 minutes, of both kinds
	wrongInHour    = 10
	wrongInDay     = 30 // of the app's codes, for an account
)

// limitsOf returns the limits of a code that a session tries.
func limitsOf(caller request.Caller, ofApp bool) []ratelimit.Limit {
	all := []ratelimit.Limit{
		{Key: "factor:session:" + caller.Session.String(), Window: 10 * time.Minute, Most: wrongInSession},
	}
	if ofApp {
		key := "factor:" + caller.User.String()
		all = append(all, ratelimit.Limit{Key: key, Window: time.Hour, Most: wrongInHour},
			ratelimit.Limit{Key: key, Window: 24 * time.Hour, Most: wrongInDay})
	}
	return all
}

// Use uses up a code of the app, or a recovery code, of a locked account. It fails with CONFLICT if there is
// no second factor, and as use does.
func (f *Factors) Use(ctx context.Context, tx *ent.Tx, who *ent.User, caller request.Caller, code string) error {
	on, err := find(ctx, tx, who.ID)
	if err != nil {
		return err
	}
	if on == nil || on.ConfirmedAt == nil {
		return fault.New(fault.Conflict,
			"the account has no second factor; switch one on with beginSecondFactor")
	}
	return f.use(ctx, tx, on, caller, code)
}

// use counts a wrong code in advance, compares the code, and uses it up. It fails with INVALID_CODE, marked
// so that the guess is committed, and with RATE_LIMITED.
func (f *Factors) use(
	ctx context.Context, tx *ent.Tx, authenticator *ent.Authenticator, caller request.Caller, code string,
) error {
	typed := asTyped(code)
	ofApp := isOfApp(typed)
	wrong := invalid()
	if authenticator.ConfirmedAt == nil { // there are no recovery codes yet
		wrong = fault.New(fault.InvalidCode, "the code is wrong; wait for the next one of your authenticator app")
		if !ofApp {
			return wrong
		}
	}
	booked, full, err := ratelimit.Take(ctx, tx, f.clock.Now, limitsOf(caller, ofApp)...)
	if err != nil {
		return err
	}
	if full.Wait > 0 {
		return tooMany(full, authenticator.ConfirmedAt != nil)
	}
	right := false
	if ofApp {
		right, err = f.useAppCode(ctx, tx, authenticator, typed)
	} else {
		right, err = useRecovery(ctx, tx, authenticator.UserID, typed)
	}
	if err != nil {
		return err
	}
	if !right {
		return transaction.Keep(wrong)
	}
	return ratelimit.Undo(ctx, tx, booked)
}

// asTyped returns the letters and digits of a code, without separators.
func asTyped(code string) string { return strings.ReplaceAll(search.Fold(code), " ", "") }

func isOfApp(typed string) bool {
	return len(typed) == digits && strings.Trim(typed, "0123456789") == ""
}

// useAppCode reports whether a code of the app is right and unused, and marks it as used.
func (f *Factors) useAppCode(ctx context.Context, tx *ent.Tx, a *ent.Authenticator, typed string) (bool, error) {
	secret, _, err := f.sealer.Open(a.Secret, a.UserID[:])
	if err != nil {
		f.log.ErrorContext(ctx, "a second factor cannot be read: it was sealed under another TOKEN_SIGNING_KEY, "+
			"see operations.md, Replacing the signing key", "user", a.UserID)
		return false, fault.Wrap(fault.Conflict, err, "the service cannot read your second factor any more; "+
			"use a recovery code, or ask the operator to remove it")
	}
	step, ok := matches(secret, typed, f.clock.Now())
	if !ok {
		return false, nil
	}
	n, err := tx.Authenticator.Update().Where(authenticator.ID(a.ID), authenticator.LastStepLT(step)).
		SetLastStep(step).Save(ctx)
	return n > 0, err
}

// useRecovery reports whether a recovery code is right. If so it is used up, which staff find in the audit
// log, and the codes made before it become invalid.
func useRecovery(ctx context.Context, tx *ent.Tx, userID uuid.UUID, letters string) (bool, error) {
	found, err := tx.RecoveryCode.Query().
		Where(recoverycode.UserID(userID), recoverycode.Hash(recoveryHash(letters))).Only(ctx)
	if err != nil {
		return false, ent.MaskNotFound(err)
	}
	had, err := codesLeft(ctx, tx.RecoveryCode, userID)
	if err != nil {
		return false, err
	}
	_, err = dropCodes(ctx, tx, userID,
		recoverycode.Or(recoverycode.ID(found.ID), recoverycode.CreatedAtLT(found.CreatedAt)))
	if err != nil {
		return false, err
	}
	left, err := codesLeft(ctx, tx.RecoveryCode, userID)
	if err != nil {
		return false, err
	}
	who, err := tx.User.Get(ctx, userID)
	if err != nil {
		return false, err
	}
	used := func(left, codes int) any { return map[string]any{"recoveryCodesLeft": left, "codesUsed": codes} }
	return true, note(ctx, tx, who, "useRecoveryCode", used(had, 0), used(left, 1))
}

func invalid() error {
	return fault.New(fault.InvalidCode,
		"the code is wrong, or was used; wait for the next one of your authenticator app, or use a recovery code")
}

func tooMany(full ratelimit.Full, isOn bool) error {
	minutes := int(math.Ceil(full.Wait.Minutes()))
	switch {
	case full.Limit.Window < time.Hour: // of the session
		return fault.New(fault.RateLimited,
			"too many wrong codes in this session; sign in anew, or try again in %d minutes", minutes).After(full.Wait)
	case !isOn: // then there are no recovery codes either
		return fault.New(fault.RateLimited,
			"too many wrong codes of the second factor; try again in %d minutes", minutes).After(full.Wait)
	}
	return fault.New(fault.RateLimited, "too many wrong codes of the second factor; use a recovery code, "+
		"or try again in %d minutes", minutes).After(full.Wait)
}

// switched is the state of a second factor in the audit log.
func switched(on bool) any { return map[string]any{"secondFactor": on} }

// note records a change of a person's second factor in the audit logs of the shops they work for. For an
// account that works for none, a command's change is recorded in the log of the service.
func note(ctx context.Context, tx *ent.Tx, who *ent.User, action string, before, after any) error {
	works, err := tx.StaffMember.Query().Where(staffmember.UserID(who.ID)).Order(staffmember.ByID()).All(ctx)
	if err != nil {
		return err
	}
	_, err = request.CallerOf(ctx)
	byPerson := err == nil
	record := func(by request.Staff, id uuid.UUID) error {
		return audit.Record(request.WithStaff(ctx, by), tx, action, audit.Change{Kind: "staffMember", ID: id,
			Name: who.CellNumber, Customer: who.ID, Before: before, After: after})
	}
	for _, at := range works {
		by := request.Staff{Business: convert.Value(at.BusinessID)}
		if byPerson {
			by.User, by.Role = who.ID, at.Role
		}
		if err := record(by, at.ID); err != nil {
			return err
		}
	}
	if len(works) == 0 && !byPerson {
		return record(request.Staff{}, who.ID)
	}
	return nil
}

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
func codesMade(ctx context.Context, codes *ent.RecoveryCodeClient, user uuid.UUID) (*time.Time, error) {
	newest, err := codes.Query().Where(recoverycode.UserID(user)).
		Order(recoverycode.ByCreatedAt(sql.OrderDesc())).First(ctx)
	if err != nil {
		return nil, ent.MaskNotFound(err)
	}
	return new(newest.CreatedAt.UTC()), nil
}

// codesLeft returns how many of the newest recovery codes of an account are left.
func codesLeft(ctx context.Context, codes *ent.RecoveryCodeClient, user uuid.UUID) (int, error) {
	made, err := codesMade(ctx, codes, user)
	if err != nil || made == nil {
		return 0, err
	}
	return codes.Query().Where(recoverycode.UserID(user), recoverycode.CreatedAt(*made)).Count(ctx)
}
