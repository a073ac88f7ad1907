package delivery

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/deliverymethod"
	"storefront/ent/installation"
	"storefront/internal/database/tenancy"
	"storefront/internal/platform/bounded"
)

// Service reads the delivery methods of shops, and keeps those of the shops that sell most.
type Service struct {
	kept   bounded.Cache[*Terms]
	places atomic.Pointer[places]
}

// mostKept is how many shops have their methods in memory.
const mostKept = 1000

// New returns a service.
func New() *Service {
	return &Service{kept: bounded.New(mostKept, func(string, *Terms) uint32 { return 1 })}
}

// Terms are the active delivery methods of a shop, with the places that they deliver to. Nil for a shop that never had
// a method.
type Terms struct {
	methods []*ent.DeliveryMethod
	places  *places
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
	terms := &Terms{methods, known}
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
