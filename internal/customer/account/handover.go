package account

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/address"
	"storefront/ent/membership"
	"storefront/ent/predicate"
	"storefront/ent/session"
	"storefront/ent/staffmember"
	"storefront/ent/user"
	"storefront/internal/customer/member"
	"storefront/internal/customer/secondfactor"
	"storefront/internal/database"
	"storefront/internal/database/transaction"
	"storefront/internal/locale/language"
	"storefront/internal/platform/token"
	"storefront/internal/record"
	"storefront/internal/request"
)

// Anybody can register a cell number. So an account has two marks: its cell is verified by a code; and it is
// vouched for, or proven, if the holder of the phone has signed in to it by a code (contract 3.2). The first sign-in by
// code ends passwords, sessions and all other access; it keeps what is in the account.

// hand reports whether a request with a right code comes from the client that registered an account.
type hand func(ctx context.Context, tx *ent.Tx, account *ent.User) (bool, error)

// sameHand reports whether a request carries an access token of an account, even an expired one, whose session nobody
// has ended.
func (s *Service) sameHand(ctx context.Context, tx *ent.Tx, account *ent.User) (bool, error) {
	claims, ok := s.bearer(ctx)
	if !ok || claims.User != account.ID {
		return false, nil
	}
	return tx.Session.Query().
		Where(session.ID(claims.Session), session.UserID(account.ID), session.EndedAtIsNil()).Exist(ctx)
}

// bearer returns the claims of a request's access token, even if it has expired. It reports false if there is no valid
// one.
func (s *Service) bearer(ctx context.Context) (token.Claims, bool) {
	bearer, ok := request.Bearer(request.Of(ctx).Credentials.Authorization)
	claims, err := s.tokens.ReadExpired(bearer)
	return claims, ok && err == nil
}

// sameSitting is sameHand, or whether a request comes from the address that has registered an account, within half an
// hour, and nobody has contested the account. That proves no identity, but anybody else would have begun with a
// registration of their own, which is refused and contests the account. It is for clients that know login-otp and
// verify-otp alone and send no token.
func (s *Service) sameSitting(ctx context.Context, tx *ent.Tx, account *ent.User) (bool, error) {
	if account.RegisteredFrom != nil && *account.RegisteredFrom == request.ClientAddress(ctx) && s.fresh(account) &&
		account.ContestedBy == nil {
		return true, nil
	}
	return s.sameHand(ctx, tx, account)
}

func (s *Service) fresh(account *ent.User) bool {
	return !s.now().After(account.CreatedAt.Add(sitting))
}

// settle gives an account to the holder of its cell, who has just used a code. If the account was not vouched for and
// the code does not come from the hand that made it, it is handed over. It returns the account as changed, and whether
// a password or a session ended.
func (s *Service) settle(ctx context.Context, tx *ent.Tx, account *ent.User, proven *proof, by hand) (
	_ *ent.User, ended bool, err error,
) {
	if err := reopen(ctx, tx, account); err != nil {
		return nil, false, err
	}
	if !account.Vouched {
		if account, ended, err = s.vouchFor(ctx, tx, account, proven, by); err != nil {
			return nil, false, err
		}
	}
	return account, ended, s.completeLink(ctx, tx, account.ID, proven)
}

// vouchFor vouches for an account, and hands it over unless the code comes from the hand that made it. It locks the
// row first, so that it sees registrations that were refused meanwhile, and concurrent writes either are seen or wait.
func (s *Service) vouchFor(ctx context.Context, tx *ent.Tx, account *ent.User, proven *proof, by hand) (
	_ *ent.User, ended bool, err error,
) {
	account, err = tx.User.Query().Where(user.ID(account.ID)).Modify(database.ForUpdate).Only(ctx)
	if err != nil || account.Vouched {
		return account, false, err
	}
	same, err := by(ctx, tx, account)
	if err != nil {
		return nil, false, err
	}
	update := tx.User.UpdateOneID(account.ID)
	vouch(update.Mutation())
	if !same {
		if ended, err = s.handOver(ctx, tx, account, proven, update.Mutation()); err != nil {
			return nil, false, err
		}
	}
	account, err = update.Save(ctx)
	return account, ended, err
}

// handOver ends all access to an account, and its memberships of all shops but that of the code, whose staff would read
// the name of a person who may not know the shop. The rest of the account stays; its addresses and its e-mail address
// are marked as older than the hand-over. A concurrent login with the former password waits for the row of the account,
// and then begins no session. handOver reports whether a password or a session ended.
func (s *Service) handOver(
	ctx context.Context, tx *ent.Tx, account *ent.User, proven *proof, change *ent.UserMutation,
) (ended bool, err error) {
	closed, err := secondfactor.EndWaysIn(ctx, tx, account, s.now())
	if err != nil {
		return false, err
	}
	left := tx.Membership.Delete().Where(membership.UserID(account.ID), membership.PendingUntilIsNil())
	if proven.business != nil {
		left.Where(membership.BusinessIDNEQ(*proven.business))
	}
	if _, err := left.Exec(ctx); err != nil {
		return false, err
	}
	if err := tx.Address.Update().Where(address.UserID(account.ID)).SetFromBefore(true).Exec(ctx); err != nil {
		return false, err
	}
	if _, err := newVersions.Exec(ctx, tx.Raw(), database.Values{"user": account.ID}); err != nil {
		return false, err
	}
	change.SetHandedOverAt(s.now())
	if account.Email != nil {
		change.SetEmailBefore(*account.Email)
		change.ClearEmail()
		change.SetSearchText(member.SearchText(account.FirstName, account.LastName, nil))
	}
	return closed.Entry, s.tellOwners(ctx, tx, account.ID, closed.Shops)
}

// newVersions changes the version of an account's carts, so that a concurrent statement which compares the version
// writes nothing, and the request checks its session again.
var newVersions = database.Statement(`UPDATE carts SET updated_at = updated_at WHERE user_id = $user`)

// tellOwners sends a notice to the owners of shops whose access tokens have ended, but not to the account that had made
// them.
func (s *Service) tellOwners(ctx context.Context, tx *ent.Tx, maker uuid.UUID, shops []uuid.UUID) error {
	if len(shops) == 0 {
		return nil
	}
	owners, err := tx.StaffMember.Query().Where(staffmember.BusinessIDIn(shops...),
		staffmember.RoleEQ(record.Owner), staffmember.UserIDNEQ(maker)).
		WithUser().WithBusiness().Order(staffmember.ByID()).All(ctx)
	if err != nil {
		return err
	}
	for _, owner := range owners {
		if who, at := owner.Edges.User, owner.Edges.Business; s.Sender.Reaches(who.CellNumber) {
			if err := s.notify(ctx, tx, who, tokensEndedText(at)); err != nil {
				return err
			}
		}
	}
	return nil
}

func tokensEndedText(at *ent.Tenant) string {
	if at.DefaultLocale == string(language.English) {
		return fmt.Sprintf("Access tokens of %s were revoked: their maker's number was proven only now. "+
			"Make new ones for the programs that need them.", at.Name)
	}
	return fmt.Sprintf("توکن‌های دسترسی %s باطل شد: "+
		"شمارهٔ سازندهٔ آن‌ها تازه اکنون تأیید شده است. "+
		"برای برنامه‌ها توکن تازه بسازید.", at.NameFa)
}

// vouch marks an account as verified and vouched for, and clears the columns that the decision used.
func vouch(m *ent.UserMutation) {
	m.SetCellVerified(true)
	m.SetVouched(true)
	m.ClearRegisteredFrom()
	m.ClearContestedBy()
}

// refuseContesting returns the refusal of a registration of a cell that has an account. If the account is not
// vouched for and the password is another one, it marks the account as contested.
func (s *Service) refuseContesting(ctx context.Context, account *ent.User, password string, refusal error) error {
	for account != nil && s.contestable(account) {
		same, err := s.hasher.Check(ctx, password, account.PasswordHash)
		if err == nil && !same && account.ContestedBy != nil {
			same, err = s.hasher.Check(ctx, password, account.ContestedBy)
		}
		if err != nil {
			return err
		}
		if same {
			break
		}
		by := "" // more than one
		if account.ContestedBy == nil {
			if by, err = s.hasher.Hash(ctx, password); err != nil {
				return err
			}
		}
		noted := 0
		err = s.inTx(ctx, func(tx *ent.Tx) error {
			noted, err = tx.User.Update().Where(user.ID(account.ID), user.Vouched(false), contestedAsIn(account)).
				SetContestedBy(by).Save(ctx)
			if err == nil && noted > 0 {
				err = transaction.Keep(refusal)
			}
			return err
		})
		if noted > 0 || err != nil {
			return err
		}
		if account, err = s.findUser(ctx, account.CellNumber); err != nil { // another request was faster
			return err
		}
	}
	return refusal
}

// contestable reports whether a refused registration of an account's cell must be noted.
func (s *Service) contestable(account *ent.User) bool {
	return !account.Vouched && account.RegisteredFrom != nil && s.fresh(account) &&
		(account.ContestedBy == nil || *account.ContestedBy != "")
}

// withdraws reports whether a password is the same as in the registration that contested an account. Then its
// customer repeats that registration and acknowledges the account.
func (s *Service) withdraws(ctx context.Context, account *ent.User, password string) (bool, error) {
	if !s.contestable(account) || account.ContestedBy == nil {
		return false, nil
	}
	return s.hasher.Check(ctx, password, account.ContestedBy)
}

// contestedAsIn matches an account whose contesting has not changed since it was read.
func contestedAsIn(account *ent.User) predicate.User {
	if account.ContestedBy == nil {
		return user.ContestedByIsNil()
	}
	return user.ContestedBy(*account.ContestedBy)
}
