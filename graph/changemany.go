package graph

import (
	"context"
	"encoding/json"
	"strconv"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/api"
	"storefront/internal/content/edit"
	"storefront/internal/content/stored"
	"storefront/internal/fault"
	"storefront/internal/request"
)

func (m mutationResolver) ChangeContents(
	ctx context.Context, arguments map[string]any, businessID uuid.UUID, after *uuid.UUID,
) (*api.RecordsPayload, error) {
	var bad fault.Fields
	action, section := contentField(ctx)
	many := manyOf(section, arguments["change"].(map[string]any), &bad)
	many.Action, many.Now = action, request.Of(ctx).Now
	selected, err := m.selection(ctx, businessID, section, arguments["select"].(api.RecordSelection), &bad)
	if err != nil {
		return nil, err
	}
	from := begin(after, &bad)
	if err := bad.Err(); err != nil {
		return nil, err
	}
	return m.r.recordsPayload(ctx, edit.Steps{
		After: from, CountOnly: arguments["countOnly"].(bool), Clock: m.r.clock,
		Step: func(after uuid.UUID) (edit.Step, error) {
			return many.Step(ctx, m.r.Store, businessID, selected, after)
		},
		Left: func(after uuid.UUID) (int, error) { return selected.Left(ctx, m.r.Store, businessID, after) },
	})
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
func idsOf(ids []uuid.UUID, bad *fault.Fields) []uuid.UUID {
	for i, id := range ids {
		if id == uuid.Nil { // or not an id
			bad.Add("select.ids."+strconv.Itoa(i), "is no record's id")
		}
	}
	return append([]uuid.UUID{}, ids...) // not nil
}

// recordsPayload returns what a change of many records came to, or why it changed none.
func (r *Resolver) recordsPayload(ctx context.Context, steps edit.Steps) (*api.RecordsPayload, error) {
	done, err := steps.Run(ctx)
	payload := &api.RecordsPayload{Changed: done.Changed, Left: done.Left, Next: done.Next,
		Faults: []*api.RecordFault{}, Stopped: r.stop(ctx, done.Stopped)}
	for _, u := range done.Faults {
		fault := &api.RecordFault{ID: u.ID, Code: string(u.Why.Code), Message: api.Said(ctx, u.Why)}
		if u.Slug != "" {
			fault.Slug = &u.Slug
		}
		payload.Faults = append(payload.Faults, fault)
	}
	return payload, err
}

// stop returns why a request that had changed something did not go on, or nil without an error.
func (r *Resolver) stop(ctx context.Context, err error) *api.Stop {
	if err == nil {
		return nil
	}
	why := r.engine.Named(ctx, err)
	return &api.Stop{Code: string(why.Code), Message: api.Said(ctx, why)}
}

// manyOf returns the change to make, and notes its faults.
func manyOf(section string, change map[string]any, bad *fault.Fields) edit.Many {
	many := edit.Many{Section: section, Members: map[string]any{}}
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
) (edit.Selection, error) {
	selected := edit.Selection{Section: section}
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
		found, err := m.r.Catalog.CategoryOf(ctx, business, stored.CategoriesOf[section], *f.Category)
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

func (m mutationResolver) UpdateOffers(
	ctx context.Context, businessID uuid.UUID, input []map[string]any,
) (*api.OffersPayload, error) {
	offers := edit.Offers{Action: "updateOffers", Variants: input, Now: request.Of(ctx).Now}
	done, err := offers.Apply(ctx, m.r.Store, businessID)
	payload := &api.OffersPayload{Message: "They are changed.", Changed: done.Changed,
		Left: append([]string{}, done.Left...), Faults: []*api.OfferFault{},
		Stopped: m.r.stop(ctx, done.Stopped)}
	for _, u := range done.Faults {
		payload.Faults = append(payload.Faults,
			&api.OfferFault{Sku: u.SKU, Code: string(u.Why.Code), Message: api.Said(ctx, u.Why)})
	}
	if len(done.Faults)+len(done.Left) > 0 {
		payload.Message = "Some of them are not changed."
	}
	return payload, err
}
