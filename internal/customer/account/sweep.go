package account

import (
	"time"

	"storefront/ent/membership"
	"storefront/ent/onetimecode"
	"storefront/ent/session"
	"storefront/ent/signinaddress"
	"storefront/internal/database/sweep"
	"storefront/internal/platform/ratelimit"
)

const day = 24 * time.Hour

// Old returns jobs that delete the sessions, pending links, codes and counted events that no rule reads any more.
// Expired sessions are kept for Times.Unused: they show that the account was used.
func (s *Service) Old() []sweep.Job {
	now := s.now()
	untold := now.Add(-s.Times.Unused)
	jobs := []sweep.Job{
		sweep.Before(session.Table, session.FieldExpiresAt, untold),
		sweep.Before(session.Table, session.FieldEndedAt, now.Add(-originKnownFor)), // origins are known this long
		sweep.Before(membership.Table, membership.FieldPendingUntil, now),
		sweep.Before(onetimecode.Table, onetimecode.FieldExpiresAt, now.Add(-day)),
		sweep.Before(signinaddress.Table, signinaddress.FieldLastAt, now.Add(-knownFor)),
	}
	return append(jobs, ratelimit.Old(now)...)
}
