// Package payment has customers pay their orders at gateways. An order has one page for that (Link); a POST to it
// begins a try (Begin), or goes on with one that can still be paid. What a gateway says of a try is asked and written
// in one place (look.go), whether the customer comes back, the gateway calls, or time has passed (Watch).
//
// A row is committed before a gateway is called, and gateways are called outside of transactions. Only a gateway's own
// answer to our server makes a payment paid. Money that a gateway has for us is recorded whatever is known of its
// order (order.Settle); a payment that is not verified yet and is not needed any more is not verified, so that the
// gateway gives it back.
package payment

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/locale/money"
	"storefront/internal/record"
	"storefront/internal/sale/gateway"
	"storefront/internal/sale/order"
)

// Accounts are the gateway accounts of shops.
type Accounts interface {
	// Open returns the gateway of a row and its account, with its secrets.
	Open(*ent.GatewayAccount) (gateway.Gateway, gateway.Account, error)

	// Active returns those of a shop that are switched on, in the order in which customers see them.
	Active(ctx context.Context, client *ent.Client, business uuid.UUID) ([]*ent.GatewayAccount, error)
}

// Service has orders paid at gateways.
type Service struct {
	store    *ent.Client // guarded by tenancy.Guard
	orders   *order.Service
	accounts Accounts
	clock    record.Clock
	log      *slog.Logger
	public   string // PUBLIC_URL, without a slash at its end; may be empty
	loopback bool   // a storefront may be at a loopback address: for a demo

	// Ended is called after each look at a gateway, with the kind of its answer. It may be nil.
	Ended func(gateway.Kind)
}

// Options are what a Service needs.
type Options struct {
	Store    *ent.Client
	Orders   *order.Service
	Accounts Accounts
	Clock    func() time.Time
	Log      *slog.Logger
	Public   string // the address of this service, PUBLIC_URL; empty: not known
	Demo     bool   // storefronts may be at loopback addresses
}

// New returns a service.
func New(o Options) *Service {
	return &Service{store: o.Store, orders: o.Orders, accounts: o.Accounts, clock: o.Clock, log: o.Log, public: o.Public,
		loopback: o.Demo}
}

// Path is where the pages of orders are, below which all addresses are that gateways are given.
const Path = "/pay/"

// base returns the address below which a gateway's customers come back; empty: there is none.
func (s *Service) base(account *ent.GatewayAccount) string {
	if account.CallbackBase != nil {
		return *account.CallbackBase
	}
	return s.public
}

// attempt returns what a gateway needs of a try, whose order and account are loaded.
func (s *Service) attempt(p *ent.Payment, account gateway.Account) gateway.Attempt {
	o := p.Edges.Order
	a := gateway.Attempt{
		Account: account, Reference: *p.Ours, Order: o.OrderNumber,
		Amount:   money.Amount{Minor: p.Amount, Currency: o.PriceCurrency},
		Callback: s.base(p.Edges.GatewayAccount) + Path + *o.PayCode + "/" + *p.Ours, PayableUntil: *p.PayableUntil,
		Now: s.clock.Now(),
	}
	if p.Theirs != nil {
		a.Theirs = *p.Theirs
	}
	if p.Reference != nil {
		a.Settled = *p.Reference
	}
	return a
}
