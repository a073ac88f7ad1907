package graph

import (
	"context"
	"strings"

	"storefront/internal/api"
	"storefront/internal/auth"
	"storefront/internal/locale/phone"
	"storefront/internal/platform/idempotency"
)

func (m mutationResolver) SendPartnerSms(
	ctx context.Context, input api.PartnerSmsInput,
) (*api.PartnerSmsPayload, error) {
	caller, err := auth.PartnerOf(ctx)
	if err != nil {
		return nil, err
	}
	if !caller.Owns(input.Domain) {
		return nil, auth.UnknownPartner()
	}
	to, _ := phone.IranianMobile(strings.TrimSpace(input.To)) // the engine has checked it
	given := idempotency.GivenOf(ctx)
	serverID, repeated, err := m.r.Partners.Send(ctx, caller, to, input.Message, given.Key)
	if err != nil {
		return nil, err
	}
	if repeated {
		given.Replay()
	}
	return &api.PartnerSmsPayload{Success: true, ServerID: serverID}, nil
}
