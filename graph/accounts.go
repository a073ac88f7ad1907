package graph

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/user"
	"storefront/internal/api"
	"storefront/internal/catalog"
	"storefront/internal/catalog/selection"
	"storefront/internal/customer/account"
	"storefront/internal/customer/secondfactor"
	"storefront/internal/fault"
	"storefront/internal/locale/search"
	"storefront/internal/record"
	"storefront/internal/request"
	"storefront/internal/shop"
)

func (q queryResolver) Me(ctx context.Context) (*ent.User, error) {
	caller := callerOf(ctx)
	// These fields have resolvers of their own, which read what they need.
	if selection.Of(ctx).Only("addresses", "cart", "orders", "ordersConnection", "order", "favorites",
		"listings", "invitations",
		"dataExport", "secondFactor", "sessions") {
		return &ent.User{ID: caller.User}, nil
	}
	return q.r.Store.User.Get(ctx, caller.User)
}

// Email shows the account its e-mail address, also one that nobody else sees.
func (userResolver) Email(_ context.Context, u *ent.User) (*string, error) {
	return account.EmailOf(u), nil
}

func (userResolver) EmailUnconfirmed(_ context.Context, u *ent.User) (bool, error) {
	return u.EmailBefore != nil, nil
}

func (userResolver) HasPassword(_ context.Context, u *ent.User) (bool, error) {
	return u.PasswordHash != nil, nil
}

// The ways to complete a registration of a cell that has an account on another site.
const (
	linkByCode api.Message = "This cell number has an account on another site. " +
		"Ask for an SMS code for this site and sign in with it to complete the registration. " +
		"If you did not make that account, set a new password with the code instead."
	linkByPassword api.Message = "This cell number has an account on another site. " +
		"Register with that account's password."
)

func (m mutationResolver) Register(ctx context.Context, input api.RegisterInput) (api.RegisterPayload, error) {
	if input.Password == nil && input.Code == nil && input.Ticket == nil { // by variables in a written input
		return nil, fault.Invalid("input.password", "is required, if none is given of: %s", "code, ticket")
	}
	shop, err := m.r.Catalog.AnyShopTyped(ctx, input.Domain)
	if err == nil {
		err = catalog.OpenToAll(shop)
	}
	if err != nil {
		return nil, unknownIn("input.domain", err)
	}
	out, err := m.r.Accounts.Register(ctx, shop, account.Registration{
		Cell:        cellOf(input.CellNumber),
		Password:    input.Password,
		Code:        input.Code,
		Ticket:      input.Ticket,
		FirstName:   strings.TrimSpace(input.FirstName),
		LastName:    strings.TrimSpace(input.LastName),
		Email:       search.Trimmed(input.Email),
		Acknowledge: input.AcknowledgeExistingAccount != nil && *input.AcknowledgeExistingAccount,
	})
	if err != nil {
		return nil, err
	}
	if out.Tokens == nil {
		message := linkByCode
		if !m.r.Accounts.Sender.Reaches(out.User.CellNumber) {
			message = linkByPassword
		}
		return api.LinkPending{
			Registered: api.Registered{
				User:               &api.RegisteredUser{CellNumber: out.User.CellNumber},
				RegisteredBusiness: shop,
			},
			VerificationRequired: true,
			Message:              message,
		}, nil
	}
	u := out.User
	return api.Registered{
		User: &api.RegisteredUser{
			ID:           &u.ID,
			CellNumber:   u.CellNumber,
			CellVerified: &u.CellVerified,
			FirstName:    u.FirstName,
			LastName:     u.LastName,
			Email:        account.EmailOf(u),
			CreatedAt:    &u.CreatedAt,
		},
		AccessToken:        &out.Tokens.Access,
		RefreshToken:       &out.Tokens.Refresh,
		RegisteredBusiness: shop,
		SignIn:             sessionPayload(account.SignedIn{User: u, Tokens: *out.Tokens, Ended: out.Ended}),
	}, nil
}

func (m mutationResolver) SignInByCode(
	ctx context.Context, input api.SignInByCodeInput,
) (api.SignInByCodePayload, error) {
	shop, err := m.r.Catalog.AnyShopTyped(ctx, input.Domain)
	if err != nil {
		return nil, unknownIn("input.domain", err)
	}
	cell := cellOf(input.CellNumber)
	out, err := m.r.Accounts.SignInByCode(ctx, shop, cell, input.Code)
	if err != nil {
		return nil, err
	}
	if out.Ticket != nil {
		return api.NoAccount{Code: string(fault.NoAccount), CellNumber: cell, Ticket: out.Ticket.Text,
			ExpiresInSeconds: int(out.Ticket.Life.Seconds())}, nil
	}
	return sessionPayload(out), nil
}

func sessionPayload(in account.SignedIn) *api.SignInPayload {
	out := &api.SignInPayload{User: in.User, AccessToken: in.Tokens.Access, RefreshToken: in.Tokens.Refresh,
		FormerAccessEnded: in.Ended}
	if in.Ended {
		out.Message = new(formerAccessEnded)
	}
	return out
}

const (
	formerAccessEnded api.Message = "Nobody had proved before that this number is theirs: the former password and " +
		"sessions have ended. What is in the account is still there; look through it. " +
		"Set a new password with an SMS code."
	passwordChanged api.Message = "The password is changed and all sessions have ended; " +
		"sign in with the new password."
	passwordHandedOver api.Message = "The password is changed and all sessions have ended; sign in with the new " +
		"password. Nobody had proved before that this number is theirs: the former password and sessions have ended. " +
		"What is in the account is still there; look through it."
)

func (m mutationResolver) Login(ctx context.Context, input api.LoginInput) (*api.SignInPayload, error) {
	return signInPayload(m.r.Accounts.Login(ctx, cellOf(input.CellNumber), input.Password))
}

func (m mutationResolver) LoginOtp(ctx context.Context, input api.CodeInput) (*api.SignInPayload, error) {
	out, err := m.r.Accounts.LoginByCode(ctx, cellOf(input.CellNumber), input.Code)
	return sessionPayload(out), err
}

func (m mutationResolver) RefreshTokens(ctx context.Context, input api.RefreshInput) (*api.SignInPayload, error) {
	return signInPayload(m.r.Accounts.Refresh(ctx, input.RefreshToken))
}

func signInPayload(u *ent.User, pair account.Tokens, err error) (*api.SignInPayload, error) {
	return &api.SignInPayload{User: u, AccessToken: pair.Access, RefreshToken: pair.Refresh}, err
}

func (m mutationResolver) SendOtp(ctx context.Context, input api.SendOtpInput) (api.SendOtpPayload, error) {
	enabled, life, err := m.r.Accounts.SendCode(ctx, cellOf(input.CellNumber), record.TextOf(input.Domain))
	if err != nil {
		return nil, err
	}
	switch {
	case enabled:
	case m.r.Accounts.Sender.Reaches(cellOf(input.CellNumber)):
		return api.OtpUnavailable{Message: codesOutOfOrder}, nil
	default:
		return api.OtpUnavailable{Message: codeUnavailable}, nil
	}
	request.Of(ctx).Note.Add(func(r *request.Facts) { r.Again = m.r.Accounts.Times.Resend })
	return api.OtpSent{
		Enabled:          true,
		Message:          "A code is on its way to this cell number.",
		ExpiresInSeconds: int(life.Seconds()),
	}, nil
}

const (
	codeUnavailable = "No SMS code can be sent to this cell number; sign in with the password."
	codesOutOfOrder = "No SMS code can be sent at the moment; try again in a minute, or sign in with the password."
)

func (m mutationResolver) VerifyOtp(ctx context.Context, input api.CodeInput) (*api.VerifyOtpPayload, error) {
	enabled, verified, err := m.r.Accounts.Verify(ctx, cellOf(input.CellNumber), input.Code)
	out := &api.VerifyOtpPayload{Enabled: enabled, Verified: verified}
	switch {
	case !enabled:
		out.Message = codeUnavailable
	case verified:
		out.Message = "The cell number is verified."
	default:
		out.Message = "The code is wrong, used or expired; ask for a new one."
	}
	return out, err
}

func (m mutationResolver) ResetPassword(
	ctx context.Context, input api.ResetPasswordInput,
) (*api.MessagePayload, error) {
	ended, err := m.r.Accounts.ResetPassword(ctx, cellOf(input.CellNumber), input.Code, input.NewPassword)
	if ended {
		return messagePayload(passwordHandedOver, err)
	}
	return messagePayload(passwordChanged, err)
}

func (m mutationResolver) Logout(ctx context.Context) (*api.MessagePayload, error) {
	return messagePayload("You are signed out.", m.r.Accounts.Logout(ctx, callerOf(ctx)))
}

func (m mutationResolver) ChangePassword(
	ctx context.Context, input api.ChangePasswordInput,
) (*api.MessagePayload, error) {
	var err error
	switch caller := callerOf(ctx); {
	case input.Code != nil:
		err = m.r.Accounts.ChangePasswordByCode(ctx, caller, *input.Code, input.NewPassword)
	case input.CurrentPassword == nil: // by a variable in a written input
		err = fault.Invalid("input.currentPassword", "is required, if none is given of: %s", "code")
	default:
		err = m.r.Accounts.ChangePassword(ctx, caller, *input.CurrentPassword, input.NewPassword)
	}
	return messagePayload("The password is changed; your other sessions have ended.", err)
}

func (m mutationResolver) UpdateProfile(ctx context.Context, input api.ProfileInput) (*api.ProfilePayload, error) {
	caller := callerOf(ctx)
	if err := m.r.checkOwnCell(ctx, caller, input.CellNumber); err != nil {
		return nil, err
	}
	changed, err := m.r.Accounts.ChangeProfile(ctx, caller, func(change *ent.UserUpdateOne) {
		applyChange(input.FirstName, change.SetFirstName, nil)
		applyChange(input.LastName, change.SetLastName, nil)
		applyChange(input.Email, change.SetEmail, change.ClearEmail)
	})
	return &api.ProfilePayload{Message: "Your profile is saved.", User: changed}, err
}

func (m mutationResolver) ConfirmEmail(ctx context.Context) (*api.ProfilePayload, error) {
	changed, err := m.r.Accounts.ConfirmEmail(ctx, callerOf(ctx))
	return &api.ProfilePayload{Message: "Your e-mail address is confirmed.", User: changed}, err
}

// checkOwnCell refuses a cell number other than the account's own: it is the one member of a profile that
// cannot change.
func (r *Resolver) checkOwnCell(ctx context.Context, caller request.Caller, typed *string) error {
	if typed == nil {
		return nil
	}
	who, err := r.Store.User.Query().Where(user.ID(caller.User)).Select(user.FieldCellNumber).Only(ctx)
	if err != nil {
		return err
	}
	if cellOf(*typed) != who.CellNumber {
		return fault.Invalid("input.cellNumber", "cannot be changed: it is the account's own")
	}
	return nil
}

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
