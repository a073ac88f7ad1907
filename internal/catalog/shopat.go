package catalog

import (
	"context"
	"errors"

	"storefront/ent"
	"storefront/internal/catalog/lookup"
	"storefront/internal/customer/member"
	"storefront/internal/fault"
	"storefront/internal/platform/hostname"
	"storefront/internal/request"
)

// ShopAt returns the shop of a domain. All records of a shop are read through it. Requests share the row, so
// it must not be changed. It fails with NOT_FOUND, and with SHOP_CLOSED for a closed shop.
func (r *Catalog) ShopAt(ctx context.Context, domain string) (*ent.Tenant, error) {
	t, err := r.anyShopAt(ctx, domain)
	if err == nil {
		err = OpenToAll(t)
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

// anyShopAt is ShopAt, but also returns a closed shop.
func (r *Catalog) anyShopAt(ctx context.Context, domain string) (*ent.Tenant, error) {
	host, ok := hostname.Normalize(domain)
	if !ok {
		return nil, noShop(domain)
	}
	t, err := r.tenants.Find(ctx, host)
	if errors.Is(err, lookup.ErrUnknown) {
		return nil, noShop(domain)
	}
	if err != nil {
		return nil, err
	}
	ScopeOf(ctx).Reached(t)
	request.Of(ctx).Note.For(t.Domain)
	return t, nil
}

// AnyShopTyped is ShopAt for an address as people type it (hostname.Typed), but also returns a closed shop, where
// customers may still sign in.
func (r *Catalog) AnyShopTyped(ctx context.Context, address string) (*ent.Tenant, error) {
	for _, host := range hostname.Typed(address) {
		if t, err := r.anyShopAt(ctx, host); !fault.Is(err, fault.NotFound) {
			return t, err
		}
	}
	return nil, noShop(address)
}

// OpenToAll fails with SHOP_CLOSED for a shop that is closed.
func OpenToAll(t *ent.Tenant) error {
	switch {
	case t.ClosedAt != nil:
		return member.Closed()
	case t.PausedAt != nil:
		return member.Paused()
	}
	return nil
}

func noShop(domain string) error {
	return fault.New(fault.NotFound, "there is no shop at %.80q", domain)
}
