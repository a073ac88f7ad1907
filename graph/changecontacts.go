package graph

import (
	"context"
	"time"

	"github.com/google/uuid"

	"storefront/internal/api"
	"storefront/internal/customer/contact"
	"storefront/internal/customer/submission"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
)

// bulkTime is how long a request starts transactions; it may take 8 s.
const bulkTime = 4 * time.Second

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

// changeContacts changes all matching messages in short transactions, until none is left or bulkTime has passed.
func (m mutationResolver) changeContacts(
	ctx context.Context, filter submission.Filter, countOnly bool, change contact.Change,
) (*api.BulkPayload, error) {
	var bad fault.Fields
	change.Where = filter.Where("filter", contact.Columns, &bad)
	if err := bad.Err(); err != nil {
		return nil, err
	}
	fit, err := m.r.contacts.Left(ctx, change)
	if err != nil {
		return nil, err
	}
	done := new(api.BulkPayload)
	for begun := m.r.clock(); !countOnly && m.r.clock().Sub(begun) < bulkTime; {
		n, err := m.r.contacts.Step(ctx, change)
		if err != nil && done.Changed > 0 {
			done.Stopped = m.r.stop(ctx, err)
			break
		}
		if err != nil {
			return nil, err
		}
		if done.Changed += n; n < contact.AtOnce || transaction.Joined(ctx) { // with a key all would be one transaction
			break
		}
	}
	left, err := m.r.contacts.Left(ctx, change)
	if err != nil && done.Changed > 0 {
		left, err, done.Stopped = max(fit-done.Changed, 0), nil, m.r.stop(ctx, err)
	}
	done.Left = left
	return done, err
}
