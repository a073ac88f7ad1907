package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/tenant"
	"storefront/internal/auth"
	"storefront/internal/cart"
	"storefront/internal/catalog"
	"storefront/internal/hostname"
	"storefront/internal/lookup"
	"storefront/internal/member"
	"storefront/internal/note"
	"storefront/internal/selection"
)

// Operations of customers identify the shop by its id, and those of visitors by its domain. Where the schema has
// @orDomain, the engine accepts a domain in place of the id.

// customerAt gives the signed-in customer at a business.
func (r *Resolver) customerAt(ctx context.Context, business uuid.UUID) (cart.Owner, error) {
	customer, err := r.customerOf(ctx, business)
	if err != nil {
		return cart.Owner{}, err
	}
	return customer, r.reachBusiness(ctx, business)
}

// buyerAt is customerAt for orders that were placed, which customers see while the shop is closed to them, too.
func (r *Resolver) buyerAt(ctx context.Context, business uuid.UUID) (cart.Owner, error) {
	caller, err := auth.CallerOf(ctx)
	if err != nil {
		return cart.Owner{}, err
	}
	note.Of(ctx).Asks(business.String())
	return cart.Owner{Business: business, User: caller.User}, r.reachBusiness(ctx, business)
}

// customerOf is customerAt for what package cart or order checks: that there is such a business they find out by the
// statements that they send anyway.
func (r *Resolver) customerOf(ctx context.Context, business uuid.UUID) (cart.Owner, error) {
	caller, err := auth.CallerOf(ctx)
	if err == nil && business == uuid.Nil { // a text that is no id
		err = member.NoBusiness()
	}
	if err == nil {
		note.Of(ctx).Asks(business.String())
		err = r.checkOpen(ctx, business)
	}
	return cart.Owner{Business: business, User: caller.User}, err
}

// shopsAt implements engine.Options.ShopsAt. It includes closed shops: whether they may be used is checked later.
func (r *Resolver) shopsAt(ctx context.Context, domains []string) (map[string]uuid.UUID, error) {
	var hosts []string
	for _, domain := range domains {
		if host, ok := hostname.Normalize(domain); ok {
			hosts = append(hosts, host)
		}
	}
	if len(hosts) == 0 {
		return map[string]uuid.UUID{}, nil
	}
	found, err := r.tenants.FindAll(ctx, hosts)
	ids := make(map[string]uuid.UUID, len(domains))
	for _, domain := range domains {
		host, _ := hostname.Normalize(domain)
		if shop := found[host]; shop != nil {
			ids[domain] = shop.ID
		}
	}
	return ids, err
}

// checkOpen fails with SHOP_CLOSED for a shop that is closed.
func (r *Resolver) checkOpen(ctx context.Context, business uuid.UUID) error {
	how, err := r.tenants.Closing(ctx, business)
	switch {
	case err != nil:
		return err
	case how == lookup.Moving:
		return member.Closed()
	case how == lookup.Paused:
		return member.Paused()
	}
	return nil
}

// reachBusiness checks that there is a business of that id, as Catalog.ShopAt does for a domain. It may be closed to
// customers.
func (r *Resolver) reachBusiness(ctx context.Context, id uuid.UUID) error {
	t, err := r.store.Tenant.Query().Where(tenant.ID(id)).
		Collect(selection.Names("domain", "content_version", "closed_at")).Only(ctx)
	if ent.IsNotFound(err) {
		return member.NoBusiness()
	}
	if err == nil {
		catalog.ScopeOf(ctx).Reached(t)
		note.Of(ctx).For(t.Domain)
		if t.ClosedAt != nil {
			return member.Closed()
		}
	}
	return err
}
