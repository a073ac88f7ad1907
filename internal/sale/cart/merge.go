package cart

import (
	"context"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/cartitem"
	"storefront/internal/database/transaction"
	"storefront/internal/record"
)

// LeftOut is a line of which not all units fit when a guest's cart was merged with a customer's.
type LeftOut struct {
	StoreItemVariantID   uuid.UUID
	ProductSlug, TitleFa string
	TitleEn              *string
	Requested            int // units that the guest's line had
	Taken                int // units of them that were added to the customer's cart
	Reason               record.LeftOutReason
}

// Merge adds the lines of a guest's cart to the customer's, as far as the rules of a cart allow, and ends the
// guest's. Of concurrent calls one succeeds; the others fail with NOT_FOUND.
func (s *Service) Merge(ctx context.Context, owner, guest Owner) (merged *Cart, left []LeftOut, err error) {
	ctx = owner.In(ctx)
	err = transaction.Run(ctx, s.store, func(tx *ent.Tx) error {
		from, _, err := s.lock(ctx, tx, guest) // always the guest's first, to avoid deadlocks
		if err != nil {
			return err
		}
		into, at, err := s.lock(ctx, tx, owner)
		if err != nil {
			return err
		}
		more, err := s.Lines(ctx, tx.Raw(), guest, from)
		if err != nil {
			return err
		}
		mine, err := s.Lines(ctx, tx.Raw(), owner, into)
		if err != nil {
			return err
		}
		var changed []*Line
		if changed, left = join(mine, more); len(changed) > 0 {
			rows := make([]*ent.CartItemCreate, len(changed))
			for i, l := range changed {
				rows[i] = tx.CartItem.Create().SetCartID(into).SetVariantID(l.Variant).SetQuantity(l.Quantity).
					SetSeenPrice(l.SeenPrice).SetSeenCurrency(l.SeenCurrency).SetCreatedAt(at).SetUpdatedAt(at)
			}
			err := tx.CartItem.CreateBulk(rows...).OnConflict(
				sql.ConflictColumns(cartitem.FieldCartID, cartitem.FieldVariantID),
				sql.ResolveWith(func(u *sql.UpdateSet) {
					u.SetExcluded(cartitem.FieldQuantity).SetExcluded(cartitem.FieldSeenPrice).
						SetExcluded(cartitem.FieldSeenCurrency).
						SetExcluded(cartitem.FieldUpdatedAt)
				}),
				sql.UpdateWhere(sql.ExprP("cart_items.tenant_id = excluded.tenant_id"))).Exec(ctx)
			if err != nil {
				return err
			}
		}
		if err := tx.Cart.DeleteOneID(from).Exec(ctx); err != nil {
			return err
		}
		lines, err := s.Lines(ctx, tx.Raw(), owner, into)
		if err != nil {
			return err
		}
		merged, err = s.showAny(ctx, tx.Raw(), owner, at, lines)
		return err
	})
	return merged, left, err
}

// join returns the lines of a cart that change when more lines are added, and what does not fit. A line that
// grows keeps the lower of the seen prices, or the one in a former currency, so that the changed price is still
// reported.
func join(mine, more []*Line) (changed []*Line, left []LeftOut) {
	known, currency := map[uuid.UUID]*Line{}, ""
	for _, l := range mine {
		known[l.Variant] = l
		if l.OnSale && currency == "" {
			currency = l.Currency
		}
	}
	for _, l := range more {
		into, before := known[l.Variant], 0
		if into != nil {
			before = into.Quantity
		}
		out := LeftOut{
			StoreItemVariantID: l.Variant, ProductSlug: l.Slug, TitleFa: l.TitleFa, TitleEn: l.TitleEn,
			Requested: l.Quantity,
		}
		switch {
		case !l.OnSale:
			out.Reason = record.LeftOutUnavailable
		case currency != "" && l.Currency != currency:
			out.Reason = record.LeftOutCurrency
		case into == nil && len(known) >= mostLines:
			out.Reason = record.LeftOutLines
		default:
			out.Taken = max(min(before+l.Quantity, l.Available)-before, 0)
			out.Reason = record.LeftOutStock
			if l.Limited {
				out.Reason = record.LeftOutLimit
			}
		}
		if out.Taken < out.Requested {
			left = append(left, out)
		}
		if out.Taken == 0 {
			continue
		}
		currency = l.Currency
		grown := *l
		if into != nil && !l.inNewCurrency() && (into.inNewCurrency() || into.SeenPrice < l.SeenPrice) {
			grown.SeenPrice, grown.SeenCurrency = into.SeenPrice, into.SeenCurrency
		}
		grown.Quantity = before + out.Taken
		known[l.Variant] = &grown
		changed = append(changed, &grown)
	}
	return changed, left
}
