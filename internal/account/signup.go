package account

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/onetimecode"
	"storefront/ent/user"
	"storefront/internal/auth"
	"storefront/internal/database"
	"storefront/internal/fault"
	"storefront/internal/member"
	"storefront/internal/transaction"
)

// Who has a phone signs up with it: a right code of a cell without an account gives a ticket, or stays good, and
// register takes either in place of a password. Such an account is its holder's from the start.

// ticketLife is how long a ticket is good.
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
	Ended  Ended   // of an earlier registration
	Ticket *Ticket // the cell has no account: all else is zero
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
	err = s.withAccountOf(ctx, cell, code, signIn, ticket, func(tx *ent.Tx, account *ent.User, what Ended) error {
		pair, err := s.beginSession(ctx, tx, account)
		out = SignedIn{User: account, Tokens: pair, Ended: what}
		return err
	})
	return out, err
}

// ticketUse is what a ticket's MAC is made of, beside the cell: where it is good, and the ticket. It is longer than any
// code.
func ticketUse(ctx context.Context, shop uuid.UUID, ticket string) string {
	return "ticket\x00" + shop.String() + "\x00" + auth.ClientAddress(ctx) + "\x00" + ticket
}

// leaveCode takes back that a right code was used, as its cell has no account: register takes it.
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

// checkTicket fails unless what is stored of a cell knows the ticket of a registration, for this shop and client.
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

// mayBeProven fails, without a lock, for a registration whose code or ticket cannot be right.
func (s *Service) mayBeProven(ctx context.Context, shop uuid.UUID, r Registration) error {
	leave, err := s.enterCodes(ctx)
	if err != nil {
		return err
	}
	defer leave()
	if r.Ticket != nil {
		stored, err := s.store.OneTimeCode.Query().Where(onetimecode.CellNumber(r.Cell)).Only(ctx)
		if err != nil && !ent.IsNotFound(err) {
			return err
		}
		return s.checkTicket(ctx, shop, r, stored)
	}
	if !s.sender.Reaches(r.Cell) {
		return invalidCode()
	}
	may, err := s.mayProve(ctx, r.Cell, toSignIn)
	if err == nil && !may {
		err = invalidCode()
	}
	return err
}

// useProof uses the code or the ticket of a registration. It locks the row of either first.
func (s *Service) useProof(ctx context.Context, tx *ent.Tx, shop uuid.UUID, r Registration) (*proof, error) {
	if r.Ticket == nil {
		proven, err := s.useCode(ctx, tx, r.Cell, *r.Code, toSignIn)
		if err == nil && proven == nil {
			err = transaction.Keep(invalidCode())
		}
		return proven, err
	}
	stored, err := tx.OneTimeCode.Query().Where(onetimecode.CellNumber(r.Cell)).Modify(database.ForUpdate).Only(ctx)
	if err != nil && !ent.IsNotFound(err) {
		return nil, err
	}
	if err := s.checkTicket(ctx, shop, r, stored); err != nil {
		return nil, err
	}
	return &proof{r.Cell, &shop, stored.ID},
		tx.OneTimeCode.Update().Where(onetimecode.ID(stored.ID)).ClearTicketUntil().Exec(ctx)
}

// errHasPassword says that the cell of a registration has an account of its holder already, so that the password of the
// registration is to be that of the account, or nothing.
var errHasPassword = errors.New("account: it is there already")

// registerProven registers a client that has proven the cell by a code or a ticket, without a password. Where the cell
// has an
// account meanwhile, it is a sign-in by code that joins the shop. With a password for such an account it fails with
// errHasPassword and leaves the proof as it was.
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
			out, err = s.signUp(ctx, tx, proven, r, hash)
			if err != nil {
				return err
			}
			if err := member.Link(ctx, tx, out.User.ID, shop.ID); err != nil {
				return err
			}
			pair, err := s.beginSession(ctx, tx, out.User)
			out.Tokens = &pair
			return err
		})
		if database.IsUnique(err) {
			continue // another request registered the cell meanwhile
		}
		return &out, err
	}
}

// signUp makes the account of a cell that is proven, or decides who owns the account that is there.
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
	// As a reset does: a client with a proof has not made the unvouched account, whatever its address.
	if out.User, out.Ended, err = s.settle(ctx, tx, found, proven, reset); err != nil {
		return out, err
	}
	change := tx.User.UpdateOneID(out.User.ID).SetNillablePasswordHash(hash)
	if out.Ended == AllBefore { // nothing is left of another's profile
		change.SetFirstName(r.FirstName).SetLastName(r.LastName).SetNillableEmail(r.Email).
			SetSearchText(member.SearchText(&r.FirstName, &r.LastName, r.Email))
	}
	out.User, err = change.Save(ctx)
	return out, err
}

// newAccount is what every new account has.
func (s *Service) newAccount(tx *ent.Tx, r Registration) *ent.UserCreate {
	return tx.User.Create().
		SetCellNumber(r.Cell).
		SetFirstName(r.FirstName).
		SetLastName(r.LastName).
		SetNillableEmail(r.Email).
		SetSearchText(member.SearchText(&r.FirstName, &r.LastName, r.Email)).
		SetCreatedAt(s.now())
}
