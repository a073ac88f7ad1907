package graph

import (
	"context"
	"strings"

	"storefront/internal/record"
	"storefront/internal/selection"
)

// CreateComment stores a visitor's comment on a published record. Like all that visitors send it is pending
// until the shop's staff approves it.
func (m mutationResolver) CreateComment(
	ctx context.Context, domain string, input CommentInput,
) (*CommentPayload, error) {
	t, err := m.tenantOf(ctx, domain, selection.Path("id"))
	if err != nil {
		return nil, err
	}
	if err := m.mustBePublished(ctx, t.ID, input.EntityType, input.EntityID); err != nil {
		return nil, err
	}
	stored, err := m.store.Comment.Create().
		SetEntityType(input.EntityType).
		SetEntityID(input.EntityID).
		SetAuthorName(strings.TrimSpace(input.AuthorName)).
		SetNillableAuthorEmail(trimmed(input.AuthorEmail)).
		SetText(strings.TrimSpace(input.Text)).
		Save(inTenant(ctx, t.ID))
	return &CommentPayload{
		Comment: stored,
		Message: "Thank you. Your comment will be shown once the shop has approved it.",
	}, err
}

// CreateExpertReview stores a visitor's review of a published product.
func (m mutationResolver) CreateExpertReview(
	ctx context.Context, domain string, input ExpertReviewInput,
) (*ExpertReviewPayload, error) {
	t, err := m.tenantOf(ctx, domain, selection.Path("id"))
	if err != nil {
		return nil, err
	}
	if err := m.mustBePublished(ctx, t.ID, record.Product, input.ProductID); err != nil {
		return nil, err
	}
	stored, err := m.store.ExpertReview.Create().
		SetProductID(input.ProductID).
		SetAuthorName(strings.TrimSpace(input.AuthorName)).
		SetNillableAuthorEmail(trimmed(input.AuthorEmail)).
		SetRate(input.Rate).
		SetPositivePoints(eachTrimmed(input.PositivePoints)).
		SetNegativePoints(eachTrimmed(input.NegativePoints)).
		SetText(strings.TrimSpace(input.Text)).
		Save(inTenant(ctx, t.ID))
	return &ExpertReviewPayload{
		Review:  stored,
		Message: "Thank you. Your review will be shown once the shop has approved it.",
	}, err
}

// SubmitContact stores a message to the business.
func (m mutationResolver) SubmitContact(
	ctx context.Context, domain string, input ContactInput,
) (*ContactPayload, error) {
	t, err := m.tenantOf(ctx, domain, selection.Path("id"))
	if err != nil {
		return nil, err
	}
	stored, err := m.store.ContactSubmission.Create().
		SetTitle(strings.TrimSpace(input.Title)).
		SetName(strings.TrimSpace(input.Name)).
		SetNillableEmail(trimmed(input.Email)).
		SetNillableCellNumber(trimmed(input.CellNumber)).
		SetText(strings.TrimSpace(input.Text)).
		Save(inTenant(ctx, t.ID))
	return &ContactPayload{
		Submission: stored,
		Message:    "Thank you. Your message has reached the business.",
	}, err
}

// trimmed returns an optional text without surrounding space; nil when nothing is left.
func trimmed(text *string) *string {
	if text == nil || strings.TrimSpace(*text) == "" {
		return nil
	}
	bare := strings.TrimSpace(*text)
	return &bare
}

func eachTrimmed(texts []string) []string {
	bare := make([]string, len(texts))
	for i, text := range texts {
		bare[i] = strings.TrimSpace(text)
	}
	return bare
}
