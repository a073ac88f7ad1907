package graph

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/api"
	"storefront/internal/customer/contact"
	"storefront/internal/customer/submission"
	"storefront/internal/database/tenancy"
	"storefront/internal/fault"
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

func (m mutationResolver) HandleContacts(
	ctx context.Context, businessID uuid.UUID, filter submission.Filter, countOnly bool,
) (*api.BulkPayload, error) {
	handled := true
	return m.changeContacts(ctx, filter, countOnly,
		contact.Change{Action: "handleContacts", Business: businessID, Handled: &handled, At: arrivalOf(ctx)})
}

func (m mutationResolver) DeleteContacts(
	ctx context.Context, businessID uuid.UUID, filter submission.Filter, countOnly bool,
) (*api.BulkPayload, error) {
	return m.changeContacts(ctx, filter, countOnly, contact.Change{Action: "deleteContacts", Business: businessID})
}

func (m mutationResolver) changeContacts(
	ctx context.Context, filter submission.Filter, countOnly bool, change contact.Change,
) (*api.BulkPayload, error) {
	var bad fault.Fields
	change.Where = filter.Where("filter", contact.Columns, &bad)
	if err := bad.Err(); err != nil {
		return nil, err
	}
	done, err := m.r.contacts.Change(ctx, change, countOnly)
	return &api.BulkPayload{Changed: done.Changed, Left: done.Left, Stopped: m.r.stop(ctx, done.Stopped)}, err
}
