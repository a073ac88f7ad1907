package payment

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/predicate"
	"storefront/ent/refund"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/locale/language"
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

// The problems of payments of which something went back that the service does not settle.
var (
	unasked = fault.Say("the gateway cannot be asked any more whether this was given back; look in its panel, and " +
		"record it if it was")
	unbooked = fault.Say("the gateway has something else go back of this payment than is recorded here; look at it " +
		"in the gateway's panel")
)

// lookBack asks the gateway what went back of a settled payment, books it, and sends what staff asked for beyond that:
// what may have left is not sent again before that list was read. The problem of the payment says what staff must look
// at.
func (s *Service) lookBack(ctx context.Context, p *ent.Payment) error {
	calling, stop := context.WithTimeout(ctx, lookMax)
	defer stop()
	shop, problem := p.Edges.Order.Edges.Tenant, p.Problem
	at, account, closed := s.accounts.Open(p.Edges.GatewayAccount)
	again := s.isWatched(p, at, s.clock.Now())
	var all []gateway.Refund
	var err error
	if closed == nil {
		all, err = at.Refunds(calling, s.attempt(p, account))
	}
	refused, isRefused := errors.AsType[*gateway.Refused](err)
	switch {
	case p.Edges.GatewayAccount.Secrets == nil: // a new account does not know the payment
		problem = new(textFor(shop, unasked))
		err = s.fail(ctx, p, *problem, refund.StatusNotIn(record.RefundDone, record.RefundFailed))
	case closed != nil: // what may have been sent stays as it is
		problem = &fault.From(closed).In(language.Language(shop.DefaultLocale).Say).Message
		err = s.fail(ctx, p, *problem, refund.StatusEQ(record.RefundAsked))
	case isRefused:
		problem = new(textFor(shop, refused.Reason))
		err = s.fail(ctx, p, *problem, refund.StatusEQ(record.RefundAsked))
	case err != nil:
		again = true
		s.log.WarnContext(ctx, "a payment gateway did not say what it gave back", "gateway", *p.GatewayType,
			"business", p.TenantID, "error", err)
		err = nil
	default:
		var lacking []*ent.Refund
		lacking, problem, err = s.book(ctx, p, all)
		if err == nil {
			err = s.giveBack(ctx, calling, at, p, account, lacking)
		}
	}
	if err != nil {
		return err // the time of the next look stays, as this one is to be repeated
	}
	return s.rest(context.WithoutCancel(ctx), p, again, problem)
}

// giveBack sends the refunds that are open and that a gateway's list lacks: these were not made. The other context ends
// the calls.
func (s *Service) giveBack(ctx, calling context.Context, at gateway.Gateway, p *ent.Payment, account gateway.Account,
	lacking []*ent.Refund) (err error) {
	refunder, _ := at.(gateway.Refunder)
	for _, row := range lacking {
		if err != nil || calling.Err() != nil {
			return err
		}
		switch {
		case row.Status == record.RefundDone, row.Status == record.RefundFailed, row.Status == record.RefundDisputed:
		case refunder == nil: // it was begun in the panel, and then was not done
			err = s.fail(ctx, p, "", refund.ID(row.ID))
		default:
			err = s.send(ctx, calling, refunder, p, s.attempt(p, account), row)
		}
	}
	return err
}

// send has a gateway give back a part of a payment that is still open, which is noted as sent before. The other context
// ends the call.
func (s *Service) send(ctx, calling context.Context, to gateway.Refunder, p *ent.Payment, a gateway.Attempt,
	row *ent.Refund) error {
	n, err := s.store.Refund.Update().Where(refund.ID(row.ID),
		refund.StatusIn(unmade...)).
		SetStatus(record.RefundSent).Save(ctx)
	if err != nil || n == 0 {
		return err
	}
	back := to.Refund(calling, a,
		gateway.Part{ID: row.ID, Amount: money.Amount{Minor: row.Amount, Currency: a.Amount.Currency}})
	if back.Err != nil {
		s.log.WarnContext(ctx, "a payment gateway did not say whether it gives money back", "gateway", *p.GatewayType,
			"business", p.TenantID, "error", back.Err)
	}
	_, _, err = s.book(ctx, p, []gateway.Refund{back})
	return err
}

// book writes what a gateway says of the refunds of a payment, and returns those that it does not name. There is a
// problem if the gateway has more, or something else, go back than is left of the payment here, and if the customer's
// bank only inquires.
func (s *Service) book(
	ctx context.Context, p *ent.Payment, all []gateway.Refund,
) (lacking []*ent.Refund, problem *string, err error) {
	ctx = context.WithoutCancel(ctx)
	slices.SortStableFunc(all, func(a, b gateway.Refund) int { return cmp.Compare(turn(a), turn(b)) })
	err = transaction.Run(ctx, s.store, func(tx *ent.Tx) error {
		held, at, _, err := s.hold(ctx, tx, p)
		if err != nil {
			return err
		}
		isBooked := true
		problem = nil
		lacking, err = tx.Refund.Query().Where(refund.PaymentID(p.ID)).Order(refund.ByID()).All(ctx)
		var others []gateway.Refund
		for _, back := range all {
			if err != nil {
				return err
			}
			i := slices.IndexFunc(lacking, func(row *ent.Refund) bool { return row.ID == back.Part })
			if i < 0 && refundStatus[back.State] != "" {
				i = slices.IndexFunc(lacking, func(row *ent.Refund) bool {
					return row.Reference != nil && *row.Reference == back.Theirs
				})
			}
			if i < 0 {
				others = append(others, back)
				continue
			}
			row, is := lacking[i], false
			lacking = slices.Delete(lacking, i, i+1)
			if back.State == gateway.RefundUnknown && !slices.Contains(unmade, row.Status) {
				continue // another look knows more
			}
			is, err = s.orders.ChangeRefund(ctx, tx, held, at, row, rowOf(p, back))
			isSame := back.Amount == money.Amount{Minor: row.Amount, Currency: held.PriceCurrency}
			isBooked = isBooked && is && (isSame || back.State == gateway.RefundFailed)
		}
		for _, back := range others {
			is := true
			switch {
			case err != nil:
				return err
			case back.State == gateway.RefundFailed:
			case back.Amount.Currency != held.PriceCurrency:
				is = false
			case back.State == gateway.RefundReversed:
				is, err = s.orders.Reverse(ctx, tx, held, at, p.ID)
			case back.State == gateway.RefundInquiry:
				problem = rowOf(p, back).Problem
			default:
				yielding := slices.DeleteFunc(slices.Clone(lacking),
					func(row *ent.Refund) bool { return !slices.Contains(unmade, row.Status) })
				is, err = s.orders.BookRefund(ctx, tx, held, at, rowOf(p, back), yielding)
			}
			isBooked = isBooked && is
		}
		if !isBooked {
			problem = new(textFor(p.Edges.Order.Edges.Tenant, unbooked))
		}
		return err
	})
	return lacking, problem, err
}

// unmade are the states of refunds of which the gateway has not said that it makes them.
var unmade = []record.RefundStatus{record.RefundAsked, record.RefundSent, record.RefundUnknown}

// turn orders refunds for book: those that failed come first, as they free their amount.
func turn(back gateway.Refund) int {
	if back.State == gateway.RefundFailed {
		return 0
	}
	return 1
}

// fail has those refunds of a payment fail that a predicate names, with a problem; it may be empty.
func (s *Service) fail(ctx context.Context, p *ent.Payment, why string, which predicate.Refund) error {
	to := &ent.Refund{Status: record.RefundFailed}
	if why != "" {
		to.Problem = &why
	}
	return transaction.Run(ctx, s.store, func(tx *ent.Tx) error {
		held, at, _, err := s.hold(ctx, tx, p)
		if err != nil {
			return err
		}
		rows, err := tx.Refund.Query().Where(refund.PaymentID(p.ID), which).All(ctx)
		for _, row := range rows {
			if err != nil {
				return err
			}
			_, err = s.orders.ChangeRefund(ctx, tx, held, at, row, to)
		}
		return err
	})
}

// rowOf returns the row of a refund as its gateway says that it stands.
func rowOf(p *ent.Payment, back gateway.Refund) *ent.Refund {
	to := &ent.Refund{PaymentID: p.ID, Amount: back.Amount.Minor, Status: refundStatus[back.State]}
	if back.Theirs != "" {
		to.Reference = &back.Theirs
	}
	if reason := textFor(p.Edges.Order.Edges.Tenant, back.Reason); reason != "" {
		to.Problem = &reason
	}
	return to
}

// refundStatus has the states of gateways that are a refund's.
var refundStatus = map[gateway.RefundState]record.RefundStatus{
	gateway.RefundDone: record.RefundDone, gateway.RefundPending: record.RefundSent,
	gateway.RefundFailed: record.RefundFailed, gateway.RefundUnknown: record.RefundUnknown,
	gateway.RefundDisputed: record.RefundDisputed,
}

// longestOpen is the longest rest between two looks of Watch at refunds that are under way.
const longestOpen = time.Hour

// rest ends a look at a settled payment, with a problem for staff; nil: there is none. Watch asks the gateway again
// while a refund is under way, or if again is set.
func (s *Service) rest(ctx context.Context, p *ent.Payment, again bool, problem *string) error {
	return transaction.Run(ctx, s.store, func(tx *ent.Tx) error {
		_, now, row, err := s.hold(ctx, tx, p)
		if err != nil {
			return err
		}
		open, err := tx.Refund.Query().Where(refund.PaymentID(p.ID),
			refund.StatusNotIn(record.RefundDone, record.RefundFailed)).Order(refund.ByCreatedAt()).First(ctx)
		if err != nil && !ent.IsNotFound(err) {
			return err
		}
		update := tx.Payment.UpdateOneID(p.ID).SetClaimedUntil(now.Add(s.pace.Of(restTime)))
		if problem == nil {
			update.ClearProblem()
		}
		update.SetNillableProblem(problem)
		switch isMoved := row.LookAt == nil || p.LookAt == nil || !row.LookAt.Equal(*p.LookAt); {
		case isMoved: // staff ended it meanwhile, or asked for another refund
		case open != nil:
			update.SetLookAt(now.Add(
				min(max(now.Sub(open.CreatedAt), s.pace.Of(soon)), s.pace.Of(longestOpen))))
		case again:
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
