package contact

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/contactsubmission"
	"storefront/internal/customer/submission"
	"storefront/internal/event/outbox"
	"storefront/internal/locale/search"
	"storefront/internal/record"
)

// Message is a visitor's message to a business. E-mail address and cell number are kept as they are written.
type Message struct {
	Title, Name       string
	Email, CellNumber *string
	Text              string
}

// Send stores a message.
func (s *Service) Send(ctx context.Context, business uuid.UUID, sent Message) (*ent.ContactSubmission, error) {
	return submission.Send(ctx, s.Forms, business, submission.Form[*ent.ContactSubmission]{
		Kind: "messages",
		Pending: func(ctx context.Context, tx *ent.Tx) (bool, error) {
			return tx.ContactSubmission.Query().Where(contactsubmission.HandledAtIsNil()).
				Offset(submission.MostPending - 1).Exist(ctx)
		},
		Store: func(ctx context.Context, tx *ent.Tx) (*ent.ContactSubmission, error) {
			return tx.ContactSubmission.Create().
				SetTitle(strings.TrimSpace(sent.Title)).
				SetName(strings.TrimSpace(sent.Name)).
				SetNillableEmail(search.Trimmed(sent.Email)).
				SetNillableCellNumber(search.Trimmed(sent.CellNumber)).
				SetText(strings.TrimSpace(sent.Text)).
				Save(ctx)
		},
		Event: func(c *ent.ContactSubmission) outbox.Event {
			data := map[string]any{"businessId": business, "submissionId": c.ID}
			return submission.Event(record.ContactReceived, c.ID, c.CreatedAt, data)
		},
	})
}
