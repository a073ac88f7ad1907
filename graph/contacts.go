package graph

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/api"
	"storefront/internal/database/tenancy"
	"storefront/internal/locale/search"
	"storefront/internal/record"
)

func (q queryResolver) ContactSubmission(
	ctx context.Context, businessID, submissionID uuid.UUID,
) (*ent.ContactSubmission, error) {
	return q.r.Store.ContactSubmission.Get(tenancy.In(ctx, businessID), submissionID)
}

func (r contactSubmissionResolver) Reply(
	_ context.Context, c *ent.ContactSubmission,
) (*api.ContactReply, error) {
	if c.Reply == nil {
		return nil, nil
	}
	return &api.ContactReply{Text: *c.Reply, CreatedAt: *c.RepliedAt, UserID: c.RepliedBy,
		State: c.ReplyState.At(r.r.clock(), *c.RepliedAt)}, nil
}

func (contactSubmissionResolver) Version(_ context.Context, c *ent.ContactSubmission) (string, error) {
	return record.TextVersion(c.Note), nil
}

func (m mutationResolver) NoteContact(
	ctx context.Context, businessID, submissionID uuid.UUID, note, expectedVersion *string,
) (*api.ContactSubmissionPayload, error) {
	noted, err := m.r.contacts.Note(ctx, businessID, submissionID, search.Trimmed(note), expectedVersion)
	return &api.ContactSubmissionPayload{Submission: noted}, err
}

func (m mutationResolver) ReplyToContact(
	ctx context.Context, businessID, submissionID uuid.UUID, text string,
) (*api.ContactSubmissionPayload, error) {
	replied, err := m.r.contacts.Reply(ctx, businessID, submissionID, strings.TrimSpace(text))
	return &api.ContactSubmissionPayload{Submission: replied}, err
}
