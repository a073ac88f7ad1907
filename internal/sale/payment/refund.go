package payment

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/payment"
	"storefront/ent/refund"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/locale/money"
	"storefront/internal/record"
	"storefront/internal/sale/gateway"
	orders "storefront/internal/sale/order"
)

// CanRefund reports whether a payment's gateway gives back what is left of it, with the credentials that are there.
func (s *Service) CanRefund(p *ent.Payment) bool {
	isHeld := p.Status == record.StatePaid || p.Status == record.StateReview
	return isHeld && p.Refunded < p.Amount && s.refunder(p) == nil
}

// refunder fails with CONFLICT unless the gateway of a payment, whose account is loaded, gives money back.
func (s *Service) refunder(p *ent.Payment) error {
	if p.Edges.GatewayAccount == nil {
		return noRefunds()
	}
	at, _, err := s.accounts.Open(p.Edges.GatewayAccount)
	if _, ok := at.(gateway.Refunder); !ok || err != nil {
		return noRefunds()
	}
	return nil
}

func noRefunds() error {
	return fault.New(fault.Conflict,
		"the service cannot have this payment given back; give it back yourself, and record that")
}

// Refund has a part of a payment given back by its gateway, which Watch asks for it after the commit. It fails as
// order.AskRefund does, and with CONFLICT if the gateway gives nothing back.
func (s *Service) Refund(ctx context.Context, business uuid.UUID, part orders.Part) (*ent.Order, error) {
	return s.orders.AskRefund(ctx, business, part, s.refunder)
}

// lookBack asks the gateway what went back of a payment, and has it give back what staff asked for and it has not
// done. What may have left is not sent again before that list was read: a part that it lacks was not given back.
func (s *Service) lookBack(ctx context.Context, p *ent.Payment, at gateway.Gateway, account gateway.Account) error {
	calling, stop := context.WithTimeout(ctx, lookMax)
	defer stop()
	a := s.attempt(p, account)
	made, err := at.Refunds(calling, a)
	if err != nil {
		s.log.WarnContext(ctx, "a payment gateway did not say what it gave back", "gateway", *p.GatewayType,
			"business", p.TenantID, "error", err)
		return nil
	}
	lacking, err := s.book(ctx, p, made)
	refunder, _ := at.(gateway.Refunder)
	for _, row := range lacking {
		if err != nil || calling.Err() != nil {
			return err
		}
		switch {
		case row.Status == record.RefundDone, row.Status == record.RefundFailed, row.Status == record.RefundDisputed:
		case refunder == nil: // it was begun in the panel, and then was not done
			_, err = s.book(ctx, p, []gateway.Refund{{Part: row.ID, State: gateway.RefundFailed}})
		default:
			err = s.send(ctx, calling, refunder, p, a, row)
		}
	}
	return err
}

// send has a gateway give back a part of a payment, which is noted as sent before. The other context ends the call.
func (s *Service) send(ctx, calling context.Context, to gateway.Refunder, p *ent.Payment, a gateway.Attempt,
	row *ent.Refund) error {
	if err := s.store.Refund.UpdateOneID(row.ID).SetStatus(record.RefundSent).Exec(ctx); err != nil {
		return err
	}
	back := to.Refund(calling, a,
		gateway.Part{ID: row.ID, Amount: money.Amount{Minor: row.Amount, Currency: a.Amount.Currency}})
	if back.Err != nil {
		s.log.WarnContext(ctx, "a payment gateway did not say whether it gives money back", "gateway", *p.GatewayType,
			"business", p.TenantID, "error", back.Err)
	}
	_, err := s.book(ctx, p, []gateway.Refund{back})
	return err
}

// book writes what a gateway says of the refunds of a payment, and returns those that it does not name.
func (s *Service) book(ctx context.Context, p *ent.Payment, all []gateway.Refund) (lacking []*ent.Refund, err error) {
	ctx = context.WithoutCancel(ctx)
	err = transaction.Run(ctx, s.store, func(tx *ent.Tx) error {
		held, at, err := s.orders.Hold(ctx, tx, p.OrderID)
		if err != nil {
			return err
		}
		lacking, err = tx.Refund.Query().Where(refund.PaymentID(p.ID)).Order(refund.ByID()).All(ctx)
		for _, back := range all {
			if err != nil {
				return err
			}
			i := slices.IndexFunc(lacking, func(row *ent.Refund) bool {
				return row.ID == back.Part || row.Reference != nil && *row.Reference == back.Theirs
			})
			to := rowOf(p, back)
			switch {
			case back.State == gateway.RefundReversed:
				err = s.orders.Reverse(ctx, tx, held, at, p.ID)
			case i >= 0:
				err = s.orders.ChangeRefund(ctx, tx, held, at, lacking[i], to)
				lacking = slices.Delete(lacking, i, i+1)
			case to.Status != record.RefundFailed:
				err = s.orders.BookRefund(ctx, tx, held, at, to)
			}
		}
		return err
	})
	return lacking, err
}

// rowOf returns the row of a refund as its gateway says that it stands.
func rowOf(p *ent.Payment, back gateway.Refund) *ent.Refund {
	to := &ent.Refund{ID: back.Part, PaymentID: p.ID, Amount: back.Amount.Minor, Status: refundStatus[back.State]}
	if to.ID == uuid.Nil {
		to.ID = record.NewID()
	}
	if back.Theirs != "" {
		to.Reference = &back.Theirs
	}
	if reason := textFor(p.Edges.Order.Edges.Tenant, back.Reason); reason != "" {
		to.Problem = &reason
	}
	return to
}

var refundStatus = map[gateway.RefundState]record.RefundStatus{
	gateway.RefundDone: record.RefundDone, gateway.RefundPending: record.RefundSent,
	gateway.RefundFailed: record.RefundFailed, gateway.RefundUnknown: record.RefundUnknown,
	gateway.RefundDisputed: record.RefundDisputed,
}

// longestOpen is the longest rest between two looks of Watch at refunds that are under way.
const longestOpen = time.Hour

// rest has Watch ask the gateway of a payment again what went back, after a look at it: while a refund is under way,
// and for a time where the gateway does not call.
func (s *Service) rest(ctx context.Context, p *ent.Payment, at gateway.Gateway) error {
	return transaction.Run(ctx, s.store, func(tx *ent.Tx) error {
		_, now, err := s.orders.Hold(ctx, tx, p.OrderID)
		if err != nil {
			return err
		}
		row, err := tx.Payment.Query().Where(payment.ID(p.ID)).Only(ctx)
		if err != nil {
			return err
		}
		open, err := tx.Refund.Query().Where(refund.PaymentID(p.ID),
			refund.StatusNotIn(record.RefundDone, record.RefundFailed)).Order(refund.ByCreatedAt()).First(ctx)
		if err != nil && !ent.IsNotFound(err) {
			return err
		}
		update := tx.Payment.UpdateOneID(p.ID).SetClaimedUntil(now.Add(s.pace.Of(restTime)))
		switch isMoved := row.LookAt == nil || !row.LookAt.Equal(*p.LookAt); {
		case isMoved: // staff ended it meanwhile, or asked for another refund
		case open != nil:
			update.SetLookAt(now.Add(
				min(max(now.Sub(open.CreatedAt), s.pace.Of(soon)), s.pace.Of(longestOpen))))
		case s.isWatched(row, at, now):
			update.SetLookAt(now.Add(s.pace.Of(longestRest)))
		default:
			update.ClearLookAt()
		}
		return update.Exec(ctx)
	})
}

// isWatched reports whether a gateway is to be asked whether money of a payment went back in its panel.
func (s *Service) isWatched(p *ent.Payment, at gateway.Gateway, now time.Time) bool {
	_, calls := at.(gateway.Notifier)
	return at != nil && !calls && now.Before(p.PayableUntil.Add(s.pace.Watched(at.About().Watched)))
}
