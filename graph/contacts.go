package graph

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/graph/model"
	"storefront/internal/catalog"
	"storefront/internal/record"
	"storefront/internal/search"
)

func (q queryResolver) ContactSubmission(
	ctx context.Context, businessID, submissionID uuid.UUID,
) (*ent.ContactSubmission, error) {
	return q.r.Store.ContactSubmission.Get(catalog.InTenant(ctx, businessID), submissionID)
}

func (r contactSubmissionResolver) Reply(
	_ context.Context, c *ent.ContactSubmission,
) (*model.ContactReply, error) {
	if c.Reply == nil {
		return nil, nil
	}
	return &model.ContactReply{Text: *c.Reply, CreatedAt: *c.RepliedAt, UserID: c.RepliedBy,
		State: c.ReplyState.At(r.r.clock(), *c.RepliedAt)}, nil
}

func (contactSubmissionResolver) Version(_ context.Context, c *ent.ContactSubmission) (string, error) {
	return record.TextVersion(c.Note), nil
}

func (m mutationResolver) NoteContact(
	ctx context.Context, businessID, submissionID uuid.UUID, note, expectedVersion *string,
) (*model.ContactSubmissionPayload, error) {
	noted, err := m.r.contacts.Note(ctx, businessID, submissionID, search.Trimmed(note), expectedVersion)
	return &model.ContactSubmissionPayload{Submission: noted}, err
}

func (m mutationResolver) ReplyToContact(
	ctx context.Context, businessID, submissionID uuid.UUID, text string,
) (*model.ContactSubmissionPayload, error) {
	replied, err := m.r.contacts.Reply(ctx, businessID, submissionID, strings.TrimSpace(text))
	return &model.ContactSubmissionPayload{Submission: replied}, err
}
