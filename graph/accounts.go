package graph

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/account"
	"storefront/internal/auth"
	"storefront/internal/phone"
	"storefront/internal/selection"
)

// Me is the signed-in customer.
func (q queryResolver) Me(ctx context.Context) (*ent.User, error) {
	caller, err := auth.CallerOf(ctx)
	if err != nil {
		return nil, err
	}
	asked := selection.Of(ctx)
	for _, own := range []string{"addresses", "cart", "orders", "ordersConnection", "order", "favorites"} {
		delete(asked, own) // which their own resolvers read
	}
	if len(asked) == 0 {
		return &ent.User{ID: caller.User}, nil
	}
	return q.accounts.Me(ctx, caller)
}

// cell is the E.164 form of a number that has been found good.
func cell(typed string) string {
	e164, _ := phone.Normalize(strings.TrimSpace(typed))
	return e164
}

// RegisteredUser is an account as its registration shows it.
type RegisteredUser struct {
	ID           *uuid.UUID
	CellNumber   string
	CellVerified *bool
	FirstName    *string
	LastName     *string
	Email        *string
	CreatedAt    *time.Time
}

// Registered is a registration that is done.
type Registered struct {
	User                      *RegisteredUser
	AccessToken, RefreshToken *string
	RegisteredBusiness        *ent.Tenant
}

// LinkPending is a registration that waits for a proof of the cell.
type LinkPending struct {
	Registered
	VerificationRequired bool
	Message              Message
}

func (Registered) IsRegisterPayload() {}

// Register makes an account at a shop, or ties the cell's account to it.
func (m mutationResolver) Register(ctx context.Context, input RegisterInput) (RegisterPayload, error) {
	shop, err := m.tenantOf(ctx, input.Domain, selection.Set{"name": nil, "nameFa": nil, "slug": nil, "domain": nil})
	if err != nil {
		return nil, err
	}
	out, err := m.accounts.Register(ctx, shop, account.Registration{
		Cell: cell(input.CellNumber), Password: input.Password,
		FirstName: strings.TrimSpace(input.FirstName), LastName: strings.TrimSpace(input.LastName), Email: trimmed(input.Email),
		Acknowledge: input.AcknowledgeExistingAccount != nil && *input.AcknowledgeExistingAccount,
	})
	if err != nil {
		return nil, err
	}
	if out.Tokens == nil {
		return LinkPending{
			Registered{User: &RegisteredUser{CellNumber: out.User.CellNumber}, RegisteredBusiness: shop}, true,
			"This cell number has an account on another site. Ask for an SMS code for this site and sign in with it to complete the registration.",
		}, nil
	}
	u := out.User
	return Registered{
		&RegisteredUser{&u.ID, u.CellNumber, &u.CellVerified, u.FirstName, u.LastName, u.Email, &u.CreatedAt},
		&out.Tokens.Access, &out.Tokens.Refresh, shop,
	}, nil
}

// Login signs in with a password.
func (m mutationResolver) Login(ctx context.Context, input LoginInput) (*SignInPayload, error) {
	return signedIn(m.accounts.Login(ctx, cell(input.CellNumber), input.Password))
}

// LoginOtp signs in with a code.
func (m mutationResolver) LoginOtp(ctx context.Context, input CodeInput) (*SignInPayload, error) {
	return signedIn(m.accounts.LoginByCode(ctx, cell(input.CellNumber), input.Code))
}

// RefreshTokens exchanges a refresh token for a new pair.
func (m mutationResolver) RefreshTokens(ctx context.Context, input RefreshInput) (*SignInPayload, error) {
	return signedIn(m.accounts.Refresh(ctx, input.RefreshToken))
}

func signedIn(u *ent.User, pair account.Tokens, err error) (*SignInPayload, error) {
	if err != nil {
		return nil, err
	}
	return &SignInPayload{User: u, AccessToken: pair.Access, RefreshToken: pair.Refresh}, nil
}

// SendOtp sends a code.
func (m mutationResolver) SendOtp(ctx context.Context, input SendOtpInput) (SendOtpPayload, error) {
	domain := ""
	if input.Domain != nil {
		domain = *input.Domain
	}
	enabled, life, err := m.accounts.SendCode(ctx, cell(input.CellNumber), domain)
	if err != nil {
		return nil, err
	}
	if !enabled {
		return OtpUnavailable{Message: unreachable}, nil
	}
	return OtpSent{
		Enabled: true, Message: "A code is on its way to this cell number.", ExpiresInSeconds: int(life.Seconds()),
	}, nil
}

const unreachable = "No SMS code can be sent to this cell number; sign in with the password."

// VerifyOtp proves a cell.
func (m mutationResolver) VerifyOtp(ctx context.Context, input CodeInput) (*VerifyOtpPayload, error) {
	enabled, verified, err := m.accounts.Verify(ctx, cell(input.CellNumber), input.Code)
	out := &VerifyOtpPayload{Enabled: enabled, Verified: verified}
	switch {
	case !enabled:
		out.Message = unreachable
	case verified:
		out.Message = "The cell number is verified."
	default:
		out.Message = "The code is wrong, used or expired; ask for a new one."
	}
	return out, err
}

// ResetPassword sets a new password with a code.
func (m mutationResolver) ResetPassword(ctx context.Context, input ResetPasswordInput) (*MessagePayload, error) {
	err := m.accounts.ResetPassword(ctx, cell(input.CellNumber), input.Code, input.NewPassword)
	return said("The password is changed and all sessions have ended; sign in with the new password.", err)
}

// Logout ends the session.
func (m mutationResolver) Logout(ctx context.Context) (*MessagePayload, error) {
	caller, err := auth.CallerOf(ctx)
	if err != nil {
		return nil, err
	}
	return said("You are signed out.", m.accounts.Logout(ctx, caller))
}

// ChangePassword sets a new password.
func (m mutationResolver) ChangePassword(ctx context.Context, input ChangePasswordInput) (*MessagePayload, error) {
	caller, err := auth.CallerOf(ctx)
	if err != nil {
		return nil, err
	}
	err = m.accounts.ChangePassword(ctx, caller, input.CurrentPassword, input.NewPassword)
	return said("The password is changed; your other sessions have ended.", err)
}

func said(message Message, err error) (*MessagePayload, error) {
	if err != nil {
		return nil, err
	}
	return &MessagePayload{message}, nil
}

// UpdateProfile changes what is given of the profile.
func (m mutationResolver) UpdateProfile(ctx context.Context, input ProfileInput) (*ProfilePayload, error) {
	caller, err := auth.CallerOf(ctx)
	if err != nil {
		return nil, err
	}
	change := m.store.User.UpdateOneID(caller.User)
	set(input.FirstName, change.SetFirstName, nil)
	set(input.LastName, change.SetLastName, nil)
	set(input.Email, change.SetEmail, change.ClearEmail)
	changed, err := change.Save(ctx)
	return &ProfilePayload{"Your profile is saved.", changed}, err
}
