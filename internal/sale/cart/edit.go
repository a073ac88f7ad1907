package cart

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/cartitem"
	"storefront/ent/variant"
	"storefront/internal/database"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/record"
)

// mostLines is the most lines that a cart may have.
const mostLines = 100

// Added is a variant to add to a cart, with the number of units.
type Added struct {
	Variant  uuid.UUID
	Quantity int
	At       string // the prefix of its fields in faults, such as "items.2."
}

// Add adds units of variants on sale to a cart, all of them or none. For a variant in the cart it raises the
// quantity.
func (s *Service) Add(ctx context.Context, owner Owner, items ...Added) (*Cart, error) {
	items = eachOnce(items)
	if s.store.Raw().Dialect() == dialect.Postgres && owner.Guest == "" && len(items) == 1 {
		if edited, done, err := s.addQuickly(ctx, owner, items[0]); done || err != nil {
			return edited, err
		}
	}
	return s.edit(ctx, owner, func(ctx context.Context, tx *ent.Tx, cart uuid.UUID) (check, error) {
		rows := make([]addedRow, len(items))
		for i, item := range items {
			rows[i] = addedRow{record.NewID(), item.Variant, item.Quantity}
		}
		text, err := json.Marshal(rows)
		if err != nil {
			return nil, err
		}
		added := map[uuid.UUID]bool{}
		err = addItems.Of(tx.Raw()).Each(ctx, tx.Raw(), database.Values{
			"items": string(text), "tenant": owner.Business, "cart": cart, "at": s.clock.Now(),
		}, func(row *sql.Rows) error {
			var id uuid.UUID
			err := row.Scan(&id)
			added[id] = true
			return err
		})
		if database.IsReference(err) { // one was deleted meanwhile
			err = notOnSale()
		}
		if err != nil || len(added) == len(items) {
			return checkGrown(items...), err
		}
		why, err := s.whyNotAdded(ctx, tx, items, added)
		return func(lines []*Line) error {
			if also := checkGrown(items...)(lines); also != nil && len(items) > 1 {
				short, _ := fault.From(also).Details.([]Short)
				why.Details = append(why.Details.([]Short), short...)
			}
			return why
		}, err
	})
}

// eachOnce merges the items of the same variant.
func eachOnce(items []Added) (once []Added) {
	at := map[uuid.UUID]int{}
	for _, item := range items {
		if i, ok := at[item.Variant]; ok {
			once[i].Quantity += item.Quantity
			continue
		}
		at[item.Variant] = len(once)
		once = append(once, item)
	}
	return once
}

// whyNotAdded returns why variants cannot be added to a cart: NOT_FOUND if one is not on sale, else
// ITEM_UNAVAILABLE. The details name all of them.
func (s *Service) whyNotAdded(
	ctx context.Context, tx *ent.Tx, items []Added, added map[uuid.UUID]bool,
) (*fault.Error, error) {
	var left []Short
	var ids []uuid.UUID
	for _, item := range items {
		if !added[item.Variant] {
			left, ids = append(left, Short{item.Variant, item.Quantity, 0}), append(ids, item.Variant)
		}
	}
	listed, err := tx.Variant.Query().Where(variant.IDIn(ids...), variant.ListedAtLTE(s.clock.Now())).IDs(ctx)
	if err != nil || len(listed) == len(ids) {
		return unavailable(left), err
	}
	unknown := slices.DeleteFunc(slices.Clone(items), func(item Added) bool {
		return added[item.Variant] || slices.Contains(listed, item.Variant)
	})
	if len(items) == 1 { // the member says it all
		return notOnSale(unknown...), nil
	}
	return withShort(left, notOnSale(unknown...)), nil
}

// notOnSale returns the error for items that are not on sale. It names their members, if any are given.
func notOnSale(items ...Added) *fault.Error {
	e := fault.New(fault.NotFound, "there is no such variant on sale")
	for _, item := range items {
		e = e.Of(item.At + "storeItemVariantId")
	}
	return e
}

// Change sets the quantity of a line.
func (s *Service) Change(ctx context.Context, owner Owner, line uuid.UUID, quantity int) (*Cart, error) {
	return s.edit(ctx, owner, func(ctx context.Context, tx *ent.Tx, cart uuid.UUID) (check, error) {
		item, err := tx.CartItem.Query().Where(cartitem.ID(line), cartitem.CartID(cart)).Only(ctx)
		if err != nil {
			return nil, lineNotFound(err)
		}
		if item.VariantID == nil {
			return nil, unavailable([]Short{{item.Gone.ID, quantity, 0}})
		}
		v, err := tx.Variant.Query().Where(variant.ID(*item.VariantID)).
			Select(variant.FieldPrice, variant.FieldPriceCurrency).Only(ctx)
		if err != nil {
			return nil, err
		}
		if v.Price == nil {
			return nil, unavailable([]Short{{*item.VariantID, quantity, 0}})
		}
		err = item.Update().SetQuantity(quantity).SetSeenPrice(*v.Price).SetSeenCurrency(v.PriceCurrency).Exec(ctx)
		against := (*Line).Warning
		if quantity <= item.Quantity { // in whatever currency
			against = (*Line).shortage
		}
		return func(lines []*Line) error {
			_, err := checkWritten(lines, against, Added{Variant: *item.VariantID})
			return err
		}, err
	})
}

// Remove removes a line from a cart.
func (s *Service) Remove(ctx context.Context, owner Owner, line uuid.UUID) (*Cart, error) {
	return s.edit(ctx, owner, func(ctx context.Context, tx *ent.Tx, cart uuid.UUID) (check, error) {
		removed, err := tx.CartItem.Delete().Where(cartitem.ID(line), cartitem.CartID(cart)).Exec(ctx)
		if err == nil && removed == 0 {
			err = lineNotFound(nil)
		}
		return nil, err
	})
}

// Clear removes all lines from a cart.
func (s *Service) Clear(ctx context.Context, owner Owner) (*Cart, error) {
	return s.edit(ctx, owner, func(ctx context.Context, tx *ent.Tx, cart uuid.UUID) (check, error) {
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

// check returns the error of a cart after an edit. A nil check accepts every cart.
type check func(lines []*Line) error

// edit changes a cart in one transaction and returns it as changed.
func (s *Service) edit(ctx context.Context, owner Owner, change func(context.Context, *ent.Tx, uuid.UUID) (check,
	error)) (edited *Cart, err error) {
	ctx = owner.In(ctx)
	err = transaction.Run(ctx, s.store, func(tx *ent.Tx) error {
		id, at, err := s.lock(ctx, tx, owner)
		if err != nil {
			return err
		}
		wrong, err := change(ctx, tx, id)
		if err != nil {
			return err
		}
		lines, err := s.Lines(ctx, tx.Raw(), owner, id)
		if err == nil && owner.Guest != "" && len(lines) == 0 {
			_, err = endGuests.Exec(ctx, tx.Raw(), database.Values{
				"cart": id, "tenant": owner.Business, "ends": s.clock.Now().Add(unusedIdle),
			})
		}
		if err != nil {
			return err
		}
		if edited, err = s.showAny(ctx, tx.Raw(), owner, at, lines); err != nil || wrong == nil {
			return err
		}
		return wrong(lines)
	})
	if err != nil {
		return nil, err
	}
	return edited, nil
}

// checkWritten checks a cart after the lines of some variants were written, by a rule for faulty lines, and returns
// these lines.
func checkWritten(
	lines []*Line, against func(*Line) *record.CartWarning, items ...Added,
) (written []*Line, err error) {
	if len(lines) > mostLines {
		return nil, fault.New(fault.Conflict, "a cart has at most %d lines", mostLines)
	}
	var bad fault.Fields
	for _, item := range items {
		for _, l := range lines {
			if l.Variant != item.Variant {
				continue
			}
			written = append(written, l)
			if l.Quantity > mostQuantity {
				bad.Add(item.At+"quantity", "must make at most %d of one item, and would make %d", mostQuantity,
					l.Quantity)
			}
		}
	}
	return written, cmp.Or(bad.Err(), checkEach(written, against))
}

// checkGrown checks a cart after the lines of some variants have grown: they have the currency in which the cart can
// be bought, that of its first line on sale.
func checkGrown(items ...Added) check {
	return func(lines []*Line) error {
		grown, err := checkWritten(lines, (*Line).shortage, items...)
		if err != nil {
			return err
		}
		for _, l := range grown {
			if l.otherMoney {
				first := lines[slices.IndexFunc(lines, func(l *Line) bool { return l.OnSale })]
				return fault.New(fault.Conflict,
					"a cart holds one currency; this item is in %s, the others are in %s", l.Currency, first.Currency)
			}
		}
		return nil
	}
}
