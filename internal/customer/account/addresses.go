package account

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/address"
	"storefront/ent/user"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/request"
)

const mostAddresses = 100

// AddAddress adds an address, whose texts set writes, to the caller's. It fails with CONFLICT if there are too many.
func (s *Service) AddAddress(
	ctx context.Context, caller request.Caller, set func(*ent.AddressCreate),
) (made *ent.Address, err error) {
	err = transaction.Run(ctx, s.Store, func(tx *ent.Tx) error {
		// the user's row is locked, so that concurrent requests count one after another
		if err := tx.User.Update().Where(user.ID(caller.User)).SetUpdatedAt(s.now()).Exec(ctx); err != nil {
			return err
		}
		kept, err := tx.Address.Query().Where(address.UserID(caller.User)).Count(ctx)
		if err != nil {
			return err
		}
		if kept >= mostAddresses {
			return fault.New(fault.Conflict, "there are %d addresses already; remove one first", kept)
		}
		create := tx.Address.Create().SetUserID(caller.User)
		set(create)
		made, err = create.Save(ctx)
		return err
	})
	return made, err
}

// ChangeAddress changes one of the caller's addresses as set says. It fails with NOT_FOUND for others.
func (s *Service) ChangeAddress(
	ctx context.Context, caller request.Caller, id uuid.UUID, set func(*ent.AddressUpdateOne),
) (changed *ent.Address, err error) {
	err = transaction.Run(ctx, s.Store, func(tx *ent.Tx) (err error) {
		change := tx.Address.UpdateOneID(id).Where(address.UserID(caller.User)).SetFromBefore(false)
		set(change)
		changed, err = change.Save(ctx)
		return err
	})
	return changed, err
}

// RemoveAddress removes one of the caller's addresses. It fails with NOT_FOUND for others.
func (s *Service) RemoveAddress(ctx context.Context, caller request.Caller, id uuid.UUID) error {
	return transaction.Run(ctx, s.Store, func(tx *ent.Tx) error {
		removed, err := tx.Address.Delete().Where(address.ID(id), address.UserID(caller.User)).Exec(ctx)
		if err == nil && removed == 0 {
			err = fault.New(fault.NotFound, "there is no such address")
		}
		return err
	})
}
