// Package moves updates the lists of the records of categories that got another parent. The records of such a category,
// and those of all categories below it, belong to other lists. A few records are updated in the same transaction. If
// there are more, that transaction marks the categories as moving, and Finish updates the lists in transactions of its
// own and removes the marks, even if the request or import that moved the category was interrupted. Marks are counted,
// so that the work restarts if a category moves again meanwhile.
package moves

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/category"
	"storefront/ent/listing"
	"storefront/ent/predicate"
	"storefront/internal/content/derive"
	"storefront/internal/content/stored"
	"storefront/internal/database/store"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
)

// KindsOf returns the kinds of records in categories of a type.
func KindsOf(entityType record.EntityType) []listing.Kind {
	return map[record.EntityType][]listing.Kind{
		record.Product:   {listing.KindProduct, listing.KindUserProduct},
		record.Blog:      {listing.KindBlog},
		record.Portfolio: {listing.KindPortfolio},
	}[entityType]
}

// Marks are written by hand: unlike an edit they must not change a category's version.
const (
	markText   = "UPDATE categories SET moving = TRUE, moves = moves + 1 WHERE tenant_id = $1 AND id = $2"
	unmarkText = "UPDATE categories SET moving = FALSE WHERE tenant_id = $1 AND id = $2"
)

// Mark marks categories of the context's shop as moving.
func Mark(ctx context.Context, tx *ent.Tx, ids []uuid.UUID) error {
	shop, err := tenancy.Of(ctx)
	for _, id := range ids {
		if err == nil {
			_, err = tx.ExecContext(ctx, markText, shop, id)
		}
	}
	if err != nil {
		return fmt.Errorf("mark a category that moves: %w", err)
	}
	return nil
}

// Finish updates the lists of the records of moved categories, in each shop where no other process does so. It
// returns the number of these shops.
func Finish(ctx context.Context, s *store.Store) (shops int, err error) {
	moving, err := shopsWithMoves(ctx, s)
	if err != nil {
		return 0, err
	}
	var failures []error
	for _, shop := range moving { // a failure in one does not delay the others
		switch done, err := tryShop(ctx, s, shop); {
		case err != nil:
			failures = append(failures, fmt.Errorf("move the records of categories of %s: %w", shop, err))
		case done:
			shops++
		}
	}
	return shops, errors.Join(failures...)
}

// lock is the kind of the lock held by the process that finishes the moves of a shop.
const lock = "moves"

// tryShop is Finish for one shop. It turns a panic into an error: the marks stay, and a panic would end the next
// process too.
func tryShop(ctx context.Context, s *store.Store, shop uuid.UUID) (done bool, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
		}
	}()
	unlock, err := s.TryLock(ctx, lock, shop.String())
	if err != nil || unlock == nil {
		return false, err
	}
	defer unlock()
	rest := func(ctx context.Context) error { return stored.Rest(ctx, s.Client, stored.Pause) }
	return true, finish(ctx, s.Client, shop, rest, func(_, _ int) {})
}

func shopsWithMoves(ctx context.Context, s *store.Store) (shops []uuid.UUID, err error) {
	rows, err := s.Client.QueryContext(ctx, "SELECT DISTINCT tenant_id FROM categories WHERE moving ORDER BY 1")
	if err != nil {
		return nil, fmt.Errorf("find categories that move: %w", err)
	}
	defer rows.Close()
	err = sql.ScanSlice(rows, &shops)
	return shops, err
}

// FinishShop updates the lists of the records of a shop's moved categories. If another process is doing so, it waits.
// It calls rest before each transaction, and done after each category.
func FinishShop(ctx context.Context, s *store.Store, shop uuid.UUID, rest func(context.Context) error,
	done func(done, total int)) error {
	unlock, err := s.Lock(ctx, lock, shop.String())
	if err != nil {
		return err
	}
	defer unlock()
	return finish(ctx, s.Client, shop, rest, done)
}

func finish(ctx context.Context, client *ent.Client, shop uuid.UUID, rest func(context.Context) error,
	done func(done, total int)) error {
	for {
		rows, err := client.Category.Query().Where(category.Moving(true)).Order(category.ByID()).
			All(tenancy.In(ctx, shop))
		if err != nil || len(rows) == 0 {
			return err
		}
		for i, row := range rows {
			at := place{moves: row.Moves}
			for !at.end {
				if err := rest(ctx); err != nil {
					return err
				}
				next := at
				err := stored.Patiently(ctx, func() error {
					return derive.InShop(ctx, client, shop, func(ctx context.Context, tx *ent.Tx) (err error) {
						next, err = at.step(ctx, tx, shop, row.ID)
						return err
					})
				})
				if err != nil {
					return err
				}
				at = next
			}
			done(i+1, len(rows))
		}
	}
}

// place is how far the update of the records of one category has come. The category's own list does not change, and
// is read from its beginning.
type place struct {
	moves int // how often the category had been marked
	kind  int // of KindsOf
	last  *ent.Listing
	end   bool
}

// step updates the next records for the present ancestors of a category, and returns the place behind them. After the
// last ones it removes the mark.
func (at place) step(ctx context.Context, tx *ent.Tx, shop, id uuid.UUID) (place, error) {
	row, err := tx.Category.Query().Where(category.ID(id)).Only(ctx)
	if ent.IsNotFound(err) {
		return place{end: true}, nil
	}
	if err != nil {
		return at, err
	}
	if row.Moves != at.moves { // it has moved again
		at = place{moves: row.Moves}
	}
	for kinds := KindsOf(row.EntityType); at.kind < len(kinds); at.kind++ {
		rows, err := tx.Listing.Query().
			Where(listing.KindEQ(kinds[at.kind]), listing.Facet(derive.CategoryFacet(id)), behind(at.last)).
			Order(ent.Asc(listing.FieldPublishedAt, listing.FieldEntityID)).Limit(stored.StepSize / 2).All(ctx)
		if err != nil {
			return at, err
		}
		if len(rows) > 0 {
			unit := new(stored.Unit)
			for _, row := range rows {
				unit.Change.Listed = append(unit.Change.Listed, row.EntityID)
			}
			at.last = rows[len(rows)-1]
			seen, err := unit.WriteTo(ctx, tx, shop)
			if err == nil && seen {
				err = derive.Raise(ctx, tx, shop)
			}
			return at, err
		}
		at.last = nil
	}
	at.end = true
	_, err = tx.ExecContext(ctx, unmarkText, shop, id)
	return at, err
}

// behind narrows listings to those after last in the order of a list.
func behind(last *ent.Listing) predicate.Listing {
	if last == nil {
		return listing.And()
	}
	return listing.Or(listing.PublishedAtGT(last.PublishedAt),
		listing.And(listing.PublishedAt(last.PublishedAt), listing.EntityIDGT(last.EntityID)))
}
