package account

import (
	"context"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/database"
)

// readToken reads in one round trip what would take ent three statements.
var readToken = database.Statement(`SELECT r.id, r.expires_at, s.id, s.user_id, s.expires_at, s.ended_at,
		u.id, u.created_at, u.updated_at, u.cell_number, u.cell_verified, u.first_name, u.last_name, u.email,
		u.password_hash
	FROM refresh_tokens r JOIN sessions s ON s.id = r.session_id JOIN users u ON u.id = s.user_id
	WHERE r.hash = $hash`)

// heldToken is a refresh token of a client, with its session and user.
type heldToken struct {
	id      uuid.UUID
	expires time.Time
	session *ent.Session
	user    *ent.User
}

// findToken returns the refresh token with a hash, or nil if there is none.
func findToken(ctx context.Context, on database.Executor, hash []byte) (*heldToken, error) {
	in, u := &ent.Session{}, &ent.User{}
	t := &heldToken{session: in, user: u}
	found, err := readToken.Row(ctx, on, database.Values{"hash": hash},
		&t.id, &t.expires, &in.ID, &in.UserID, &in.ExpiresAt, &in.EndedAt,
		&u.ID, &u.CreatedAt, &u.UpdatedAt, &u.CellNumber, &u.CellVerified, &u.FirstName, &u.LastName, &u.Email,
		&u.PasswordHash)
	if !found {
		return nil, err
	}
	return t, err
}

// isGood reports whether a token that was not used before may be used at a time.
func (t *heldToken) isGood(at time.Time) bool {
	return t.session.EndedAt == nil && t.session.ExpiresAt.After(at) && t.expires.After(at)
}
