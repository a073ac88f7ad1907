package payment

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/order"
	"storefront/ent/payment"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/locale/language"
	"storefront/internal/record"
	"storefront/internal/sale/gateway"
	orders "storefront/internal/sale/order"
)

const (
	claimTime   = time.Minute      // a server that died holds up others for so long
	restTime    = 5 * time.Second  // between two looks at a try, whatever calls come
	callbackMax = 6 * time.Second  // a customer waits, and their request ends after 8
	lookMax     = 20 * time.Second // a look of nobody who waits
	longestRest = 10 * time.Minute // between two looks of Watch
	soon        = 15 * time.Second // after a look that the gateway did not answer
	deadMargin  = 2 * time.Minute  // after the end of a try, before its order loses its units
)

// settled are the states that no answer of a gateway changes any more.
var settled = []record.PaymentState{record.StatePaid, record.StateReview, record.StateRefunded}

// errClaimed is the error of a look at a try that is just being looked at, or was a moment ago.
var errClaimed = errors.New("payment: another look at the payment is under way")

// Return follows a customer who comes back from a gateway to the page of an order, with our reference of the try, and
// returns the address to send them to; empty: the page itself. It asks the gateway, for 6 seconds at most.
func (s *Service) Return(r *http.Request, code, ours string) (redirect string, err error) {
	business, id, err := s.find(r.Context(), code)
	if err != nil {
		return "", err
	}
	// what was asked of the gateway is written, and the customer sent on, even if the request ends meanwhile
	ctx := context.WithoutCancel(tenancy.In(r.Context(), business))
	p, err := s.tryOf(ctx, id, ours)
	if err != nil {
		return "", err
	}
	at, _, err := s.accounts.Open(p.Edges.GatewayAccount)
	if at == nil {
		return "", err
	}
	if isOf(at.Read(r), p) && !slices.Contains(settled, p.Status) {
		err := s.store.Payment.Update().Where(payment.ID(p.ID), payment.StatusEQ(record.StateSent)).
			SetStatus(record.StateReturned).Exec(ctx)
		if err != nil {
			return "", err
		}
		looking, stop := context.WithTimeout(ctx, callbackMax)
		if err := s.look(looking, p.ID); err != nil && !errors.Is(err, errClaimed) {
			s.log.WarnContext(ctx, "the payment of a customer who came back was not looked at", "error", err)
		}
		stop()
	}
	o, err := s.store.Order.Query().Where(order.ID(id)).WithPayments().
		WithTenant().Only(ctx)
	if err != nil {
		return "", err
	}
	return s.back(ctx, o, stateOf(o))
}

// isOf reports whether what a customer came back with is of a try. It proves nothing.
func isOf(said gateway.Callback, p *ent.Payment) bool {
	return (said.Reference == "" || said.Reference == *p.Ours) &&
		(said.Theirs == "" || p.Theirs != nil && said.Theirs == *p.Theirs)
}

// look claims a try, and does lookAt. It fails with errClaimed if another look is under way or has just been.
func (s *Service) look(ctx context.Context, id uuid.UUID) error {
	p, err := s.claim(ctx, id)
	if err != nil {
		return err
	}
	return s.lookAt(ctx, p)
}

// lookAt asks the gateway about a claimed try, and writes the outcome. The context ends the calls, and not what is
// written.
func (s *Service) lookAt(ctx context.Context, p *ent.Payment) error {
	if slices.Contains(settled, p.Status) {
		return s.lookBack(ctx, p)
	}
	at, account, err := s.accounts.Open(p.Edges.GatewayAccount)
	var outcome gateway.Outcome
	if err != nil {
		outcome = gateway.Outcome{Kind: gateway.Unknown, Err: err}
	} else {
		calling, stop := context.WithTimeout(ctx, lookMax)
		outcome, err = s.ask(calling, p, at, account)
		stop()
		if err != nil {
			outcome = gateway.Outcome{Kind: gateway.Unknown, Err: err}
		}
	}
	if outcome.Err != nil {
		s.log.WarnContext(ctx, "a payment gateway did not say how a payment stands", "gateway", *p.GatewayType,
			"business", p.TenantID, "error", outcome.Err)
	}
	return s.write(context.WithoutCancel(ctx), p, outcome, at)
}

// claim has this look be the only one at a try, and returns the try with what attempt needs.
func (s *Service) claim(ctx context.Context, id uuid.UUID) (*ent.Payment, error) {
	now := s.clock.Now()
	n, err := s.store.Payment.Update().
		Where(payment.ID(id), payment.LookAtNotNil(),
			payment.Or(payment.ClaimedUntilIsNil(), payment.ClaimedUntilLTE(now))).
		SetClaimedUntil(now.Add(max(s.pace.Of(claimTime), lookMax+restTime))).Save(ctx)
	if err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, errClaimed
	}
	return s.store.Payment.Query().Where(payment.ID(id)).WithGatewayAccount().
		WithOrder(func(q *ent.OrderQuery) { q.WithTenant() }).Only(ctx)
}

// hold locks the order of a claimed payment, and returns it with the time and the payment as it is now. It fails with
// errClaimed if another look has claimed the payment since, so that nothing older is written over what that one writes.
func (s *Service) hold(ctx context.Context, tx *ent.Tx, p *ent.Payment) (*ent.Order, time.Time, *ent.Payment, error) {
	held, at, err := s.orders.Hold(ctx, tx, p.OrderID)
	if err != nil {
		return nil, at, nil, err
	}
	now, err := tx.Payment.Query().Where(payment.ID(p.ID)).Only(ctx)
	if err == nil && now.ClaimedUntil != nil && !now.ClaimedUntil.Equal(*p.ClaimedUntil) {
		err = errClaimed
	}
	return held, at, now, err
}

// ask returns the state of a try at its gateway. It has the gateway verify a payment only if the order needs it, or if
// that was requested before.
func (s *Service) ask(
	ctx context.Context, p *ent.Payment, at gateway.Gateway, account gateway.Account,
) (gateway.Outcome, error) {
	a := s.attempt(p, account)
	if p.VerifySent && p.Status != record.StateGivenBack {
		return at.Verify(ctx, a), nil
	}
	needed, err := s.needed(ctx, p, false)
	if err != nil {
		return gateway.Outcome{}, err
	}
	if !needed || !a.Now.Before(a.PayableUntil) {
		outcome := at.End(ctx, a)
		if !needed || outcome.Kind != gateway.Verifying {
			return outcome, nil
		}
	} else if outcome := at.Lookup(ctx, a); outcome.Kind != gateway.Verifying {
		return outcome, nil
	}
	if needed, err = s.needed(ctx, p, true); err != nil || !needed {
		return gateway.Outcome{Kind: gateway.Verifying}, err
	}
	return at.Verify(ctx, a), nil
}

// needed reports whether the order of a try needs its money. If verifying is set and it does, it notes that the gateway
// may now be asked to verify the try, which is then done to the end.
func (s *Service) needed(ctx context.Context, p *ent.Payment, verifying bool) (needed bool, err error) {
	err = transaction.Run(ctx, s.store, func(tx *ent.Tx) error {
		held, at, _, err := s.hold(ctx, tx, p)
		if err != nil {
			return err
		}
		needed, err = orders.NeedsMoney(ctx, tx, held)
		if err != nil || !needed || !verifying {
			return err
		}
		err = tx.Payment.Update().Where(payment.ID(p.ID), payment.StatusIn(record.StateSent, record.StateReturned)).
			SetStatus(record.StateVerifying).Exec(ctx)
		if err == nil {
			err = tx.Payment.UpdateOneID(p.ID).SetVerifySent(true).SetUpdatedAt(at).Exec(ctx)
		}
		return err
	})
	return needed, err
}

// write writes the outcome of a look at a try; the gateway is nil if its credentials are gone.
func (s *Service) write(ctx context.Context, p *ent.Payment, o gateway.Outcome, gate gateway.Gateway) error {
	watched := time.Duration(0)
	if gate != nil {
		watched = s.pace.Watched(gate.About().Watched)
	}
	return transaction.Run(ctx, s.store, func(tx *ent.Tx) error {
		held, at, now, err := s.hold(ctx, tx, p)
		if err != nil {
			return err
		}
		update := tx.Payment.UpdateOneID(p.ID).SetClaimedUntil(at.Add(s.pace.Of(restTime))).SetUpdatedAt(at)
		isSettled := slices.Contains(settled, now.Status)
		next := s.nextLook(now, o.Kind, at)
		isOpen := !isSettled && o.Kind != gateway.Paid
		switch {
		case now.LookAt == nil: // staff ended it meanwhile
		case p.LookAt == nil || !now.LookAt.Equal(*p.LookAt): // an event did meanwhile (follow)
		case isOpen && next.Before(p.PayableUntil.Add(watched)):
			update.SetLookAt(next)
		case o.WentBack:
			update.SetLookAt(at)
		case o.Kind == gateway.Paid: // a refund or a dispute may have come while it was read
			update.SetLookAt(at.Add(s.pace.Of(longestRest)))
		default:
			update.ClearLookAt()
		}
		if isOpen {
			s.change(update, now, o, at)
			if reason := o.Reason.String(); reason != "" {
				update.SetProblem(textFor(p.Edges.Order.Edges.Tenant, o.Reason))
			} else if o.Kind != gateway.Unknown {
				update.ClearProblem()
			}
			if now.Status.UnderWay() && !next.Before(p.PayableUntil.Add(watched)) && !isAnswer(o.Kind) {
				update.SetStatus(record.StateExpired).SetProblem(textFor(p.Edges.Order.Edges.Tenant, unheard))
			}
		}
		if err := update.Exec(ctx); err != nil || isSettled || o.Kind != gateway.Paid {
			return err
		}
		return s.orders.Settle(ctx, tx, held, at, p.ID, orders.GatewayReceipt{Code: o.Code, Card: o.Card})
	})
}

// change gives a try that is not paid the state that an answer means. One that is shown as ended stays so.
func (s *Service) change(update *ent.PaymentUpdateOne, p *ent.Payment, o gateway.Outcome, at time.Time) {
	ended := false
	switch o.Kind {
	case gateway.GivenBack:
		update.SetStatus(record.StateGivenBack)
		ended = true
	case gateway.Dead:
		if p.Status.UnderWay() {
			update.SetStatus(record.StateExpired)
		}
		ended = true
	case gateway.Mismatch:
		update.SetStatus(record.StateFailed)
		ended = true
	case gateway.Payable:
		if p.Status == record.StateVerifying || p.Status == record.StateReturned {
			update.SetStatus(record.StateSent) // nothing is awaited but the customer
		}
	case gateway.Pending:
		if p.Status == record.StateVerifying {
			update.SetStatus(record.StateReturned)
		}
	}
	if ended {
		update.SetHoldsUntil(p.PayableUntil.Add(s.pace.Of(deadMargin)))
	}
}

// nextLook returns when the gateway is asked about a try again: after as long as it is old, at most ten minutes;
// soon if the customer waits for an answer that the gateway did not give.
func (s *Service) nextLook(p *ent.Payment, said gateway.Kind, now time.Time) time.Time {
	rest := min(max(now.Sub(p.CreatedAt), s.pace.Of(firstLook)), s.pace.Of(longestRest))
	if end := p.PayableUntil.Add(s.pace.Of(time.Second)); now.Before(end) && now.Add(rest).After(end) {
		rest = end.Sub(now) // then it may be dead, and its order's units are free
	}
	if said == gateway.Unknown && (p.Status == record.StateReturned || p.Status == record.StateVerifying) {
		rest = min(rest, max(s.pace.Of(soon), now.Sub(p.CreatedAt)/8))
	}
	return now.Add(rest)
}

// unheard is the problem of a try of which the gateway said nothing in time.
var unheard = fault.Say("the gateway did not say in time whether this was paid; look at it in the gateway's panel")

// isAnswer reports whether a kind says that a try has ended.
func isAnswer(kind gateway.Kind) bool {
	return kind == gateway.Dead || kind == gateway.GivenBack || kind == gateway.Mismatch
}

// textFor returns a text for the staff of a shop, in the shop's language.
func textFor(shop *ent.Tenant, text fault.Text) string {
	return language.Language(shop.DefaultLocale).Say(text)
}
