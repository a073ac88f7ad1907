package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/api"
	"storefront/internal/customer/account"
	"storefront/internal/customer/secondfactor"
	"storefront/internal/fault"
	"storefront/internal/request"
	"storefront/internal/shop"
)

func (r userResolver) SecondFactor(ctx context.Context, u *ent.User) (*secondfactor.State, error) {
	caller, _ := request.CallerOf(ctx) // absent during a sign-in: nothing is proved yet
	return r.r.Factors.Of(ctx, u.ID, caller.Session)
}

func (m mutationResolver) BeginSecondFactor(
	ctx context.Context, input api.SecondFactorInput,
) (*api.SecondFactorSetup, error) {
	if (input.CurrentPassword == nil) == (input.Code == nil) {
		return nil, fault.Invalid("input", "must have exactly one of currentPassword and code")
	}
	begun, err := m.r.Accounts.BeginSecondFactor(ctx, callerOf(ctx), input.CurrentPassword, input.Code)
	return &api.SecondFactorSetup{Secret: begun.Secret, URI: begun.URI}, err
}

func (m mutationResolver) ConfirmSecondFactor(
	ctx context.Context, code string,
) (*api.RecoveryCodesPayload, error) {
	codes, err := m.r.Factors.Confirm(ctx, callerOf(ctx), code)
	return &api.RecoveryCodesPayload{RecoveryCodes: codes,
		Message: "The second factor is switched on. Keep the recovery codes where nobody else finds them."}, err
}

func (m mutationResolver) ProveSecondFactor(ctx context.Context, code string) (*api.SecondFactorPayload, error) {
	caller := callerOf(ctx)
	if err := m.r.Factors.Prove(ctx, caller, code); err != nil {
		return nil, err
	}
	seen, err := m.r.Factors.Of(ctx, caller.User, caller.Session)
	return &api.SecondFactorPayload{SecondFactor: seen, Message: "The second factor is proved."}, err
}

func (m mutationResolver) NewRecoveryCodes(ctx context.Context, code string) (*api.RecoveryCodesPayload, error) {
	caller := callerOf(ctx)
	codes, err := m.r.Factors.NewCodes(ctx, caller, code)
	return &api.RecoveryCodesPayload{RecoveryCodes: codes,
		Message: "Keep these recovery codes. The older ones end when one of these is used, if they have not ended yet.",
	}, err
}

func (m mutationResolver) RemoveSecondFactor(
	ctx context.Context, input api.SecondFactorRemovalInput,
) (*api.MessagePayload, error) {
	caller := callerOf(ctx)
	const done = "The second factor is switched off. Where a shop requires one, switch it on again before you go on."
	return messagePayload(done,
		m.r.Accounts.RemoveSecondFactor(ctx, caller, input.Code, input.CurrentPassword))
}

func (m mutationResolver) RequireSecondFactor(
	ctx context.Context, businessID uuid.UUID, required bool,
) (*api.ShopAccessPayload, error) {
	err := shop.RequireSecondFactor(ctx, m.r.Store, businessID, required, request.Of(ctx).Now)
	return m.accessOnce(ctx, businessID, err)
}

func (r userResolver) Sessions(ctx context.Context, u *ent.User) ([]*account.LiveSession, error) {
	caller, _ := request.CallerOf(ctx) // absent during a sign-in
	return r.r.Accounts.Sessions(ctx, u.ID, caller.Session)
}

func (m mutationResolver) EndSession(ctx context.Context, sessionID uuid.UUID) (*api.MessagePayload, error) {
	return messagePayload("The session has ended.", m.r.Accounts.EndSession(ctx, callerOf(ctx), sessionID))
}

func (m mutationResolver) EndOtherSessions(ctx context.Context) (*api.MessagePayload, error) {
	return messagePayload("All other sessions have ended.", m.r.Accounts.EndOtherSessions(ctx, callerOf(ctx)))
}
