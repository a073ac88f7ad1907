package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/internal/api"
	"storefront/internal/customer/contact"
	"storefront/internal/customer/submission"
	"storefront/internal/fault"
)

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
