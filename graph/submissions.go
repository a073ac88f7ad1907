package graph

import (
	"context"

	"storefront/ent"
	"storefront/internal/api"
	"storefront/internal/customer/contact"
	"storefront/internal/customer/opinion"
	"storefront/internal/fault"
	"storefront/internal/record"
)

func (m mutationResolver) CreateComment(
	ctx context.Context, domain string, input api.CommentInput,
) (*api.CommentPayload, error) {
	t, err := m.r.Catalog.ShopAt(ctx, domain)
	if err != nil {
		return nil, err
	}
	if err := m.r.Catalog.MustBePublished(ctx, t.ID, input.EntityType, input.EntityID); err != nil {
		return nil, unknownIn("input.entityId", err)
	}
	stored, err := m.r.opinions.SendComment(ctx, t.ID, opinion.Comment(input))
	return &api.CommentPayload{
		Comment: stored,
		Message: "Thank you. Your comment will be shown once the shop has approved it.",
	}, err
}

func (m mutationResolver) CreateExpertReview(
	ctx context.Context, domain string, input api.ExpertReviewInput,
) (*api.ExpertReviewPayload, error) {
	t, err := m.r.Catalog.ShopAt(ctx, domain)
	if err != nil {
		return nil, err
	}
	if err := m.r.Catalog.MustBePublished(ctx, t.ID, record.Product, input.ProductID); err != nil {
		return nil, unknownIn("input.productId", err)
	}
	stored, err := m.r.opinions.SendReview(ctx, t.ID, opinion.Review(input))
	return &api.ExpertReviewPayload{
		Review:  stored,
		Message: "Thank you. Your review will be shown once the shop has approved it.",
	}, err
}

func (m mutationResolver) SubmitContact(
	ctx context.Context, domain string, input api.ContactInput,
) (*api.ContactPayload, error) {
	t, err := m.r.Catalog.ShopAt(ctx, domain)
	if err != nil {
		return nil, err
	}
	stored, err := m.r.contacts.Send(ctx, t.ID, contact.Message(input))
	return &api.ContactPayload{Submission: stored, Message: "Thank you. Your message has reached the business."}, err
}

// unknownIn adds the member of the request to an error that says that no record has its id.
func unknownIn(member string, err error) error {
	if ent.IsNotFound(err) {
		err = fault.Wrap(fault.NotFound, err, "there is no such record")
	}
	if fault.Is(err, fault.NotFound) {
		return fault.From(err).Of(member)
	}
	return err
}
