package order

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"time"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/ordercharge"
	"storefront/internal/customer/member"
	"storefront/internal/database"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/locale/money"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
	"storefront/internal/sale/cart"
	"storefront/internal/sale/price"
)

// Request is what a customer asks for at checkout.
type Request struct {
	ShippingAddress record.ShippingAddress
	CustomerNotes   *string
	Payment         Payment
	Delivery        *uuid.UUID // the delivery method; nil: the first that takes the order
	ExpectedTotal   *string    // a JSON number, in the unit of the cart's currency; nil: any
	Arrived         time.Time  `json:"-"` // when the request arrived, by the clock of the process
}

// Payment is how the customer wants to pay.
type Payment struct {
	Type                                                            record.PaymentType
	PosType, TransferAccount, TransferRefNumber, GatewayType, Notes *string
}

// digest returns a hash that is the same for requests with the same content.
func (r Request) digest() []byte {
	text, _ := json.Marshal(r) // never fails for texts
	sum := sha256.Sum256(text)
	return sum[:]
}

// Checkout turns a customer's cart into an order, in one transaction. A cart makes one order: a checkout
// that overlapped with another one of the same cart returns its order if it has the same content, else it
// fails with CONFLICT. They overlap if it arrived before the other wrote the order, by the clock of the database, or
// read the cart before the other was committed.
//
// It fails with CONFLICT if the shop's rules refuse it; with CART_EMPTY, ITEM_UNAVAILABLE, INSUFFICIENT_STOCK or
// MAX_ORDER_QUANTITY_EXCEEDED; with PRICE_CHANGED, once, if a price rose or changed its currency since its line was
// written, and each time if the total is not the expected one; with NOT_DELIVERABLE if the shop has delivery methods
// and none takes the order; with VALIDATION_FAILED if the total is above money.Max; and with NOT_FOUND if there is no
// such business or delivery method. Then stock and cart are unchanged. A checkout that overlapped with one that
// failed with PRICE_CHANGED fails with it, too, as the customer sent it before they saw the price.
func (s *Service) Checkout(ctx context.Context, owner cart.Owner, request Request) (*ent.Order, error) {
	ctx = owner.In(ctx)
	if s.Ahead != nil {
		request.Arrived = request.Arrived.Add(s.Ahead())
	}
	c := checkout{of: owner, request: request, before: -1}
	var made *ent.Order
	var err error
	for range 3 { // what was looked at may have changed again, and a taken order number is drawn again
		made, err = s.place(ctx, &c)
		if !errors.Is(err, errShort) && !database.IsUnique(err) || transaction.Joined(ctx) {
			break // a joint transaction has one try
		}
	}
	if err == nil && made.Edges.Items != nil { // this call wrote it
		transaction.AfterCommit(ctx, func() {
			if s.Placed != nil {
				s.Placed()
			}
		})
	}
	if errors.Is(err, errShort) {
		err = fault.Wrap(fault.InsufficientStock, err, "there is less of an item than asked for")
	}
	return made, err
}

// checkout is a checkout in progress.
type checkout struct {
	of      cart.Owner
	request Request

	// before is how often the cart had become an order when the checkout first read it; less than 0 before
	// that. A later checkout, which raises that number, has overlapped with this one.
	before int64

	changed bool // it has read a price that changed; another checkout may have reported it since
}

// place places the order. Most carts need no lock on PostgreSQL (placeSeen); any other cart is locked first.
func (s *Service) place(ctx context.Context, c *checkout) (made *ent.Order, err error) {
	if s.store.Raw().Dialect() == dialect.Postgres {
		seen, err := s.carts.Look(ctx, c.of)
		if err != nil {
			return nil, err
		}
		c.lookedAt(seen.Checkouts)
		if made, placed, err := s.placeSeen(ctx, c, seen); placed || err != nil {
			return made, err
		}
	} else {
		checkouts, err := s.carts.Checkouts(ctx, c.of)
		if err != nil {
			return nil, err
		}
		c.lookedAt(checkouts)
	}
	err = transaction.Run(ctx, s.store, func(tx *ent.Tx) error {
		made, err = s.placeLocked(ctx, tx, c)
		return err
	})
	return made, err
}

// lookedAt records how often the cart had become an order, the first time it is called.
func (c *checkout) lookedAt(checkouts int64) {
	if c.before < 0 {
		c.before = checkouts
	}
}

// errOverlapped is the error of a checkout if another one has made an order of the cart meanwhile. errPriceChanged is
// that of a checkout that reports a changed price. Both are answered under the cart's lock.
var (
	errOverlapped   = errors.New("order: another checkout was here")
	errPriceChanged = errors.New("order: a price has changed")
)

// decide returns what a cart comes to as an order, or an error that says why it may not become one. It is called for
// carts read without a lock and for locked ones. Of the former the time of the last checkout is compared when they are
// written. client reads what is not in memory.
func (s *Service) decide(
	ctx context.Context, client *ent.Client, c *checkout, kept cart.Kept, lines []*cart.Line,
) (b *price.Bill, err error) {
	if kept.Checkouts != c.before || kept.CheckedOut {
		return b, errOverlapped
	}
	if err := member.CheckOpen(kept.Closing); err != nil {
		return b, err
	}
	if len(lines) == 0 {
		return b, cartEmpty()
	}
	if err := cart.Check(lines); err != nil {
		return b, err
	}
	if _, ok := price.Of(lines, price.Terms{}); !ok {
		return b, tooMuch(lines[0].Currency)
	}
	c.changed = c.changed || cart.PriceChanged(lines)
	if c.changed || kept.Repriced {
		return b, errPriceChanged
	}
	b, err = s.bill(ctx, client, c, kept, lines)
	if err == nil && !isExpected(b, c.request.ExpectedTotal) {
		changed := fault.New(fault.PriceChanged, "the order comes to %s now; look at it, then order again",
			money.Words(b.Total))
		changed.Details = map[string]any{"cart": s.carts.Show(c.of, kept, lines)}
		err = changed
	}
	return b, err
}

// placeSeen places the order of a cart that was read without a lock, if it may become one and all that was read is
// unchanged when the order is written. It is for PostgreSQL. If it does not place the order, nothing was written, and
// the cart must be locked, for another try or to find out what is wrong.
func (s *Service) placeSeen(ctx context.Context, c *checkout,
	seen cart.Seen) (made *ent.Order, placed bool, err error) {
	kept := cart.Kept{Checkouts: seen.Checkouts, Closing: seen.Closing, Rules: seen.Rules, Sale: seen.Sale}
	b, refused := s.decide(ctx, s.store, c, kept, seen.Lines)
	if refused != nil || asksBuyer(seen.Rules) {
		return nil, false, nil
	}
	made = s.orderOf(c, seen.Rules, seen.Lines, b)
	err = transaction.Single(func() (err error) {
		placed, err = s.writeAtOnce(ctx, s.store.Raw(), c, seen, made)
		return err
	})
	return made, placed, err
}

// placeLocked places the order of a cart that it locks.
func (s *Service) placeLocked(ctx context.Context, tx *ent.Tx, c *checkout) (*ent.Order, error) {
	kept, found, err := s.carts.Locked(ctx, tx, c.of, c.request.Arrived)
	if err != nil {
		return nil, err
	}
	if !found { // only a cart proves that the business exists
		return nil, cmp.Or(member.CheckBusiness(ctx, tx.Client(), c.of.Business), cartEmpty())
	}
	lines, err := s.carts.Lines(ctx, tx.Raw(), c.of, kept.ID)
	if err != nil {
		return nil, err
	}
	b, err := s.decide(ctx, tx.Client(), c, kept, lines)
	if err == nil {
		err = obeys(ctx, tx, c.of, kept.Rules)
	}
	switch {
	case err == nil:
		made := s.orderOf(c, kept.Rules, lines, b)
		return made, s.write(ctx, tx, c, kept, made, lines)
	case errors.Is(err, errOverlapped):
		return overlapped(ctx, tx, kept, c.request)
	case errors.Is(err, errPriceChanged):
		return nil, s.priceChanged(ctx, tx, c.of, kept, lines)
	}
	return nil, err
}

// overlapped returns the answer for a checkout whose cart became an order while it waited, with its charges.
func overlapped(ctx context.Context, tx *ent.Tx, kept cart.Kept, request Request) (*ent.Order, error) {
	if kept.LastOrder == nil || !bytes.Equal(kept.LastCheckout, request.digest()) {
		return nil, fault.New(fault.Conflict, "another checkout of this cart has just gone through")
	}
	made, err := tx.Order.Get(ctx, *kept.LastOrder)
	if err == nil {
		made.Edges.Charges, err = tx.OrderCharge.Query().Where(ordercharge.OrderIDIn(made.ID)).All(ctx)
	}
	return made, err
}

func cartEmpty() error { return fault.New(fault.CartEmpty, "the cart is empty") }

// priceChanged sets the prices of a cart's lines to the current ones, and returns PRICE_CHANGED, marked so
// that the change is committed.
func (s *Service) priceChanged(
	ctx context.Context, tx *ent.Tx, owner cart.Owner, kept cart.Kept, lines []*cart.Line,
) error {
	shown, err := s.carts.See(ctx, tx, owner, kept, lines)
	if err != nil {
		return err
	}
	changed := fault.New(fault.PriceChanged,
		"a price has changed since the item was put into the cart; look at the cart, then order again")
	changed.Details = map[string]any{"cart": shown}
	return transaction.Keep(changed)
}

// isExpected reports whether the total of a bill is the one that a request expects, if it expects one.
func isExpected(b *price.Bill, total *string) bool {
	if total == nil {
		return true
	}
	minor, err := money.Parse(*total, b.Total.Currency)
	return err == nil && minor == b.Total.Minor
}

// orderOf returns the order that lines become, with its lines, payment and history.
func (s *Service) orderOf(c *checkout, rules record.OrderRules, lines []*cart.Line, b *price.Bill) *ent.Order {
	at, pay := s.clock.Now(), c.request.Payment
	made := &ent.Order{
		ID: record.NewID(), TenantID: c.of.Business, UserID: &c.of.User, CreatedAt: at, UpdatedAt: at,
		OrderNumber: Number(), Status: record.OrderPending, PayCode: new(Letters(payCodeLetters)),
		Subtotal: b.Subtotal.Minor, ChargeTotal: b.Total.Minor - b.Subtotal.Minor, Total: b.Total.Minor,
		PriceCurrency:   b.Total.Currency,
		ShippingAddress: c.request.ShippingAddress, CustomerNotes: withoutCards(c.request.CustomerNotes),
	}
	items := map[*cart.Line]*uuid.UUID{}
	for _, l := range lines {
		item := itemOf(made.ID, l)
		items[l] = &item.ID
		item.TenantID, item.CreatedAt, item.UpdatedAt = c.of.Business, at, at
		item.Edges.Order = made
		made.Edges.Items = append(made.Edges.Items, item)
		made.TotalQuantity += l.Quantity
		made.Discount = min(made.Discount+l.Discount(), money.Max)
	}
	if option := b.Delivery; option != nil {
		made.Delivery = &option.Delivery
	}
	for _, charge := range b.Charges {
		row := &ent.OrderCharge{
			ID: record.NewID(), TenantID: c.of.Business, OrderID: made.ID, CreatedAt: at, UpdatedAt: at,
			ItemID: items[charge.Line], Kind: charge.Kind, SourceID: &charge.Source, Name: charge.Name,
			NameFa: &charge.NameFa, Amount: charge.Amount.Minor, Rate: charge.Rate, Included: charge.Included,
		}
		row.Edges.Order = made
		made.Edges.Charges = append(made.Edges.Charges, row)
	}
	paid := &ent.Payment{
		ID: record.NewID(), TenantID: c.of.Business, OrderID: made.ID, CreatedAt: at, UpdatedAt: at,
		Type: pay.Type, Status: record.StatePending, Counts: true, Amount: b.Total.Minor,
		DueAt: rules.DueAt(pay.Type, at, s.Pace), PosType: pay.PosType,
		TransferAccount: pay.TransferAccount, TransferRefNumber: pay.TransferRefNumber,
		GatewayType: pay.GatewayType, Notes: withoutCards(pay.Notes),
	}
	if b.Total.Minor == 0 {
		paid.Status, paid.ReceivedAt, paid.DueAt = record.StatePaid, &at, nil
	}
	paid.Edges.Order = made
	made.Edges.Payments = []*ent.Payment{paid}
	made.Edges.Events = []*ent.OrderEvent{{
		ID: record.NewID(), TenantID: c.of.Business, OrderID: made.ID, CreatedAt: at, UpdatedAt: at,
		Status: made.Status, At: at,
	}}
	return made
}

// itemOf returns the line of an order for a line of a cart: a snapshot. The line must have a price and a
// valid Total.
func itemOf(order uuid.UUID, l *cart.Line) *ent.OrderItem {
	cost, _ := l.Total()
	return &ent.OrderItem{
		ID: record.NewID(), OrderID: order, StoreItemVariantID: l.Variant, ProductID: l.Product, ProductSlug: l.Slug,
		TitleFa: l.TitleFa, TitleEn: l.TitleEn, Options: l.Options, Sku: l.Sku, ImageURL: l.ImageURL(),
		Quantity: l.Quantity, UnitPrice: *l.Price, LineTotal: cost,
	}
}

func unitsOf(items []*ent.OrderItem) []units {
	return convert.All(items, func(i *ent.OrderItem) units {
		return units{Variant: i.StoreItemVariantID, Quantity: i.Quantity}
	})
}
