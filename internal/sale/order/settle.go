package order

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/order"
	"storefront/ent/payment"
	"storefront/internal/event/outbox"
	"storefront/internal/record"
)

// Hold locks an order, and returns it with the time for rows that are written now.
func (s *Service) Hold(ctx context.Context, tx *ent.Tx, id uuid.UUID) (*ent.Order, time.Time, error) {
	return s.hold(ctx, tx, order.ID(id))
}

// NeedsMoney reports whether an order that is held still waits for a payment.
func NeedsMoney(ctx context.Context, tx *ent.Tx, held *ent.Order) (bool, error) {
	if held.Status == record.OrderCancelled {
		return false, nil
	}
	paid, err := tx.Payment.Query().Where(payment.OrderID(held.ID),
		payment.StatusIn(ranked...)).Exist(ctx)
	return !paid, err
}

// GatewayReceipt names a payment as its gateway does.
type GatewayReceipt struct {
	Code string // what the accountant looks for there
	Card string // up to four last digits; may be empty
}

// Settle records, for an order that is held, that a gateway has the money of a payment for the shop. It is paid if the
// order still needs it. Else it is in review: the shop owes it, and no order is revived.
func (s *Service) Settle(ctx context.Context, tx *ent.Tx, held *ent.Order, at time.Time, id uuid.UUID,
	receipt GatewayReceipt) error {
	needed, err := NeedsMoney(ctx, tx, held)
	if err != nil {
		return err
	}
	state := record.StateReview
	if needed {
		state = record.StatePaid
		if err := tx.Payment.Update().Where(payment.OrderID(held.ID), payment.StatusEQ(record.StatePending)).
			SetStatus(record.StateCancelled).SetUpdatedAt(at).Exec(ctx); err != nil {
			return err
		}
	}
	update := tx.Payment.UpdateOneID(id).SetStatus(state).SetReference(receipt.Code).SetReceivedAt(at).SetUpdatedAt(at).
		ClearHoldsUntil().ClearProblem()
	if receipt.Card != "" && held.UserID != nil { // an erased person's digits are not kept
		update.SetCard(receipt.Card)
	}
	if err := update.Exec(ctx); err != nil {
		return err
	}
	shown, err := recount(ctx, tx, held, at)
	if err != nil {
		return err
	}
	if held.Status == record.OrderCancelled {
		if err := noteLate(ctx, tx, held, at); err != nil {
			return err
		}
	}
	current := *held
	current.Edges.Payments = []*ent.Payment{shown}
	return outbox.Put(ctx, tx.Raw(), held.TenantID, eventOf(record.PaymentMarked, record.NewID(), at, &current))
}

// recount has the payment of an order, which is held, count that Counting chooses, and returns it. It writes what the
// shop owes of the order's payments: what it has, but for the price of an order that is not cancelled.
func recount(ctx context.Context, tx *ent.Tx, held *ent.Order, at time.Time) (*ent.Payment, error) {
	all, err := tx.Payment.Query().Where(payment.OrderID(held.ID)).All(ctx)
	if err != nil {
		return nil, err
	}
	chosen, due := Counting(all), int64(0)
	for _, p := range all {
		if rankOf(p.Status) < len(ranked) {
			due += p.Amount - p.Refunded
		}
	}
	if held.Status != record.OrderCancelled {
		due -= held.Total - chosen.Refunded
	}
	held.RefundDue, held.UpdatedAt = max(due, 0), at
	err = tx.Order.Update().Where(order.ID(held.ID)).SetRefundDue(held.RefundDue).SetUpdatedAt(at).Exec(ctx)
	if err != nil || chosen.Counts {
		return chosen, err
	}
	before := all[slices.IndexFunc(all, func(p *ent.Payment) bool { return p.Counts })]
	if err := tx.Payment.UpdateOneID(before.ID).SetCounts(false).Exec(ctx); err != nil {
		return nil, err
	}
	return tx.Payment.UpdateOneID(chosen.ID).SetCounts(true).Save(ctx)
}

// Counting returns the payment that an order is shown with: the one that is paid, else one that the shop owes, else
// one that was refunded, else what the customer declared at checkout, which is the oldest.
func Counting(payments []*ent.Payment) *ent.Payment {
	return slices.MinFunc(payments, func(a, b *ent.Payment) int {
		return cmp.Or(cmp.Compare(rankOf(a.Status), rankOf(b.Status)), bytes.Compare(a.ID[:], b.ID[:]))
	})
}

// ranked are the states of payments that the shop has received, in the order in which they count.
var ranked = []record.PaymentState{record.StatePaid, record.StateReview, record.StateRefunded}

func rankOf(state record.PaymentState) int {
	if rank := slices.Index(ranked, state); rank >= 0 {
		return rank
	}
	return len(ranked)
}

// counting returns the payment of an order that counts.
func counting(ctx context.Context, client *ent.Client, id uuid.UUID) (*ent.Payment, error) {
	return client.Payment.Query().Where(payment.OrderID(id), payment.Counts(true)).Only(ctx)
}
