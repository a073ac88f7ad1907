package contact

import (
	"context"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/contactsubmission"
	"storefront/internal/customer/submission"
	"storefront/internal/database"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/platform/convert"
	"storefront/internal/shop/audit"
)

// atOnce is the most messages that one transaction changes.
const atOnce = 200

// Columns are the columns of messages that a filter refers to.
var Columns = submission.Columns{
	Name: contactsubmission.FieldName, Email: contactsubmission.FieldEmail, Texts: []string{
		contactsubmission.FieldTitle, contactsubmission.FieldCellNumber, contactsubmission.FieldText},
}

// Change is a change of messages to a business.
type Change struct {
	Action   string // in the audit log
	Business uuid.UUID
	Where    func(*sql.Selector)
	Handled  *bool // whether the messages become handled, if they are not so already; nil: they are deleted
	At       time.Time
}

// query returns the messages that a change concerns.
func (c Change) query(in *ent.ContactSubmissionClient) *ent.ContactSubmissionQuery {
	query := in.Query().Where(c.Where)
	switch {
	case c.Handled == nil:
		return query
	case *c.Handled:
		return query.Where(contactsubmission.HandledAtIsNil())
	}
	return query.Where(contactsubmission.HandledAtNotNil())
}

// stepTime is how long a request starts transactions; it may take 8 s.
const stepTime = 4 * time.Second

// Changed is what one request changed.
type Changed struct {
	Changed int
	Left    int   // the messages that the change still concerns
	Stopped error // the error after which it stopped, if some were changed
}

// Change changes messages in short transactions, until none is left or stepTime has passed. With a key it makes one
// step, as all would be one transaction. An error before any change is returned.
func (s *Service) Change(ctx context.Context, c Change, countOnly bool) (done Changed, err error) {
	fit, err := s.left(ctx, c)
	if err != nil {
		return done, err
	}
	for began := s.Clock(); !countOnly && s.Clock().Sub(began) < stepTime; {
		n, err := s.Step(ctx, c)
		if err != nil && done.Changed == 0 {
			return done, err
		}
		if done.Stopped = err; err != nil {
			break
		}
		if done.Changed += n; n < atOnce || transaction.Joined(ctx) {
			break
		}
	}
	done.Left, err = s.left(ctx, c)
	if err != nil && done.Changed > 0 {
		done.Left, done.Stopped, err = max(fit-done.Changed, 0), err, nil
	}
	return done, err
}

// left counts the messages that a change concerns.
func (s *Service) left(ctx context.Context, c Change) (int, error) {
	return c.query(s.Store.ContactSubmission).Count(tenancy.In(ctx, c.Business))
}

// Step changes up to atOnce messages in one transaction, and returns how many.
func (s *Service) Step(ctx context.Context, c Change) (changed int, err error) {
	ctx = tenancy.In(ctx, c.Business)
	err = transaction.Run(ctx, s.Store, func(tx *ent.Tx) error {
		found, err := c.query(tx.ContactSubmission).Order(contactsubmission.ByID()).Limit(atOnce).
			Modify(database.ForNoKeyUpdate).All(ctx)
		if changed = len(found); err != nil || changed == 0 {
			return err
		}
		ids := convert.All(found, func(message *ent.ContactSubmission) uuid.UUID { return message.ID })
		before, after := any(map[string]any{}), any(nil)
		if c.Handled != nil {
			before, after = map[string]any{"handled": !*c.Handled}, map[string]any{"handled": *c.Handled}
		}
		if err := c.write(ctx, tx, ids); err != nil {
			return err
		}
		return audit.Record(ctx, tx, c.Action, convert.All(ids, func(id uuid.UUID) audit.Change {
			// without a name: the sender may have theirs erased
			return audit.Change{Kind: "contactSubmission", ID: id, Before: before, After: after}
		})...)
	})
	return changed, err
}

func (c Change) write(ctx context.Context, tx *ent.Tx, ids []uuid.UUID) error {
	update := tx.ContactSubmission.Update().Where(contactsubmission.IDIn(ids...))
	switch {
	case c.Handled == nil:
		_, err := tx.ContactSubmission.Delete().Where(contactsubmission.IDIn(ids...)).Exec(ctx)
		return err
	case *c.Handled:
		return update.SetHandledAt(c.At).Exec(ctx)
	}
	return update.ClearHandledAt().Exec(ctx)
}
