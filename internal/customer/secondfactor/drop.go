package secondfactor

import (
	"context"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/authenticator"
	"storefront/ent/session"
	"storefront/internal/database/sweep"
	"storefront/internal/database/transaction"
	"storefront/internal/record"
)

// Drop deletes the second factor of an account, and reports whether it was active.
func Drop(ctx context.Context, tx *ent.Tx, userID uuid.UUID) (was bool, err error) {
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

// Reseal seals with the own key all secrets that are sealed with the other one, so that the other key can be
// removed. It returns their number.
func (f *Factors) Reseal(ctx context.Context) (resealed int, err error) {
	if f.sealer.other == nil {
		return 0, nil
	}
	last := uuid.Nil
	for {
		found, err := f.store.Authenticator.Query().Where(authenticator.IDGT(last)).Order(authenticator.ByID()).
			Limit(resealedAtOnce).All(ctx)
		if err != nil || len(found) == 0 {
			return resealed, err
		}
		for _, one := range found {
			last = one.ID
			secret, byOther, err := f.sealer.open(one.Secret, one.UserID)
			if err != nil || !byOther { // a secret that neither key opens is reported when it is used
				continue
			}
			err = transaction.Run(ctx, f.store, func(tx *ent.Tx) error {
				return tx.Authenticator.Update().Where(authenticator.ID(one.ID), authenticator.Secret(one.Secret)).
					SetSecret(f.sealer.seal(secret, one.UserID)).Exec(ctx)
			})
			if err != nil {
				return resealed, err
			}
			resealed++
		}
	}
}
