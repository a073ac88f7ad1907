package graph

import (
	"context"
	"encoding/json"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/category"
	"storefront/graph/model"
	"storefront/internal/bundle"
	"storefront/internal/catalog"
	"storefront/internal/database"
	"storefront/internal/fault"
	"storefront/internal/record"
)

const mostFaults = 100 // of records, after which a request ends

// ChangeProducts makes a change of many products.
func (m mutationResolver) ChangeProducts(
	ctx context.Context, businessID uuid.UUID, chosen model.RecordSelection, change map[string]any, after *uuid.UUID,
	countOnly bool,
) (*model.RecordsPayload, error) {
	return m.changeMany(ctx, businessID, "products", record.Product, chosen, change, after, countOnly)
}

// ChangeUserProducts makes a change of many listings.
func (m mutationResolver) ChangeUserProducts(
	ctx context.Context, businessID uuid.UUID, chosen model.RecordSelection, change map[string]any, after *uuid.UUID,
	countOnly bool,
) (*model.RecordsPayload, error) {
	return m.changeMany(ctx, businessID, "userProducts", record.Product, chosen, change, after, countOnly)
}

// ChangeBlogs makes a change of many blogs.
func (m mutationResolver) ChangeBlogs(
	ctx context.Context, businessID uuid.UUID, chosen model.RecordSelection, change map[string]any, after *uuid.UUID,
	countOnly bool,
) (*model.RecordsPayload, error) {
	return m.changeMany(ctx, businessID, "blogs", record.Blog, chosen, change, after, countOnly)
}

// ChangePortfolios makes a change of many portfolios.
func (m mutationResolver) ChangePortfolios(
	ctx context.Context, businessID uuid.UUID, chosen model.RecordSelection, change map[string]any, after *uuid.UUID,
	countOnly bool,
) (*model.RecordsPayload, error) {
	return m.changeMany(ctx, businessID, "portfolios", record.Portfolio, chosen, change, after, countOnly)
}

// changeMany makes a change of the records of a section of the shop's bundle, whose categories are of a type.
func (m mutationResolver) changeMany(
	ctx context.Context, business uuid.UUID, section string, of record.EntityType, chosen model.RecordSelection,
	change map[string]any, after *uuid.UUID, countOnly bool,
) (*model.RecordsPayload, error) {
	many, err := manyOf(section, change)
	if err != nil {
		return nil, err
	}
	many.Action, many.Now = graphql.GetFieldContext(ctx).Field.Name, catalog.RequestTime(ctx)
	selected, err := m.selection(ctx, business, section, of, chosen)
	if err != nil {
		return nil, err
	}
	return steps(ctx, after, countOnly,
		func(from uuid.UUID) (bundle.Step, error) { return many.Step(ctx, m.r.store, business, selected, from) },
		func(from uuid.UUID) (int, error) { return selected.Left(ctx, m.r.store, business, from) })
}

// steps changes records in one transaction after the other, each of those that come after one, until none is left, the
// time of the request is over, or there are enough faults.
func steps(
	ctx context.Context, after *uuid.UUID, countOnly bool, step func(from uuid.UUID) (bundle.Step, error),
	left func(from uuid.UUID) (int, error),
) (*model.RecordsPayload, error) {
	done := &model.RecordsPayload{Faults: []*model.RecordFault{}}
	var from uuid.UUID
	if after != nil {
		from = *after
	}
	for begun := time.Now(); !countOnly && time.Since(begun) < bulkTime && len(done.Faults) < mostFaults; {
		one, err := step(from)
		if err != nil {
			return nil, err
		}
		if one.Last == uuid.Nil {
			break
		}
		from = one.Last
		done.Changed += one.Changed
		for _, u := range one.Faults {
			fault := &model.RecordFault{ID: u.ID, Code: string(u.Why.Code), Message: model.Said(ctx, u.Why)}
			if u.Slug != "" {
				fault.Slug = &u.Slug
			}
			done.Faults = append(done.Faults, fault)
		}
		if database.Joined(ctx) { // with a key all would be one transaction
			break
		}
	}
	rest, err := left(from)
	if done.Left = rest; rest > 0 && from != uuid.Nil {
		done.Next = &from
	}
	return done, err
}

// manyOf reads what is to be done to records.
func manyOf(section string, change map[string]any) (bundle.Many, error) {
	many := bundle.Many{Section: section, Members: map[string]any{}}
	var bad fault.Fields
	for name, value := range change {
		switch name {
		case "delete":
			given, _ := value.(*bool)
			many.Delete = given != nil && *given
		case "addTags":
			many.AddTags, _ = value.([]string)
		case "removeTags":
			many.RemoveTags, _ = value.([]string)
		default:
			text, _ := json.Marshal(value) // null for a pointer to nothing, too
			if name == "category" || string(text) != "null" {
				many.Members[name] = value
			}
		}
	}
	edits := len(many.Members) + len(many.AddTags) + len(many.RemoveTags)
	switch {
	case many.Delete && edits > 0:
		bad.Add("change.delete", "cannot be given with another change")
	case !many.Delete && edits == 0:
		bad.Add("change", "must have at least one change")
	}
	return many, bad.Err()
}

// selection reads which records are meant.
func (m mutationResolver) selection(
	ctx context.Context, business uuid.UUID, section string, of record.EntityType, chosen model.RecordSelection,
) (bundle.Selection, error) {
	selected := bundle.Selection{Section: section}
	var bad fault.Fields
	f := chosen.Filter
	switch {
	case (chosen.Ids == nil) == (f == nil):
		bad.Add("select", "must have either ids or a filter")
	case f == nil:
		selected.IDs = append([]uuid.UUID{}, chosen.Ids...) // not nil
	case f.Status == nil && !has(f.Name) && !has(f.Category):
		bad.Add("select.filter", "must have at least one condition")
	default:
		var in *ent.Category
		if has(f.Category) {
			found, err := m.r.store.Category.Query().Where(category.EntityTypeEQ(of), category.Slug(*f.Category)).
				Select(category.FieldID).Only(catalog.InTenant(ctx, business))
			if in = found; ent.IsNotFound(err) {
				bad.Add("select.filter.category", "names no %s", fault.Say("category"))
			} else if err != nil {
				return selected, err
			}
		}
		selected.Where = func(s *sql.Selector) {
			if f.Status != nil {
				s.Where(sql.EQ(s.C("status"), string(*f.Status)))
			}
			if in != nil {
				s.Where(sql.EQ(s.C("category_id"), in.ID))
			}
			catalog.HoldsAll(s, "search_text", f.Name)
		}
	}
	return selected, bad.Err()
}
