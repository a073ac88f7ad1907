package cart

import (
	"context"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/cartitem"
	"storefront/ent/variant"
	"storefront/internal/database"
	"storefront/internal/fault"
	"storefront/internal/transaction"
)

// mostLines is the most lines a cart has.
const mostLines = 100

// Add puts units of a variant on sale into a cart; those of a variant that is in it already are added up.
func (s *Service) Add(ctx context.Context, of Owner, id uuid.UUID, quantity int) (*Cart, error) {
	if s.store.Raw().Dialect() == dialect.Postgres && of.Guest == "" {
		if edited, done, err := s.addQuickly(ctx, of, id, quantity); done || err != nil {
			return edited, err
		}
	}
	if of.Guest != "" {
		of.adds = true
		if err := s.peekGuests(of.In(ctx), of); err != nil {
			return nil, err
		}
	}
	return s.edit(ctx, of, func(ctx context.Context, tx *ent.Tx, cart uuid.UUID) (check, error) {
		var line uuid.UUID
		found, err := addItem.Row(ctx, tx.Raw(), database.Values{
			"line": uuid.Must(uuid.NewV7()), "tenant": of.Business, "cart": cart, "variant": id, "quantity": quantity,
			"at": s.now(),
		}, &line)
		if err == nil && !found {
			err = s.whyNotAdded(ctx, tx, id, quantity)
		}
		return checkGrownLine(line), err
	})
}

// whyNotAdded says why a variant cannot be put into a cart.
func (s *Service) whyNotAdded(ctx context.Context, tx *ent.Tx, id uuid.UUID, quantity int) error {
	on, err := tx.Variant.Query().Where(variant.ID(id), variant.ListedAtLTE(s.now())).Exist(ctx)
	switch {
	case err != nil:
		return err
	case !on:
		return fault.New(fault.NotFound, "there is no such variant on sale")
	}
	return unavailable([]Short{{id, quantity, 0}})
}

// Change sets the units of a line.
func (s *Service) Change(ctx context.Context, of Owner, line uuid.UUID, quantity int) (*Cart, error) {
	return s.edit(ctx, of, func(ctx context.Context, tx *ent.Tx, cart uuid.UUID) (check, error) {
		item, err := tx.CartItem.Query().Where(cartitem.ID(line), cartitem.CartID(cart)).Only(ctx)
		if err != nil {
			return nil, lineNotFound(err)
		}
		v, err := tx.Variant.Query().Where(variant.ID(item.VariantID)).Select(variant.FieldPrice).Only(ctx)
		if err != nil {
			return nil, err
		}
		if v.Price == nil {
			return nil, unavailable([]Short{{item.VariantID, quantity, 0}})
		}
		return checkGrownLine(line), item.Update().SetQuantity(quantity).SetSeenPrice(*v.Price).Exec(ctx)
	})
}

// Remove takes a line out of a cart.
func (s *Service) Remove(ctx context.Context, of Owner, line uuid.UUID) (*Cart, error) {
	return s.edit(ctx, of, func(ctx context.Context, tx *ent.Tx, cart uuid.UUID) (check, error) {
		removed, err := tx.CartItem.Delete().Where(cartitem.ID(line), cartitem.CartID(cart)).Exec(ctx)
		if err == nil && removed == 0 {
			err = lineNotFound(nil)
		}
		return nil, err
	})
}

// Clear takes all lines out of a cart.
func (s *Service) Clear(ctx context.Context, of Owner) (*Cart, error) {
	return s.edit(ctx, of, func(ctx context.Context, tx *ent.Tx, cart uuid.UUID) (check, error) {
		_, err := tx.CartItem.Delete().Where(cartitem.CartID(cart)).Exec(ctx)
		return nil, err
	})
}

func lineNotFound(err error) error {
	if err == nil || ent.IsNotFound(err) {
		return fault.New(fault.NotFound, "there is no such item in the cart")
	}
	return err
}

// check returns what is wrong with a cart after an edit; nil: nothing can be.
type check func(lines []*Line) error

// edit changes a cart in one transaction and gives it as it stands then.
func (s *Service) edit(ctx context.Context, of Owner, change func(context.Context, *ent.Tx, uuid.UUID) (check,
	error)) (edited *Cart, err error) {
	ctx = of.In(ctx)
	err = transaction.Run(ctx, s.store, func(tx *ent.Tx) error {
		id, at, err := s.lock(ctx, tx, of)
		if err != nil {
			return err
		}
		wrong, err := change(ctx, tx, id)
		if err != nil {
			return err
		}
		lines, err := s.Lines(ctx, tx.Raw(), of, id)
		if err == nil && of.Guest != "" && id != uuid.Nil && len(lines) == 0 {
			err = s.endGuests(ctx, tx.Raw(), of, id, s.now().Add(unusedIdle))
		}
		if err != nil {
			return err
		}
		if edited, err = s.showAny(ctx, tx.Raw(), of, at, lines); err != nil || wrong == nil {
			return err
		}
		return wrong(lines)
	})
	if err != nil {
		return nil, err
	}
	return edited, nil
}

// checkGrownLine checks a cart of which one line was written.
func checkGrownLine(line uuid.UUID) check {
	return func(lines []*Line) error {
		if len(lines) > mostLines {
			return fault.New(fault.Conflict, "a cart has at most %d lines", mostLines)
		}
		for _, l := range lines {
			if l.ID == line {
				return l.fits(lines)
			}
		}
		return nil
	}
}

// fits reports whether a line that was just written can stand among all lines of its cart.
func (l *Line) fits(lines []*Line) error {
	switch {
	case l.Quantity > MostQuantity:
		var bad fault.Fields
		bad.Add("quantity", "must make at most %d of one item, and would make %d", MostQuantity, l.Quantity)
		return bad.Err()
	case !l.OnSale:
		return unavailable([]Short{{l.Variant, l.Quantity, 0}})
	case l.Quantity > l.Available && l.Limited:
		return aboveMaximum([]Short{{l.Variant, l.Quantity, l.Available}})
	case l.Quantity > l.Available:
		return insufficient([]Short{{l.Variant, l.Quantity, l.Available}})
	}
	for _, other := range lines {
		if other.OnSale && other.Currency != l.Currency {
			return fault.New(fault.Conflict, "a cart holds one currency; this item is in %s, the others are in %s",
				l.Currency, other.Currency)
		}
	}
	return nil
}
