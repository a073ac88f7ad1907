package account

import (
	"context"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/session"
	"storefront/internal/fault"
	"storefront/internal/request"
)

// LiveSession is a session that has not ended.
type LiveSession struct {
	ID                    uuid.UUID
	CreatedAt, LastUsedAt time.Time // the last use is the last refresh
	ExpiresAt             time.Time
	Client, Network       *string // nil: unknown
	ProvenAt              *time.Time
	Current               bool // it is the caller's
}

// shownSessions is the most sessions that are shown to a user.
const shownSessions = 100

// Sessions returns the sessions of a user that have not ended, the newest sign-in first, at most 100. current is the
// id of the caller's own.
func (s *Service) Sessions(ctx context.Context, userID, current uuid.UUID) ([]*LiveSession, error) {
	now := s.now()
	found, err := s.Store.Session.Query().
		Where(session.UserID(userID), session.EndedAtIsNil(), session.ExpiresAtGT(now),
			session.RefreshedAtGT(now.Add(-s.Times.RefreshIdle))).
		Order(session.ByID(sql.OrderDesc())).Limit(shownSessions).All(ctx)
	if err != nil {
		return nil, err
	}
	live := make([]*LiveSession, len(found))
	for i, one := range found {
		live[i] = &LiveSession{ID: one.ID, CreatedAt: one.CreatedAt, LastUsedAt: one.RefreshedAt,
			ExpiresAt: one.ExpiresAt, Client: known(one.Client), Network: known(one.Network), ProvenAt: one.ProvenAt,
			Current: one.ID == current}
	}
	return live, nil
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
