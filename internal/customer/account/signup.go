package account

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/onetimecode"
	"storefront/ent/predicate"
	"storefront/ent/user"
	"storefront/internal/customer/member"
	"storefront/internal/database"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/request"
)

// Customers can sign up by phone alone. A right code for a cell without an account gives a ticket, or stays
// valid, and register accepts either in place of a password. Such an account is vouched for from the start.

const ticketLife = 10 * time.Minute

// Ticket registers one cell once, at one shop, from the client address to which it was given.
type Ticket struct {
	Text string
	Life time.Duration
}

// SignedIn is the outcome of a sign-in by code.
type SignedIn struct {
	User   *ent.User
	Tokens Tokens
	Ended  bool    // a former password or session has ended by the hand-over of the account
	Ticket *Ticket // set if the cell has no account; all else is zero then
}

// SignInByCode signs in with a code. A cell without an account gets a ticket for its registration at the shop, and the
// code is used.
func (s *Service) SignInByCode(ctx context.Context, shop *ent.Tenant, cell, code string) (out SignedIn, err error) {
	ticket := func(tx *ent.Tx, proven *proof) error {
		given := Ticket{rand.Text(), ticketLife}
		out = SignedIn{Ticket: &given}
		return tx.OneTimeCode.Update().Where(onetimecode.ID(proven.row)).
			SetTicketMAC(s.mac(cell, ticketUse(ctx, shop.ID, given.Text))).SetTicketUntil(s.now().Add(ticketLife)).
			Exec(ctx)
	}
	err = s.withAccountOf(ctx, shownCode{cell, code}, shop, s.sameHand, ticket, s.beginning(ctx, &out))
	return out, err
}

// beginning returns a function that begins a session of an account.
func (s *Service) beginning(ctx context.Context, out *SignedIn) func(*ent.Tx, *ent.User, bool) error {
	return func(tx *ent.Tx, account *ent.User, what bool) error {
		pair, err := s.beginSession(ctx, tx, account)
		*out = SignedIn{User: account, Tokens: pair, Ended: what}
		return err
	}
}

// ticketUse returns the text that goes into a ticket's MAC with the cell: the shop, the client and the
// ticket. It is longer than any code.
func ticketUse(ctx context.Context, shop uuid.UUID, ticket string) string {
	return "ticket\x00" + shop.String() + "\x00" + request.ClientAddress(ctx) + "\x00" + ticket
}

// leaveCode returns a function that makes a used code valid again. Its cell has no account, and register will
// accept the code.
func leaveCode(ctx context.Context) func(tx *ent.Tx, proven *proof) error {
	return func(tx *ent.Tx, proven *proof) error {
		err := tx.OneTimeCode.Update().Where(onetimecode.ID(proven.row)).ClearUsedAt().Exec(ctx)
		if err != nil {
			return err
		}
		return transaction.Keep(fault.New(fault.NoAccount,
			"this cell number has no account; register with this code, which is still good"))
	}
}

// checkTicket fails unless the ticket of a registration is the stored one, for this shop and client.
func (s *Service) checkTicket(ctx context.Context, shop uuid.UUID, r Registration, stored *ent.OneTimeCode) error {
	use := ticketUse(ctx, shop, *r.Ticket)
	switch {
	case stored == nil || stored.TicketMAC == nil || !s.isMAC(*stored.TicketMAC, r.Cell, use):
	case stored.TicketUntil == nil:
		return fault.New(fault.CellAlreadyRegistered,
			"the ticket has registered this cell number already; sign in with a new SMS code")
	case stored.TicketUntil.After(s.now()):
		return nil
	}
	return fault.New(fault.InvalidCode,
		"the ticket is wrong or expired, or was given to another client; ask for a new code")
}

// ticketOf matches the code of a cell that gave a ticket. It had no account then, and so no party but strangers.
func ticketOf(cell string) predicate.OneTimeCode {
	return onetimecode.And(onetimecode.CellNumber(cell), onetimecode.Party(string(stranger)))
}

// mayBeProven fails for a registration whose code or ticket cannot be right. It takes no lock.
func (s *Service) mayBeProven(ctx context.Context, shop uuid.UUID, r Registration) error {
	leave, err := s.enterCodes(ctx)
	if err != nil {
		return err
	}
	defer leave()
	if r.Ticket != nil {
		stored, err := s.Store.OneTimeCode.Query().Where(ticketOf(r.Cell)).Only(ctx)
		if err != nil && !ent.IsNotFound(err) {
			return err
		}
		return s.checkTicket(ctx, shop, r, stored)
	}
	if !s.Sender.Reaches(r.Cell) {
		return invalidCode()
	}
	return s.mayProve(ctx, r.Cell, toSignIn)
}

// useProof uses the code or the ticket of a registration. It first locks the row that holds it.
func (s *Service) useProof(ctx context.Context, tx *ent.Tx, shop uuid.UUID, r Registration) (*proof, error) {
	if r.Ticket == nil {
		return s.useCode(ctx, tx, r.Cell, *r.Code, toSignIn)
	}
	stored, err := tx.OneTimeCode.Query().Where(ticketOf(r.Cell)).Modify(database.ForUpdate).Only(ctx)
	if err != nil && !ent.IsNotFound(err) {
		return nil, err
	}
	if err := s.checkTicket(ctx, shop, r, stored); err != nil {
		return nil, err
	}
	return &proof{cell: r.Cell, business: &shop, row: stored.ID},
		tx.OneTimeCode.Update().Where(onetimecode.ID(stored.ID)).ClearTicketUntil().Exec(ctx)
}

// errHasPassword reports that the cell of a registration already has a vouched account. The password of the
// registration must then be the account's.
var errHasPassword = errors.New("account: it is there already")

// registerProven registers a client that has proven the cell by a code or a ticket. If the cell has an
// account by now, it signs in and joins the shop. With a password for such an account it fails with
// errHasPassword and leaves the proof unused.
func (s *Service) registerProven(ctx context.Context, shop *ent.Tenant, r Registration) (*Registered, error) {
	if r.Password != nil {
		if err := s.refuseCommonPassword("password", *r.Password, r.Cell); err != nil {
			return nil, err
		}
	}
	if err := s.mayBeProven(ctx, shop.ID, r); err != nil { // a stranger's guess costs no hash
		return nil, err
	}
	var hash *string
	if r.Password != nil {
		made, err := s.hash(ctx, *r.Password)
		if err != nil {
			return nil, err
		}
		hash = &made
	}
	leave, err := s.enterCodes(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	for {
		var out Registered
		err := s.inTx(ctx, func(tx *ent.Tx) error {
			proven, err := s.useProof(ctx, tx, shop.ID, r)
			if err != nil {
				return err
			}
			proven.usedAt = &shop.ID
			out, err = s.signUp(ctx, tx, proven, r, hash)
			if err != nil {
				return err
			}
			return s.join(ctx, tx, shop, &out)
		})
		if database.IsUnique(err) {
			continue // another request registered the cell meanwhile
		}
		return &out, err
	}
}

// signUp makes the account of a proven cell, or settles whose an existing account is.
func (s *Service) signUp(
	ctx context.Context, tx *ent.Tx, proven *proof, r Registration, hash *string,
) (out Registered, err error) {
	found, err := tx.User.Query().Where(user.CellNumber(r.Cell)).Modify(database.ForNoKeyUpdate).Only(ctx)
	if ent.IsNotFound(err) {
		out.User, err = s.newAccount(tx, r).SetCellVerified(true).SetVouched(true).SetNillablePasswordHash(hash).
			Save(ctx)
		return out, err
	}
	if err != nil {
		return out, err
	}
	if hash != nil && found.Vouched {
		return out, errHasPassword
	}
	if out.User, out.Ended, err = s.settle(ctx, tx, found, proven, s.sameHand); err != nil {
		return out, err
	}
	change := tx.User.UpdateOneID(out.User.ID)
	if out.User.PasswordHash == nil {
		change.SetNillablePasswordHash(hash)
	}
	if !found.Vouched && out.User.HandedOverAt != nil { // the names may be of another person
		change.SetFirstName(r.FirstName).SetLastName(r.LastName).SetNillableEmail(r.Email).
			SetSearchText(member.SearchText(&r.FirstName, &r.LastName, r.Email))
		if r.Email != nil {
			change.ClearEmailBefore()
		}
	}
	out.User, err = change.Save(ctx)
	return out, err
}

func (s *Service) newAccount(tx *ent.Tx, r Registration) *ent.UserCreate {
	return tx.User.Create().
		SetCellNumber(r.Cell).
		SetFirstName(r.FirstName).
		SetLastName(r.LastName).
		SetNillableEmail(r.Email).
		SetSearchText(member.SearchText(&r.FirstName, &r.LastName, r.Email)).
		SetCreatedAt(s.now())
}
