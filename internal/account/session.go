package account

import (
	"cmp"
	"context"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/predicate"
	"storefront/ent/refreshtoken"
	"storefront/ent/session"
	"storefront/internal/auth"
	"storefront/internal/fault"
	"storefront/internal/token"
	"storefront/internal/transaction"
)

// Tokens are what a sign-in returns.
type Tokens struct{ Access, Refresh string }

// Authenticate returns the caller of an Authorization header; it fails with UNAUTHENTICATED. An ended
// session is refused at once, even while its token is valid. It runs one statement.
func (s *Service) Authenticate(ctx context.Context, authorization string) (auth.Caller, error) {
	bearer, ok := auth.Bearer(authorization)
	if !ok {
		return auth.Caller{}, auth.Unauthenticated()
	}
	claims, err := s.tokens.Read(bearer)
	if err != nil {
		return auth.Caller{}, auth.Unauthenticated()
	}
	caller := auth.Caller{User: claims.User, Session: claims.Session}
	if err := s.StillSignedIn(ctx, caller); err != nil {
		return auth.Caller{}, err
	}
	return caller, nil
}

// StillSignedIn fails with UNAUTHENTICATED once the session of a caller has ended.
func (s *Service) StillSignedIn(ctx context.Context, c auth.Caller) error {
	live, err := s.Store.Session.Query().
		Where(
			session.ID(c.Session), session.UserID(c.User),
			session.EndedAtIsNil(), session.ExpiresAtGT(s.now()),
		).
		Exist(ctx)
	if err == nil && !live {
		err = auth.Unauthenticated()
	}
	return err
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
	first := token.NewRefresh()
	begun, err := tx.Session.Create().SetUserID(of.ID).SetCreatedAt(now).SetExpiresAt(now.Add(s.Times.RefreshMax)).
		SetMark(token.Mark(first)).SetClient(here.client).SetNetwork(here.network).Save(ctx)
	if err != nil {
		return Tokens{}, err
	}
	return s.issueTokens(ctx, tx, begun, first)
}

// issueTokens issues a new pair of tokens for a session, with the given refresh token.
func (s *Service) issueTokens(ctx context.Context, tx *ent.Tx, in *ent.Session, refresh string) (Tokens, error) {
	now := s.now()
	expires := now.Add(s.Times.RefreshIdle)
	if expires.After(in.ExpiresAt) {
		expires = in.ExpiresAt
	}
	err := tx.RefreshToken.Create().SetSessionID(in.ID).SetHash(token.Hash(refresh)).SetExpiresAt(expires).
		SetCreatedAt(now).Exec(ctx)
	if err != nil {
		return Tokens{}, err
	}
	access, err := s.tokens.Access(token.Claims{User: in.UserID, Session: in.ID})
	return Tokens{Access: access, Refresh: refresh}, err
}

// endSessions ends a user's sessions; with predicates, only those that match.
func (s *Service) endSessions(
	ctx context.Context, tx *ent.Tx, userID uuid.UUID, matching ...predicate.Session,
) error {
	return tx.Session.Update().
		Where(append(matching, session.UserID(userID), session.EndedAtIsNil())...).SetEndedAt(s.now()).Exec(ctx)
}

// refreshTime is the longest time that a refresh may take. Another refresh with the same token within it may
// overlap.
const refreshTime = 15 * time.Second

// Refresh exchanges a refresh token for a new pair, in a request that arrived at the given time. A token is
// valid once. A second use ends the whole session, because one of the two users has stolen the token.
// Overlapping requests, counted from their arrival, are one use: all succeed. So does a request that arrives
// within Times.Grace afterwards.
func (s *Service) Refresh(ctx context.Context, refresh string, arrived time.Time) (*ent.User, Tokens, error) {
	hash := token.Hash(refresh)
	s.refreshes.begin(hash)
	user, pair, err := s.refresh(ctx, refresh, s.now(), arrived)
	if over := s.refreshes.end(hash); over != uuid.Nil { // a use that begins from now on is a replay
		ended := s.Store.RefreshToken.Update().
			Where(refreshtoken.ID(over)).SetUsedUntil(s.now().Add(s.Times.Grace)).
			Exec(context.WithoutCancel(ctx)) // the client may be gone already; the old token must not stay valid
		err = cmp.Or(err, ended)
	}
	return user, pair, err
}

func (s *Service) refresh(
	ctx context.Context, refresh string, began, arrived time.Time,
) (user *ent.User, pair Tokens, err error) {
	hash := token.Hash(refresh)
	var used uuid.UUID
	err = s.inTx(ctx, func(tx *ent.Tx) error {
		used = uuid.Nil
		found, err := findToken(ctx, tx.Raw(), hash)
		switch {
		case err != nil:
			return err
		case found == nil:
			return s.endMarked(ctx, tx, refresh, began)
		case !found.isGood(began):
			return refreshEnded()
		}
		family := found.session
		first, err := tx.RefreshToken.Update().Where(refreshtoken.ID(found.id), refreshtoken.UsedUntilIsNil()).
			SetUsedUntil(began.Add(refreshTime)).Save(ctx)
		if err != nil {
			return err
		}
		if first == 0 {
			overlaps, err := s.overlaps(ctx, tx, found.id, arrived)
			if err != nil {
				return err
			}
			if !overlaps {
				return s.endReplayed(ctx, tx, family)
			}
		} else {
			used = found.id
		}
		user = found.user
		pair, err = s.issueTokens(ctx, tx, family, token.NextRefresh(refresh))
		return err
	})
	if err != nil {
		return nil, Tokens{}, err
	}
	if used != uuid.Nil {
		s.refreshes.noteFirst(hash, used)
	}
	return user, pair, nil
}

// overlaps reports whether a request that arrived at a time overlaps with the one that used a token.
func (s *Service) overlaps(ctx context.Context, tx *ent.Tx, used uuid.UUID, arrived time.Time) (bool, error) {
	now, err := tx.RefreshToken.Get(ctx, used)
	if err != nil {
		return false, ent.MaskNotFound(err) // the account was erased meanwhile
	}
	return arrived.Before(*now.UsedUntil), nil
}

// endMarked ends the session of a used token whose row has been deleted since. It returns the refusal, marked
// so that the end is committed.
func (s *Service) endMarked(ctx context.Context, tx *ent.Tx, refresh string, began time.Time) error {
	live, err := tx.Session.Query().
		Where(session.Mark(token.Mark(refresh)), session.EndedAtIsNil(), session.ExpiresAtGT(began)).Only(ctx)
	if ent.IsNotFound(err) {
		return refreshEnded()
	}
	if err != nil {
		return err
	}
	return s.endReplayed(ctx, tx, live)
}

// endReplayed ends the session of a token that was used again. It returns the refusal, marked so that the end is
// committed.
func (s *Service) endReplayed(ctx context.Context, tx *ent.Tx, family *ent.Session) error {
	if err := s.endSessions(ctx, tx, family.UserID, session.ID(family.ID)); err != nil {
		return err
	}
	return transaction.Keep(refreshEnded())
}

func refreshEnded() error {
	return fault.New(fault.InvalidCredentials, "this refresh token is not valid any more; sign in again")
}
