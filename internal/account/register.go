package account

import (
	"cmp"
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/membership"
	"storefront/internal/database"
	"storefront/internal/fault"
	"storefront/internal/member"
)

// Registration is what a customer registers with; its members have been found good.
type Registration struct {
	Cell                string // E.164
	Password            string
	FirstName, LastName string
	Email               *string
	Acknowledge         bool // link the account that the cell has on another shop
}

// Registered is the outcome of a registration. Without tokens the membership waits for a proof of the cell, and nothing of
// the account may be shown.
type Registered struct {
	User   *ent.User
	Tokens *Tokens
}

// Register makes an account and signs it in, or ties the account that the cell has already to one more shop: at once with
// its password, else, when that is acknowledged, once a code proves the cell.
func (s *Service) Register(ctx context.Context, shop *ent.Tenant, r Registration) (*Registered, error) {
	for {
		existing, err := s.userOf(ctx, r.Cell)
		if err != nil {
			return nil, err
		}
		if existing != nil {
			return s.join(ctx, shop, existing, r)
		}
		made, err := s.create(ctx, shop, r)
		if database.IsUnique(err) {
			continue // somebody registered the cell meanwhile
		}
		return made, err
	}
}

// create makes account, membership and session in one transaction.
func (s *Service) create(ctx context.Context, shop *ent.Tenant, r Registration) (*Registered, error) {
	hash, err := s.hasher.Hash(ctx, r.Password)
	if err != nil {
		return nil, err
	}
	var out Registered
	err = s.inTx(ctx, func(tx *ent.Tx) error {
		proven, err := s.provenBefore(ctx, tx, r.Cell)
		if err != nil {
			return err
		}
		out.User, err = tx.User.Create().SetCellNumber(r.Cell).SetCellVerified(proven).SetPasswordHash(hash).
			SetFirstName(r.FirstName).SetLastName(r.LastName).SetNillableEmail(r.Email).
			SetCreatedAt(s.now()).Save(ctx)
		if err != nil {
			return err
		}
		if err := member.Link(ctx, tx, out.User.ID, shop.ID); err != nil {
			return err
		}
		pair, err := s.begin(ctx, tx, out.User.ID)
		out.Tokens = &pair
		return err
	})
	return &out, err
}

// join ties an existing account to a shop.
func (s *Service) join(ctx context.Context, shop *ent.Tenant, account *ent.User, r Registration) (*Registered, error) {
	active, err := s.store.Membership.Query().
		Where(membership.UserID(account.ID), membership.BusinessID(shop.ID), membership.PendingUntilIsNil()).Exist(ctx)
	if err != nil {
		return nil, err
	}
	if active {
		return nil, fault.New(fault.CellAlreadyRegistered,
			"this cell number has an account here already; sign in with its password or with an SMS code")
	}
	done, err := s.guessing.Take(ctx, r.Cell)
	if err != nil {
		return nil, err
	}
	defer done()
	right, try, err := s.check(ctx, r.Cell, r.Password, account)
	if err != nil {
		return nil, err
	}
	if !right && !r.Acknowledge {
		return nil, elsewhere()
	}
	out := Registered{User: account}
	err = s.inTx(ctx, func(tx *ent.Tx) error {
		if !right {
			return s.wait(ctx, tx, account.ID, shop.ID)
		}
		if err := try.succeeded(ctx, tx); err != nil {
			return err
		}
		if still, err := s.stillHas(ctx, tx, account); err != nil || !still {
			return cmp.Or(err, elsewhere())
		}
		if err := member.Link(ctx, tx, account.ID, shop.ID); err != nil {
			return err
		}
		pair, err := s.begin(ctx, tx, account.ID)
		out.Tokens = &pair
		return err
	})
	return &out, err
}

func elsewhere() error {
	return fault.New(fault.CellExistsOtherSite,
		"CELL_EXISTS_OTHER_SITE: this cell number has an account on another site with another password; "+
			"register with that password, or repeat with acknowledgeExistingAccount set to true and confirm by SMS code")
}

// wait makes a membership that waits for a proof of the cell. One that has become active meanwhile stays so.
func (s *Service) wait(ctx context.Context, tx *ent.Tx, of, business uuid.UUID) error {
	until := s.now().Add(s.times.Link)
	moved, err := tx.Membership.Update().
		Where(membership.UserID(of), membership.BusinessID(business), membership.PendingUntilNotNil()).SetPendingUntil(until).Save(ctx)
	if err != nil || moved > 0 {
		return err
	}
	return tx.Membership.Create().SetUserID(of).SetBusinessID(business).SetPendingUntil(until).
		OnConflictColumns(membership.FieldUserID, membership.FieldBusinessID).Ignore().Exec(ctx)
}
