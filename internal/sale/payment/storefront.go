package payment

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"strings"

	"storefront/ent"
	"storefront/ent/domainalias"
	"storefront/internal/platform/hostname"
	"storefront/internal/record"
)

// back returns the address to which the customer of an order goes back, with the order's number and the state of its
// payment; empty: there is none. The order's shop is loaded.
func (s *Service) back(ctx context.Context, o *ent.Order, state State) (string, error) {
	shop := o.Edges.Tenant
	address := record.NewSite(shop.Domain, shop.DefaultLocale, shop.Pages).
		Address(record.OrderPage, o.OrderNumber, shop.DefaultLocale)
	if o.ReturnURL != nil {
		written, err := s.storefront(ctx, shop, *o.ReturnURL) // the shop may have other domains now
		switch {
		case err == nil:
			address = written
		case !errors.Is(err, errAddress):
			return "", err
		}
	}
	if address == "" {
		return "", nil
	}
	at, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	query := at.Query()
	query.Set("order", o.OrderNumber)
	query.Set("state", string(state))
	at.RawQuery = query.Encode()
	return at.String(), nil
}

// storefront checks that an address is one of a shop's storefront, and returns it as browsers read it.
func (s *Service) storefront(ctx context.Context, shop *ent.Tenant, address string) (string, error) {
	if len(address) > mostAddress || strings.ContainsFunc(address, isUnfit) {
		return "", errAddress
	}
	at, err := url.Parse(address)
	if err != nil || at.User != nil || at.Opaque != "" || at.Host == "" {
		return "", errAddress
	}
	if s.loopback && at.Scheme == "http" && hostname.IsLoopback(at.Hostname()) {
		return at.String(), nil
	}
	host, ok := hostname.Normalize(at.Hostname())
	if !ok || at.Scheme != "https" || at.Port() != "" && at.Port() != "443" {
		return "", errAddress
	}
	if host != shop.Domain && !strings.HasSuffix(host, "."+shop.Domain) {
		isAlias, err := s.store.DomainAlias.Query().
			Where(domainalias.Domain(host), domainalias.BusinessID(shop.ID)).Exist(ctx)
		if err != nil || !isAlias {
			return "", cmp.Or(err, errAddress)
		}
	}
	at.Host = host
	return at.String(), nil
}

const mostAddress = 1000 // bytes

// isUnfit reports whether a character is one that browsers read otherwise than servers.
func isUnfit(r rune) bool { return r <= ' ' || r == 0x7f || r == '\\' }

var errAddress = errors.New("payment: not an address of the storefront")
