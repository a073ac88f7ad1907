package graph

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/api"
	"storefront/internal/shop/staff"
)

func (q queryResolver) AccessTokens(ctx context.Context, businessID uuid.UUID) ([]*ent.AccessToken, error) {
	return q.r.Tokens.TokensOf(ctx, businessID)
}

func (accessTokenResolver) Permissions(_ context.Context, t *ent.AccessToken) ([]staff.Permission, error) {
	return staff.PermissionsOf(t.Permissions), nil
}

// AccessToken returns the access token of the program that made each change. All entries are of one business.
func (r auditEntryResolver) AccessToken(
	ctx context.Context, entries []*ent.AuditEntry,
) ([]*ent.AccessToken, error) {
	return referred(entries, func(e *ent.AuditEntry) *uuid.UUID { return e.TokenID },
		func(ids []uuid.UUID) (map[uuid.UUID]*ent.AccessToken, error) {
			return staff.TokensByID(ctx, r.r.Store, *entries[0].BusinessID, ids)
		})
}

func (m mutationResolver) CreateAccessToken(
	ctx context.Context, businessID uuid.UUID, input api.AccessTokenInput,
) (*api.AccessTokenPayload, error) {
	secret, made, err := m.r.Tokens.CreateToken(ctx, businessID, staff.NewToken{
		Name: strings.TrimSpace(input.Name), Permissions: input.Permissions, Expires: input.ExpiresAt,
	})
	return &api.AccessTokenPayload{AccessToken: made, Token: secret}, err
}

func (m mutationResolver) RevokeAccessToken(
	ctx context.Context, businessID, tokenID uuid.UUID,
) (*api.MessagePayload, error) {
	return messagePayload("The access token is revoked.", m.r.Tokens.RevokeToken(ctx, businessID, tokenID))
}
