package graph

import (
	"context"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/user"
	"storefront/internal/api"
	"storefront/internal/catalog"
	"storefront/internal/customer/contact"
	"storefront/internal/customer/member"
	"storefront/internal/customer/opinion"
	"storefront/internal/database/tenancy"
	"storefront/internal/list"
	"storefront/internal/locale/search"
	"storefront/internal/record"
)

func (r tenantResolver) Comments(
	ctx context.Context, t *ent.Tenant, kind record.EntityType, id uuid.UUID,
) ([]*ent.Comment, error) {
	if err := r.r.Catalog.MustBePublished(ctx, t.ID, kind, id); err != nil {
		return nil, err
	}
	return catalog.BoundedOpinions(ctx, func(ctx context.Context, most int) ([][]*ent.Comment, error) {
		return r.r.Catalog.CommentsOn(ctx, t.ID, kind, []uuid.UUID{id}, most)
	})
}

func (r tenantResolver) CommentsConnection(
	ctx context.Context, t *ent.Tenant, kind record.EntityType, id uuid.UUID, window list.Window,
) (*api.CommentConnection, error) {
	if err := r.r.Catalog.MustBePublished(ctx, t.ID, kind, id); err != nil {
		return nil, err
	}
	connections, err := r.r.Catalog.CommentConnections(ctx, t.ID, kind, []uuid.UUID{id}, window)
	if err != nil {
		return nil, err
	}
	return connections[0], nil
}

func (r tenantResolver) BlogComments(ctx context.Context, t *ent.Tenant, blogID uuid.UUID) ([]*ent.Comment, error) {
	return r.Comments(ctx, t, record.Blog, blogID)
}

func (r tenantResolver) PortfolioComments(
	ctx context.Context, t *ent.Tenant, portfolioID uuid.UUID,
) ([]*ent.Comment, error) {
	return r.Comments(ctx, t, record.Portfolio, portfolioID)
}

// ExpertReviews returns the approved reviews of a published product, newest first; none for an unknown
// product.
func (r tenantResolver) ExpertReviews(
	ctx context.Context, t *ent.Tenant, productID uuid.UUID,
) ([]*ent.ExpertReview, error) {
	if err := r.r.Catalog.MustBePublished(ctx, t.ID, record.Product, productID); err != nil {
		return nil, ent.MaskNotFound(err)
	}
	return catalog.BoundedOpinions(ctx, func(ctx context.Context, most int) ([][]*ent.ExpertReview, error) {
		return r.r.Catalog.ReviewsOf(ctx, t.ID, []uuid.UUID{productID}, most)
	})
}

// What staff see of a single comment or review, and the replies of staff.

func (q queryResolver) StaffComment(ctx context.Context, businessID, commentID uuid.UUID) (*ent.Comment, error) {
	return q.r.Store.Comment.Get(tenancy.In(ctx, businessID), commentID)
}

func (q queryResolver) StaffReview(ctx context.Context, businessID, reviewID uuid.UUID) (*ent.ExpertReview, error) {
	return q.r.Store.ExpertReview.Get(tenancy.In(ctx, businessID), reviewID)
}

func (commentResolver) Reply(_ context.Context, c *ent.Comment) (*api.OpinionReply, error) {
	return shownReply(c.Reply, c.RepliedAt), nil
}

func (expertReviewResolver) Reply(_ context.Context, e *ent.ExpertReview) (*api.OpinionReply, error) {
	return shownReply(e.Reply, e.RepliedAt), nil
}

func (commentResolver) Version(_ context.Context, c *ent.Comment) (*string, error) {
	return new(record.TextVersion(c.Reply)), nil
}

func (expertReviewResolver) Version(_ context.Context, e *ent.ExpertReview) (*string, error) {
	return new(record.TextVersion(e.Reply)), nil
}

func shownReply(text *string, at *time.Time) *api.OpinionReply {
	if text == nil {
		return nil
	}
	return &api.OpinionReply{Text: *text, CreatedAt: *at}
}

func (r commentResolver) Customer(ctx context.Context, c *ent.Comment) (*ent.User, error) {
	return r.r.authorOf(ctx, c.TenantID, c.UserID, c.Edges.User)
}

func (r expertReviewResolver) Customer(ctx context.Context, e *ent.ExpertReview) (*ent.User, error) {
	return r.r.authorOf(ctx, e.TenantID, e.UserID, e.Edges.User)
}

// authorOf returns the customer with the id, or nil if the account is being closed. read is the customer if
// already read.
func (r *Resolver) authorOf(
	ctx context.Context, business uuid.UUID, id *uuid.UUID, read *ent.User,
) (*ent.User, error) {
	if id != nil && read == nil {
		found, err := r.customer(ctx, business, *id)
		if err != nil {
			return nil, ent.MaskNotFound(err)
		}
		read = found
	}
	if read == nil || read.ClosedAt != nil {
		return nil, nil
	}
	return read, nil
}

// customer reads an account as a shop sees it.
func (r *Resolver) customer(ctx context.Context, business, id uuid.UUID) (*ent.User, error) {
	found := r.Store.User.Query().Where(user.ID(id))
	member.In(business)(found)
	return found.Only(ctx)
}

func (m mutationResolver) ReplyToComment(
	ctx context.Context, businessID, commentID uuid.UUID, text, expectedVersion *string,
) (*api.CommentReplyPayload, error) {
	replied, err := m.r.opinions.ReplyToComment(ctx, businessID, commentID, search.Trimmed(text), expectedVersion,
		arrivalOf(ctx))
	return &api.CommentReplyPayload{Comment: replied}, err
}

func (m mutationResolver) ReplyToReview(
	ctx context.Context, businessID, reviewID uuid.UUID, text, expectedVersion *string,
) (*api.ReviewReplyPayload, error) {
	replied, err := m.r.opinions.ReplyToReview(ctx, businessID, reviewID, search.Trimmed(text), expectedVersion,
		arrivalOf(ctx))
	return &api.ReviewReplyPayload{Review: replied}, err
}

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
