package graph

import (
	"context"

	"entgo.io/ent/dialect/sql"
	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"

	"storefront/ent/comment"
	"storefront/internal/api"
	"storefront/internal/content/edit"
	"storefront/internal/customer/opinion"
	"storefront/internal/fault"
	"storefront/internal/locale/search"
	"storefront/internal/record"
)

func (m mutationResolver) ChangeComments(
	ctx context.Context, businessID uuid.UUID, chosen api.OpinionSelection, change api.OpinionChange,
	after *uuid.UUID, countOnly bool,
) (*api.RecordsPayload, error) {
	return m.changeOpinions(ctx, businessID, opinionsChange{opinion.Comments, chosen, change}, after, countOnly)
}

func (m mutationResolver) ChangeReviews(
	ctx context.Context, businessID uuid.UUID, chosen api.OpinionSelection, change api.OpinionChange,
	after *uuid.UUID, countOnly bool,
) (*api.RecordsPayload, error) {
	return m.changeOpinions(ctx, businessID, opinionsChange{opinion.Reviews, chosen, change}, after, countOnly)
}

// opinionsChange is what staff want done to opinions of a kind.
type opinionsChange struct {
	kind   opinion.Kind
	chosen api.OpinionSelection
	change api.OpinionChange
}

func (m mutationResolver) changeOpinions(
	ctx context.Context, business uuid.UUID, wanted opinionsChange, after *uuid.UUID, countOnly bool,
) (*api.RecordsPayload, error) {
	var bad fault.Fields
	many := opinion.Change{
		Kind: wanted.kind, Action: graphql.GetFieldContext(ctx).Field.Name, Business: business,
		Selected: opinionsChosen(wanted.chosen, &bad), To: verdictOf(wanted.change, &bad),
	}
	from := begin(after, &bad)
	if err := bad.Err(); err != nil {
		return nil, err
	}
	return m.r.recordsPayload(ctx, edit.Steps{
		After: from, CountOnly: countOnly, Clock: m.r.clock,
		Step: func(after uuid.UUID) (edit.Step, error) { return m.r.opinions.Step(ctx, many, after) },
		Left: func(after uuid.UUID) (int, error) { return m.r.opinions.Left(ctx, many, after) },
	})
}

// verdictOf returns the decision of staff, or nil if the opinions are to be deleted.
func verdictOf(change api.OpinionChange, bad *fault.Fields) *opinion.Verdict {
	remove := change.Delete != nil && *change.Delete
	reason := search.Trimmed(change.RejectionReason)
	if remove == (change.Status != nil) {
		bad.Add("change", "must have either a status or delete")
	}
	if reason != nil && (change.Status == nil || *change.Status != record.Rejected) {
		bad.Add("change.rejectionReason", "must not be there unless the status is rejected")
	}
	if change.Status == nil {
		return nil
	}
	return &opinion.Verdict{Status: *change.Status, Reason: reason}
}

// opinionsChosen returns which comments or reviews were selected.
func opinionsChosen(chosen api.OpinionSelection, bad *fault.Fields) (selected opinion.Selection) {
	if (chosen.Ids == nil) == (chosen.Filter == nil && chosen.Status == nil) {
		bad.Add("select", "must have either ids, or a status, a filter or both")
		return selected
	}
	if chosen.Ids != nil {
		return opinion.WithIDs(idsOf(chosen.Ids, bad))
	}
	var all []func(*sql.Selector)
	if chosen.Status != nil {
		all = append(all, sql.FieldEQ(comment.FieldStatus, *chosen.Status)) // reviews have it by the same name
	}
	if chosen.Filter != nil {
		all = append(all, chosen.Filter.Where("select.filter", opinion.Columns, bad))
	}
	return opinion.Where(all...)
}
