package secondfactor

import (
	"context"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/accesstoken"
	"storefront/ent/authenticator"
	"storefront/ent/session"
	"storefront/ent/signinaddress"
	"storefront/ent/user"
	"storefront/internal/database/sweep"
	"storefront/internal/database/transaction"
	"storefront/internal/platform/convert"
	"storefront/internal/platform/sealer"
	"storefront/internal/record"
	"storefront/internal/request"
	"storefront/internal/shop/audit"
)

// Ended says what EndWaysIn has ended.
type Ended struct {
	Entry bool        // a password or a session
	Shops []uuid.UUID // shops whose access tokens ended, which the account had made
}

// EndWaysIn ends all access to an account: its password, sessions, second factor and known addresses, and the access
// tokens of shops that it made, which the audit logs of the shops record.
func EndWaysIn(ctx context.Context, tx *ent.Tx, account *ent.User, now time.Time) (ended Ended, err error) {
	now = record.Moment(now)
	of := account.ID
	if err := tx.User.Update().Where(user.ID(of)).ClearPasswordHash().Exec(ctx); err != nil {
		return ended, err
	}
	live, err := tx.Session.Query().
		Where(session.UserID(of), session.EndedAtIsNil(), session.ExpiresAtGT(now)).Exist(ctx)
	if err != nil {
		return ended, err
	}
	ended.Entry = live || account.PasswordHash != nil
	if err := endSessions(ctx, tx, of, now); err != nil {
		return ended, err
	}
	if _, err := drop(ctx, tx, of); err != nil {
		return ended, err
	}
	if _, err := tx.SignInAddress.Delete().Where(signinaddress.UserID(of)).Exec(ctx); err != nil {
		return ended, err
	}
	ended.Shops, err = revokeTokens(ctx, tx, of, now)
	return ended, err
}

// revokeTokens revokes the access tokens that an account has made, and returns their shops.
func revokeTokens(ctx context.Context, tx *ent.Tx, creator uuid.UUID, now time.Time) (shops []uuid.UUID, err error) {
	found, err := tx.AccessToken.Query().Where(accesstoken.CreatedBy(creator), accesstoken.RevokedAtIsNil()).
		Order(accesstoken.ByBusinessID(), accesstoken.ByID()).All(ctx)
	if err != nil {
		return nil, err
	}
	for _, one := range found {
		n, err := tx.AccessToken.Update().Where(accesstoken.ID(one.ID), accesstoken.BusinessID(one.BusinessID),
			accesstoken.RevokedAtIsNil()).SetRevokedAt(now).Save(ctx)
		if err != nil {
			return nil, err
		}
		if n == 0 { // it was revoked meanwhile
			continue
		}
		if len(shops) == 0 || shops[len(shops)-1] != one.BusinessID {
			shops = append(shops, one.BusinessID)
		}
		at := request.WithStaff(ctx, request.Staff{Business: one.BusinessID})
		err = audit.Record(at, tx, "revokeAccessToken", audit.Change{
			Kind: "accessToken", ID: one.ID, Name: one.Name,
			Before: map[string]any{"revokedAt": nil}, After: map[string]any{"revokedAt": now},
		})
		if err != nil {
			return nil, err
		}
	}
	return shops, nil
}

// drop deletes the second factor of an account, and reports whether it was active.
func drop(ctx context.Context, tx *ent.Tx, userID uuid.UUID) (was bool, err error) {
	if _, err := dropCodes(ctx, tx, userID); err != nil {
		return false, err
	}
	on, err := tx.Authenticator.Delete().
		Where(authenticator.UserID(userID), authenticator.ConfirmedAtNotNil()).Exec(ctx)
	if err != nil {
		return false, err
	}
	_, err = tx.Authenticator.Delete().Where(authenticator.UserID(userID)).Exec(ctx) // even if unconfirmed
	return on > 0, err
}

func endSessions(ctx context.Context, tx *ent.Tx, userID uuid.UUID, now time.Time) error {
	return tx.Session.Update().Where(session.UserID(userID), session.EndedAtIsNil()).
		SetEndedAt(record.Moment(now)).Exec(ctx)
}

// Old returns the job that deletes secrets which were never confirmed.
func (f *Factors) Old() []sweep.Job {
	return []sweep.Job{sweep.Before(authenticator.Table, authenticator.FieldCreatedAt, f.clock.Now().Add(-time.Hour),
		func(s *sql.Selector) { s.Where(sql.IsNull(s.C(authenticator.FieldConfirmedAt))) })}
}

const resealedAtOnce = 500

// Reseal seals with the own key all secrets that are sealed with the other one. It returns their number.
func (f *Factors) Reseal(ctx context.Context) (resealed int, err error) {
	return f.sealer.Reseal(func(after uuid.UUID) ([]sealer.Row, error) {
		found, err := f.store.Authenticator.Query().Where(authenticator.IDGT(after)).Order(authenticator.ByID()).
			Limit(resealedAtOnce).All(ctx)
		return convert.All(found, func(a *ent.Authenticator) sealer.Row {
			return sealer.Row{ID: a.ID, Sealed: a.Secret, About: a.UserID[:]}
		}), err
	}, func(row sealer.Row, again []byte) error {
		return transaction.Run(ctx, f.store, func(tx *ent.Tx) error {
			return tx.Authenticator.Update().Where(authenticator.ID(row.ID), authenticator.Secret(row.Sealed)).
				SetSecret(again).Exec(ctx)
		})
	})
}
