package delivery

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/deliverymethod"
	"storefront/ent/installation"
	"storefront/internal/database/tenancy"
	"storefront/internal/locale/calendar"
	"storefront/internal/platform/bounded"
	"storefront/internal/record"
)

// Service reads the delivery methods and tax rates of shops, and keeps those of the shops that sell most.
type Service struct {
	kept   bounded.Cache[*Terms]
	places atomic.Pointer[places]
}

// mostKept is how many shops have their terms in memory.
const mostKept = 1000

// New returns a service.
func New() *Service {
	return &Service{kept: bounded.New(mostKept, func(string, *Terms) uint32 { return 1 })}
}

// Terms are the active delivery methods of a shop, with the places that they deliver to, and its tax rates. Nil for a
// shop that never had a method or a rate.
type Terms struct {
	methods []*ent.DeliveryMethod
	places  *places
	rates   []*ent.TaxRate // in the order in which they began
	zone    *time.Location
}

// Rates returns the tax rates that hold at a moment, by their category.
func (t *Terms) Rates(at time.Time) map[string]*ent.TaxRate {
	if t == nil {
		return nil
	}
	day, hold := at.In(t.zone).Format(time.DateOnly), map[string]*ent.TaxRate{}
	for _, rate := range t.rates {
		if (rate.From == nil || *rate.From <= day) && (rate.Until == nil || day < *rate.Until) {
			hold[rate.Category] = rate
		}
	}
	return hold
}

// Terms returns the terms of a shop at a version of it (tenants.sale_version) that was read before. They may be later
// ones, as a checkout compares the version when it writes. client reads what is not in memory, so that a transaction
// needs no second connection.
func (s *Service) Terms(ctx context.Context, client *ent.Client, shop uuid.UUID, version int64) (*Terms, error) {
	if version == 0 {
		return nil, nil
	}
	key := fmt.Sprint(shop, "/", version)
	if kept, ok := s.kept.Get(key); ok {
		return kept, nil
	}
	methods, err := client.DeliveryMethod.Query().Where(deliverymethod.Active(true)).
		Order(deliverymethod.ByPosition(), deliverymethod.ByKey()).All(tenancy.In(ctx, shop))
	if err != nil {
		return nil, err
	}
	known, err := s.knownPlaces(ctx, client)
	if err != nil {
		return nil, err
	}
	rates, err := client.TaxRate.Query().All(tenancy.In(ctx, shop))
	if err != nil {
		return nil, err
	}
	slices.SortFunc(rates, func(a, b *ent.TaxRate) int {
		return cmp.Or(cmp.Compare(record.TextOf(a.From), record.TextOf(b.From)), cmp.Compare(a.Key, b.Key))
	})
	of, err := client.Tenant.Get(ctx, shop)
	if err != nil {
		return nil, err
	}
	zone, err := calendar.Zone(calendar.ZoneOf(of.TimeZone, of.DefaultLocale))
	if err != nil {
		return nil, err
	}
	terms := &Terms{methods, known, rates, zone}
	s.kept.Set(key, terms)
	return terms, nil
}

// knownPlaces returns the locations. They are read again once they have changed.
func (s *Service) knownPlaces(ctx context.Context, client *ent.Client) (*places, error) {
	version, err := client.Installation.Query().Select(installation.FieldVersion).Only(ctx)
	if ent.IsNotFound(err) {
		version, err = new(ent.Installation), nil
	}
	if err != nil {
		return nil, err
	}
	if known := s.places.Load(); known != nil && known.version == version.Version {
		return known, nil
	}
	all, err := client.Location.Query().All(ctx)
	if err != nil {
		return nil, err
	}
	known := placesOf(all, version.Version)
	s.places.Store(known)
	return known, nil
}
