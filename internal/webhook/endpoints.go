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
	"storefront/internal/fault"
	"storefront/internal/outbox"
	"storefront/internal/record"
	"storefront/internal/tenancy"
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

// bits are the bits of some types.
func bits(events []record.WebhookEvent) (all int) {
	for _, e := range events {
		all |= e.Bit()
	}
	return all
}

// check names what is wrong with settings.
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

// Add registers an endpoint of a business, and returns its secret, which is shown only once. It fails with
// CONFLICT if there are ten already.
func (s *Service) Add(
	ctx context.Context, tx *ent.Tx, business uuid.UUID, w Settings,
) (*ent.WebhookEndpoint, string, error) {
	if err := s.check(w); err != nil {
		return nil, "", err
	}
	ctx = tenancy.In(ctx, business)
	if err := lockBusiness(ctx, tx, business); err != nil {
		return nil, "", err
	}
	n, err := tx.WebhookEndpoint.Query().Count(ctx)
	if err != nil {
		return nil, "", err
	}
	if n >= mostEndpoints {
		return nil, "", fault.New(fault.Conflict, "there are %d webhooks already; remove one first", mostEndpoints)
	}
	from, err := outbox.Last(ctx, tx.Raw())
	if err != nil {
		return nil, "", err
	}
	secret := newSecret()
	create := tx.WebhookEndpoint.Create().SetURL(*w.URL).SetEvents(bits(w.Events)).SetSecret(secret).SetNumber(from)
	if w.Description != nil {
		create.SetNillableDescription(*w.Description)
	}
	if w.Active != nil {
		create.SetActive(*w.Active)
	}
	made, err := create.SetCreatedAt(s.now()).SetUpdatedAt(s.now()).Save(ctx)
	return made, shownSecret(secret), err
}

var lockTenant = database.Statement(`UPDATE tenants SET updated_at = updated_at WHERE id = $tenant`)

// lockBusiness makes others who add an endpoint to the same business wait.
func lockBusiness(ctx context.Context, tx *ent.Tx, business uuid.UUID) error {
	_, err := lockTenant.Exec(ctx, tx.Raw(), database.Values{"tenant": business})
	return err
}

// due makes all waiting events of an endpoint due.
var due = database.Statement(`UPDATE webhook_deliveries SET next_at = $now
	WHERE tenant_id = $tenant AND endpoint_id = $endpoint AND next_at > $now`)

// Change changes an endpoint. If it becomes active or gets another address, its failures are reset, and all
// its waiting events are due at once. What happened while it was inactive is not delivered.
func (s *Service) Change(
	ctx context.Context, tx *ent.Tx, business, id uuid.UUID, w Settings,
) (*ent.WebhookEndpoint, error) {
	if err := s.check(w); err != nil {
		return nil, err
	}
	ctx = tenancy.In(ctx, business)
	update := tx.WebhookEndpoint.UpdateOneID(id).SetUpdatedAt(s.now())
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
	if w.Active != nil {
		update.SetActive(*w.Active).ClearDisabledReason()
		if err := skipInactive(ctx, tx, id, *w.Active, update); err != nil {
			return nil, err
		}
	}
	if w.URL != nil || w.Active != nil {
		update.AddRestarts(1)
	}
	anew := w.URL != nil || w.Active != nil && *w.Active
	if anew {
		update.SetFailures(0).ClearFailingSince().ClearPausedUntil()
	}
	changed, err := update.Save(ctx)
	if err == nil && anew {
		_, err = due.Exec(ctx, tx.Raw(), database.Values{"now": s.now(), "tenant": business, "endpoint": id})
	}
	return changed, err
}

// skipInactive makes the update of an endpoint that becomes active leave out the events so far.
func skipInactive(
	ctx context.Context, tx *ent.Tx, id uuid.UUID, active bool, update *ent.WebhookEndpointUpdateOne,
) error {
	held, err := tx.WebhookEndpoint.Query().Where(webhookendpoint.ID(id)).Modify(database.ForNoKeyUpdate).Only(ctx)
	if err != nil || held.Active || !active {
		return err
	}
	last, err := outbox.Last(ctx, tx.Raw())
	update.SetNumber(last)
	return err
}

// rotate is one statement, so that of two rotations at once the later keeps the secret of the other as the older one.
var rotate = database.Statement(`UPDATE webhook_endpoints SET previous_secret = secret, secret = $secret,
		previous_until = $until, restarts = restarts + 1, updated_at = $now
	WHERE tenant_id = $tenant AND id = $endpoint`)

// Rotate gives an endpoint a new secret, and returns it. The older one still signs for a day.
func (s *Service) Rotate(
	ctx context.Context, tx *ent.Tx, business, id uuid.UUID,
) (*ent.WebhookEndpoint, string, error) {
	now, secret := s.now(), newSecret()
	_, err := rotate.Exec(ctx, tx.Raw(), database.Values{
		"secret": secret, "until": now.Add(bothSign), "now": now, "tenant": business, "endpoint": id,
	})
	if err != nil {
		return nil, "", err
	}
	changed, err := tx.WebhookEndpoint.Get(tenancy.In(ctx, business), id)
	return changed, shownSecret(secret), err
}

// Endpoints returns the endpoints of a business, the oldest first.
func (s *Service) Endpoints(ctx context.Context, business uuid.UUID) ([]*ent.WebhookEndpoint, error) {
	return s.store.WebhookEndpoint.Query().Order(webhookendpoint.ByID(sql.OrderAsc())).All(tenancy.In(ctx, business))
}
