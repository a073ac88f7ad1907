package cart

import (
	"context"
	"fmt"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/internal/database"
	"storefront/internal/database/transaction"
	"storefront/internal/record"
	"storefront/internal/request"
)

// Seen is a cart as it was read without a lock, on PostgreSQL. A later statement compares Version to find
// changes.
type Seen struct {
	ID        *uuid.UUID // nil: there is no cart
	Version   *string    // of its row; every transaction that writes the row changes it
	Checkouts int64      // how often it became an order
	Closing   int        // of the shop: member.CheckOpen
	Rules     record.OrderRules
	Lines     []*Line
}

// look runs glance or glanceToAdd. A line for a variant that is not in the cart has no id.
func (s *Service) look(ctx context.Context, text database.Text, of Owner,
	values database.Values) (seen Seen, err error) {
	values["user"], values["tenant"], values["session"] = of.User, of.Business, sessionOf(ctx)
	err = text.Each(ctx, s.store.Raw(), values, func(row *sql.Rows) error {
		var columns lineRow
		into := append([]any{&seen.ID, &seen.Version, &seen.Checkouts, &seen.Closing, &seen.Rules}, columns.all()...)
		if err := row.Scan(into...); err != nil || columns.sku == nil && columns.gone == nil {
			return err // no line, or no such variant to add
		}
		line, err := s.line(&columns)
		seen.Lines = append(seen.Lines, line)
		return err
	})
	if err != nil {
		return Seen{}, fmt.Errorf("the lines of a cart: %w", err)
	}
	return seen, nil
}

// sessionOf returns the session of the caller, or nil if there is none.
func sessionOf(ctx context.Context) any {
	if caller, err := request.CallerOf(ctx); err == nil {
		return caller.Session
	}
	return nil
}

// Look reads a cart without a lock, on PostgreSQL.
func (s *Service) Look(ctx context.Context, of Owner) (Seen, error) {
	seen, err := s.look(ctx, glance, of, database.Values{})
	inOneCurrency(seen.Lines)
	return seen, err
}

// addQuickly is Add in two statements. If done is false nothing was written, and the caller must lock the
// cart: another writer changed it in between, or the variant cannot be added and the error must be found.
func (s *Service) addQuickly(ctx context.Context, of Owner, item Added) (edited *Cart, done bool, err error) {
	seen, err := s.look(ctx, glanceToAdd, of, database.Values{"variant": item.Variant})
	if err != nil {
		return nil, false, err
	}
	var line *Line
	for _, l := range seen.Lines {
		if l.Variant == item.Variant {
			line = l
		}
	}
	if line == nil || !line.OnSale {
		return nil, false, nil
	}
	if line.ID == uuid.Nil {
		line.ID = record.NewID()
	}
	line.Quantity, line.SeenPrice, line.SeenCurrency = line.Quantity+item.Quantity, *line.Price, line.Currency
	inOneCurrency(seen.Lines)
	if err := checkGrown(item)(seen.Lines); err != nil {
		return nil, true, err // the cart as the first statement read it
	}
	at, cart := s.clock.Now(), uuid.Nil
	values := database.Values{
		"tenant": of.Business, "at": at, "line": line.ID, "variant": item.Variant, "quantity": line.Quantity,
		"price": line.SeenPrice, "currency": line.SeenCurrency,
	}
	write := writeLine
	if seen.ID != nil {
		values["cart"], values["version"] = *seen.ID, seen.Version
	} else {
		write = writeFirst
		values["cart"], values["membership"] = record.NewID(), record.NewID()
		values["user"], values["session"] = of.User, sessionOf(ctx)
	}
	err = transaction.Single(func() (err error) {
		done, err = write.Row(ctx, s.store.Raw(), values, &cart, &at)
		return err
	})
	if database.IsReference(err) { // the variant was deleted meanwhile
		return nil, false, nil
	}
	if err != nil || !done {
		return nil, false, err
	}
	return s.show(of, at, seen.Lines, nil), true, nil
}
