package account

import (
	"context"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/predicate"
	"storefront/ent/session"
	"storefront/internal/database"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/platform/convert"
	"storefront/internal/platform/token"
	"storefront/internal/request"
)

// Tokens are what a sign-in returns.
type Tokens struct{ Access, Refresh string }

// Authenticate returns the caller of an Authorization header; it fails with UNAUTHENTICATED. An ended
// session is refused at once, even while its token is valid. It runs one statement, or two after a refresh.
func (s *Service) Authenticate(ctx context.Context, authorization string) (request.Caller, error) {
	bearer, ok := request.Bearer(authorization)
	if !ok {
		return request.Caller{}, request.Unauthenticated()
	}
	claims, err := s.tokens.Read(bearer)
	if err != nil {
		return request.Caller{}, request.Unauthenticated()
	}
	caller := request.Caller{User: claims.User, Session: claims.Session}
	number, seen, err := s.liveSession(ctx, caller)
	if err != nil {
		return request.Caller{}, err
	}
	if claims.Number == number && !seen {
		s.noteSeen(ctx, caller.Session, number)
	}
	return caller, nil
}

// StillSignedIn fails with UNAUTHENTICATED once the session of a caller has ended.
func (s *Service) StillSignedIn(ctx context.Context, c request.Caller) error {
	_, _, err := s.liveSession(ctx, c)
	return err
}

// findLive is written by hand because every request of a customer runs it.
var findLive = database.Statement(`SELECT number, seen FROM sessions
	WHERE id = $session AND user_id = $user AND ended_at IS NULL AND expires_at > $now`)

// liveSession returns the number of the newest tokens of a caller's session, and whether an access token with it was
// seen. It fails with UNAUTHENTICATED once the session has ended.
func (s *Service) liveSession(ctx context.Context, c request.Caller) (number int64, seen bool, err error) {
	found, err := findLive.Row(ctx, s.Store.Raw(), database.Values{
		"session": c.Session, "user": c.User, "now": s.now(),
	}, &number, &seen)
	if err == nil && !found {
		err = request.Unauthenticated()
	}
	return number, seen, err
}

// beginSession begins a session of a user and issues its first tokens. Staff who sign in from a new origin get an SMS.
func (s *Service) beginSession(ctx context.Context, tx *ent.Tx, user *ent.User) (Tokens, error) {
	now := s.now()
	if err := s.noteSignIn(ctx, tx, user.ID); err != nil {
		return Tokens{}, err
	}
	here := origin{clientOf(request.Of(ctx).Credentials.UserAgent), clientNetwork(ctx)}
	if err := s.notifyOfNewOrigin(ctx, tx, user, here); err != nil {
		return Tokens{}, err
	}
	begun, err := tx.Session.Create().SetUserID(user.ID).SetCreatedAt(now).SetExpiresAt(now.Add(s.Times.RefreshMax)).
		SetRefreshedAt(now).SetClient(here.client).SetNetwork(here.network).Save(ctx)
	if err != nil {
		return Tokens{}, err
	}
	return s.tokensOf(begun)
}

// tokensOf returns an access token of a session and its newest refresh token.
func (s *Service) tokensOf(in *ent.Session) (Tokens, error) {
	access, err := s.tokens.Access(token.Claims{User: in.UserID, Session: in.ID, Number: in.Number})
	return Tokens{Access: access, Refresh: s.tokens.Refresh(token.Refresh{Session: in.ID, Number: in.Number})}, err
}

// endSessions ends a user's sessions; with predicates, only those that match.
func (s *Service) endSessions(
	ctx context.Context, tx *ent.Tx, userID uuid.UUID, matching ...predicate.Session,
) error {
	return tx.Session.Update().
		Where(append(matching, session.UserID(userID), session.EndedAtIsNil())...).SetEndedAt(s.now()).Exec(ctx)
}

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

// LiveSession is a session that has not ended.
type LiveSession struct {
	*ent.Session
	Client, Network *string // nil: unknown
	Current         bool    // it is the caller's
}

const shownSessions = 100

// Sessions returns the sessions of a user that have not ended, the newest sign-in first, at most 100. current is the
// id of the caller's own.
func (s *Service) Sessions(ctx context.Context, userID, current uuid.UUID) ([]*LiveSession, error) {
	now := s.now()
	found, err := s.Store.Session.Query().
		Where(session.UserID(userID), session.EndedAtIsNil(), session.ExpiresAtGT(now),
			session.RefreshedAtGT(now.Add(-s.Times.RefreshIdle))).
		Order(session.ByID(sql.OrderDesc())).Limit(shownSessions).All(ctx)
	return convert.All(found, func(in *ent.Session) *LiveSession {
		return &LiveSession{in, known(in.Client), known(in.Network), in.ID == current}
	}), err
}

func known(text *string) *string {
	if text == nil || *text == "" {
		return nil
	}
	return text
}

// Logout ends the caller's session.
func (s *Service) Logout(ctx context.Context, caller request.Caller) error {
	return s.inTx(ctx, func(tx *ent.Tx) error {
		return s.endSessions(ctx, tx, caller.User, session.ID(caller.Session))
	})
}

// EndSession ends a session of the caller. It fails with NOT_FOUND for a session of another user, and for one
// that has ended.
func (s *Service) EndSession(ctx context.Context, caller request.Caller, id uuid.UUID) error {
	return s.inTx(ctx, func(tx *ent.Tx) error {
		n, err := tx.Session.Update().
			Where(session.ID(id), session.UserID(caller.User), session.EndedAtIsNil(), session.ExpiresAtGT(s.now())).
			SetEndedAt(s.now()).Save(ctx)
		if err == nil && n == 0 {
			err = fault.New(fault.NotFound, "you have no such session, or it has ended")
		}
		return err
	})
}

// EndOtherSessions ends all sessions of the caller except the current one.
func (s *Service) EndOtherSessions(ctx context.Context, caller request.Caller) error {
	return s.inTx(ctx, func(tx *ent.Tx) error {
		return s.endSessions(ctx, tx, caller.User, session.IDNEQ(caller.Session))
	})
}
