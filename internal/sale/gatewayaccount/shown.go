package gatewayaccount

import (
	"context"
	"slices"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	account "storefront/ent/gatewayaccount"
	"storefront/internal/database"
	"storefront/internal/database/tenancy"
	"storefront/internal/fault"
	"storefront/internal/sale/gateway"
)

// Problem returns why customers cannot pay with an account, as a CONFLICT; nil: they can once it is active.
func (s *Service) Problem(row *ent.GatewayAccount) error {
	_, _, err := s.Open(row)
	if err == nil && s.Base(row) == "" {
		err = errNoBase
	}
	return err
}

// All returns the accounts of a shop, newest first.
func (s *Service) All(ctx context.Context, business uuid.UUID) ([]*ent.GatewayAccount, error) {
	return s.Store.GatewayAccount.Query().Order(account.ByID(sql.OrderDesc())).All(tenancy.In(ctx, business))
}

// Newest returns the newest account of each gateway of a shop, with the shop.
func (s *Service) Newest(ctx context.Context, business uuid.UUID) (newest []*ent.GatewayAccount, err error) {
	found, err := s.Store.GatewayAccount.Query().WithTenant().Order(account.ByID(sql.OrderDesc())).
		All(tenancy.In(ctx, business))
	for _, row := range found {
		if !slices.ContainsFunc(newest, func(n *ent.GatewayAccount) bool { return n.Gateway == row.Gateway }) {
			newest = append(newest, row)
		}
	}
	return newest, err
}

// Check asks the gateway whether it accepts an account. It returns what is wrong; an empty text if nothing is. It fails
// as Problem does. It calls the gateway, so it is called outside of transactions.
func (s *Service) Check(ctx context.Context, business, id uuid.UUID) (wrong fault.Text, err error) {
	row, err := s.Store.GatewayAccount.Get(tenancy.In(ctx, business), id)
	if err != nil {
		return wrong, err
	}
	g, opened, err := s.Open(row)
	if err == nil {
		err = s.Problem(row)
	}
	if err != nil {
		return wrong, err
	}
	return g.Check(ctx, opened), nil
}

// Offer is a gateway that a shop can set up.
type Offer struct {
	gateway.About
	Currencies []string   // those of the shop's prices that it takes
	Refused    fault.Text // why it takes none of them; empty: it takes some, or there are no prices
}

// Offers returns the gateways that a shop can set up.
func (s *Service) Offers(ctx context.Context, business uuid.UUID) (all []*Offer, err error) {
	currencies, err := currenciesOf(ctx, s.Store, business)
	if err != nil {
		return nil, err
	}
	for _, g := range s.Gateways {
		taken, refused := takes(g, currencies)
		all = append(all, &Offer{g.About(), taken, refused})
	}
	return all, nil
}

// takes returns which currencies a gateway takes; if none, refused says why.
func takes(g gateway.Gateway, currencies []string) (taken []string, refused fault.Text) {
	taken = []string{}
	var none, last fault.Text
	for _, currency := range currencies {
		if _, _, no := g.Bounds(currency); no.String() == "" {
			taken = append(taken, currency)
		} else {
			last = no
		}
	}
	if len(taken) > 0 {
		return taken, none
	}
	return taken, last
}

var readCurrencies = database.Statement(`SELECT DISTINCT price_currency FROM variants WHERE tenant_id = $tenant
	ORDER BY price_currency`)

// currenciesOf returns the currencies of a shop's prices.
func currenciesOf(ctx context.Context, client *ent.Client, business uuid.UUID) (currencies []string, err error) {
	err = readCurrencies.Each(ctx, client.Raw(), database.Values{"tenant": business}, func(row *sql.Rows) error {
		var currency string
		err := row.Scan(&currency)
		currencies = append(currencies, currency)
		return err
	})
	return currencies, err
}
