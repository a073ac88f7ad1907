package account

import (
	"context"
	"time"

	"storefront/ent/membership"
	"storefront/ent/onetimecode"
	"storefront/ent/refreshtoken"
	"storefront/ent/session"
	"storefront/internal/ratelimit"
)

// Sweep removes sessions, codes, links and counted events that nothing looks at any more.
func (s *Service) Sweep(ctx context.Context) error {
	now := s.now()
	if _, err := s.store.Session.Delete().Where(session.Or(session.ExpiresAtLTE(now), session.EndedAtLT(now.Add(-24*time.Hour)))).Exec(ctx); err != nil {
		return err
	}
	if _, err := s.store.RefreshToken.Delete().Where(refreshtoken.ExpiresAtLTE(now)).Exec(ctx); err != nil {
		return err
	}
	if _, err := s.store.Membership.Delete().Where(membership.PendingUntilLTE(now)).Exec(ctx); err != nil {
		return err
	}
	if _, err := s.store.OneTimeCode.Delete().Where(onetimecode.ExpiresAtLT(now.Add(-24 * time.Hour))).Exec(ctx); err != nil {
		return err
	}
	return ratelimit.Sweep(ctx, s.store, now)
}
