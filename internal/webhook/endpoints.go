package webhook

import (
	"context"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/webhookendpoint"
	"storefront/internal/database"
	"storefront/internal/fault"
	"storefront/internal/record"
	"storefront/internal/tenancy"
)

const (
	mostEndpoints = 10             // of a business
	bothSign      = 24 * time.Hour // for which an older secret signs beside its successor
	longestURL    = 2000           // characters
)

// Wish is what staff sets of an endpoint. Of a change what is nil stays.
type Wish struct {
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

// check names what is wrong with a wish.
func (s *Service) check(w Wish) error {
	var bad fault.Fields
	if w.URL != nil {
		s.checkURL(*w.URL, &bad)
	}
	if w.Events != nil && len(w.Events) == 0 {
		bad.Add("events", "must name at least one type of event")
	}
	return bad.Err()
}

// checkURL refuses what can be seen to be wrong with an address. What its name resolves to is looked at with each attempt.
func (s *Service) checkURL(text string, bad *fault.Fields) {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Hostname() == "" || u.Opaque != "" || len(text) > longestURL:
		bad.Add("url", "must be an address such as https://shop.example/events")
	case u.User != nil || u.Fragment != "" || strings.Contains(text, "#"):
		bad.Add("url", "must have no user, password or fragment")
	case u.Scheme != "https" && !(s.private && u.Scheme == "http"):
		bad.Add("url", "must begin with https://")
	case !s.private && isInside(u.Hostname()):
		bad.Add("url", "must not lead into a private network")
	}
}

// isInside reports whether a host says by itself that it is not public. Forms of addresses that only some programs read,
// such as 0x7f.1, are names to Go, and refused when they are dialed.
func isInside(host string) bool {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if addr, err := netip.ParseAddr(host); err == nil {
		return !isPublic(addr)
	}
	if ip := net.ParseIP(host); ip != nil {
		return true
	}
	for _, end := range []string{"localhost", "local", "internal"} {
		if host == end || strings.HasSuffix(host, "."+end) {
			return true
		}
	}
	return false
}

// Add registers an endpoint of a business, and returns its secret, which is shown once. More than ten are CONFLICT.
func (s *Service) Add(ctx context.Context, tx *ent.Tx, business uuid.UUID, w Wish) (*ent.WebhookEndpoint, string, error) {
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
	secret := newSecret()
	create := tx.WebhookEndpoint.Create().SetURL(*w.URL).SetEvents(bits(w.Events)).SetSecret(secret)
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

// lockBusiness makes others wait who add an endpoint to the same business.
func lockBusiness(ctx context.Context, tx *ent.Tx, business uuid.UUID) error {
	_, err := lockTenant.Exec(ctx, tx.Raw(), database.Values{"tenant": business})
	return err
}

// Change changes an endpoint. One that becomes active again starts anew: at once, and with no failures.
func (s *Service) Change(ctx context.Context, tx *ent.Tx, business, id uuid.UUID, w Wish) (*ent.WebhookEndpoint, error) {
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
	}
	if w.URL != nil || w.Active != nil && *w.Active {
		update.SetFailures(0).ClearFailingSince().ClearPausedUntil()
	}
	return update.Save(ctx)
}

// Rotate gives an endpoint a new secret, and returns it. The older one signs as well for a day.
func (s *Service) Rotate(ctx context.Context, tx *ent.Tx, business, id uuid.UUID) (*ent.WebhookEndpoint, string, error) {
	ctx = tenancy.In(ctx, business)
	old, err := tx.WebhookEndpoint.Query().Where(webhookendpoint.ID(id)).Only(ctx)
	if err != nil {
		return nil, "", err
	}
	secret := newSecret()
	changed, err := tx.WebhookEndpoint.UpdateOneID(id).SetSecret(secret).SetPreviousSecret(old.Secret).
		SetPreviousUntil(s.now().Add(bothSign)).SetUpdatedAt(s.now()).Save(ctx)
	return changed, shownSecret(secret), err
}

// Remove removes an endpoint with all that waits for it.
func (s *Service) Remove(ctx context.Context, tx *ent.Tx, business, id uuid.UUID) error {
	return tx.WebhookEndpoint.DeleteOneID(id).Exec(tenancy.In(ctx, business))
}

// Endpoints are those of a business, the oldest first.
func (s *Service) Endpoints(ctx context.Context, business uuid.UUID) ([]*ent.WebhookEndpoint, error) {
	return s.store.WebhookEndpoint.Query().Order(webhookendpoint.ByID(sql.OrderAsc())).All(tenancy.In(ctx, business))
}
