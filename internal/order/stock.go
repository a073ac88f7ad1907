package order

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/derive"
)

// units are so many of a variant.
type units struct {
	variant  uuid.UUID
	quantity int
}

// errShort says that there is less of a variant than an order needs.
var errShort = errors.New("order: the stock does not suffice")

// takeStock takes units out of the stock of a business. It fails with errShort where there are too few.
func takeStock(ctx context.Context, tx *ent.Tx, business uuid.UUID, all []units) error {
	return moveStock(ctx, tx, business, all, func(u units) (int64, error) {
		left, found, err := addStock(ctx, tx, business, u.variant, -u.quantity)
		if err == nil && !found {
			err = errShort
		}
		return left, err
	}, func(_ units, left int64) bool { return left == 0 })
}

// giveBackStock puts units back into the stock of a business. Variants that are gone take nothing.
func giveBackStock(ctx context.Context, tx *ent.Tx, business uuid.UUID, all []units) error {
	return moveStock(ctx, tx, business, all, func(u units) (int64, error) {
		now, _, err := addStock(ctx, tx, business, u.variant, u.quantity)
		return now, err
	}, func(u units, now int64) bool { return now == int64(u.quantity) })
}

// moveStock changes the stock of each variant, in the order of ids, so that two transactions never wait for one
// another. Lists show whether a variant is in stock, so the content's version is raised where that turned.
func moveStock(ctx context.Context, tx *ent.Tx, business uuid.UUID, all []units,
	one func(units) (int64, error), turned func(units, int64) bool) error {
	slices.SortFunc(all, func(a, b units) int { return bytes.Compare(a.variant[:], b.variant[:]) })
	shown := false
	for _, u := range all {
		now, err := one(u)
		if err != nil {
			return err
		}
		shown = shown || turned(u, now)
	}
	if !shown {
		return nil
	}
	return derive.Raise(ctx, tx, business)
}

// addStock changes the stock of a variant by n, unless it would fall below zero, and gives what it is then;
// found is false where nothing was changed. updated_at stays, as the public answer about a variant does.
func addStock(ctx context.Context, tx *ent.Tx, business, variant uuid.UUID,
	n int) (now int64, found bool, err error) {
	rows, err := tx.QueryContext(ctx,
		"UPDATE variants SET stock = stock + $1 WHERE id = $2 AND tenant_id = $3 AND stock + $1 >= 0 RETURNING stock", n, variant, business)
	if err != nil {
		return 0, false, fmt.Errorf("the stock of a variant: %w", err)
	}
	defer rows.Close()
	if rows.Next() {
		found = true
		err = rows.Scan(&now)
	}
	return now, found, errors.Join(err, rows.Err())
}
