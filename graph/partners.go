package graph

import (
	"context"
	"strings"

	"storefront/internal/api"
	"storefront/internal/locale/phone"
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
