package graph

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/tenant"
	"storefront/internal/api"
	"storefront/internal/catalog"
	"storefront/internal/catalog/selection"
	"storefront/internal/customer/member"
	"storefront/internal/fault"
	"storefront/internal/locale/phone"
	"storefront/internal/platform/hostname"
	"storefront/internal/record"
	"storefront/internal/request"
	"storefront/internal/sale/cart"
)

// Operations of customers identify the shop by its id, and those of visitors by its domain. Where the schema has
// @orDomain, the engine accepts a domain in place of the id.

// customerAt returns the signed-in customer at a business.
func (r *Resolver) customerAt(ctx context.Context, business uuid.UUID) (cart.Owner, error) {
	customer, err := r.customerOf(ctx, business)
	if err != nil {
		return cart.Owner{}, err
	}
	return customer, r.reachBusiness(ctx, business)
}

// buyerAt is customerAt for placed orders, which customers may see even while the shop is closed to them.
func (r *Resolver) buyerAt(ctx context.Context, business uuid.UUID) (cart.Owner, error) {
	caller, err := request.CallerOf(ctx)
	if err != nil {
		return cart.Owner{}, err
	}
	request.Of(ctx).Note.Asks(business.String())
	return cart.Owner{Business: business, User: caller.User}, r.reachBusiness(ctx, business)
}

// customerOf is customerAt for calls of packages cart and order. It does not check that the business exists:
// their own statements find that out.
func (r *Resolver) customerOf(ctx context.Context, business uuid.UUID) (cart.Owner, error) {
	caller, err := request.CallerOf(ctx)
	if err == nil && business == uuid.Nil { // the text was not an id
		err = member.NoBusiness()
	}
	if err == nil {
		request.Of(ctx).Note.Asks(business.String())
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
	found, err := r.Tenants.FindAll(ctx, hosts)
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
	how, err := r.Tenants.Closing(ctx, business)
	return cmp.Or(err, member.CheckOpen(int(how)))
}

// reachBusiness checks that a business with the id exists, as Catalog.ShopAt does for a domain. The business
// may be closed to customers.
func (r *Resolver) reachBusiness(ctx context.Context, id uuid.UUID) error {
	t, err := r.Store.Tenant.Query().Where(tenant.ID(id)).
		Collect(selection.Names("domain", "content_version", "closed_at")).Only(ctx)
	if ent.IsNotFound(err) {
		return member.NoBusiness()
	}
	if err == nil {
		catalog.ScopeOf(ctx).Reached(t)
		request.Of(ctx).Note.For(t.Domain)
		if t.ClosedAt != nil {
			return member.Closed()
		}
	}
	return err
}

// cellOf returns the E.164 form of a number that the engine has checked.
func cellOf(typed string) string {
	e164, _ := phone.Normalize(strings.TrimSpace(typed))
	return e164
}

func messagePayload(message api.Message, err error) (*api.MessagePayload, error) {
	return &api.MessagePayload{Message: message}, err
}

// arrivalOf returns the time the request arrived, in the precision that both databases store.
func arrivalOf(ctx context.Context) time.Time {
	return record.Moment(request.Of(ctx).Arrival.At)
}

// unknownIn adds the member of the request to an error that says that no record has its id.
func unknownIn(member string, err error) error {
	if ent.IsNotFound(err) {
		err = fault.Wrap(fault.NotFound, err, "there is no such record")
	}
	if fault.Is(err, fault.NotFound) {
		return fault.From(err).Of(member)
	}
	return err
}
