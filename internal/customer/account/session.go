package account

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/predicate"
	"storefront/ent/session"
	"storefront/internal/database"
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

// beginSession begins a session of a user and issues its first tokens. Staff who sign in from a new origin get
// an SMS.
func (s *Service) beginSession(ctx context.Context, tx *ent.Tx, of *ent.User) (Tokens, error) {
	now := s.now()
	if err := s.noteSignIn(ctx, tx, of.ID); err != nil {
		return Tokens{}, err
	}
	here := originOf(ctx)
	if err := s.notifyOfNewOrigin(ctx, tx, of, here); err != nil {
		return Tokens{}, err
	}
	begun, err := tx.Session.Create().SetUserID(of.ID).SetCreatedAt(now).SetExpiresAt(now.Add(s.Times.RefreshMax)).
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
