package graph

import (
	"context"
	"strings"

	"storefront/graph/model"
	"storefront/internal/auth"
	"storefront/internal/idempotency"
	"storefront/internal/phone"
)

func (m mutationResolver) SendPartnerSms(
	ctx context.Context, input model.PartnerSmsInput,
) (*model.PartnerSmsPayload, error) {
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
	return &model.PartnerSmsPayload{Success: true, ServerID: serverID}, nil
}
