package account

import (
	"cmp"
	"context"
	"strings"
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

// Tokens are what a sign-in gives.
type Tokens struct{ Access, Refresh string }

// Authenticate finds the caller behind an Authorization header; it fails with UNAUTHENTICATED. An ended session is refused
// at once, whatever its token says. It runs one statement.
func (s *Service) Authenticate(ctx context.Context, authorization string) (auth.Caller, error) {
	scheme, bearer, _ := strings.Cut(authorization, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return auth.Caller{}, auth.Unauthenticated()
	}
	claims, err := s.tokens.Read(strings.TrimSpace(bearer))
	if err != nil {
		return auth.Caller{}, auth.Unauthenticated()
	}
	lives, err := s.store.Session.Query().
		Where(session.ID(claims.Session), session.UserID(claims.User), session.EndedAtIsNil(), session.ExpiresAtGT(s.now())).
		Exist(ctx)
	if err != nil {
		return auth.Caller{}, err
	}
	if !lives {
		return auth.Caller{}, auth.Unauthenticated()
	}
	return auth.Caller{User: claims.User, Session: claims.Session}, nil
}

// begin begins a session.
func (s *Service) begin(ctx context.Context, tx *ent.Tx, user uuid.UUID) (Tokens, error) {
	now := s.now()
	begun, err := tx.Session.Create().SetUserID(user).SetExpiresAt(now.Add(s.times.RefreshMax)).Save(ctx)
	if err != nil {
		return Tokens{}, err
	}
	return s.continued(ctx, tx, begun)
}

// continued gives a session a new pair of tokens.
func (s *Service) continued(ctx context.Context, tx *ent.Tx, of *ent.Session) (Tokens, error) {
	refresh, hash := token.NewRefresh()
	expires := s.now().Add(s.times.RefreshIdle)
	if expires.After(of.ExpiresAt) {
		expires = of.ExpiresAt
	}
	if err := tx.RefreshToken.Create().SetSessionID(of.ID).SetHash(hash).SetExpiresAt(expires).Exec(ctx); err != nil {
		return Tokens{}, err
	}
	access, err := s.tokens.Access(token.Claims{User: of.UserID, Session: of.ID})
	return Tokens{access, refresh}, err
}

// end ends the sessions of a user that match.
func (s *Service) end(ctx context.Context, tx *ent.Tx, user uuid.UUID, which ...predicate.Session) error {
	return tx.Session.Update().
		Where(append(which, session.UserID(user), session.EndedAtIsNil())...).SetEndedAt(s.now()).Exec(ctx)
}

// Logout ends the caller's session.
func (s *Service) Logout(ctx context.Context, caller auth.Caller) error {
	return s.inTx(ctx, func(tx *ent.Tx) error { return s.end(ctx, tx, caller.User, session.ID(caller.Session)) })
}

// inFlight is how long a refresh may take at most. Until it is done, another one with the same token overlaps with it.
const inFlight = 15 * time.Second

// Refresh exchanges a refresh token for a new pair. A token is good once; using it again ends the whole session, as it has
// been stolen from one or the other. Requests that overlap in time are one use: of them all succeed.
func (s *Service) Refresh(ctx context.Context, refresh string) (*ent.User, Tokens, error) {
	hash := token.Hash(refresh)
	s.flights.board(hash)
	began := s.now()
	user, pair, err := s.refresh(ctx, hash, began)
	if over := s.flights.leave(hash); over != uuid.Nil { // what begins from now on is a replay
		ended := s.store.RefreshToken.Update().Where(refreshtoken.ID(over)).SetUsedUntil(s.now().Add(s.times.Grace)).
			Exec(context.WithoutCancel(ctx)) // its new pair may be lost already, the old one must not stay good
		err = cmp.Or(err, ended)
	}
	return user, pair, err
}

func (s *Service) refresh(ctx context.Context, hash []byte, began time.Time) (user *ent.User, pair Tokens, err error) {
	var used uuid.UUID
	err = s.inTx(ctx, func(tx *ent.Tx) error {
		used = uuid.Nil
		found, err := tx.RefreshToken.Query().Where(refreshtoken.Hash(hash)).
			WithSession(func(q *ent.SessionQuery) { q.WithUser() }).Only(ctx)
		if ent.IsNotFound(err) {
			return expired()
		}
		if err != nil {
			return err
		}
		of := found.Edges.Session
		if of.EndedAt != nil || !of.ExpiresAt.After(began) || !found.ExpiresAt.After(began) {
			return expired()
		}
		first, err := tx.RefreshToken.Update().Where(refreshtoken.ID(found.ID), refreshtoken.UsedUntilIsNil()).
			SetUsedUntil(began.Add(inFlight)).Save(ctx)
		if err != nil {
			return err
		}
		if first == 0 {
			if err := s.overlaps(ctx, tx, found.ID, began); err != nil {
				return s.replayed(ctx, tx, of, err)
			}
		} else {
			used = found.ID
		}
		user = of.Edges.User
		pair, err = s.continued(ctx, tx, of)
		return err
	})
	if err != nil {
		return nil, Tokens{}, err
	}
	if used != uuid.Nil {
		s.flights.took(hash, used)
	}
	return user, pair, nil
}

// overlaps fails unless a request that began at a time overlaps with the one that used a token.
func (s *Service) overlaps(ctx context.Context, tx *ent.Tx, used uuid.UUID, began time.Time) error {
	now, err := tx.RefreshToken.Get(ctx, used)
	if err != nil {
		return err
	}
	if !began.Before(*now.UsedUntil) {
		return expired()
	}
	return nil
}

// replayed ends the session of a token that came back, and keeps that it has ended.
func (s *Service) replayed(ctx context.Context, tx *ent.Tx, of *ent.Session, cause error) error {
	if fault.From(cause).Code != fault.InvalidCredentials {
		return cause
	}
	if err := s.end(ctx, tx, of.UserID, session.ID(of.ID)); err != nil {
		return err
	}
	return transaction.Keep(cause)
}

func expired() error {
	return fault.New(fault.InvalidCredentials, "this refresh token is not valid any more; sign in again")
}
