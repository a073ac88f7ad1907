package order

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/order"
	"storefront/ent/payment"
	"storefront/ent/receipt"
	"storefront/internal/event/outbox"
	"storefront/internal/fault"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
	"storefront/internal/sale/cart"
	"storefront/internal/shop/audit"
)

// mostReceipts is how many receipts an order may have.
const mostReceipts = 3

// ReceiptFile is the stored picture of a receipt.
type ReceiptFile struct {
	ID            uuid.UUID
	Hash          []byte // of the file as it was sent
	Size          int64  // bytes
	Width, Height int    // pixels
}

// TakesReceipts fails with NOT_FOUND unless an order is the customer's own, and with CONFLICT unless it waits for a
// transfer. It takes no lock, so AddReceipt checks again.
func (s *Service) TakesReceipts(ctx context.Context, owner cart.Owner, id uuid.UUID) error {
	ctx = owner.In(ctx)
	found, err := s.store.Order.Query().Where(order.ID(id), order.UserID(owner.User)).Only(ctx)
	if err == nil {
		_, err = awaitTransfer(ctx, s.store, found)
	}
	return err
}

// HasRoomForReceipt fails with CONFLICT if an order has the most receipts already.
func (s *Service) HasRoomForReceipt(ctx context.Context, owner cart.Owner, id uuid.UUID) error {
	return roomForReceipt(owner.In(ctx), s.store, id)
}

// AddReceipt adds a receipt to a customer's own order in a transaction, with its event. If the order has a receipt of
// the same file, it returns that and false. It fails as TakesReceipts and HasRoomForReceipt do.
func (s *Service) AddReceipt(
	ctx context.Context, tx *ent.Tx, owner cart.Owner, id uuid.UUID, file ReceiptFile,
) (kept *ent.Receipt, isNew bool, err error) {
	ctx = owner.In(ctx)
	held, paid, at, err := s.holdUnpaid(ctx, tx, owner, id)
	if err != nil {
		return nil, false, err
	}
	kept, err = tx.Receipt.Query().Where(receipt.OrderID(id), receipt.Hash(file.Hash)).Only(ctx)
	if err == nil || !ent.IsNotFound(err) {
		return kept, false, err
	}
	if err := roomForReceipt(ctx, tx.Client(), id); err != nil {
		return nil, false, err
	}
	now := s.clock.Now()
	kept, err = tx.Receipt.Create().SetID(file.ID).SetOrderID(id).SetUserID(owner.User).SetHash(file.Hash).
		SetSize(file.Size).SetWidth(file.Width).SetHeight(file.Height).SetCreatedAt(now).SetUpdatedAt(now).Save(ctx)
	if err != nil {
		return nil, false, err
	}
	if err := tx.Payment.Update().Where(payment.ID(paid.ID)).ClearDueAt().Exec(ctx); err != nil {
		return nil, false, err
	}
	current := *held
	current.Edges.Payments = []*ent.Payment{paid}
	uploaded := eventOf(record.ReceiptUploaded, record.NewID(), at, &current)
	return kept, true, outbox.Put(ctx, tx.Raw(), owner.Business, uploaded)
}

// RemoveReceipt removes a receipt from a customer's own order in a transaction, and returns the order. The caller must
// remove the file.
func (s *Service) RemoveReceipt(
	ctx context.Context, tx *ent.Tx, owner cart.Owner, id, which uuid.UUID,
) (*ent.Order, error) {
	ctx = owner.In(ctx)
	held, _, at, err := s.holdUnpaid(ctx, tx, owner, id)
	if err != nil {
		return nil, err
	}
	n, err := tx.Receipt.Delete().Where(receipt.ID(which), receipt.OrderID(id)).Exec(ctx)
	if err == nil && n == 0 {
		err = noReceipt()
	}
	if err != nil {
		return nil, err
	}
	return held, s.dueAgain(ctx, tx, held, at)
}

// DeleteReceipt deletes a receipt of an order of the shop of the context in a transaction, whatever the status of its
// payment, and returns the order. The caller must remove the file.
func (s *Service) DeleteReceipt(ctx context.Context, tx *ent.Tx, id, which uuid.UUID) (*ent.Order, error) {
	held, at, err := s.hold(ctx, tx, order.ID(id))
	if err != nil {
		return nil, err // includes that there is no such order
	}
	before, err := tx.Receipt.Query().Where(receipt.OrderID(id)).Order(receipt.ByCreatedAt(), receipt.ByID()).All(ctx)
	if err != nil {
		return nil, err
	}
	after := slices.DeleteFunc(slices.Clone(before), func(r *ent.Receipt) bool { return r.ID == which })
	n, err := tx.Receipt.Delete().Where(receipt.ID(which), receipt.OrderID(id)).Exec(ctx)
	if err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, noReceipt()
	}
	held.UpdatedAt = at
	if err := tx.Order.Update().Where(order.ID(id)).SetUpdatedAt(at).Exec(ctx); err != nil {
		return nil, err
	}
	if err := s.dueAgain(ctx, tx, held, at); err != nil {
		return nil, err
	}
	return held, audit.Record(ctx, tx, "deleteReceipt", changeOf(held, seenReceipts(before), seenReceipts(after)))
}

// dueAgain gives a pending payment without a receipt, which a receipt had made wait for the shop, its time again.
func (s *Service) dueAgain(ctx context.Context, tx *ent.Tx, row *ent.Order, at time.Time) error {
	left, err := tx.Receipt.Query().Where(receipt.OrderID(row.ID)).Exist(ctx)
	if err != nil || left {
		return err
	}
	shop, err := tx.Tenant.Get(ctx, row.TenantID)
	if err != nil {
		return err
	}
	return tx.Payment.Update().Where(payment.OrderID(row.ID), payment.StatusEQ(record.StatePending)).
		SetNillableDueAt(rulesOf(shop).DueAt(record.PayByTransfer, at, s.Pace)).Exec(ctx)
}

// seenReceipts returns the receipts of an order in the form of the audit log.
func seenReceipts(receipts []*ent.Receipt) map[string]any {
	return map[string]any{"receipts": convert.All(receipts, func(r *ent.Receipt) map[string]any {
		return map[string]any{"id": r.ID, "uploadedAt": r.CreatedAt.UTC()}
	})}
}

func noReceipt() error { return fault.New(fault.NotFound, "the order has no such receipt") }

// holdUnpaid locks a customer's own order that waits for a transfer, and returns it with its payment and the time for
// rows that are written now.
func (s *Service) holdUnpaid(
	ctx context.Context, tx *ent.Tx, owner cart.Owner, id uuid.UUID,
) (*ent.Order, *ent.Payment, time.Time, error) {
	held, at, err := s.hold(ctx, tx, order.ID(id), order.UserID(owner.User))
	if err != nil {
		return nil, nil, at, err
	}
	awaited, err := awaitTransfer(ctx, tx.Client(), held)
	if err == nil {
		held.UpdatedAt = at
		err = tx.Order.Update().Where(order.ID(id)).SetUpdatedAt(at).Exec(ctx)
	}
	return held, awaited, at, err
}

// awaitTransfer returns the payment of an order that waits for a transfer, or fails with CONFLICT.
func awaitTransfer(ctx context.Context, client *ent.Client, o *ent.Order) (*ent.Payment, error) {
	of, err := counting(ctx, client, o.ID)
	switch {
	case err != nil:
		return nil, err
	case of.Type != record.PayByTransfer:
		err = fault.New(fault.Conflict, "the order is not paid by transfer, so there are no receipts of it")
	case o.Status == record.OrderCancelled:
		err = fault.New(fault.Conflict, "the order is cancelled; its receipts stay as they are")
	case of.Status != record.StatePending && of.Status != record.StateFailed:
		err = fault.New(fault.Conflict, "the payment is %s; its receipts stay as they are",
			paymentWords[of.Status.Shown()])
	}
	return of, err
}

func roomForReceipt(ctx context.Context, client *ent.Client, id uuid.UUID) error {
	n, err := client.Receipt.Query().Where(receipt.OrderID(id)).Count(ctx)
	if err == nil && n >= mostReceipts {
		err = fault.New(fault.Conflict, "the order has %d receipts already; remove one first", n)
	}
	return err
}
