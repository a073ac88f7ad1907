package order

import (
	"context"
	"slices"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/order"
	"storefront/ent/payment"
	"storefront/ent/refund"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/event/outbox"
	"storefront/internal/fault"
	"storefront/internal/locale/money"
	"storefront/internal/record"
	"storefront/internal/shop/audit"
)

// Part is a part of a payment that staff give back.
type Part struct {
	Payment   uuid.UUID
	Amount    string  // a decimal number in the order's currency
	Reason    *string // for the shop
	Reference *string // of a transfer that staff made
}

// RecordRefund records a part of a payment that staff gave back, and returns its order. It fails as AskRefund does.
func (s *Service) RecordRefund(ctx context.Context, business uuid.UUID, part Part) (*ent.Order, error) {
	return s.refund(ctx, business, part, "recordRefund",
		func(tx *ent.Tx, held *ent.Order, at time.Time, create *ent.RefundCreate) error {
			row, err := addRefund(ctx, tx, create.SetStatus(record.RefundDone))
			if err != nil {
				return err
			}
			return s.refunded(ctx, tx, held, at, row)
		})
}

// AskRefund records a part of a payment that its gateway is to give back, before the gateway hears of it, and returns
// its order. Check says whether the gateway can. It fails with VALIDATION_FAILED if the amount is not one, and with
// CONFLICT if the payment has not so much left.
func (s *Service) AskRefund(
	ctx context.Context, business uuid.UUID, part Part, check func(*ent.Payment) error,
) (*ent.Order, error) {
	return s.refund(ctx, business, part, "refundPayment", func(
		tx *ent.Tx, held *ent.Order, at time.Time, create *ent.RefundCreate) error {
		p, err := tx.Payment.Query().Where(payment.ID(part.Payment)).WithGatewayAccount().Only(ctx)
		if err != nil {
			return err
		}
		if err := check(p); err != nil {
			return err
		}
		if _, err := addRefund(ctx, tx, create.SetStatus(record.RefundAsked)); err != nil {
			return err
		}
		if err := tx.Payment.UpdateOneID(p.ID).SetLookAt(at).Exec(ctx); err != nil {
			return err
		}
		if _, err := recount(ctx, tx, held, at); err != nil {
			return err
		}
		return outbox.PutUnseen(ctx, tx.Raw(), business, at, held.CreatedAt)
	})
}

// refund has do record a part of a payment, whose order is held.
func (s *Service) refund(ctx context.Context, business uuid.UUID, part Part, action string,
	do func(tx *ent.Tx, held *ent.Order, at time.Time, create *ent.RefundCreate) error) (held *ent.Order, err error) {
	ctx = tenancy.In(ctx, business)
	err = transaction.Run(ctx, s.store, func(tx *ent.Tx) error {
		p, err := tx.Payment.Query().Where(payment.ID(part.Payment)).Only(ctx)
		if err != nil {
			return err // includes that there is no such payment
		}
		var at time.Time
		if held, at, err = s.hold(ctx, tx, order.ID(p.OrderID)); err != nil {
			return err
		}
		minor, err := money.Parse(part.Amount, held.PriceCurrency)
		if err != nil || minor <= 0 {
			return fault.Invalid("input.amount", "must be more than 0, with no more decimals than the currency has")
		}
		if err := do(tx, held, at, tx.Refund.Create().SetOrderID(held.ID).SetPaymentID(p.ID).SetAmount(minor).
			SetNillableReason(part.Reason).SetNillableReference(part.Reference).
			SetCreatedAt(at).SetUpdatedAt(at)); err != nil {
			return err
		}
		after, err := tx.Payment.Query().Where(payment.ID(p.ID)).Only(ctx)
		if err != nil {
			return err
		}
		seen := func(minor int64) map[string]any {
			return map[string]any{"refunded": money.Amount{Minor: minor, Currency: held.PriceCurrency}}
		}
		now := seen(after.Refunded)
		now["payment"], now["reason"], now["reference"] = p.ID, part.Reason, part.Reference
		return audit.Record(ctx, tx, action, changeOf(held, seen(after.Refunded-minor), now))
	})
	return held, err
}

// addRefund creates a refund, for an order that is held. It fails with CONFLICT if the payment has not so much left.
func addRefund(ctx context.Context, tx *ent.Tx, create *ent.RefundCreate) (*ent.Refund, error) {
	id, _ := create.Mutation().PaymentID()
	amount, _ := create.Mutation().Amount()
	isLeft, err := take(ctx, tx, id, amount)
	if err != nil {
		return nil, err
	}
	if !isLeft {
		return nil, fault.New(fault.Conflict, "so much of the payment is not left to give back")
	}
	return create.Save(ctx)
}

// take keeps an amount of a payment for a refund. It reports whether the payment had so much left.
func take(ctx context.Context, tx *ent.Tx, id uuid.UUID, amount int64) (isLeft bool, err error) {
	if amount <= 0 {
		return false, nil
	}
	n, err := tx.Payment.Update().Where(payment.ID(id), payment.StatusIn(record.StatePaid, record.StateReview),
		func(s *sql.Selector) {
			s.Where(sql.P(func(b *sql.Builder) {
				b.Ident(payment.FieldRefunded).WriteString(" <= ").Ident(payment.FieldAmount).
					WriteString(" - ").Arg(amount)
			}))
		}).AddRefunded(amount).Save(ctx)
	return n > 0, err
}

// unsentProblem is the problem of a refund that was not made, by the shop's language.
var unsentProblem = map[string]string{
	"fa": "پیش از انجام آن، این مبلغ در پنل درگاه بازگردانده شد.",
	"en": "Before this was done, the money was given back in the gateway's panel.",
}

// BookRefund records, for an order that is held, a refund that was made in the panel of a payment's gateway. If less is
// left of the payment, refunds in yielding, which the gateway has not made, fail until the amount is free. BookRefund
// records at most what is left, and reports whether that is the whole refund.
func (s *Service) BookRefund(
	ctx context.Context, tx *ent.Tx, held *ent.Order, at time.Time, back *ent.Refund, yielding []*ent.Refund,
) (isWhole bool, err error) {
	p, err := tx.Payment.Query().Where(payment.ID(back.PaymentID)).Only(ctx)
	if err != nil {
		return false, err
	}
	left := p.Amount - p.Refunded
	for _, unsent := range yielding {
		if left >= back.Amount {
			break
		}
		problem, err := noteFor(ctx, tx, held.TenantID, unsentProblem)
		if err != nil {
			return false, err
		}
		left += unsent.Amount
		if _, err := s.ChangeRefund(ctx, tx, held, at, unsent,
			&ent.Refund{Status: record.RefundFailed, Problem: &problem}); err != nil {
			return false, err
		}
	}
	amount := min(back.Amount, left)
	if amount <= 0 {
		return false, nil
	}
	row, err := addRefund(ctx, tx, tx.Refund.Create().SetOrderID(held.ID).SetPaymentID(p.ID).
		SetAmount(amount).SetStatus(back.Status).SetNillableReference(back.Reference).
		SetNillableProblem(back.Problem).SetCreatedAt(at).SetUpdatedAt(at))
	if err != nil {
		return false, err
	}
	return amount == back.Amount, s.refunded(ctx, tx, held, at, row)
}

// ChangeRefund gives a refund, for an order that is held, the status that its gateway says. One that failed frees its
// amount, and takes it again if the gateway made it all the same. Then ChangeRefund reports false, and changes nothing,
// if another refund has taken it since.
func (s *Service) ChangeRefund(
	ctx context.Context, tx *ent.Tx, held *ent.Order, at time.Time, row, to *ent.Refund,
) (isBooked bool, err error) {
	if row.Status == to.Status && record.TextOf(row.Problem) == record.TextOf(to.Problem) &&
		(to.Reference == nil || record.TextOf(row.Reference) == *to.Reference) {
		return true, nil
	}
	switch had, has := row.Status == record.RefundFailed, to.Status == record.RefundFailed; {
	case had == has:
	case has:
		if err := tx.Payment.UpdateOneID(row.PaymentID).AddRefunded(-row.Amount).Exec(ctx); err != nil {
			return false, err
		}
	default:
		if isLeft, err := take(ctx, tx, row.PaymentID, row.Amount); err != nil || !isLeft {
			return false, err
		}
	}
	update := tx.Refund.UpdateOneID(row.ID).SetStatus(to.Status).SetNillableReference(to.Reference).SetUpdatedAt(at)
	if to.Problem == nil {
		update.ClearProblem()
	}
	after, err := update.SetNillableProblem(to.Problem).Save(ctx)
	if err != nil || row.Status == to.Status {
		return err == nil, err
	}
	return true, s.refunded(ctx, tx, held, at, after)
}

// refunded has the payment of a refund, whose order is held, be refunded if all of it went back, and reports a refund
// that was made or failed.
func (s *Service) refunded(ctx context.Context, tx *ent.Tx, held *ent.Order, at time.Time, row *ent.Refund) error {
	all, err := tx.Payment.Query().Where(payment.OrderID(held.ID)).All(ctx)
	if err != nil {
		return err
	}
	p := all[slices.IndexFunc(all, func(p *ent.Payment) bool { return p.ID == row.PaymentID })]
	open, err := tx.Refund.Query().Where(refund.PaymentID(p.ID),
		refund.StatusNotIn(record.RefundDone, record.RefundFailed)).Exist(ctx)
	if err != nil {
		return err
	}
	isAll := p.Refunded == p.Amount && !open
	isPaid := func(p *ent.Payment) bool { return p.Status == record.StatePaid }
	state := p.Status
	switch {
	case isAll:
		state = record.StateRefunded
	case p.Status != record.StateRefunded:
	case held.Status == record.OrderCancelled || slices.ContainsFunc(all, isPaid):
		state = record.StateReview
	default:
		state = record.StatePaid
	}
	if state != p.Status {
		if err := tx.Payment.UpdateOneID(p.ID).SetStatus(state).SetUpdatedAt(at).Exec(ctx); err != nil {
			return err
		}
	}
	if _, err := recount(ctx, tx, held, at); err != nil {
		return err
	}
	if row.Status != record.RefundDone && row.Status != record.RefundFailed {
		return outbox.PutUnseen(ctx, tx.Raw(), held.TenantID, at, held.CreatedAt)
	}
	current := *held
	p.Status, p.Edges.Refunds = state, []*ent.Refund{row}
	current.Edges.Payments = []*ent.Payment{p}
	return outbox.Put(ctx, tx.Raw(), held.TenantID, eventOf(record.MoneyRefunded, record.NewID(), at, &current))
}

// Reverse records, for an order that is held, that a payment was undone at its gateway, as if it had not been made.
// What the customer declared at checkout counts again, and waits until staff decide. Reverse reports false, and changes
// nothing, if a part of the payment went back before.
func (s *Service) Reverse(
	ctx context.Context, tx *ent.Tx, held *ent.Order, at time.Time, id uuid.UUID,
) (isBooked bool, err error) {
	n, err := tx.Payment.Update().Where(payment.ID(id), payment.StatusIn(record.StatePaid, record.StateReview),
		payment.Refunded(0)).SetStatus(record.StateGivenBack).ClearReceivedAt().SetUpdatedAt(at).Save(ctx)
	if err != nil || n == 0 {
		return false, err
	}
	if needed, err := NeedsMoney(ctx, tx, held); err != nil {
		return false, err
	} else if needed {
		if err := tx.Payment.Update().Where(payment.OrderID(held.ID), payment.OursIsNil(),
			payment.StatusEQ(record.StateCancelled)).
			SetStatus(record.StatePending).ClearDueAt().SetUpdatedAt(at).Exec(ctx); err != nil {
			return false, err
		}
	}
	shown, err := recount(ctx, tx, held, at)
	if err != nil {
		return false, err
	}
	current := *held
	current.Edges.Payments = []*ent.Payment{shown}
	return true, outbox.Put(ctx, tx.Raw(), held.TenantID, eventOf(record.PaymentMarked, record.NewID(), at, &current))
}
