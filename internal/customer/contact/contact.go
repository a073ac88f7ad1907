// Package contact stores the messages that visitors send to a business, and lets its staff mark, delete, note and
// answer them by SMS (contract 3.1, 3.7).
package contact

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/contactsubmission"
	"storefront/internal/customer/submission"
	"storefront/internal/database"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/event/outbox"
	"storefront/internal/fault"
	"storefront/internal/locale/phone"
	"storefront/internal/locale/search"
	"storefront/internal/message/notice"
	"storefront/internal/record"
	"storefront/internal/request"
	"storefront/internal/shop/audit"
)

// Service changes messages to businesses.
type Service struct {
	Store   *ent.Client // guarded by tenancy.Guard
	Clock   record.Clock
	Notices *notice.Service
	Forms   *submission.Service
}

// lock reads a message of a business, and locks it until the transaction ends.
func lock(ctx context.Context, tx *ent.Tx, id uuid.UUID) (*ent.ContactSubmission, error) {
	return tx.ContactSubmission.Query().Where(contactsubmission.ID(id)).Modify(database.ForNoKeyUpdate).Only(ctx)
}

// Note sets the note of a message, or removes it if note is nil. It fails with CONFLICT if version is given and the
// present note has another.
func (s *Service) Note(
	ctx context.Context, business, id uuid.UUID, text, version *string,
) (noted *ent.ContactSubmission, err error) {
	ctx = tenancy.In(ctx, business)
	err = transaction.Run(ctx, s.Store, func(tx *ent.Tx) error {
		before, err := lock(ctx, tx, id)
		if err == nil {
			err = fault.CheckVersion(version, record.TextVersion(before.Note))
		}
		if err != nil {
			return err
		}
		if noted = before; (text == nil) == (before.Note == nil) && (text == nil || *text == *before.Note) {
			return nil
		}
		change := tx.ContactSubmission.UpdateOneID(id)
		if text == nil {
			change.ClearNote().ClearNotedAt()
		} else {
			change.SetNote(*text).SetNotedAt(s.Clock.Now())
		}
		if noted, err = change.Save(ctx); err != nil {
			return err
		}
		return note(ctx, tx, "noteContact", id, map[string]any{"notedAt": before.NotedAt},
			map[string]any{"notedAt": noted.NotedAt})
	})
	return noted, err
}

// note records that a message changed, but no text, because texts must be gone when the message is deleted.
func note(ctx context.Context, tx *ent.Tx, action string, id uuid.UUID, before, after any) error {
	return audit.Record(ctx, tx, action, audit.Change{Kind: "contactSubmission", ID: id, Before: before, After: after})
}

// Reply sends an answer to the cell number of a message and marks the message as handled. It fails with
// CONFLICT if the message has no cell number, or has an answer that may have arrived. It fails with
// RATE_LIMITED, and with SMS_UNAVAILABLE if no SMS reach the number.
func (s *Service) Reply(
	ctx context.Context, business, id uuid.UUID, text string,
) (replied *ent.ContactSubmission, err error) {
	ctx = tenancy.In(ctx, business)
	var sent notice.Notice
	var at time.Time
	err = transaction.Run(ctx, s.Store, func(tx *ent.Tx) error {
		before, err := lock(ctx, tx, id)
		if err != nil {
			return err
		}
		at = s.Clock.Now()
		to, err := s.recipient(before, at)
		if err != nil {
			return err
		}
		shop, err := tx.Tenant.Get(ctx, business)
		if err != nil {
			return err
		}
		sent = notice.Notice{To: to, Text: text + "\n\n" + notice.NameOf(shop)}
		if sent.Booked, err = s.Notices.Book(ctx, tx, business, to); err != nil {
			return err
		}
		change := tx.ContactSubmission.UpdateOneID(id).SetReply(text).SetRepliedAt(at).
			SetReplyState(record.NoticeSending)
		if by, ok := request.StaffOf(ctx); ok && by.User != uuid.Nil {
			change.SetRepliedBy(by.User)
		} else {
			change.ClearRepliedBy()
		}
		if before.HandledAt == nil {
			change.SetHandledAt(at)
		}
		if replied, err = change.Save(ctx); err != nil {
			return err
		}
		return note(ctx, tx, "replyToContact", id,
			map[string]any{"repliedAt": before.RepliedAt, "handled": before.HandledAt != nil},
			map[string]any{"repliedAt": at, "handled": true})
	})
	if err != nil {
		return nil, err
	}
	sent.Done = func(ctx context.Context, state record.NoticeState) error {
		return s.Store.ContactSubmission.Update().
			Where(contactsubmission.ID(id), contactsubmission.RepliedAt(at)).SetReplyState(state).
			Exec(tenancy.In(ctx, business))
	}
	s.Notices.Send(ctx, sent)
	return replied, nil
}

// recipient returns the number for an answer to a message at a given time. It fails as Reply does.
func (s *Service) recipient(m *ent.ContactSubmission, now time.Time) (to string, err error) {
	if m.ReplyState != nil {
		switch m.ReplyState.At(now, *m.RepliedAt) {
		case record.NoticeSending, record.NoticeSent:
			return "", fault.New(fault.Conflict, "the message is answered already")
		}
	}
	ok := m.CellNumber != nil
	if ok {
		to, ok = phone.Normalize(*m.CellNumber)
	}
	if !ok || strings.HasPrefix(to, "+98") && !strings.HasPrefix(to, "+989") { // a landline
		return "", fault.New(fault.Conflict, "the message has no cell number to which an SMS can be sent")
	}
	if !s.Notices.Reaches(to) {
		return "", fault.New(fault.SMSUnavailable, "no SMS are sent to this number from here")
	}
	return to, nil
}

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
