package account

import (
	"time"

	"entgo.io/ent/dialect/sql"

	"storefront/ent/membership"
	"storefront/ent/onetimecode"
	"storefront/ent/refreshtoken"
	"storefront/ent/session"
	"storefront/ent/signinaddress"
	"storefront/internal/ratelimit"
	"storefront/internal/sweep"
)

const day = 24 * time.Hour

// Old returns jobs that delete the sessions, tokens, pending links, codes and counted events that no rule
// reads any more. Tokens come before their sessions, whose deletion would delete them all in one statement.
// Expired tokens are kept for Times.Unused: they show that the account was used.
func (s *Service) Old() []sweep.Job {
	now := s.now()
	untold := now.Add(-s.Times.Unused)
	jobs := []sweep.Job{
		// The mark of the session recognizes a later use of such a token. A running refresh may still read
		// one.
		sweep.Before(refreshtoken.Table, refreshtoken.FieldUsedUntil, now.Add(-refreshTime), inMarkedSession),
		sweep.Before(refreshtoken.Table, refreshtoken.FieldExpiresAt, untold),
		sweep.Before(session.Table, session.FieldExpiresAt, untold),
		sweep.Before(session.Table, session.FieldEndedAt, now.Add(-originKnownFor)), // origins are known this long
		sweep.Before(membership.Table, membership.FieldPendingUntil, now),
		sweep.Before(onetimecode.Table, onetimecode.FieldExpiresAt, now.Add(-day)),
		sweep.Before(signinaddress.Table, signinaddress.FieldLastAt, now.Add(-knownFor)),
	}
	return append(jobs, ratelimit.Old(now)...)
}

// inMarkedSession selects the tokens of sessions that have a mark.
func inMarkedSession(tokens *sql.Selector) {
	sessions := sql.Dialect(tokens.Dialect()).Select(session.FieldID).From(sql.Table(session.Table))
	tokens.Where(sql.Exists(sessions.Where(sql.And(
		sql.ColumnsEQ(sessions.C(session.FieldID), tokens.C(refreshtoken.FieldSessionID)),
		sql.NotNull(sessions.C(session.FieldMark))))))
}
