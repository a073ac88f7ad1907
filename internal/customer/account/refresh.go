package account

import (
	"context"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/session"
	"storefront/internal/database"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
)

// A refresh token has one successor, and gives the same one again until it is used: until the successor, or an access
// token given with it, comes back. So an answer may be lost as often as it likes. A used token ends the session,
// because one of its two users has stolen it; but not within twoTabs of its first use.

// twoTabs is how long after its first use a refresh token may be used again in any case, for example by another tab of
// the browser.
const twoTabs = 10 * time.Second

// Refresh exchanges a refresh token for a new pair. It fails with INVALID_CREDENTIALS; a used token ends the session.
func (s *Service) Refresh(ctx context.Context, refresh string) (of *ent.User, pair Tokens, err error) {
	given, ok := s.tokens.ReadRefresh(refresh)
	if !ok {
		return nil, Tokens{}, refreshEnded()
	}
	err = s.inTx(ctx, func(tx *ent.Tx) error {
		in, err := tx.Session.Query().Where(session.ID(given.Session)).Modify(database.ForUpdate).Only(ctx)
		if ent.IsNotFound(err) {
			return refreshEnded()
		}
		if err != nil {
			return err
		}
		now := s.now()
		switch idle := now.Sub(in.RefreshedAt); {
		case in.EndedAt != nil || !in.ExpiresAt.After(now) || idle >= s.Times.RefreshIdle:
			return refreshEnded()
		case given.Number >= in.Number: // greater only after the database was restored
			in, err = tx.Session.UpdateOne(in).SetNumber(given.Number + 1).SetSeen(false).SetRefreshedAt(now).Save(ctx)
			if err != nil {
				return err
			}
		case given.Number < in.Number-1 || in.Seen && idle > twoTabs:
			if err := s.endSessions(ctx, tx, in.UserID, session.ID(in.ID)); err != nil {
				return err
			}
			return transaction.Keep(refreshEnded())
		}
		if of, err = tx.User.Get(ctx, in.UserID); err != nil {
			return err
		}
		pair, err = s.tokensOf(in)
		return err
	})
	if err != nil {
		return nil, Tokens{}, err
	}
	return of, pair, nil
}

// toNoteSeen is how long a request waits to note that its access token has come back. The next one tries it again.
const toNoteSeen = 200 * time.Millisecond

// noteSeen notes that an access token of the number has come back.
func (s *Service) noteSeen(ctx context.Context, id uuid.UUID, number int64) {
	noting, stop := context.WithTimeout(ctx, toNoteSeen)
	defer stop()
	err := s.Store.Session.Update().Where(session.ID(id), session.Number(number)).SetSeen(true).
		Exec(database.WithoutSync(noting)) // if it is lost in a crash, the next request writes it
	if err != nil {
		s.Log.DebugContext(ctx, "the use of a session is not noted", "error", err)
	}
}

func refreshEnded() error {
	return fault.New(fault.InvalidCredentials, "this refresh token is not valid any more; sign in again")
}
