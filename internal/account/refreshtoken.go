package account

import (
	"context"
	"sync"
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

// refreshesInFlight records which refresh tokens are in use. Overlapping uses of one token count as one use,
// which ends with the last of them.
type refreshesInFlight struct {
	mu     sync.Mutex
	byHash map[string]*overlap
}

// overlap is a group of overlapping uses of one token.
type overlap struct {
	running int
	first   uuid.UUID // the token's row, once one of the uses was the token's first
}

func newRefreshesInFlight() *refreshesInFlight {
	return &refreshesInFlight{byHash: map[string]*overlap{}}
}

func (f *refreshesInFlight) begin(hash []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.byHash[string(hash)] == nil {
		f.byHash[string(hash)] = &overlap{}
	}
	f.byHash[string(hash)].running++
}

func (f *refreshesInFlight) noteFirst(hash []byte, row uuid.UUID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.byHash[string(hash)].first = row
}

// end ends a use. It returns the token's row when this was the last of the overlapping uses and one of them
// was the token's first, and uuid.Nil otherwise.
func (f *refreshesInFlight) end(hash []byte) (over uuid.UUID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := f.byHash[string(hash)]
	if all.running--; all.running > 0 {
		return uuid.Nil
	}
	delete(f.byHash, string(hash))
	return all.first
}
