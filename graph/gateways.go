package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/api"
	"storefront/internal/fault"
	"storefront/internal/platform/convert"
	"storefront/internal/request"
	"storefront/internal/sale/gateway"
	"storefront/internal/sale/gatewayaccount"
)

func (q queryResolver) Gateways(ctx context.Context, businessID uuid.UUID) ([]*gatewayaccount.Offer, error) {
	return q.r.Gateways.Offers(ctx, businessID)
}

func (q queryResolver) GatewayAccounts(ctx context.Context, businessID uuid.UUID) ([]*ent.GatewayAccount, error) {
	return q.r.Gateways.All(ctx, businessID)
}

func (gatewayResolver) Title(ctx context.Context, o *gatewayaccount.Offer) (string, error) {
	return request.Language(ctx).Say(o.Title), nil
}

func (gatewayResolver) Refused(ctx context.Context, o *gatewayaccount.Offer) (*string, error) {
	return saidOrNil(ctx, o.Refused), nil
}

func (gatewayFieldResolver) Title(ctx context.Context, f *gateway.Field) (string, error) {
	return request.Language(ctx).Say(f.Title), nil
}

func (gatewayFieldResolver) Pattern(_ context.Context, f *gateway.Field) (*string, error) {
	if f.Pattern == nil {
		return nil, nil
	}
	return new(f.Pattern.String()), nil
}

func (gatewayAccountResolver) Forgotten(_ context.Context, a *ent.GatewayAccount) (bool, error) {
	return a.Secrets == nil, nil
}

func (r gatewayAccountResolver) Problem(ctx context.Context, a *ent.GatewayAccount) (*string, error) {
	err := r.r.Gateways.Problem(a)
	if err == nil {
		return nil, nil
	}
	return new(string(api.Said(ctx, fault.From(err)))), nil
}

// saidOrNil returns a text in the reader's language, or nil if it is empty.
func saidOrNil(ctx context.Context, text fault.Text) *string {
	if text.String() == "" {
		return nil
	}
	return new(request.Language(ctx).Say(text))
}

func (m mutationResolver) AddGatewayAccount(
	ctx context.Context, businessID uuid.UUID, currentPassword *string, input api.GatewayAccountInput,
) (*api.GatewayAccountPayload, error) {
	secrets := map[string]string{}
	for _, one := range input.Secrets {
		if _, twice := secrets[one.Name]; twice {
			return nil, fault.Invalid("input.secrets."+one.Name, "is there twice")
		}
		secrets[one.Name] = one.Value
	}
	draft := gatewayaccount.Draft{Gateway: input.Gateway, Secrets: secrets, Base: convert.Value(input.CallbackBase)}
	draft, err := m.r.Gateways.Checked(ctx, businessID, draft)
	if err != nil {
		return nil, err
	}
	return m.changedAccount(ctx, currentPassword, func() (*ent.GatewayAccount, error) {
		return m.r.Gateways.Add(ctx, businessID, draft)
	})
}

func (m mutationResolver) SwitchGatewayAccount(
	ctx context.Context, businessID, accountID uuid.UUID, active bool, currentPassword *string,
) (*api.GatewayAccountPayload, error) {
	return m.changedAccount(ctx, currentPassword, func() (*ent.GatewayAccount, error) {
		return m.r.Gateways.Switch(ctx, businessID, accountID, active)
	})
}

func (m mutationResolver) ForgetGatewayAccount(
	ctx context.Context, businessID, accountID uuid.UUID, force bool, currentPassword *string,
) (*api.GatewayAccountPayload, error) {
	return m.changedAccount(ctx, currentPassword, func() (*ent.GatewayAccount, error) {
		return m.r.Gateways.Forget(ctx, businessID, accountID, force)
	})
}

// changedAccount makes a change of a gateway account for a person who proves again who they are.
func (m mutationResolver) changedAccount(
	ctx context.Context, password *string, change func() (*ent.GatewayAccount, error),
) (*api.GatewayAccountPayload, error) {
	caller, err := request.CallerOf(ctx)
	if err == nil {
		err = m.r.Accounts.ProveAgain(ctx, caller, password)
	}
	if err != nil {
		return nil, err
	}
	changed, err := change()
	return &api.GatewayAccountPayload{Account: changed}, err
}

func (m mutationResolver) CheckGatewayAccount(
	ctx context.Context, businessID, accountID uuid.UUID,
) (*api.GatewayCheckPayload, error) {
	wrong, err := m.r.Gateways.Check(ctx, businessID, accountID)
	return &api.GatewayCheckPayload{Wrong: saidOrNil(ctx, wrong)}, err
}
