package graph

import (
	"context"
	"encoding/json"
	"strconv"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/api"
	"storefront/internal/content/bundle"
	"storefront/internal/database"
	"storefront/internal/fault"
	"storefront/internal/record"
	"storefront/internal/request"
)

const mostFaults = 100 // faulty records, after which a request ends

func (m mutationResolver) ChangeContents(
	ctx context.Context, asked map[string]any, businessID uuid.UUID, after *uuid.UUID,
) (*api.RecordsPayload, error) {
	var bad fault.Fields
	action, section := contentField(ctx)
	many := manyOf(section, asked["change"].(map[string]any), &bad)
	many.Action, many.Now = action, request.Of(ctx).Now
	selected, err := m.selection(ctx, businessID, section, asked["select"].(api.RecordSelection), &bad)
	if err != nil {
		return nil, err
	}
	from := begin(after, &bad)
	if err := bad.Err(); err != nil {
		return nil, err
	}
	return m.r.steps(ctx, from, asked["countOnly"].(bool),
		func(from uuid.UUID) (bundle.Step, error) {
			return many.Step(ctx, m.r.Store, businessID, selected, from)
		},
		func(from uuid.UUID) (int, error) { return selected.Left(ctx, m.r.Store, businessID, from) })
}

// categorized are the types of the categories that records of a section have.
var categorized = map[string]record.EntityType{
	"products": record.Product, "userProducts": record.Product, "blogs": record.Blog, "portfolios": record.Portfolio,
}

// begin returns the id of the record after which a change continues, or uuid.Nil to start from the first. A
// text that is not an id is a fault: api.UnmarshalID reads it as uuid.Nil, which would start again.
func begin(after *uuid.UUID, bad *fault.Fields) uuid.UUID {
	if after == nil {
		return uuid.Nil
	}
	if *after == uuid.Nil {
		bad.Add("after", "must be the `next` of an answer")
	}
	return *after
}

// idsOf returns the ids of a selection, and notes those that are not ids.
func idsOf(given []uuid.UUID, bad *fault.Fields) []uuid.UUID {
	for i, id := range given {
		if id == uuid.Nil { // or not an id
			bad.Add("select.ids."+strconv.Itoa(i), "is no record's id")
		}
	}
	return append([]uuid.UUID{}, given...) // not nil
}

// steps changes records after from in short transactions, until none is left, the time of the request is
// over, or mostFaults is reached. An error stops it; what earlier transactions changed stays and is reported.
func (r *Resolver) steps(
	ctx context.Context, from uuid.UUID, countOnly bool, step func(from uuid.UUID) (bundle.Step, error),
	left func(from uuid.UUID) (int, error),
) (*api.RecordsPayload, error) {
	done := &api.RecordsPayload{Faults: []*api.RecordFault{}}
	for begun := r.clock(); !countOnly && r.clock().Sub(begun) < bulkTime && len(done.Faults) < mostFaults; {
		one, err := step(from)
		if err != nil {
			return r.stopped(ctx, done, from, err)
		}
		if one.Last == uuid.Nil {
			break
		}
		from = one.Last
		done.Changed += one.Changed
		for _, u := range one.Faults {
			fault := &api.RecordFault{ID: u.ID, Code: string(u.Why.Code), Message: api.Said(ctx, u.Why)}
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
	if err != nil {
		return r.stopped(ctx, done, from, err)
	}
	if done.Left = &rest; rest > 0 && from != uuid.Nil {
		done.Next = &from
	}
	return done, nil
}

// stopped returns what was changed before an error, or the error if nothing was. The records that are left
// are not counted.
func (r *Resolver) stopped(
	ctx context.Context, done *api.RecordsPayload, from uuid.UUID, err error,
) (*api.RecordsPayload, error) {
	if done.Changed == 0 {
		return nil, err
	}
	done.Next, done.Stopped = &from, r.stop(ctx, err)
	return done, nil
}

// stop returns why a request that had changed something did not go on.
func (r *Resolver) stop(ctx context.Context, err error) *api.Stop {
	why := r.engine.Named(ctx, err)
	return &api.Stop{Code: string(why.Code), Message: api.Said(ctx, why)}
}

// manyOf returns the change to make, and notes its faults.
func manyOf(section string, change map[string]any, bad *fault.Fields) bundle.Many {
	many := bundle.Many{Section: section, Members: map[string]any{}}
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
			text, _ := json.Marshal(value) // a nil pointer gives null
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
	return many
}

// selection returns the condition for the selected records.
func (m mutationResolver) selection(
	ctx context.Context, business uuid.UUID, section string, chosen api.RecordSelection, bad *fault.Fields,
) (bundle.Selection, error) {
	selected := bundle.Selection{Section: section}
	f := chosen.Filter
	switch {
	case (chosen.Ids == nil) == (f == nil):
		bad.Add("select", "must have either ids or a filter")
		return selected, nil
	case f == nil:
		selected.IDs = idsOf(chosen.Ids, bad)
		return selected, nil
	case f.Status == nil && f.Name == nil && f.Category == nil:
		bad.Add("select.filter", "must have at least one condition")
	}
	var in uuid.UUID
	if f.Category != nil {
		found, err := m.r.Catalog.CategoryOf(ctx, business, categorized[section], *f.Category)
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
		if f.Category != nil {
			s.Where(sql.EQ(s.C("category_id"), in))
		}
		findRecords(s, business, f.Name)
	}
	return selected, nil
}
