package order

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/order"
	"storefront/ent/orderitem"
	"storefront/ent/payment"
	"storefront/ent/predicate"
	"storefront/internal/database"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/event/outbox"
	"storefront/internal/fault"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
	"storefront/internal/request"
	"storefront/internal/sale/cart"
	"storefront/internal/shop/audit"
)

// before maps a status to those from which an order may change to it.
var before = map[record.OrderStatus][]record.OrderStatus{
	record.OrderConfirmed:  {record.OrderPending},
	record.OrderProcessing: {record.OrderConfirmed},
	record.OrderShipped:    {record.OrderProcessing},
	record.OrderDelivered:  {record.OrderShipped},
	record.OrderCancelled:  {record.OrderPending, record.OrderConfirmed, record.OrderProcessing},
}

// orderWords are the statuses as messages name them, in the language of their readers.
var orderWords = map[record.OrderStatus]fault.Text{
	record.OrderPending: fault.Say("pending"), record.OrderConfirmed: fault.Say("confirmed"),
	record.OrderProcessing: fault.Say("processing"), record.OrderShipped: fault.Say("shipped"),
	record.OrderDelivered: fault.Say("delivered"), record.OrderCancelled: fault.Say("cancelled"),
}

// Cancel cancels a customer's own order, which must be pending, and returns its units to the stock.
func (s *Service) Cancel(ctx context.Context, owner cart.Owner, id uuid.UUID) (*ent.Order, error) {
	return s.move(owner.In(ctx), owner.Business, step{order: id, to: record.OrderCancelled, note: nil,
		from: []record.OrderStatus{record.OrderPending}}, order.UserID(owner.User))
}

// Move changes the status of an order of a business, for its staff. It fails with CONFLICT if the current
// status does not allow that. A cancelled order returns its units to the stock.
func (s *Service) Move(ctx context.Context, business, id uuid.UUID, to record.OrderStatus,
	note *string) (*ent.Order, error) {
	return s.move(tenancy.In(ctx, business), business, step{order: id, to: to, note: note, from: before[to]})
}

// step is a change of an order's status.
type step struct {
	order uuid.UUID
	to    record.OrderStatus
	note  *string
	from  []record.OrderStatus // statuses that allow it

	overdue bool // only if the payment is, with unpaidNote
}

func (s *Service) move(ctx context.Context, business uuid.UUID, m step,
	whose ...predicate.Order) (moved *ent.Order, err error) {
	whose = append(whose, order.ID(m.order))
	err = transaction.Run(ctx, s.store, func(tx *ent.Tx) error {
		var at time.Time
		if moved, at, err = s.hold(ctx, tx, whose...); err != nil {
			return err // includes that there is no such order
		}
		was := moved.Status
		if !slices.Contains(m.from, was) {
			return fault.New(fault.Conflict, "an order that is %s cannot become %s", orderWords[was], orderWords[m.to])
		}
		note := m.note
		if m.overdue {
			if err := mustBeOverdue(ctx, tx, moved.ID, at); err != nil {
				return err
			}
			text, err := noteFor(ctx, tx, business, unpaidNote)
			if err != nil {
				return err
			}
			note = &text
		}
		if _, byStaff := request.StaffOf(ctx); byStaff {
			err := audit.Record(ctx, tx, "moveOrder", changeOf(moved,
				map[string]any{"status": was}, map[string]any{"status": m.to})) // the history of the order has the note
			if err != nil {
				return err
			}
		}
		if err := tx.Order.Update().Where(order.ID(moved.ID)).SetStatus(m.to).SetUpdatedAt(at).Exec(ctx); err != nil {
			return err
		}
		moved.Status, moved.UpdatedAt = m.to, at
		step := record.NewID()
		if err := tx.OrderEvent.Create().SetID(step).SetOrderID(moved.ID).SetStatus(m.to).SetAt(at).
			SetNillableNote(note).Exec(ctx); err != nil {
			return err
		}
		var payments []*ent.Payment
		if m.to == record.OrderCancelled {
			paid, err := s.undoOrder(ctx, tx, moved, at)
			if err != nil {
				return err
			}
			payments = append(payments, paid)
		}
		current := *moved
		current.Edges.Payments = payments
		return outbox.Put(ctx, tx.Raw(), business, eventOf(record.OrderMoved, step, at, &current))
	})
	if err == nil && s.Moved != nil {
		transaction.AfterCommit(ctx, func() { s.Moved(m.to) })
	}
	return moved, err
}

// hold locks an order, and returns it with the time for rows that are written now: later than that of
// everything written for it before, even by a server whose clock is ahead.
func (s *Service) hold(ctx context.Context, tx *ent.Tx, whose ...predicate.Order) (*ent.Order, time.Time, error) {
	held, err := tx.Order.Query().Where(whose...).Modify(database.ForNoKeyUpdate).Only(ctx)
	if err != nil {
		return nil, time.Time{}, err
	}
	at := s.clock.Now()
	if !at.After(held.UpdatedAt) {
		at = held.UpdatedAt.Add(time.Microsecond)
	}
	return held, at, nil
}

// changeOf returns a change of an order for the audit log.
func changeOf(o *ent.Order, before, after map[string]any) audit.Change {
	return audit.Change{Kind: "order", ID: o.ID, Name: o.OrderNumber, Customer: convert.Value(o.UserID),
		Before: before, After: after}
}

// undoOrder returns an order's units to the stock, ends a payment that was never made, and returns the
// payment.
func (s *Service) undoOrder(
	ctx context.Context, tx *ent.Tx, held *ent.Order, at time.Time,
) (*ent.Payment, error) {
	id := held.ID
	err := tx.Payment.Update().Where(payment.OrderID(id), payment.StatusEQ(record.StatePending)).
		SetStatus(record.StateCancelled).Exec(ctx)
	if err != nil {
		return nil, err
	}
	err = tx.Payment.Update().Where(payment.OrderID(id), payment.LookAtNotNil()).SetLookAt(at).Exec(ctx)
	if err != nil { // so that a gateway which can soon takes no money for it
		return nil, err
	}
	paid, err := recount(ctx, tx, held, at)
	if err != nil {
		return nil, err
	}
	items, err := tx.OrderItem.Query().Where(orderitem.OrderID(id)).
		Select(orderitem.FieldStoreItemVariantID, orderitem.FieldQuantity).All(ctx)
	if err != nil {
		return nil, err
	}
	_, err = moveStock(ctx, tx, held.TenantID, unitsOf(items), at) // drops the units of deleted variants
	return paid, err
}
