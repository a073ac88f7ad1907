package order

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	entcart "storefront/ent/cart"
	"storefront/ent/cartitem"
	"storefront/internal/cart"
	"storefront/internal/database"
	"storefront/internal/fault"
	"storefront/internal/money"
	"storefront/internal/record"
	"storefront/internal/transaction"
)

// Wish is what a customer asks for at checkout.
type Wish struct {
	ShippingAddress record.ShippingAddress
	CustomerNotes   *string
	Payment         Payment
	Arrived         time.Time `json:"-"` // when it was asked for
}

// Payment is how the customer means to pay.
type Payment struct {
	Type                                                            record.PaymentType
	PosType, TransferAccount, TransferRefNumber, GatewayType, Notes *string
}

// digest is the same for wishes that ask for the same.
func (w Wish) digest() []byte {
	text, _ := json.Marshal(w) // texts alone
	sum := sha256.Sum256(text)
	return sum[:]
}

// Checkout turns a customer's cart into an order, in one transaction. A cart makes one order: a checkout
// that overlapped with another one of it gets the same order where it asks for the same, else CONFLICT. It
// has overlapped when it arrived before the other one was over; of one at another instance, when it arrived
// before that wrote the order, or looked at the cart before that was over.
//
// It fails with CART_EMPTY, ITEM_UNAVAILABLE, INSUFFICIENT_STOCK; with PRICE_CHANGED, once, when a price
// rose since its line was written; with VALIDATION_FAILED when the total is above money.Max. Then stock and
// cart are as they were.
func (s *Service) Checkout(ctx context.Context, of cart.Owner, wish Wish) (*ent.Order, error) {
	before, err := s.carts.Checkouts(ctx, of) // a checkout that raises it from now on has overlapped with ours
	if err != nil {
		return nil, err
	}
	ctx = of.In(ctx)
	var made *ent.Order
	place := func(tx *ent.Tx) error {
		made, err = s.place(ctx, tx, of, wish, before)
		return err
	}
	for range 3 { // a unit that was short may have come back, and a number that was taken is drawn anew
		if err = transaction.Run(ctx, s.store, place); !errors.Is(err, errShort) && !database.IsUnique(err) {
			break
		}
	}
	if err == nil && made.Edges.Items != nil { // written by us
		s.done.add(of, s.clock())
	}
	if errors.Is(err, errShort) {
		err = fault.Wrap(fault.InsufficientStock, err, "there is less of an item than asked for")
	}
	return made, err
}

func (s *Service) place(ctx context.Context, tx *ent.Tx, of cart.Owner, wish Wish,
	before int64) (*ent.Order, error) {
	kept, err := s.carts.Locked(ctx, tx, of)
	if ent.IsNotFound(err) {
		return nil, cartEmpty()
	}
	if err != nil {
		return nil, err
	}
	digest := wish.digest()
	if kept.Checkouts != before || s.done.endedAfter(of, wish.Arrived) {
		return overlapped(ctx, tx, kept, digest)
	}
	lines, err := s.carts.Lines(ctx, tx.Raw(), of, kept.ID)
	if err != nil {
		return nil, err
	}
	if len(lines) == 0 && kept.LastOrderID != nil {
		last, err := tx.Order.Get(ctx, *kept.LastOrderID)
		if err != nil {
			return nil, err
		}
		if last.CreatedAt.After(wish.Arrived) {
			return overlapped(ctx, tx, kept, digest)
		}
	}
	total, err := s.payable(ctx, tx, of, kept, lines)
	if err != nil {
		return nil, err
	}
	made, err := s.write(ctx, tx, of, wish, lines, total)
	if err != nil {
		return nil, err
	}
	if _, err := tx.CartItem.Delete().Where(cartitem.CartID(kept.ID)).Exec(ctx); err != nil {
		return nil, err
	}
	err = tx.Cart.Update().Where(entcart.ID(kept.ID)).AddCheckouts(1).SetLastOrderID(made.ID).
		SetLastCheckout(digest).SetUpdatedAt(made.CreatedAt).Exec(ctx)
	if err != nil {
		return nil, err
	}
	// last: others wait for the rows it writes
	return made, takeStock(ctx, tx, of.Business, unitsOf(made.Edges.Items))
}

// overlapped answers a checkout whose cart became an order while it waited.
func overlapped(ctx context.Context, tx *ent.Tx, kept *ent.Cart, digest []byte) (*ent.Order, error) {
	if kept.LastOrderID == nil || kept.LastCheckout == nil || !bytes.Equal(*kept.LastCheckout, digest) {
		return nil, fault.New(fault.Conflict, "another checkout of this cart has just gone through")
	}
	return tx.Order.Get(ctx, *kept.LastOrderID)
}

func cartEmpty() error { return fault.New(fault.CartEmpty, "the cart is empty") }

// payable returns what all lines cost together. Where a price rose since its line was written the lines
// take today's, and the error is PRICE_CHANGED.
func (s *Service) payable(ctx context.Context, tx *ent.Tx, of cart.Owner, kept *ent.Cart,
	lines []*cart.Line) (total int64, err error) {
	if len(lines) == 0 {
		return 0, cartEmpty()
	}
	if err := cart.Check(lines); err != nil {
		return 0, err
	}
	for _, l := range lines {
		cost, ok := l.Total()
		if ok {
			total, ok = money.Plus(total, cost)
		}
		if !ok {
			var bad fault.Fields
			bad.Add("total", "must not be above %s %s", money.Amount{Minor: money.Max, Currency: l.Currency},
				l.Currency)
			return 0, bad.Err()
		}
	}
	if !cart.PriceRisen(lines) {
		return total, nil
	}
	shown, err := s.carts.See(ctx, tx, of, kept, lines)
	if err != nil {
		return 0, err
	}
	risen := fault.New(fault.PriceChanged, "a price has risen since the item was put into the cart; look at the cart, then order again")
	risen.Details = map[string]any{"cart": shown}
	return 0, transaction.Keep(risen)
}

// write writes an order with its lines, payment and history.
func (s *Service) write(ctx context.Context, tx *ent.Tx, of cart.Owner, wish Wish, lines []*cart.Line,
	total int64) (*ent.Order, error) {
	at := s.now()
	quantity := 0
	for _, l := range lines {
		quantity += l.Quantity
	}
	made, err := tx.Order.Create().SetUserID(of.User).SetOrderNumber(Number()).SetStatus(record.OrderPending).
		SetTotalQuantity(quantity).SetSubtotal(total).SetTotal(total).SetPriceCurrency(lines[0].Currency).
		SetShippingAddress(wish.ShippingAddress).SetNillableCustomerNotes(withoutCards(wish.CustomerNotes)).
		SetCreatedAt(at).SetUpdatedAt(at).Save(ctx)
	if err != nil {
		return nil, err
	}
	items := make([]*ent.OrderItemCreate, len(lines))
	for i, l := range lines {
		items[i] = ItemOf(tx, made.ID, l)
	}
	if made.Edges.Items, err = tx.OrderItem.CreateBulk(items...).Save(ctx); err != nil {
		return nil, err
	}
	for _, item := range made.Edges.Items {
		item.Edges.Order = made
	}
	paid, err := tx.Payment.Create().SetOrderID(made.ID).SetType(wish.Payment.Type).SetAmount(total).
		SetNillablePosType(wish.Payment.PosType).SetNillableTransferAccount(wish.Payment.TransferAccount).
		SetNillableTransferRefNumber(wish.Payment.TransferRefNumber).
		SetNillableGatewayType(wish.Payment.GatewayType).
		SetNillableNotes(withoutCards(wish.Payment.Notes)).Save(ctx)
	if err != nil {
		return nil, err
	}
	paid.Edges.Order = made
	step, err := tx.OrderEvent.Create().SetOrderID(made.ID).SetStatus(made.Status).SetAt(at).Save(ctx)
	made.Edges.Payments, made.Edges.Events = []*ent.Payment{paid}, []*ent.OrderEvent{step}
	return made, err
}

// ItemOf is the line of an order that a line of a cart becomes: a snapshot. The line has a price, and a
// Total.
func ItemOf(tx *ent.Tx, order uuid.UUID, l *cart.Line) *ent.OrderItemCreate {
	cost, _ := l.Total()
	return tx.OrderItem.Create().SetOrderID(order).SetStoreItemVariantID(l.Variant).SetProductID(l.Product).
		SetProductSlug(l.Slug).SetTitleFa(l.TitleFa).SetNillableTitleEn(l.TitleEn).SetOptions(l.Options).
		SetSku(l.Sku).
		SetNillableImageURL(l.ImageURL).SetQuantity(l.Quantity).SetUnitPrice(*l.Price).SetLineTotal(cost)
}

func unitsOf(items []*ent.OrderItem) []units {
	all := make([]units, len(items))
	for i, item := range items {
		all[i] = units{item.StoreItemVariantID, item.Quantity}
	}
	return all
}
