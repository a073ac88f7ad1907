// Package favorites adds products to a customer's favorites at a shop, and removes them.
package favorites

import (
	"context"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/favorite"
	"storefront/internal/customer/member"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/sale/cart"
)

// Add adds a product of the customer's shop to the favorites, unless it is there, and returns the favorite. It fails
// with NOT_FOUND for a product that is deleted meanwhile.
func Add(
	ctx context.Context, store *ent.Client, customer cart.Owner, product uuid.UUID, at time.Time,
) (kept *ent.Favorite, err error) {
	ctx = customer.In(ctx)
	err = transaction.Run(ctx, store, func(tx *ent.Tx) error {
		if err := member.Link(ctx, tx, customer.User, customer.Business); err != nil {
			return err
		}
		err := tx.Favorite.Create().SetUserID(customer.User).SetProductID(product).SetCreatedAt(at).
			OnConflict(sql.ConflictColumns(favorite.FieldTenantID, favorite.FieldUserID, favorite.FieldProductID),
				sql.ResolveWith(func(u *sql.UpdateSet) {
					// which holds the row, so that nobody removes it before it is read
					u.SetIgnore(favorite.FieldCreatedAt)
				})).Exec(ctx)
		if ent.IsConstraintError(err) {
			return fault.Wrap(fault.NotFound, err, "there is no such record")
		}
		if err != nil {
			return err
		}
		kept, err = tx.Favorite.Query().Where(favorite.UserID(customer.User), favorite.ProductID(product)).Only(ctx)
		return err
	})
	return kept, err
}

// Remove takes a product out of the customer's favorites, if it is one.
func Remove(ctx context.Context, store *ent.Client, customer cart.Owner, product uuid.UUID) error {
	ctx = customer.In(ctx)
	return transaction.Run(ctx, store, func(tx *ent.Tx) error {
		if err := member.Link(ctx, tx, customer.User, customer.Business); err != nil {
			return err
		}
		_, err := tx.Favorite.Delete().Where(favorite.UserID(customer.User), favorite.ProductID(product)).Exec(ctx)
		return err
	})
}
