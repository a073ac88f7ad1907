package payment

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/order"
	"storefront/ent/payment"
	"storefront/internal/database"
	"storefront/internal/database/tenancy"
	"storefront/internal/fault"
	"storefront/internal/locale/money"
	"storefront/internal/record"
	orders "storefront/internal/sale/order"
)

// State is how far an order is paid, for its customer.
type State string

// The states, as a storefront finds them in the address of its page.
const (
	Paid    State = "paid"
	Waiting State = "waiting" // a gateway has not said yet
	NotPaid State = "notPaid"
)

// Link is what the page of an order shows. It names nobody.
type Link struct {
	Shop   *ent.Tenant
	Number string
	Total  money.Amount
	State  State
	Ways   []Way      // how it can be paid now
	Reason fault.Text // why there are none; empty: there are some
	Back   string     // the page of the storefront, with order and state; empty: there is none
	IsTest bool       // the payment, or each way, is without real money
}

// Way is a gateway account with which an order can be paid.
type Way struct {
	Account *ent.GatewayAccount
	Title   fault.Text
	Hosts   []string // where a form of the page may lead, for its Content-Security-Policy
}

// The reasons why an order cannot be paid at a gateway now.
var (
	isPaid      = fault.Say("the order is paid")
	isRefunded  = fault.Say("the payment was given back; order again")
	isOwed      = fault.Say("the order is cancelled, and the shop owes you what was paid")
	isCancelled = fault.Say("the order is cancelled")
	isDelivered = fault.Say("the order is delivered")
	isLate      = fault.Say("the time to pay is over")
	isClosed    = fault.Say("the shop is closed at the moment")
	noGateway   = fault.Say("the shop takes no payments online")
	noneTakesIt = fault.Say("no gateway of the shop takes this amount; ask the shop how to pay")
	noneIsSetUp = fault.Say("the shop cannot take payments online at the moment; ask the shop how to pay")
)

// refusal returns why an order takes no payment now; empty: it does. counting is the payment that it is shown with.
func refusal(o *ent.Order, counting *ent.Payment, now time.Time) (why fault.Text) {
	switch shown := counting.Status.Shown(); {
	case o.Status == record.OrderCancelled && o.RefundDue > 0:
		return isOwed
	case o.Status == record.OrderCancelled:
		return isCancelled
	case shown == record.PaymentPaid:
		return isPaid
	case shown == record.PaymentRefunded:
		return isRefunded
	case o.Status == record.OrderDelivered:
		return isDelivered
	case counting.DueAt != nil && !now.Before(*counting.DueAt):
		return isLate
	}
	return why
}

var payCode = regexp.MustCompile(`^[2-9A-HJ-NP-Z]{20}$`)

var orderByCode = database.Statement(`SELECT tenant_id, id FROM orders WHERE pay_code = $code`)

// find returns the shop and the order of a page.
func (s *Service) find(ctx context.Context, code string) (business, id uuid.UUID, err error) {
	found := false
	if payCode.MatchString(code) {
		found, err = orderByCode.Row(ctx, s.store.Raw(), database.Values{"code": code}, &business, &id)
	}
	if err == nil && !found {
		err = noPage()
	}
	return business, id, err
}

func noPage() error {
	return fault.New(fault.NotFound, "there is no such page; look whether the link was copied whole")
}

// Link returns what the page of an order shows. It changes nothing and calls no gateway, as messengers open links.
func (s *Service) Link(ctx context.Context, code string) (*Link, error) {
	business, id, err := s.find(ctx, code)
	if err != nil {
		return nil, err
	}
	ctx = tenancy.In(ctx, business)
	o, err := s.store.Order.Query().Where(order.ID(id)).WithPayments().WithTenant().Only(ctx)
	if err != nil {
		return nil, err
	}
	counting := orders.Counting(o.Edges.Payments)
	shown := &Link{Shop: o.Edges.Tenant, Number: o.OrderNumber, Total: o.TotalAmount(), State: stateOf(o),
		IsTest: counting.IsTest}
	if shown.Back, err = s.back(ctx, o, shown.State); err != nil {
		return nil, err
	}
	if shown.Ways, shown.Reason, err = s.ways(ctx, s.store, o, counting); err != nil {
		return nil, err
	}
	isLive := slices.ContainsFunc(shown.Ways, func(w Way) bool { return !w.Account.IsTest })
	shown.IsTest = shown.IsTest || len(shown.Ways) > 0 && !isLive
	return shown, nil
}

// ways returns how an order can be paid now, or why it cannot.
func (s *Service) ways(
	ctx context.Context, client *ent.Client, o *ent.Order, counting *ent.Payment,
) (ways []Way, why fault.Text, err error) {
	accounts, err := s.accounts.Active(ctx, client, o.TenantID)
	if err != nil {
		return nil, why, err
	}
	ways, why = s.among(o.Edges.Tenant, accounts, o, counting)
	return ways, why, nil
}

// among returns with which of the active accounts of a shop an order can be paid now, or why with none.
func (s *Service) among(
	shop *ent.Tenant, accounts []*ent.GatewayAccount, o *ent.Order, counting *ent.Payment,
) ([]Way, fault.Text) {
	if why := refusal(o, counting, s.clock.Now()); why.String() != "" {
		return nil, why
	}
	if len(accounts) == 0 {
		return nil, noGateway
	}
	if shop.ClosedAt != nil || shop.PausedAt != nil {
		return nil, isClosed
	}
	var ways []Way
	why := noneIsSetUp // settings say so to staff
	for _, account := range accounts {
		at, opened, err := s.accounts.Open(account)
		if err != nil || s.accounts.Base(account) == "" {
			continue
		}
		why = noneTakesIt
		least, most, refused := at.Bounds(o.PriceCurrency)
		if refused.String() == "" && least <= o.Total && o.Total <= most {
			ways = append(ways, Way{account, at.About().Title, at.Hosts(opened)})
		}
	}
	if len(ways) == 0 {
		return nil, why
	}
	return ways, fault.Words("")
}

// stateOf returns how far an order is paid. Its payments are loaded.
func stateOf(o *ent.Order) State {
	if o.Status == record.OrderCancelled {
		return NotPaid
	}
	if orders.Counting(o.Edges.Payments).Status.Shown() == record.PaymentPaid {
		return Paid
	}
	for _, p := range o.Edges.Payments {
		if p.Status == record.StateReturned || p.Status == record.StateVerifying {
			return Waiting
		}
	}
	return NotPaid
}

// Page is where an order can be paid.
type Page struct {
	URL    *string    // nil: nowhere
	Reason fault.Text // why nowhere
}

// Pages returns where orders of a shop can be paid. Each has the payment that counts.
func (s *Service) Pages(ctx context.Context, orders []*ent.Order) ([]Page, error) {
	business := orders[0].TenantID
	ctx = tenancy.In(ctx, business)
	accounts, err := s.accounts.Active(ctx, s.store, business)
	var shop *ent.Tenant // it is needed only if there are accounts
	if err == nil && len(accounts) > 0 {
		shop, err = s.store.Tenant.Get(ctx, business)
	}
	if err != nil {
		return nil, err
	}
	pages := make([]Page, len(orders))
	for i, o := range orders {
		ways, why := s.among(shop, accounts, o, o.Edges.Payments[0])
		if len(ways) == 0 || o.PayCode == nil {
			pages[i].Reason = why
			continue
		}
		pages[i].URL = new(s.accounts.Base(ways[0].Account) + Path + *o.PayCode)
	}
	return pages, nil
}

// SetReturn stores where the customer of an order comes back to from a gateway, and returns the order. The address must
// be one of the shop's storefront; nil is the usual page.
func (s *Service) SetReturn(
	ctx context.Context, business, user, id uuid.UUID, address *string,
) (*ent.Order, error) {
	ctx = tenancy.In(ctx, business)
	o, err := s.store.Order.Query().Where(order.ID(id), order.UserID(user)).WithTenant().Only(ctx)
	if err != nil {
		return nil, err
	}
	if address == nil {
		return o, s.store.Order.Update().Where(order.ID(id)).ClearReturnURL().SetUpdatedAt(o.UpdatedAt).Exec(ctx)
	}
	written, err := s.storefront(ctx, o.Edges.Tenant, *address)
	if errors.Is(err, errAddress) {
		err = fault.Invalid("returnUrl",
			"must begin with https:// and the domain of the shop, a domain below it, or an alias")
	}
	if err != nil {
		return nil, err
	}
	return o, s.store.Order.Update().Where(order.ID(id)).SetReturnURL(written).SetUpdatedAt(o.UpdatedAt).Exec(ctx)
}

// tryOf returns a try of an order by our reference, with what attempt needs.
func (s *Service) tryOf(ctx context.Context, id uuid.UUID, ours string) (*ent.Payment, error) {
	p, err := s.store.Payment.Query().Where(payment.OrderID(id), payment.Ours(ours)).WithOrder().WithGatewayAccount().
		Only(ctx)
	if ent.IsNotFound(err) {
		err = noPage()
	}
	return p, err
}
