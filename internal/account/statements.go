package account

import (
	"context"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/auth"
	"storefront/internal/database"
	"storefront/internal/member"
	"storefront/internal/token"
)

// The statements of sign-ins on PostgreSQL that are written by hand. Each writes to several tables in one round trip,
// and most are a transaction of their own. SQLite, which takes no round trips, does the same work by ent.

// beginning are the parts of a statement that begin a session of the user whose id is the only row of who: the client
// address is noted, and the session gets its first refresh token.
const beginning = `address AS (
		INSERT INTO sign_in_addresses (id, created_at, updated_at, user_id, address, last_at)
		SELECT $sign_in, $at, $at, who.id, CAST($address AS varchar), $at FROM who
		ON CONFLICT (user_id, address) DO UPDATE SET last_at = excluded.last_at, updated_at = excluded.updated_at
	), session AS (
		INSERT INTO sessions (id, created_at, updated_at, user_id, expires_at, mark)
		SELECT $session, $at, $at, who.id, $session_end, $mark FROM who
	), token AS (
		INSERT INTO refresh_tokens (id, created_at, updated_at, session_id, hash, expires_at)
		SELECT $token, $at, $at, $session, $hash, $token_end FROM who
	)`

var (
	beginWith = database.Statement(`WITH who AS (SELECT CAST($user AS uuid) AS id), ` + beginning +
		` SELECT id FROM who`)

	// beginByPassword takes back what was counted as a wrong guess, and begins the session, unless the account has
	// another password by now. The count comes first: who changes a password locks it first, too.
	beginByPassword = database.Statement(`WITH counted AS (
			SELECT id FROM rate_keys WHERE id = $lockout FOR UPDATE
		), who AS (
			UPDATE users SET updated_at = $at
			WHERE id = $user AND password_hash = $password AND (SELECT count(*) FROM counted) >= 0 RETURNING id
		), lockout AS (
			DELETE FROM rate_keys WHERE id = $lockout AND EXISTS (SELECT FROM who)
		), guesses AS (
			DELETE FROM rate_events WHERE id = ANY ($booked) AND EXISTS (SELECT FROM who)
		), links AS (
			UPDATE memberships SET pending_until = NULL, updated_at = $at
			WHERE user_id = $user AND pending_until > $at AND $complete_links AND EXISTS (SELECT FROM who)
		), ` + beginning + ` SELECT id FROM who`)

	// registerAtOnce makes an account with its membership of the shop $tenant and its first session. The cell
	// is verified if it was proven a short while ago from the same address; else the account remembers the
	// address.
	registerAtOnce = database.Statement(`WITH proof AS (
			UPDATE one_time_codes SET proven_until = NULL, proven_from = NULL, updated_at = $at
			WHERE cell_number = $cell AND proven_until > $at AND proven_from = CAST($address AS varchar) RETURNING id
		), who AS (
			INSERT INTO users (id, created_at, updated_at, cell_number, cell_verified, password_hash, first_name,
				last_name, email, registered_from)
			SELECT $user, $at, $at, CAST($cell AS varchar), EXISTS (SELECT FROM proof), $password, $first_name,
				$last_name, $email, CASE WHEN EXISTS (SELECT FROM proof) THEN NULL ELSE CAST($address AS varchar) END
			RETURNING id, cell_verified
		), link AS (` + member.Linking(`FROM who`) + `), ` + beginning + ` SELECT cell_verified FROM who`)

	// refreshOnce uses a refresh token that is good, the first time, and adds the next one to its session, which gets
	// its mark if a version before has made it, or its newest token, without one.
	refreshOnce = database.Statement(`WITH found AS (
			SELECT r.id, s.id AS session, s.user_id, s.expires_at, s.mark FROM refresh_tokens r JOIN sessions s ON s.id = r.session_id
			WHERE r.hash = $hash AND r.expires_at > $at AND s.ended_at IS NULL AND s.expires_at > $at
		), used AS (
			UPDATE refresh_tokens SET used_until = $used_until, updated_at = $at FROM found
			WHERE refresh_tokens.id = found.id AND refresh_tokens.used_until IS NULL
			RETURNING found.id, found.session, found.user_id, found.expires_at, found.mark
		), marked AS (
			UPDATE sessions SET mark = $mark FROM used WHERE sessions.id = used.session AND used.mark IS DISTINCT FROM $mark
		), token AS (
			INSERT INTO refresh_tokens (id, created_at, updated_at, session_id, hash, expires_at)
			SELECT $token, $at, $at, session, $next, LEAST(CAST($token_end AS timestamptz), expires_at) FROM used
		)
		SELECT used.id, used.session, u.id, u.created_at, u.updated_at, u.cell_number, u.cell_verified, u.first_name,
			u.last_name, u.email FROM used JOIN users u ON u.id = used.user_id`)
)

// newSession are the values of a statement that begins a session, and its tokens.
func (s *Service) newSession(ctx context.Context, user uuid.UUID, at time.Time) (database.Values, Tokens, error) {
	id := newID()
	next := token.NewRefresh()
	access, err := s.tokens.Access(token.Claims{User: user, Session: id})
	return database.Values{
		"user": user, "at": at, "address": auth.ClientAddress(ctx), "sign_in": newID(),
		"session": id, "session_end": at.Add(s.times.RefreshMax),
		"token": newID(), "hash": token.Hash(next), "mark": token.Mark(next),
		"token_end": earlier(at.Add(s.times.RefreshIdle), at.Add(s.times.RefreshMax)),
	}, Tokens{Access: access, Refresh: next}, err
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func newID() uuid.UUID { return uuid.Must(uuid.NewV7()) }

// refreshAtOnce uses a refresh token on PostgreSQL, in a request that began at a time. Unless the token was used by
// that, nothing was written; what that means is found out in a transaction.
func (s *Service) refreshAtOnce(ctx context.Context, refresh string, began time.Time) (
	user *ent.User, pair Tokens, used uuid.UUID, err error,
) {
	next := token.NextRefresh(refresh)
	var in uuid.UUID
	u := &ent.User{}
	found, err := refreshOnce.Row(ctx, s.store.Raw(), database.Values{
		"hash": token.Hash(refresh), "at": began, "used_until": began.Add(refreshTime),
		"token": newID(), "next": token.Hash(next), "mark": token.Mark(next), "token_end": began.Add(s.times.RefreshIdle),
	}, &used, &in, &u.ID, &u.CreatedAt, &u.UpdatedAt, &u.CellNumber, &u.CellVerified, &u.FirstName, &u.LastName, &u.Email)
	if err != nil || !found {
		return nil, Tokens{}, uuid.Nil, err
	}
	access, err := s.tokens.Access(token.Claims{User: u.ID, Session: in})
	return u, Tokens{Access: access, Refresh: next}, used, err
}
