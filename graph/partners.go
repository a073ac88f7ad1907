package graph

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/partnerkey"
	"storefront/internal/api"
	"storefront/internal/fault"
	"storefront/internal/locale/phone"
	"storefront/internal/message/partner"
	"storefront/internal/request"
)

func (m mutationResolver) SendPartnerSms(
	ctx context.Context, input api.PartnerSmsInput,
) (*api.PartnerSmsPayload, error) {
	caller, err := request.PartnerOf(ctx)
	if err != nil {
		return nil, err
	}
	if !caller.Owns(input.Domain) {
		return nil, request.UnknownPartner()
	}
	to, _ := phone.IranianMobile(strings.TrimSpace(input.To)) // the engine has checked it
	key := request.Of(ctx).Key
	serverID, repeated, err := m.r.Partners.Send(ctx, caller, to, input.Message, key.Text)
	if err != nil {
		return nil, err
	}
	if repeated {
		key.Replay()
	}
	return &api.PartnerSmsPayload{Success: true, ServerID: serverID}, nil
}

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
