// Package secondfactor manages the second factor of accounts (contract 3.6): the secret of an authenticator
// app, whose codes RFC 6238 describes, and ten recovery codes.
//
// Customers sign in without it. internal/shop/staff requires a session that has proved it for the work of staff.
// Each code works once, on all servers together, because using one locks the account's row first.
// internal/customer/account asks for the password or an SMS code where that is also needed.
package secondfactor

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/authenticator"
	"storefront/ent/session"
	"storefront/ent/staffmember"
	"storefront/ent/user"
	"storefront/internal/database"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/platform/sealer"
	"storefront/internal/record"
	"storefront/internal/request"
)

// setupTime is how long a new secret may wait for its first code.
const setupTime = 15 * time.Minute

// Factors are the second factors of all accounts. They are safe for concurrent use.
type Factors struct {
	store  *ent.Client
	clock  record.Clock
	sealer sealer.Sealer
	log    *slog.Logger
}

// New returns the second factors in a store. Their secrets are sealed with a key derived from key; those
// sealed with otherKey, unless it is nil, can also be opened.
func New(
	store *ent.Client, clock func() time.Time, key, otherKey []byte, log *slog.Logger,
) (*Factors, error) {
	sealed, err := sealer.New("storefront second factors", key, otherKey)
	return &Factors{store: store, clock: clock, sealer: sealed, log: log}, err
}

// State is what the holder of a second factor sees of it.
type State struct {
	ConfirmedAt       time.Time
	ProvenAt          *time.Time // in the caller's session; nil: not proven there
	RecoveryCodesLeft int
}

// Proven reports whether the caller's session has proved it.
func (s *State) Proven() bool { return s.ProvenAt != nil }

// Of returns the second factor of an account, as a session sees it; nil if there is none.
func (f *Factors) Of(ctx context.Context, userID, sessionID uuid.UUID) (*State, error) {
	found, err := f.store.Authenticator.Query().
		Where(authenticator.UserID(userID), authenticator.ConfirmedAtNotNil()).Only(ctx)
	if err != nil {
		return nil, ent.MaskNotFound(err)
	}
	seen := &State{ConfirmedAt: *found.ConfirmedAt}
	here, err := f.store.Session.Query().Where(session.ID(sessionID), session.UserID(userID)).
		Select(session.FieldProvenAt).Only(ctx)
	if err == nil {
		seen.ProvenAt = here.ProvenAt
	} else if !ent.IsNotFound(err) {
		return nil, err
	}
	seen.RecoveryCodesLeft, err = codesLeft(ctx, f.store.RecoveryCode, userID)
	return seen, err
}

// Have returns which of the users have a second factor.
func (f *Factors) Have(ctx context.Context, users []uuid.UUID) (map[uuid.UUID]bool, error) {
	found, err := f.store.Authenticator.Query().
		Where(authenticator.UserIDIn(users...), authenticator.ConfirmedAtNotNil()).
		Select(authenticator.FieldUserID).All(ctx)
	have := map[uuid.UUID]bool{}
	for _, one := range found {
		have[one.UserID] = true
	}
	return have, err
}

// Setup is what an authenticator app needs.
type Setup struct{ Secret, URI string }

// Lock makes other changes of the second factor of an account wait until the transaction ends.
func Lock(ctx context.Context, tx *ent.Tx, userID uuid.UUID) (*ent.User, error) {
	who, err := tx.User.Query().Where(user.ID(userID)).Modify(database.ForNoKeyUpdate).Only(ctx)
	if ent.IsNotFound(err) { // it was erased meanwhile
		err = request.Unauthenticated()
	}
	return who, err
}

// Begin stores a new secret for a locked account; it is not active before Confirm. It fails with CONFLICT if
// the account has a second factor.
func (f *Factors) Begin(ctx context.Context, tx *ent.Tx, who *ent.User) (Setup, error) {
	was, err := find(ctx, tx, who.ID)
	if err != nil {
		return Setup{}, err
	}
	if was != nil && was.ConfirmedAt != nil {
		return Setup{}, fault.New(fault.Conflict, "the account has a second factor; remove it first")
	}
	if was != nil {
		if err := tx.Authenticator.DeleteOne(was).Exec(ctx); err != nil {
			return Setup{}, err
		}
	}
	secret := newSecret()
	err = tx.Authenticator.Create().SetUserID(who.ID).SetSecret(f.sealer.Seal(secret, who.ID[:])).
		SetCreatedAt(f.clock.Now()).Exec(ctx)
	if err != nil {
		return Setup{}, err
	}
	issuer, err := issuerOf(ctx, tx, who.ID)
	return Setup{Secret: encoding.EncodeToString(secret), URI: address(secret, issuer, who.CellNumber)}, err
}

// issuerOf returns the name of the service in apps: the first shop that the account works for.
func issuerOf(ctx context.Context, tx *ent.Tx, userID uuid.UUID) (string, error) {
	first, err := tx.StaffMember.Query().Where(staffmember.UserID(userID), staffmember.BusinessIDNotNil()).
		WithBusiness().Order(staffmember.ByID()).First(ctx)
	if ent.IsNotFound(err) {
		return "Storefront", nil
	}
	if err != nil {
		return "", err
	}
	return first.Edges.Business.Name, nil
}

// Confirm activates the second factor that Begin has prepared, by its first code. Only the caller's session
// has proved it then. It returns the recovery codes.
func (f *Factors) Confirm(ctx context.Context, caller request.Caller, code string) (codes []string, err error) {
	err = transaction.Run(ctx, f.store, func(tx *ent.Tx) error {
		who, err := Lock(ctx, tx, caller.User)
		if err != nil {
			return err
		}
		begun, err := find(ctx, tx, who.ID)
		switch {
		case err != nil:
			return err
		case begun != nil && begun.ConfirmedAt != nil:
			return fault.New(fault.Conflict, "the second factor is switched on already")
		case begun == nil || !begun.CreatedAt.Add(setupTime).After(f.clock.Now()):
			return fault.New(fault.Conflict, "nothing waits for a code; begin with beginSecondFactor")
		}
		if err := f.use(ctx, tx, begun, caller, code); err != nil {
			return err
		}
		now := f.clock.Now()
		err = tx.Authenticator.UpdateOneID(begun.ID).SetConfirmedAt(now).Exec(ctx)
		if err != nil {
			return err
		}
		if _, err = dropCodes(ctx, tx, who.ID); err != nil {
			return err
		}
		if codes, err = addCodes(ctx, tx, who.ID, now); err != nil {
			return err
		}
		err = tx.Session.Update().Where(session.UserID(who.ID), session.ProvenAtNotNil()).ClearProvenAt().Exec(ctx)
		if err == nil {
			err = tx.Session.Update().Where(session.ID(caller.Session)).SetProvenAt(now).Exec(ctx)
		}
		if err != nil {
			return err
		}
		return note(ctx, tx, who, "confirmSecondFactor", switched(false), switched(true))
	})
	return codes, err
}

// Prove proves the second factor for the caller's session.
func (f *Factors) Prove(ctx context.Context, caller request.Caller, code string) error {
	return f.using(ctx, caller, code, func(tx *ent.Tx, _ *ent.User) error {
		return tx.Session.Update().Where(session.ID(caller.Session)).SetProvenAt(f.clock.Now()).Exec(ctx)
	})
}

// NewCodes returns new recovery codes of the caller. With a code of the app they replace all older ones. A
// caller who gives a recovery code may have lost the app; if this answer were lost too, only the older codes
// would be left, so these stay valid until a new one is used.
func (f *Factors) NewCodes(ctx context.Context, caller request.Caller, code string) (codes []string, err error) {
	err = f.using(ctx, caller, code, func(tx *ent.Tx, who *ent.User) error {
		older, err := codesMade(ctx, tx.RecoveryCode, who.ID)
		if err != nil {
			return err
		}
		if isOfApp(asTyped(code)) {
			if _, err = dropCodes(ctx, tx, who.ID); err != nil {
				return err
			}
		}
		now := f.clock.Now()
		if older != nil && !now.After(*older) { // another server's clock is ahead
			now = older.Add(time.Microsecond)
		}
		if codes, err = addCodes(ctx, tx, who.ID, now); err != nil {
			return err
		}
		return note(ctx, tx, who, "newRecoveryCodes",
			map[string]any{"recoveryCodesMadeAt": older}, map[string]any{"recoveryCodesMadeAt": now})
	})
	return codes, err
}

// using uses up a code of the caller and calls then, in one transaction.
func (f *Factors) using(
	ctx context.Context, caller request.Caller, code string, then func(tx *ent.Tx, who *ent.User) error,
) error {
	return transaction.Run(ctx, f.store, func(tx *ent.Tx) error {
		who, err := Lock(ctx, tx, caller.User)
		if err != nil {
			return err
		}
		if err := f.Use(ctx, tx, who, caller, code); err != nil {
			return err
		}
		return then(tx, who)
	})
}

// Remove deactivates the second factor of a locked account, by a code.
func (f *Factors) Remove(ctx context.Context, tx *ent.Tx, who *ent.User, caller request.Caller, code string) error {
	if err := f.Use(ctx, tx, who, caller, code); err != nil {
		return err
	}
	if _, err := drop(ctx, tx, who.ID); err != nil {
		return err
	}
	return note(ctx, tx, who, "removeSecondFactor", switched(true), switched(false))
}

// TakeAway deactivates the second factor of a person who has lost it, and ends all of their sessions. It
// fails with NOT_FOUND if there is none.
func TakeAway(ctx context.Context, store *ent.Client, cell string, now time.Time) error {
	return transaction.Run(ctx, store, func(tx *ent.Tx) error {
		who, err := tx.User.Query().Where(user.CellNumber(cell)).Modify(database.ForNoKeyUpdate).Only(ctx)
		if ent.IsNotFound(err) {
			return fault.New(fault.NotFound, "no account has this cell number")
		}
		if err != nil {
			return err
		}
		was, err := drop(ctx, tx, who.ID)
		if err != nil {
			return err
		}
		if !was {
			return fault.New(fault.NotFound, "this account has no second factor")
		}
		if err := endSessions(ctx, tx, who.ID, now); err != nil {
			return err
		}
		return note(ctx, tx, who, "removeSecondFactor", switched(true), switched(false))
	})
}

// find returns the authenticator of an account, confirmed or not; nil if there is none.
func find(ctx context.Context, tx *ent.Tx, userID uuid.UUID) (*ent.Authenticator, error) {
	found, err := tx.Authenticator.Query().Where(authenticator.UserID(userID)).Only(ctx)
	return found, ent.MaskNotFound(err)
}
