package catalog

import (
	"context"
	"slices"
	"strings"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/movedslug"
	"storefront/internal/database/tenancy"
	"storefront/internal/locale/search"
	"storefront/internal/record"
)

// optional is an optional argument of a list. Unlike a pointer it is compared by value.
type optional[T comparable] struct {
	value T
	given bool
}

func optionalOf[T comparable](argument *T) optional[T] {
	if argument == nil {
		return optional[T]{}
	}
	return optional[T]{value: *argument, given: true}
}

func (o optional[T]) narrow(s *sql.Selector, column string) {
	if o.given {
		s.Where(sql.EQ(s.C(column), o.value))
	}
}

// choice is a list of values of which a record must have one: sorted, one per line. Unlike a slice it is
// comparable, so that requests with equal filters share one count.
type choice struct {
	values string
	given  bool
}

// choiceOf returns the choice of an argument's values. Without values it matches every record.
func choiceOf(values []string) choice {
	if len(values) == 0 {
		return choice{}
	}
	return choice{strings.Join(distinct(values), "\n"), true}
}

func (c choice) list() []string {
	if c.values == "" {
		return nil
	}
	return strings.Split(c.values, "\n")
}

// narrow keeps the records whose value in a column is one of the choice. With inListOrder the index of the list's
// order is used, not that of the column.
func (c choice) narrow(s *sql.Selector, column string, inListOrder bool) {
	switch {
	case !c.given:
		return
	case c.values == "":
		s.Where(sql.False())
		return
	}
	of := s.C(column)
	s.Where(sql.P(func(b *sql.Builder) {
		b.Wrap(func(b *sql.Builder) {
			b.Ident(of).WriteString(" IN ").Wrap(func(b *sql.Builder) { b.Args(texts(c.list())...) })
		})
		if inListOrder {
			b.WriteString(" IS TRUE")
		}
	}))
}

// singleID moves a choice of one id to an optional id that is not given: with that a filter can use an index in the
// order of the list.
func (c *choice) singleID(into *optional[uuid.UUID]) {
	if id, err := uuid.Parse(c.values); err == nil && !into.given {
		*into, *c = optional[uuid.UUID]{value: id, given: true}, choice{}
	}
}

// choiceOfRecords returns the choice of the records with ids or slugs, present or former ones. find reads ids and
// slugs of those that have slugs now.
func (r *Catalog) choiceOfRecords(
	ctx context.Context, t *ent.Tenant, kind record.SlugKind, wanted []string,
	find func(ctx context.Context, slugs []string, found any) error,
) (choice, error) {
	ctx = tenancy.In(ctx, t.ID)
	var ids, slugs []string
	for _, text := range wanted {
		if id, err := uuid.Parse(text); err == nil && id.String() == text { // in the form in which ids are written
			ids = append(ids, text)
		} else {
			slugs = append(slugs, search.Slug(text))
		}
	}
	if len(slugs) > 0 {
		var found []struct {
			ID   uuid.UUID
			Slug string
		}
		if err := find(ctx, slugs, &found); err != nil {
			return choice{}, err
		}
		for _, one := range found {
			ids = append(ids, one.ID.String())
			slugs = slices.DeleteFunc(slugs, func(slug string) bool { return slug == one.Slug })
		}
	}
	if len(slugs) > 0 {
		former, err := r.idsByFormerSlug(ctx, kind, slugs...)
		if err != nil {
			return choice{}, err
		}
		for _, id := range former {
			ids = append(ids, id.String())
		}
	}
	c := choiceOf(ids)
	c.given = len(wanted) > 0
	return c, nil
}

// idsByFormerSlug returns the ids of the records that had slugs before.
func (r *Catalog) idsByFormerSlug(
	ctx context.Context, kind record.SlugKind, slugs ...string,
) (ids []uuid.UUID, err error) {
	err = r.Store.MovedSlug.Query().Where(movedslug.Kind(string(kind)), movedslug.SlugIn(slugs...)).
		Select(movedslug.FieldRecordID).Scan(ctx, &ids)
	return ids, err
}
