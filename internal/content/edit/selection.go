package edit

import (
	"bytes"
	"context"
	"slices"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/content/stored"
	"storefront/internal/database/tenancy"
)

// Selection is a selection of records of a section.
type Selection struct {
	Section string
	IDs     []uuid.UUID         // of the records, which may not exist; nil: all that match Where
	Where   func(*sql.Selector) // on the table of the section
}

// Chosen is a record of a selection.
type Chosen struct {
	ID   uuid.UUID
	Slug string
	tags []string
}

// after returns up to manyAtOnce of the selected records after an id, the selected ids without a record, and
// the last id that was processed.
func (s Selection) after(
	ctx context.Context, client *ent.Client, after uuid.UUID,
) (found []Chosen, missing []uuid.UUID, last uuid.UUID, err error) {
	if s.IDs == nil {
		found, err = s.read(ctx, client, s.Beyond(after), manyAtOnce)
		if len(found) > 0 {
			last = found[len(found)-1].ID
		}
		return found, nil, last, err
	}
	ids := s.IDsAfter(after)
	ids = ids[:min(len(ids), manyAtOnce)]
	if len(ids) == 0 {
		return nil, nil, uuid.Nil, nil
	}
	found, err = s.read(ctx, client, func(q *sql.Selector) {
		q.Where(stored.AmongList(q.C("id"), ids))
	}, len(ids))
	for _, id := range ids {
		if !slices.ContainsFunc(found, func(one Chosen) bool { return one.ID == id }) {
			missing = append(missing, id)
		}
	}
	return found, missing, ids[len(ids)-1], err
}

// IDsAfter returns the ids above after, sorted.
func (s Selection) IDsAfter(after uuid.UUID) []uuid.UUID {
	inOrder := func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }
	ids := slices.Clone(s.IDs)
	slices.SortFunc(ids, inOrder)
	ids = slices.Compact(ids)
	return slices.DeleteFunc(ids, func(id uuid.UUID) bool { return inOrder(id, after) <= 0 })
}

// Beyond narrows a query to the selected records after an id.
func (s Selection) Beyond(after uuid.UUID) func(*sql.Selector) {
	return func(q *sql.Selector) {
		s.Where(q)
		q.Where(sql.GT(q.C("id"), after))
	}
}

// Left counts the selected records after an id.
func (s Selection) Left(ctx context.Context, client *ent.Client, tenant, after uuid.UUID) (int, error) {
	if s.IDs != nil {
		return len(s.IDsAfter(after)), nil
	}
	var left []int
	err := stored.Kinds[s.Section].Table.Read(tenancy.In(ctx, tenant), client, s.Beyond(after), &left, sql.Count("*"))
	if err != nil {
		return 0, err
	}
	return left[0], nil
}

// read reads records in the order of their ids.
func (s Selection) read(
	ctx context.Context, client *ent.Client, where func(*sql.Selector), limit int,
) (chosen []Chosen, err error) {
	rows, err := stored.Kinds[s.Section].Find(ctx, client, func(q *sql.Selector) {
		where(q)
		q.OrderBy(q.C("id")).Limit(limit)
	})
	for _, one := range rows {
		tags, _ := one.Row.Stored()["tags"].([]string)
		chosen = append(chosen, Chosen{one.ID, one.Key, tags})
	}
	return chosen, err
}
