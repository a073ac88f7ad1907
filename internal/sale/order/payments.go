package order

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/order"
	"storefront/ent/payment"
	"storefront/ent/tenant"
	"storefront/internal/database"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/event/outbox"
	"storefront/internal/fault"
	"storefront/internal/record"
	"storefront/internal/shop/audit"
)

// Mark is a status that staff give a payment.
type Mark struct {
	Status    record.PaymentStatus
	Reference *string // a transfer's reference or a gateway's code; nil: it stays unchanged
	Reason    *string // for the audit log
}

// marked maps a payment status to those from which staff may mark a payment so. Money may arrive after the
// order was cancelled as unpaid.
var marked = map[record.PaymentStatus][]record.PaymentState{
	record.PaymentPaid:     {record.StatePending, record.StateFailed, record.StateCancelled},
	record.PaymentFailed:   {record.StatePending},
	record.PaymentRefunded: {record.StatePaid, record.StateReview},
}

// paymentWords are the statuses as messages name them, in the language of their readers.
var paymentWords = map[record.PaymentStatus]fault.Text{
	record.PaymentPending: fault.Say("pending"), record.PaymentPaid: fault.Say("paid"),
	record.PaymentFailed: fault.Say("failed"), record.PaymentRefunded: fault.Say("refunded"),
	record.PaymentCancelled: fault.Say("cancelled"),
}

// lateNote is the note in the history of an order whose payment was marked as paid after it was cancelled,
// by the shop's language.
var lateNote = map[string]string{
	"fa": "پرداخت پس از لغو سفارش رسید و باید بازگردانده شود.",
	"en": "The payment arrived after the order was cancelled. It is to be refunded.",
}

// MarkPayment sets the status of an order's payment. It locks the order's row first, as everything does that
// changes an order or its payment, so that the order is not cancelled as unpaid at the same time.
func (s *Service) MarkPayment(ctx context.Context, business, id uuid.UUID, m Mark) (found *ent.Order, err error) {
	from, known := marked[m.Status]
	if !known {
		return nil, fault.Invalid("input.status", "must be paid, failed or refunded")
	}
	ctx = tenancy.In(ctx, business)
	err = transaction.Run(ctx, s.store, func(tx *ent.Tx) error {
		var at time.Time
		if found, at, err = s.hold(ctx, tx, order.ID(id)); err != nil {
			return err // includes that there is no such order
		}
		before, err := counting(ctx, tx.Client(), id)
		if err != nil {
			return err
		}
		if m.Status == record.PaymentRefunded { // what the shop owes goes before what pays the order
			before, err = owedFirst(ctx, tx, before)
			if err != nil {
				return err
			}
		}
		if !slices.Contains(from, before.Status) {
			return fault.New(fault.Conflict, "a payment that is %s cannot become %s",
				paymentWords[before.Status.Shown()], paymentWords[m.Status])
		}
		after, err := s.mark(ctx, tx, found, before, m, at)
		if err != nil {
			return err
		}
		shown, err := recount(ctx, tx, found, at)
		if err != nil {
			return err
		}
		if m.Status == record.PaymentPaid && found.Status == record.OrderCancelled {
			if err := noteLate(ctx, tx, found, at); err != nil {
				return err
			}
		}
		seen := func(p *ent.Payment) map[string]any {
			return map[string]any{"status": p.Status.Shown(), "reference": p.Reference}
		}
		now := seen(after)
		now["reason"] = m.Reason
		if err := audit.Record(ctx, tx, "markPayment", changeOf(found, seen(before), now)); err != nil {
			return err
		}
		current := *found
		current.Edges.Payments = []*ent.Payment{shown}
		return outbox.Put(ctx, tx.Raw(), business, eventOf(record.PaymentMarked, record.NewID(), at, &current))
	})
	if err == nil && s.Marked != nil {
		transaction.AfterCommit(ctx, func() { s.Marked(m.Status) })
	}
	return found, err
}

// mark gives a payment, whose order is held, another status, and returns it. Money that staff gave back is a refund.
func (s *Service) mark(
	ctx context.Context, tx *ent.Tx, held *ent.Order, p *ent.Payment, m Mark, at time.Time,
) (*ent.Payment, error) {
	update := tx.Payment.UpdateOneID(p.ID).SetMarkedAt(at).SetUpdatedAt(at)
	if m.Status != record.PaymentRefunded { // else it is the refund's
		update.SetNillableReference(m.Reference)
	}
	if m.Status == record.PaymentPaid {
		update.SetReceivedAt(at)
	}
	if m.Status != record.PaymentRefunded {
		return update.SetStatus(record.PaymentState(m.Status)).Save(ctx)
	}
	if err := update.Exec(ctx); err != nil {
		return nil, err
	}
	row, err := addRefund(ctx, tx, tx.Refund.Create().SetOrderID(p.OrderID).SetPaymentID(p.ID).
		SetAmount(p.Amount-p.Refunded).SetStatus(record.RefundDone).SetNillableReason(m.Reason).
		SetNillableReference(m.Reference).SetCreatedAt(at).SetUpdatedAt(at))
	if err == nil {
		err = s.refunded(ctx, tx, held, at, row)
	}
	if err != nil {
		return nil, err
	}
	return tx.Payment.Query().Where(payment.ID(p.ID)).Only(ctx)
}

// owedFirst returns a payment in review of the order of a payment of which something is left, else the payment itself.
func owedFirst(ctx context.Context, tx *ent.Tx, p *ent.Payment) (*ent.Payment, error) {
	owed, err := tx.Payment.Query().
		Where(payment.OrderID(p.OrderID), payment.StatusEQ(record.StateReview)).Order(payment.ByID()).All(ctx)
	if i := slices.IndexFunc(owed, func(o *ent.Payment) bool { return o.Refunded < o.Amount }); i >= 0 {
		return owed[i], nil
	}
	return p, err
}

// noteLate notes in the history of a cancelled order that its money has arrived.
func noteLate(ctx context.Context, tx *ent.Tx, cancelled *ent.Order, at time.Time) error {
	note, err := noteFor(ctx, tx, cancelled.TenantID, lateNote)
	if err != nil {
		return err
	}
	return tx.OrderEvent.Create().SetID(record.NewID()).SetOrderID(cancelled.ID).SetStatus(cancelled.Status).SetAt(at).
		SetNote(note).Exec(ctx)
}

// noteFor returns the note that is in a shop's language.
func noteFor(ctx context.Context, tx *ent.Tx, business uuid.UUID, notes map[string]string) (string, error) {
	shop, err := tx.Tenant.Query().Where(tenant.ID(business)).Select(tenant.FieldDefaultLocale).Only(ctx)
	if err != nil {
		return "", err
	}
	return notes[shop.DefaultLocale], nil
}

// errPaid is the error for an order that is not to be cancelled as unpaid.
var errPaid = errors.New("order: the payment is not overdue any more")

// unpaidNote is the note in the history of an order that was cancelled as unpaid, by the shop's language.
var unpaidNote = map[string]string{
	"fa": "پرداخت در زمان مقرر انجام نشد.",
	"en": "The payment was not completed in time.",
}

var overdue = database.Statement(`SELECT payments.tenant_id, payments.order_id FROM payments
	JOIN orders ON orders.id = payments.order_id AND orders.tenant_id = payments.tenant_id
	JOIN tenants ON tenants.id = payments.tenant_id AND tenants.closed_at IS NULL
	WHERE payments.status = 'pending' AND payments.due_at <= $now AND orders.status = 'pending'
		AND NOT EXISTS (SELECT 1 FROM payments AS tries WHERE tries.order_id = orders.id AND tries.holds_until > $now)
	ORDER BY payments.due_at LIMIT $most`)

const overdueAtOnce = 100

// CancelOverdue cancels the pending orders whose payment is pending and was due, and returns how many. Each
// is cancelled in its own transaction, which checks again, so several servers may call it at the same time while
// payments are being marked and receipts sent. One that fails holds up no other.
func (s *Service) CancelOverdue(ctx context.Context) (cancelled int, err error) {
	type ref struct{ tenant, order uuid.UUID }
	var failures []error
	for {
		var found []ref
		values := database.Values{"now": s.clock.Now(), "most": overdueAtOnce}
		err := overdue.Each(ctx, s.store.Raw(), values, func(row *sql.Rows) error {
			var one ref
			err := row.Scan(&one.tenant, &one.order)
			found = append(found, one)
			return err
		})
		if err != nil {
			return cancelled, errors.Join(append(failures, err)...)
		}
		before := cancelled
		for _, one := range found {
			_, err := s.move(tenancy.In(ctx, one.tenant), one.tenant, step{order: one.order, to: record.OrderCancelled,
				from: []record.OrderStatus{record.OrderPending}, overdue: true})
			switch {
			case err == nil:
				cancelled++
			case !isSettled(err):
				failures = append(failures, fmt.Errorf("order %s: %w", one.order, err))
			}
		}
		if len(found) < overdueAtOnce || cancelled == before {
			return cancelled, errors.Join(failures...)
		}
	}
}

// mustBeOverdue fails with errPaid unless the payment of a locked order is pending and was due, and no gateway may
// still take the money.
func mustBeOverdue(ctx context.Context, tx *ent.Tx, id uuid.UUID, now time.Time) error {
	due, err := tx.Payment.Query().
		Where(payment.OrderID(id), payment.StatusEQ(record.StatePending), payment.DueAtLTE(now)).Exist(ctx)
	if err != nil || !due {
		return cmp.Or(err, errPaid)
	}
	held, err := tx.Payment.Query().Where(payment.OrderID(id), payment.HoldsUntilGT(now)).Exist(ctx)
	if err == nil && held {
		err = errPaid
	}
	return err
}

// isSettled reports whether err means that the order was moved or paid meanwhile.
func isSettled(err error) bool {
	return errors.Is(err, errPaid) || fault.Is(err, fault.Conflict) || ent.IsNotFound(err)
}
