// Package payment has customers pay their orders at gateways. An order has one page for that (Link); a POST to it
// begins a try (Begin), or resumes one that can still be paid. The state of a try at its gateway is asked and written
// in one place (look.go), whether the customer comes back, the gateway calls, or time has passed (Watch).
//
// A row is committed before a gateway is called, and gateways are called outside of transactions. Only a gateway's own
// answer to our server makes a payment paid. Money that a gateway has for us is recorded whatever is known of its
// order (order.Settle); a payment that is not verified yet and is not needed any more is not verified, so that the
// gateway gives it back.
package payment

import (
	"log/slog"
	"time"

	"storefront/ent"
	"storefront/internal/locale/money"
	"storefront/internal/record"
	"storefront/internal/sale/gateway"
	"storefront/internal/sale/gatewayaccount"
	"storefront/internal/sale/order"
)

// Service has orders paid at gateways.
type Service struct {
	store    *ent.Client // guarded by tenancy.Guard
	orders   *order.Service
	accounts *gatewayaccount.Service
	clock    record.Clock
	log      *slog.Logger
	loopback bool // a storefront may be at a loopback address: for a demo
	pace     record.Pace
}

// Options are what a Service needs.
type Options struct {
	Store    *ent.Client
	Orders   *order.Service
	Accounts *gatewayaccount.Service
	Clock    func() time.Time
	Log      *slog.Logger
	Demo     bool // storefronts may be at loopback addresses
	Pace     record.Pace
}

// New returns a service.
func New(o Options) *Service {
	return &Service{
		store: o.Store, orders: o.Orders, accounts: o.Accounts, clock: o.Clock, log: o.Log, loopback: o.Demo,
		pace: o.Pace,
	}
}

// Path is where the pages of orders are, below which all addresses are that gateways are given.
const Path = "/pay/"

// attempt returns what a gateway needs of a try, whose order and account are loaded.
func (s *Service) attempt(p *ent.Payment, account gateway.Account) gateway.Attempt {
	o := p.Edges.Order
	a := gateway.Attempt{
		Account: account, Reference: *p.Ours, Order: o.OrderNumber,
		Amount:   money.Amount{Minor: p.Amount, Currency: o.PriceCurrency},
		Callback: s.accounts.Base(p.Edges.GatewayAccount) + Path + *o.PayCode + "/" + *p.Ours,
		Now:      s.clock.Now(), PayableUntil: *p.PayableUntil,
	}
	if p.Theirs != nil {
		a.Theirs = *p.Theirs
	}
	if p.Reference != nil {
		a.Settled = *p.Reference
	}
	return a
}
