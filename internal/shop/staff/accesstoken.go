package staff

import (
	"context"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/accesstoken"
	"storefront/ent/predicate"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/locale/search"
	"storefront/internal/platform/convert"
	"storefront/internal/platform/token"
	"storefront/internal/record"
	"storefront/internal/request"
	"storefront/internal/shop/audit"
)

const (
	tokenPrefix = "sft_" // so that people and source code scanners recognize a token
	tokenLength = len(tokenPrefix) + 43
	shownOfIt   = 4 // characters
	mostTokens  = 100
	usesNoted   = time.Minute            // the last use is recorded at most once in this time
	toNoteUse   = 200 * time.Millisecond // no request waits longer for that
)

// Tokens are the access tokens of shops, with which programs do the work of staff. A token is looked up for
// each request, so it is invalid as soon as it is revoked. It belongs to the shop, and outlives the role of
// the person who made it.
type Tokens struct {
	Store *ent.Client
	Clock record.Clock
	Log   *slog.Logger
}

// Is reports whether a bearer token has the form of a shop's access token.
func (t *Tokens) Is(bearer string) bool { return strings.HasPrefix(bearer, tokenPrefix) }

// Authenticate returns the program of a token, and records the use. All failures are UNAUTHENTICATED,
// whatever the reason.
func (t *Tokens) Authenticate(ctx context.Context, bearer string) (request.Program, error) {
	if len(bearer) != tokenLength {
		return request.Program{}, request.UnknownToken()
	}
	found, err := t.Store.AccessToken.Query().
		Where(accesstoken.Hash(token.Hash(bearer)), liveAt(t.Clock.Now())).Only(ctx)
	if ent.IsNotFound(err) {
		err = request.UnknownToken()
	}
	if err != nil {
		return request.Program{}, err
	}
	t.noteUse(ctx, found)
	return request.Program{Token: found.ID, Business: found.BusinessID, Permissions: found.Permissions}, nil
}

// noteUse records that a token is used. A failure to record does not fail the request.
func (t *Tokens) noteUse(ctx context.Context, used *ent.AccessToken) {
	now := t.Clock.Now()
	if used.LastUsedAt != nil && now.Sub(*used.LastUsedAt) < usesNoted {
		return
	}
	noting, stop := context.WithTimeout(ctx, toNoteUse)
	defer stop()
	err := t.Store.AccessToken.Update().
		Where(accesstoken.ID(used.ID), accesstoken.BusinessID(used.BusinessID), accesstoken.Or(
			accesstoken.LastUsedAtIsNil(), accesstoken.LastUsedAtLTE(now.Add(-usesNoted)))).
		SetLastUsedAt(now).Exec(noting)
	if err != nil {
		t.Log.DebugContext(ctx, "the use of an access token is not noted", "token", used.ID, "error", err)
	}
}

// liveAt matches the tokens that are valid at a moment.
func liveAt(now time.Time) predicate.AccessToken {
	return accesstoken.And(accesstoken.RevokedAtIsNil(),
		accesstoken.Or(accesstoken.ExpiresAtIsNil(), accesstoken.ExpiresAtGT(now)))
}

// NewToken describes a token to make.
type NewToken struct {
	Name        string
	Permissions []Permission
	Expires     *time.Time // nil: never
}

// check names what is wrong, by the members of the mutation.
func (n NewToken) check(now time.Time) error {
	var bad fault.Fields
	if len(n.Permissions) == 0 {
		bad.Add("input.permissions", "must name at least one permission")
	}
	for i, p := range n.Permissions {
		if slices.Contains(OfPeople, p) {
			bad.Add("input.permissions."+strconv.Itoa(i), "must not name %s, which only people have", p)
		}
	}
	if strings.ContainsFunc(n.Name, search.IsDirection) {
		bad.Add("input.name", "must have no invisible characters, such as direction marks")
	}
	if n.Expires != nil && !n.Expires.After(now) {
		bad.Add("input.expiresAt", "must be in the future")
	}
	return bad.Err()
}

// CreateToken makes a token of a shop. The token itself is returned only here, as only its hash is stored.
func (t *Tokens) CreateToken(
	ctx context.Context, business uuid.UUID, n NewToken,
) (secret string, made *ent.AccessToken, err error) {
	random := token.NewOpaque()
	secret = tokenPrefix + random
	permissions := names(PermissionsOf(names(n.Permissions))) // once each, in the order of Grants
	err = transaction.Run(ctx, t.Store, func(tx *ent.Tx) error {
		if err := lock(ctx, tx, business); err != nil {
			return err
		}
		now := t.Clock.Now()
		if err := n.check(now); err != nil {
			return err
		}
		live, err := tx.AccessToken.Query().Where(accesstoken.BusinessID(business), liveAt(now)).Count(ctx)
		if err == nil && live >= mostTokens {
			err = fault.New(fault.Conflict, "the shop has %d access tokens already; revoke some first", live)
		}
		if err != nil {
			return err
		}
		create := tx.AccessToken.Create().SetBusinessID(business).SetName(n.Name).SetHash(token.Hash(secret)).
			SetLastCharacters(secret[len(secret)-shownOfIt:]).SetPermissions(permissions).SetCreatedAt(now)
		if n.Expires != nil {
			create.SetExpiresAt(record.Moment(*n.Expires))
		}
		if by, ok := request.StaffOf(ctx); ok && by.User != uuid.Nil {
			create.SetCreatedBy(by.User)
		}
		if made, err = create.Save(ctx); err != nil {
			return err
		}
		return audit.Record(ctx, tx, "createAccessToken", audit.Change{
			Kind: "accessToken", ID: made.ID, Name: made.Name,
			After: map[string]any{"name": made.Name, "permissions": permissions, "expiresAt": made.ExpiresAt},
		})
	})
	return secret, made, err
}

// RevokeToken revokes a token of a shop at once. It fails with NOT_FOUND if the token does not exist or is
// revoked already.
func (t *Tokens) RevokeToken(ctx context.Context, business, id uuid.UUID) error {
	return transaction.Run(ctx, t.Store, func(tx *ent.Tx) error {
		now := t.Clock.Now()
		n, err := tx.AccessToken.Update().Where(accesstoken.ID(id), accesstoken.BusinessID(business),
			accesstoken.RevokedAtIsNil()).SetRevokedAt(now).Save(ctx)
		if err != nil {
			return err
		}
		if n == 0 {
			return fault.New(fault.NotFound, "the shop has no such access token, or it is revoked")
		}
		revoked, err := tx.AccessToken.Query().Where(accesstoken.ID(id), accesstoken.BusinessID(business)).Only(ctx)
		if err != nil {
			return err
		}
		return audit.Record(ctx, tx, "revokeAccessToken", audit.Change{
			Kind: "accessToken", ID: id, Name: revoked.Name,
			Before: map[string]any{"revokedAt": nil}, After: map[string]any{"revokedAt": now},
		})
	})
}

// endedShown is how many expired or revoked tokens a list shows.
const endedShown = 100

// TokensOf returns the tokens of a shop: the valid ones, and the newest of the others.
func (t *Tokens) TokensOf(ctx context.Context, business uuid.UUID) ([]*ent.AccessToken, error) {
	now := t.Clock.Now()
	all := func(which predicate.AccessToken) *ent.AccessTokenQuery {
		return t.Store.AccessToken.Query().Where(accesstoken.BusinessID(business), which).
			Order(accesstoken.ByID(sql.OrderDesc()))
	}
	live, err := all(liveAt(now)).All(ctx)
	if err != nil {
		return nil, err
	}
	ended, err := all(accesstoken.Not(liveAt(now))).Limit(endedShown).All(ctx)
	return append(live, ended...), err
}

// TokensByID returns tokens of a shop, even invalid ones, by their ids.
func TokensByID(
	ctx context.Context, store *ent.Client, business uuid.UUID, ids []uuid.UUID,
) (map[uuid.UUID]*ent.AccessToken, error) {
	found, err := store.AccessToken.Query().Where(accesstoken.BusinessID(business), accesstoken.IDIn(ids...)).All(ctx)
	return convert.ByKey(found, func(t *ent.AccessToken) uuid.UUID { return t.ID }), err
}
