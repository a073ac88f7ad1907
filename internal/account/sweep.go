package account

import (
	"context"
	"time"

	"storefront/ent/membership"
	"storefront/ent/onetimecode"
	"storefront/ent/refreshtoken"
	"storefront/ent/session"
	"storefront/ent/signinaddress"
	"storefront/internal/ratelimit"
)

const day = 24 * time.Hour

// Sweep deletes sessions, tokens, pending links, codes and counted events that no rule reads any more.
func (s *Service) Sweep(ctx context.Context) error {
	now := s.now()
	oldSessions := session.Or(session.ExpiresAtLTE(now), session.EndedAtLT(now.Add(-day)))
	if _, err := s.store.Session.Delete().Where(oldSessions).Exec(ctx); err != nil {
		return err
	}
	if _, err := s.store.RefreshToken.Delete().Where(refreshtoken.ExpiresAtLTE(now)).Exec(ctx); err != nil {
		return err
	}
	if _, err := s.store.Membership.Delete().Where(membership.PendingUntilLTE(now)).Exec(ctx); err != nil {
		return err
	}
	oldCodes := onetimecode.ExpiresAtLT(now.Add(-day))
	if _, err := s.store.OneTimeCode.Delete().Where(oldCodes).Exec(ctx); err != nil {
		return err
	}
	oldAddresses := signinaddress.LastAtLTE(now.Add(-knownFor))
	if _, err := s.store.SignInAddress.Delete().Where(oldAddresses).Exec(ctx); err != nil {
		return err
	}
	return ratelimit.Sweep(ctx, s.store, now)
}
