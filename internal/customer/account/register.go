package account

import (
	"context"
	"errors"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/membership"
	"storefront/ent/onetimecode"
	"storefront/ent/predicate"
	"storefront/ent/user"
	"storefront/internal/customer/member"
	"storefront/internal/database"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/platform/ratelimit"
	"storefront/internal/request"
)

// Registration is the input of a registration. The caller has checked its members.
type Registration struct {
	Cell                string  // E.164
	Password            *string // nil: none; then there is a code or a ticket
	FirstName, LastName string
	Email               *string
	Acknowledge         bool    // link the cell's account at another shop
	Code, Ticket        *string // prove the cell; the ticket counts if both are given
}

// Registered is the outcome of a registration. Without tokens the membership awaits a proof of the cell, and
// the caller must not show the account.
type Registered struct {
	User   *ent.User
	Tokens *Tokens
	Ended  bool // a former password or session has ended by the hand-over of the account
}

// Register makes an account and signs it in. If the cell has an account, it links that to the shop: at once with the
// account's password or a proof of the cell, otherwise, if acknowledged, when a code proves the cell.
func (s *Service) Register(ctx context.Context, shop *ent.Tenant, r Registration) (*Registered, error) {
	if r.Code != nil || r.Ticket != nil {
		if made, err := s.registerProven(ctx, shop, r); !errors.Is(err, errHasPassword) {
			return made, err
		}
	}
	leave, err := s.enterPasswords(ctx, asStranger)
	if err != nil {
		return nil, err
	}
	defer leave()
	for {
		existing, err := s.findUser(ctx, r.Cell)
		if err != nil {
			return nil, err
		}
		if existing != nil {
			return s.linkExisting(ctx, shop, existing, r)
		}
		made, err := s.create(ctx, shop, r)
		if database.IsUnique(err) {
			continue // another request registered the cell meanwhile
		}
		return made, err
	}
}

func (s *Service) create(ctx context.Context, shop *ent.Tenant, r Registration) (*Registered, error) {
	if err := s.refuseCommonPassword("password", *r.Password, r.Cell); err != nil {
		return nil, err
	}
	if err := s.admitRegistration(ctx, r.Cell); err != nil {
		return nil, err
	}
	hash, err := s.hasher.Hash(ctx, *r.Password)
	if err != nil {
		return nil, err
	}
	var out Registered
	err = s.inTx(ctx, func(tx *ent.Tx) error {
		// The cell may have been proven from the same client address; that counts once.
		proven, err := tx.OneTimeCode.Update().Where(provenHere(ctx, r.Cell, s.now())).
			ClearProvenUntil().ClearProvenFrom().Save(ctx)
		if err != nil {
			return err
		}
		out.User, err = s.newAccount(tx, r).
			SetCellVerified(proven > 0).
			SetPasswordHash(hash).
			SetRegisteredFrom(request.ClientAddress(ctx)).
			Save(ctx)
		if err != nil {
			return err
		}
		return s.join(ctx, tx, shop, &out)
	})
	return &out, err
}

// join makes the account of a registration a member of a shop, and signs it in.
func (s *Service) join(ctx context.Context, tx *ent.Tx, shop *ent.Tenant, out *Registered) error {
	if err := member.Link(ctx, tx, out.User.ID, shop.ID); err != nil {
		return err
	}
	pair, err := s.beginSession(ctx, tx, out.User)
	out.Tokens = &pair
	return err
}

func (s *Service) linkExisting(
	ctx context.Context, shop *ent.Tenant, account *ent.User, r Registration,
) (*Registered, error) {
	if err := refuseMember(ctx, s.Store.Membership, account.ID, shop.ID); err != nil {
		if fault.Is(err, fault.CellAlreadyRegistered) {
			err = s.refuseContesting(ctx, account, *r.Password, err)
		}
		return nil, err
	}
	by, err := s.standingOf(ctx, s.Store, r.Cell)
	if err != nil {
		return nil, err
	}
	guess, err := s.checkPassword(ctx, r.Cell, *r.Password, account, by)
	if err != nil {
		return nil, err
	}
	defer guess.end()
	if !guess.right && !r.Acknowledge {
		return nil, s.refuseContesting(ctx, account, *r.Password, registeredElsewhere())
	}
	withdraws := false
	if !guess.right {
		if withdraws, err = s.withdraws(ctx, account, *r.Password); err != nil {
			return nil, err
		}
	}
	out := Registered{User: account}
	err = s.inTx(ctx, func(tx *ent.Tx) error {
		if withdraws {
			err := tx.User.Update().Where(user.ID(account.ID), contestedAsIn(account)).ClearContestedBy().Exec(ctx)
			if err != nil {
				return err
			}
		}
		if !guess.right {
			return s.linkPending(ctx, tx, account, shop.ID)
		}
		if err := s.confirm(ctx, tx, guess, account, registeredElsewhere()); err != nil {
			return err
		}
		// The account is locked now, so one of several concurrent requests links it and the others find the link.
		if err := refuseMember(ctx, tx.Membership, account.ID, shop.ID); err != nil {
			return transaction.Keep(err) // the password was right nevertheless
		}
		return s.join(ctx, tx, shop, &out)
	})
	return &out, err
}

// refuseMember fails with CELL_ALREADY_REGISTERED when a user is an active member of a business.
func refuseMember(ctx context.Context, stored *ent.MembershipClient, userID, businessID uuid.UUID) error {
	active, err := stored.Query().
		Where(membership.UserID(userID), membership.BusinessID(businessID), membership.PendingUntilIsNil()).
		Exist(ctx)
	if err == nil && active {
		err = fault.New(fault.CellAlreadyRegistered,
			"this cell number has an account here already; sign in with its password or with an SMS code")
	}
	return err
}

func registeredElsewhere() error {
	return fault.New(fault.CellExistsOtherSite,
		"CELL_EXISTS_OTHER_SITE: this cell number has an account on another site with another password; "+
			"register with that password, or repeat with acknowledgeExistingAccount set to true "+
			"and confirm by SMS code")
}

// linkPending makes a membership that awaits a proof of the cell; none where no code can reach it, since only the
// account's password can link it then. It fails with CELL_ALREADY_REGISTERED if there is an active one.
func (s *Service) linkPending(ctx context.Context, tx *ent.Tx, account *ent.User, businessID uuid.UUID) error {
	if !s.Sender.Reaches(account.CellNumber) {
		return nil
	}
	userID := account.ID
	until, from := s.now().Add(sitting), request.ClientAddress(ctx)
	moved, err := tx.Membership.Update().
		Where(membership.UserID(userID), membership.BusinessID(businessID), membership.PendingUntilNotNil()).
		SetPendingUntil(until).SetAskedFrom(from).Save(ctx)
	if err != nil || moved > 0 {
		return err
	}
	err = tx.Membership.Create().SetUserID(userID).SetBusinessID(businessID).SetPendingUntil(until).SetAskedFrom(from).
		OnConflict(sql.ConflictColumns(membership.FieldUserID, membership.FieldBusinessID), sql.ResolveWithIgnore()).
		Exec(ctx)
	if err != nil {
		return err
	}
	return refuseMember(ctx, tx.Membership, userID, businessID)
}

// admitRegistration counts a new account against the hourly limits of the client's networks. It fails with
// RATE_LIMITED. A recently verified cell is not counted: its SMS was limited already, and customers who share
// an address with an attacker can still register this way.
func (s *Service) admitRegistration(ctx context.Context, cell string) error {
	if s.RegistrationsInHour == 0 {
		return nil
	}
	proven, err := s.Store.OneTimeCode.Query().Where(provenHere(ctx, cell, s.now())).Exist(ctx)
	if err != nil || proven {
		return err
	}
	networks := ratelimit.Crowded("register", request.Of(ctx).Credentials.Client, time.Hour, s.RegistrationsInHour)
	for _, n := range networks {
		wait, err := n.Peek(ctx, s.Store, s.now())
		if err != nil {
			return err
		}
		if wait > 0 {
			return s.tooManyRegistrations(ctx, cell, wait)
		}
	}
	return s.inTx(database.WithoutSync(ctx), func(tx *ent.Tx) error {
		for _, n := range networks { // the narrowest first, so that all transactions lock in the same order
			wait, err := n.Take(ctx, tx, s.now)
			if err != nil {
				return err
			}
			if wait > 0 {
				return s.tooManyRegistrations(ctx, cell, wait)
			}
		}
		return nil
	})
}

func (s *Service) tooManyRegistrations(ctx context.Context, cell string, wait time.Duration) error {
	s.Log.WarnContext(ctx,
		"registrations were refused to a network (CLIENT_LIMITS); if it is a storefront's own server that calls for "+
			"its customers, name it in TRUSTED_PROXIES and let it pass their addresses on in X-Forwarded-For",
		"client", request.ClientAddress(ctx))
	if s.Sender.Reaches(cell) {
		return tooMany(wait,
			fault.Say("too many accounts were registered from this network; a cell number that an SMS code "+
				"has verified may register"))
	}
	return tooMany(wait, fault.Say("too many accounts were registered from this network"))
}

// provenHere matches the code of a cell without an account that was recently proven from the request's address.
func provenHere(ctx context.Context, cell string, now time.Time) predicate.OneTimeCode {
	return onetimecode.And(onetimecode.CellNumber(cell), onetimecode.ProvenUntilGT(now),
		onetimecode.ProvenFrom(request.ClientAddress(ctx)))
}
