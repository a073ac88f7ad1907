package bundle

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"storefront/internal/content/stored"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/category"
	"storefront/ent/listing"
	"storefront/ent/predicate"
	"storefront/internal/database/store"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
)

// If a category gets another parent, its records, and those of all categories below it, belong to other
// lists. A few records are updated in the same transaction. If there are more, that transaction marks the
// categories as moving, and FinishMoves updates the lists in transactions of its own and removes the marks,
// even if the request or import that moved the category was interrupted. Marks are counted, so that the work
// restarts if a category moves again meanwhile.

// movedAtOnce is how many records are updated in the transaction of the change.
const movedAtOnce = 500

// movesLock is the kind of the lock held by the process that finishes the moves of a shop.
const movesLock = "moves"

// moveBelow updates the lists of the records of moved categories and their descendants, or marks the
// categories.
func (im *importer) moveBelow(ctx context.Context, ids []uuid.UUID) error {
	if len(ids) == 0 {
		return nil
	}
	facets := make([]string, len(ids))
	var kinds []listing.Kind // a bundle may move categories of several types
	for i, id := range ids {
		facets[i] = facetOf(id)
		for _, kind := range kindsOf(im.categories.byID[id].row.EntityType) {
			if !slices.Contains(kinds, kind) {
				kinds = append(kinds, kind)
			}
		}
	}
	most := min(movedAtOnce, im.mostShare)
	rows, err := im.client.Listing.Query().Where(listing.KindIn(kinds...), stored.Among(listing.FieldFacet, facets)).
		Limit(most + 1).Select(listing.FieldEntityID).All(ctx)
	if err != nil {
		return err
	}
	if len(rows) <= most {
		for _, row := range rows {
			im.unit.change.Listed = append(im.unit.change.Listed, row.EntityID)
		}
		return nil
	}
	im.moving = true
	if im.edit != nil {
		im.edit.moving = true
	}
	im.do(func(ctx context.Context, tx *ent.Tx) error { return markMoving(ctx, tx, im.tenant, ids) })
	return nil
}

func facetOf(category uuid.UUID) string { return "category:" + category.String() }

// kindsOf returns the kinds of records in categories of a type.
func kindsOf(of record.EntityType) []listing.Kind {
	return map[record.EntityType][]listing.Kind{
		record.Product:   {listing.KindProduct, listing.KindUserProduct},
		record.Blog:      {listing.KindBlog},
		record.Portfolio: {listing.KindPortfolio},
	}[of]
}

// Marks are written by hand: unlike an edit they must not change a category's version.
const (
	markText   = "UPDATE categories SET moving = TRUE, moves = moves + 1 WHERE tenant_id = $1 AND id = $2"
	unmarkText = "UPDATE categories SET moving = FALSE WHERE tenant_id = $1 AND id = $2"
)

func markMoving(ctx context.Context, tx *ent.Tx, shop uuid.UUID, ids []uuid.UUID) error {
	for _, id := range ids {
		if _, err := tx.ExecContext(ctx, markText, shop, id); err != nil {
			return fmt.Errorf("mark a category that moves: %w", err)
		}
	}
	return nil
}

// FinishMoves updates the lists of the records of moved categories, in each shop where no other process does
// so. It returns the number of these shops.
func FinishMoves(ctx context.Context, s *store.Store) (shops int, err error) {
	moving, err := shopsWithMoves(ctx, s)
	if err != nil {
		return 0, err
	}
	var failures []error
	for _, shop := range moving { // a failure in one does not delay the others
		switch done, err := finishMovesOf(ctx, s, shop); {
		case err != nil:
			failures = append(failures, fmt.Errorf("move the records of categories of %s: %w", shop, err))
		case done:
			shops++
		}
	}
	return shops, errors.Join(failures...)
}

// finishMovesOf is FinishMoves for one shop. It turns a panic into an error: the marks stay, and a panic
// would end the next process too.
func finishMovesOf(ctx context.Context, s *store.Store, shop uuid.UUID) (done bool, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
		}
	}()
	unlock, err := s.TryLock(ctx, movesLock, shop.String())
	if err != nil || unlock == nil {
		return false, err
	}
	defer unlock()
	return true, finishMoves(ctx, newWriter(s.Client, shop, mostShare), nil)
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

// finishMoves finishes the moves in the shop of the import after it has changed categories. If another
// process is doing so, it waits.
func (im *importer) finishMoves(ctx context.Context) error {
	if !im.moving {
		return nil
	}
	if im.writer.tx == nil {
		unlock, err := im.store.Lock(ctx, movesLock, im.tenant.String())
		if err != nil {
			return err
		}
		defer unlock()
	}
	return finishMoves(ctx, im.writer, func(done, total int) {
		if im.progress != nil {
			im.progress(Progress{Section: "moved categories", Done: done, Total: total, Writing: true})
		}
	})
}

// finishMoves updates the lists of the records of a shop's moved categories. After each category it calls
// done, unless that is nil.
func finishMoves(ctx context.Context, w *writer, done func(done, total int)) error {
	ctx = tenancy.In(ctx, w.tenant)
	reader := w.client
	if w.tx != nil {
		reader = w.tx.Client()
	}
	for {
		rows, err := reader.Category.Query().Where(category.Moving(true)).Order(category.ByID()).All(ctx)
		if err != nil || len(rows) == 0 {
			return err
		}
		for i, row := range rows {
			m := &move{id: row.ID, kinds: kindsOf(row.EntityType)}
			m.to.moves = row.Moves
			for !m.to.done {
				p := &part{weight: w.share, plan: func(ctx context.Context, tx *ent.Tx) (*unit, error) {
					return m.plan(ctx, tx, max(w.share/2, 1)) // each record changes several lists
				}}
				if err := w.one(ctx, p); err != nil {
					return err
				}
				m.to = m.next
			}
			if done != nil {
				done(i+1, len(rows))
			}
		}
	}
}

// move is the update of the records of one category. The category's own list does not change, and is read
// from its beginning.
type move struct {
	id       uuid.UUID
	kinds    []listing.Kind
	to, next step // the state after the last commit, and after the planned transaction
}

// step is the progress of a move.
type step struct {
	moves int // how often the category had been marked
	kind  int
	last  *ent.Listing
	done  bool
}

// plan plans the update of some records for the present ancestors of the category.
func (m *move) plan(ctx context.Context, tx *ent.Tx, together int) (*unit, error) {
	m.next = m.to
	u := new(unit)
	of, err := tx.Category.Query().Where(category.ID(m.id)).Only(ctx)
	if ent.IsNotFound(err) {
		m.next.done = true
		return u, nil
	}
	if err != nil {
		return nil, err
	}
	if of.Moves != m.next.moves { // it has moved again
		m.next = step{moves: of.Moves}
	}
	for ; m.next.kind < len(m.kinds); m.next.kind++ {
		rows, err := tx.Listing.Query().
			Where(listing.KindEQ(m.kinds[m.next.kind]), listing.Facet(facetOf(m.id)), behind(m.next.last)).
			Order(ent.Asc(listing.FieldPublishedAt, listing.FieldEntityID)).Limit(together).All(ctx)
		if err != nil {
			return nil, err
		}
		if len(rows) > 0 {
			for _, row := range rows {
				u.change.Listed = append(u.change.Listed, row.EntityID)
			}
			m.next.last = rows[len(rows)-1]
			return u, nil
		}
		m.next.last = nil
	}
	m.next.done = true
	u.writes = []write{{unseen: true, do: func(ctx context.Context, tx *ent.Tx) error {
		_, err := tx.ExecContext(ctx, unmarkText, of.TenantID, m.id)
		return err
	}}}
	return u, nil
}

// behind narrows listings to those after last in the order of a list.
func behind(last *ent.Listing) predicate.Listing {
	if last == nil {
		return listing.And()
	}
	return listing.Or(listing.PublishedAtGT(last.PublishedAt),
		listing.And(listing.PublishedAt(last.PublishedAt), listing.EntityIDGT(last.EntityID)))
}
