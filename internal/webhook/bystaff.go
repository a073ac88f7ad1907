package webhook

import (
	"context"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/webhookendpoint"
	"storefront/internal/audit"
	"storefront/internal/record"
	"storefront/internal/tenancy"
	"storefront/internal/transaction"
)

// What staff do with webhooks: each is one transaction, with its entry in the audit log.

// audited runs do in a transaction, together with the entry of the audit log that it returns.
func (s *Service) audited(
	ctx context.Context, action string, do func(tx *ent.Tx) (audit.Change, error),
) error {
	return transaction.Run(ctx, s.store, func(tx *ent.Tx) error {
		entry, err := do(tx)
		if err != nil {
			return err
		}
		return audit.Record(ctx, tx, action, entry)
	})
}

// entry returns a change of a webhook for the audit log.
func entry(w *ent.WebhookEndpoint, before, after any) audit.Change {
	return audit.Change{Kind: "webhook", ID: w.ID, Name: w.URL, Before: before, After: after}
}

// act returns the entry of an action on a webhook that changes no setting.
func act(w *ent.WebhookEndpoint, member string, value any) audit.Change {
	return entry(w, map[string]any{member: nil}, map[string]any{member: value})
}

// seen returns what the audit log shows of a webhook, which is not its secret.
func seen(w *ent.WebhookEndpoint) any {
	return map[string]any{
		"url": w.URL, "description": w.Description, "events": record.WebhookEvents(w.Events), "active": w.Active,
	}
}

// AddWebhook is Add by staff.
func (s *Service) AddWebhook(
	ctx context.Context, business uuid.UUID, w Settings,
) (made *ent.WebhookEndpoint, secret string, err error) {
	err = s.audited(ctx, "addWebhook", func(tx *ent.Tx) (none audit.Change, err error) {
		if made, secret, err = s.Add(ctx, tx, business, w); err != nil {
			return none, err
		}
		return entry(made, nil, seen(made)), nil
	})
	return made, secret, err
}

// UpdateWebhook is Change by staff.
func (s *Service) UpdateWebhook(
	ctx context.Context, business, id uuid.UUID, w Settings,
) (changed *ent.WebhookEndpoint, err error) {
	err = s.audited(ctx, "updateWebhook", func(tx *ent.Tx) (none audit.Change, err error) {
		before, err := endpoint(ctx, tx, business, id)
		if err != nil {
			return none, err
		}
		if changed, err = s.Change(ctx, tx, business, id, w); err != nil {
			return none, err
		}
		return entry(changed, seen(before), seen(changed)), nil
	})
	return changed, err
}

// endpoint returns an endpoint of a business.
func endpoint(ctx context.Context, tx *ent.Tx, business, id uuid.UUID) (*ent.WebhookEndpoint, error) {
	return tx.WebhookEndpoint.Query().Where(webhookendpoint.ID(id)).Only(tenancy.In(ctx, business))
}

// RemoveWebhook removes an endpoint with its waiting events.
func (s *Service) RemoveWebhook(ctx context.Context, business, id uuid.UUID) error {
	return s.audited(ctx, "removeWebhook", func(tx *ent.Tx) (none audit.Change, err error) {
		before, err := endpoint(ctx, tx, business, id)
		if err != nil {
			return none, err
		}
		err = tx.WebhookEndpoint.DeleteOneID(id).Exec(tenancy.In(ctx, business))
		return entry(before, seen(before), nil), err
	})
}

// RotateSecret is Rotate by staff.
func (s *Service) RotateSecret(
	ctx context.Context, business, id uuid.UUID,
) (changed *ent.WebhookEndpoint, secret string, err error) {
	err = s.audited(ctx, "rotateWebhookSecret", func(tx *ent.Tx) (none audit.Change, err error) {
		if changed, secret, err = s.Rotate(ctx, tx, business, id); err != nil {
			return none, err
		}
		return act(changed, "olderSignsUntil", changed.PreviousUntil), nil
	})
	return changed, secret, err
}

// SendTest is Test by staff.
func (s *Service) SendTest(ctx context.Context, business, id uuid.UUID) (sent *ent.WebhookDelivery, err error) {
	err = s.audited(ctx, "sendTestEvent", func(tx *ent.Tx) (none audit.Change, err error) {
		if sent, err = s.Test(ctx, tx, business, id); err != nil {
			return none, err
		}
		to, err := endpoint(ctx, tx, business, id)
		if err != nil {
			return none, err
		}
		return act(to, "eventId", sent.EventID), nil
	})
	return sent, err
}

// Redeliver is Again by staff.
func (s *Service) Redeliver(
	ctx context.Context, business, id, event uuid.UUID,
) (sent *ent.WebhookDelivery, err error) {
	err = s.audited(ctx, "redeliverWebhook", func(tx *ent.Tx) (none audit.Change, err error) {
		if sent, err = s.Again(ctx, tx, business, id, event); err != nil {
			return none, err
		}
		to, err := endpoint(ctx, tx, business, id)
		if err != nil {
			return none, err
		}
		return act(to, "eventId", event), nil
	})
	return sent, err
}

// RedeliverAll is AllAgain by staff.
func (s *Service) RedeliverAll(ctx context.Context, business, id uuid.UUID, since time.Time) (n int, err error) {
	err = s.audited(ctx, "redeliverWebhooks", func(tx *ent.Tx) (none audit.Change, err error) {
		if n, err = s.AllAgain(ctx, tx, business, id, since); err != nil {
			return none, err
		}
		to, err := endpoint(ctx, tx, business, id)
		if err != nil {
			return none, err
		}
		return act(to, "since", since), nil
	})
	return n, err
}
