package webhook

import (
	"context"
	"slices"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/webhookendpoint"
	"storefront/internal/database"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/event/outbox"
	"storefront/internal/fault"
	"storefront/internal/record"
	"storefront/internal/shop/audit"
)

const (
	mostEndpoints = 10             // of a business
	bothSign      = 24 * time.Hour // how long an older secret signs beside its successor
)

// Settings are the settings of an endpoint. In a change nil keeps the old value.
type Settings struct {
	URL         *string
	Description **string
	Events      []record.WebhookEvent
	Active      *bool
}

func bits(events []record.WebhookEvent) (all int) {
	for _, e := range events {
		all |= e.Bit()
	}
	return all
}

func (s *Service) check(w Settings) error {
	var bad fault.Fields
	if w.URL != nil {
		s.checkURL(*w.URL, &bad)
	}
	if w.Events != nil && len(w.Events) == 0 {
		bad.Add("events", "must name at least one type of event")
	}
	if slices.Contains(w.Events, record.TestEvent) {
		bad.Add("events", "must not name test: sendTestEvent sends it to any webhook")
	}
	return bad.Err()
}

// audited makes a change of staff to a webhook in a transaction, together with its entry in the audit log.
func (s *Service) audited(ctx context.Context, action string, do func(tx *ent.Tx) (audit.Change, error)) error {
	return transaction.Run(ctx, s.Store, func(tx *ent.Tx) error {
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

// act returns the entry of an action that changes no setting.
func act(w *ent.WebhookEndpoint, member string, value any) audit.Change {
	return entry(w, map[string]any{member: nil}, map[string]any{member: value})
}

// seen returns what the audit log shows of a webhook, which is not its secret.
func seen(w *ent.WebhookEndpoint) any {
	return map[string]any{
		"url": w.URL, "description": w.Description, "events": record.WebhookEvents(w.Events), "active": w.Active,
	}
}

var lockTenant = database.Statement(`UPDATE tenants SET updated_at = updated_at WHERE id = $tenant`)

// Add registers an endpoint of a business, and returns its secret, which is shown only once. It fails with
// CONFLICT if there are ten already.
func (s *Service) Add(
	ctx context.Context, business uuid.UUID, w Settings,
) (made *ent.WebhookEndpoint, shown string, err error) {
	ctx = tenancy.In(ctx, business)
	err = s.audited(ctx, "addWebhook", func(tx *ent.Tx) (e audit.Change, err error) {
		if err := s.check(w); err != nil {
			return e, err
		}
		// others who add an endpoint to the same business wait
		if _, err := lockTenant.Exec(ctx, tx.Raw(), database.Values{"tenant": business}); err != nil {
			return e, err
		}
		n, err := tx.WebhookEndpoint.Query().Count(ctx)
		if err != nil {
			return e, err
		}
		if n >= mostEndpoints {
			return e, fault.New(fault.Conflict, "there are %d webhooks already; remove one first", mostEndpoints)
		}
		from, err := outbox.Last(ctx, tx.Raw())
		if err != nil {
			return e, err
		}
		secret := newSecret()
		create := tx.WebhookEndpoint.Create().SetURL(*w.URL).SetEvents(bits(w.Events)).SetSecret(secret).
			SetNumber(from).SetCreatedAt(s.Clock.Now()).SetUpdatedAt(s.Clock.Now())
		if w.Description != nil {
			create.SetNillableDescription(*w.Description)
		}
		if w.Active != nil {
			create.SetActive(*w.Active)
		}
		if made, err = create.Save(ctx); err != nil {
			return e, err
		}
		shown = shownSecret(secret)
		return entry(made, nil, seen(made)), nil
	})
	return made, shown, err
}

// due makes all waiting events of an endpoint due.
var due = database.Statement(`UPDATE webhook_deliveries SET next_at = $now
	WHERE tenant_id = $tenant AND endpoint_id = $endpoint AND next_at > $now`)

// Change changes an endpoint. If it becomes active or gets another address, its failures are reset, and all
// its waiting events are due at once. What happened while it was inactive is not delivered.
func (s *Service) Change(
	ctx context.Context, business, id uuid.UUID, w Settings,
) (changed *ent.WebhookEndpoint, err error) {
	ctx = tenancy.In(ctx, business)
	err = s.audited(ctx, "updateWebhook", func(tx *ent.Tx) (e audit.Change, err error) {
		was, err := tx.WebhookEndpoint.Query().Where(webhookendpoint.ID(id)).Modify(database.ForNoKeyUpdate).Only(ctx)
		if err == nil {
			err = s.check(w)
		}
		if err != nil {
			return e, err
		}
		update := tx.WebhookEndpoint.UpdateOneID(id).SetUpdatedAt(s.Clock.Now())
		if w.URL != nil {
			update.SetURL(*w.URL)
		}
		if w.Description != nil {
			if *w.Description == nil {
				update.ClearDescription()
			} else {
				update.SetDescription(**w.Description)
			}
		}
		if w.Events != nil {
			update.SetEvents(bits(w.Events))
		}
		activates := w.Active != nil && *w.Active
		if w.Active != nil {
			update.SetActive(*w.Active).ClearDisabledReason()
		}
		if w.URL != nil || w.Active != nil {
			update.AddRestarts(1)
		}
		anew := w.URL != nil || activates
		if anew {
			update.SetFailures(0).ClearFailingSince().ClearPausedUntil()
		}
		changed, err = update.Save(ctx)
		if err == nil && anew {
			_, err = due.Exec(ctx, tx.Raw(), database.Values{"now": s.Clock.Now(), "tenant": business, "endpoint": id})
		}
		if err != nil {
			return e, err
		}
		return entry(changed, seen(was), seen(changed)), nil
	})
	return changed, err
}

// Remove removes an endpoint with its waiting events.
func (s *Service) Remove(ctx context.Context, business, id uuid.UUID) error {
	ctx = tenancy.In(ctx, business)
	return s.audited(ctx, "removeWebhook", func(tx *ent.Tx) (e audit.Change, err error) {
		was, err := tx.WebhookEndpoint.Get(ctx, id)
		if err != nil {
			return e, err
		}
		return entry(was, seen(was), nil), tx.WebhookEndpoint.DeleteOneID(id).Exec(ctx)
	})
}

// rotate is one statement, so that of two rotations at once the later keeps the secret of the other as the older one.
var rotate = database.Statement(`UPDATE webhook_endpoints SET previous_secret = secret, secret = $secret,
		previous_until = $until, restarts = restarts + 1, updated_at = $now
	WHERE tenant_id = $tenant AND id = $endpoint`)

// Rotate gives an endpoint a new secret, and returns it. The older one still signs for a day.
func (s *Service) Rotate(
	ctx context.Context, business, id uuid.UUID,
) (changed *ent.WebhookEndpoint, shown string, err error) {
	ctx = tenancy.In(ctx, business)
	err = s.audited(ctx, "rotateWebhookSecret", func(tx *ent.Tx) (e audit.Change, err error) {
		now, secret := s.Clock.Now(), newSecret()
		_, err = rotate.Exec(ctx, tx.Raw(), database.Values{
			"secret": secret, "until": now.Add(bothSign), "now": now, "tenant": business, "endpoint": id,
		})
		if err != nil {
			return e, err
		}
		if changed, err = tx.WebhookEndpoint.Get(ctx, id); err != nil {
			return e, err
		}
		shown = shownSecret(secret)
		return act(changed, "olderSignsUntil", changed.PreviousUntil), nil
	})
	return changed, shown, err
}

// Endpoints returns the endpoints of a business, the oldest first.
func (s *Service) Endpoints(ctx context.Context, business uuid.UUID) ([]*ent.WebhookEndpoint, error) {
	return s.Store.WebhookEndpoint.Query().Order(webhookendpoint.ByID(sql.OrderAsc())).All(tenancy.In(ctx, business))
}
