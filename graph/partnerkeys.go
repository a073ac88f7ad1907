package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/partnerkey"
	"storefront/internal/api"
	"storefront/internal/fault"
	"storefront/internal/message/partner"
)

func (partnerKeyResolver) Domain(_ context.Context, k *ent.PartnerKey) (string, error) {
	return k.Edges.Partner.Domain, nil
}

func (q queryResolver) PartnerKeys(ctx context.Context) ([]*ent.PartnerKey, error) {
	return partner.Keys(ctx, q.r.Store)
}

func (m mutationResolver) AddPartnerKey(ctx context.Context, domain string) (*api.PartnerKeyPayload, error) {
	if !partner.CanBe(domain) {
		return nil, fault.Invalid("domain", "must be a partner's bare apex, such as partner.ir")
	}
	key, id, err := partner.Add(ctx, m.r.Store, domain)
	if err != nil {
		return nil, err
	}
	made, err := m.r.Store.PartnerKey.Query().Where(partnerkey.ID(id)).WithPartner().Only(ctx)
	return &api.PartnerKeyPayload{PartnerKey: made, Key: key}, err
}

func (m mutationResolver) RevokePartnerKey(ctx context.Context, keyID uuid.UUID) (*api.MessagePayload, error) {
	return messagePayload("The key is revoked.", partner.End(ctx, m.r.Store, keyID))
}
