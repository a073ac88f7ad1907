package order

import (
	"context"
	"errors"
	"fmt"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/payment"
	"storefront/internal/database"
	"storefront/internal/database/tenancy"
	"storefront/internal/fault"
	"storefront/internal/record"
)

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

// mustBeOverdue fails with errPaid unless the payment of a locked order is pending and was due.
func mustBeOverdue(ctx context.Context, tx *ent.Tx, id uuid.UUID, now time.Time) error {
	due, err := tx.Payment.Query().
		Where(payment.OrderID(id), payment.StatusEQ(record.PaymentPending), payment.DueAtLTE(now)).Exist(ctx)
	if err == nil && !due {
		err = errPaid
	}
	return err
}

// isSettled reports whether err means that the order was moved or paid meanwhile.
func isSettled(err error) bool {
	return errors.Is(err, errPaid) || fault.Is(err, fault.Conflict) || ent.IsNotFound(err)
}
