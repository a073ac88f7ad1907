package customers

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/user"
	"storefront/internal/record"
)

// Staff lists the roles of the people who work for all demo shops, in the order of their cell numbers.
var Staff = []record.StaffRole{record.Owner, record.Manager, record.Editor, record.Moderator, record.Support}

// CellOf returns the cell number of the account with a role, by its index in Staff.
func CellOf(role int) string { return fmt.Sprintf("+98912000%04d", 9001+role) }

// employ makes an account for each role, with the hash of its password, and gives it the role in all shops.
// Existing accounts get the password.
func employ(ctx context.Context, tx *ent.Tx, shops []uuid.UUID, hash string) error {
	cells := make([]string, len(Staff))
	for i := range Staff {
		cells[i] = CellOf(i)
	}
	known, err := tx.User.Update().Where(user.CellNumberIn(cells...)).SetPasswordHash(hash).Save(ctx)
	if err != nil || known > 0 {
		return err
	}
	for i, role := range Staff {
		made, err := tx.User.Create().SetID(record.StableID(i, "staff "+cells[i])).SetCellNumber(cells[i]).
			SetCellVerified(true).SetVouched(true).SetFirstName(firstNames[i+4]).SetLastName(lastNames[i+4]).
			SetPasswordHash(hash).Save(ctx)
		if err != nil {
			return err
		}
		for _, shop := range shops {
			err := tx.StaffMember.Create().SetUserID(made.ID).SetBusinessID(shop).SetRole(role).Exec(ctx)
			if err != nil {
				return err
			}
		}
	}
	return nil
}
