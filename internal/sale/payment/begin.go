package payment

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/order"
	"storefront/ent/payment"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/platform/ratelimit"
	"storefront/internal/record"
	"storefront/internal/sale/gateway"
	orders "storefront/internal/sale/order"
)

const (
	mostTries     = 10               // of an order
	mostInMinute  = 60               // of a client address, whatever order
	replacedAfter = 30 * time.Second // a try whose beginning was not answered

	forgottenAfter = 10 * time.Minute // a try that did not begin
	resumedUntil   = 2 * time.Minute  // before a try ends: later it is not resumed
	firstLook      = 2 * time.Minute  // after a try has begun
	heldAtMost     = 24 * time.Hour   // units, after the end of a try of which the gateway says nothing
)

// Begin returns the address at which an order is paid with an account: that of a try which can still be paid, else of a
// new one. It fails with CONFLICT where Link has no such way, with RATE_LIMITED after too many tries, and with
// UNAVAILABLE if the gateway does not answer as it should.
func (s *Service) Begin(ctx context.Context, client netip.Addr, code string, with uuid.UUID) (string, error) {
	business, id, err := s.find(ctx, code)
	if err != nil {
		return "", err
	}
	ctx = context.WithoutCancel(tenancy.In(ctx, business)) // the gateway's answer is written if nobody waits for it
	if err := s.admit(ctx, client); err != nil {
		return "", err
	}
	var row *ent.Payment
	err = transaction.Run(ctx, s.store, func(tx *ent.Tx) error {
		row, err = s.open(ctx, tx, id, with)
		return err
	})
	if err != nil {
		return "", err
	}
	at, account, err := s.accounts.Open(row.Edges.GatewayAccount)
	if err != nil {
		return "", err
	}
	if row.Theirs != nil {
		redirect, err := at.Resume(ctx, s.attempt(row, account))
		if err != nil { // it may be paid
			err = fault.Wrap(fault.Unavailable, err,
				"the payment gateway does not answer; look at this page again before you pay once more")
		}
		return redirect, err
	}
	begun, err := at.Begin(ctx, s.attempt(row, account))
	if failure := s.sent(ctx, row, begun, err); failure != nil {
		return "", failure
	}
	return begun.Redirect, nil
}

// admit counts a try of a client address, and fails with RATE_LIMITED if it has made too many.
func (s *Service) admit(ctx context.Context, client netip.Addr) error {
	return transaction.Run(ctx, s.store, func(tx *ent.Tx) error {
		for _, quota := range ratelimit.Crowded("pay", client, time.Minute, mostInMinute) {
			wait, err := quota.Take(ctx, tx, s.clock)
			if err != nil {
				return err
			}
			if wait > 0 {
				return fault.New(fault.RateLimited, "too many payments were begun from here; try again in %d seconds",
					fault.Seconds(wait)).After(wait)
			}
		}
		return nil
	})
}

// open returns the row of a try of an order with an account: one that can still be paid, else a new one. The customer's
// try with another account is superseded.
func (s *Service) open(ctx context.Context, tx *ent.Tx, id, with uuid.UUID) (*ent.Payment, error) {
	if _, _, err := s.orders.Hold(ctx, tx, id); err != nil {
		return nil, err
	}
	o, err := tx.Order.Query().Where(order.ID(id)).WithTenant().
		WithPayments(func(q *ent.PaymentQuery) { q.WithGatewayAccount() }).Only(ctx)
	if err != nil {
		return nil, err
	}
	ways, why, err := s.ways(ctx, tx.Client(), o, orders.Counting(o.Edges.Payments))
	if err != nil {
		return nil, err
	}
	chosen := slices.IndexFunc(ways, func(w Way) bool { return w.Account.ID == with })
	switch {
	case len(ways) == 0:
		return nil, fault.New(fault.Conflict, "the order cannot be paid now: %s", why)
	case chosen < 0:
		return nil, notThisWay()
	}
	now, tries, began := s.clock.Now(), 0, 0
	for _, p := range o.Edges.Payments {
		p.Edges.Order = o
		// tries that did not begin count for some minutes only
		if p.Ours != nil && (p.Theirs != nil || now.Before(p.CreatedAt.Add(s.pace.Of(forgottenAfter)))) {
			tries++
		}
		if p.Theirs != nil {
			began++
		}
		if p.Status.UnderWay() {
			if kept, err := s.keep(ctx, tx, p, with, now); kept || err != nil {
				return p, err
			}
		}
	}
	if tries >= mostTries {
		often := fault.New(fault.RateLimited,
			"it was tried %d times to pay this order; ask the shop how to pay it", tries)
		if began < mostTries {
			often = often.After(s.pace.Of(forgottenAfter))
		}
		return nil, often
	}
	account := ways[chosen].Account
	at, _, err := s.accounts.Open(account)
	if err != nil {
		return nil, err
	}
	about := at.About()
	until := now.Add(s.pace.Of(about.Payable))
	made, err := tx.Payment.Create().SetID(record.NewID()).SetCreatedAt(now).SetUpdatedAt(now).SetOrderID(id).
		SetType(record.PayAtGateway).SetStatus(record.StateBegun).SetCounts(false).SetAmount(o.Total).
		SetGatewayType(about.Name).SetGatewayAccountID(account.ID).SetOurs(orders.Letters(ourLetters)).
		SetIsTest(account.IsTest).SetPayableUntil(until).SetHoldsUntil(until.Add(s.pace.Of(heldAtMost))).
		SetLookAt(now.Add(s.pace.Of(firstLook))).Save(ctx)
	if err != nil {
		return nil, err
	}
	// the row refers to the account now, which was read before and may have been forgotten meanwhile
	if account, err = tx.GatewayAccount.Get(ctx, account.ID); err != nil {
		return nil, err
	}
	if !account.Active {
		return nil, notThisWay()
	}
	made.Edges.Order, made.Edges.GatewayAccount = o, account
	return made, nil
}

func notThisWay() error {
	return fault.New(fault.Conflict, "the order cannot be paid this way now; look at its page again")
}

// ourLetters is the length of our reference of a try, which nobody guesses.
const ourLetters = 20

// keep reports whether a try that is under way is resumed; else it is superseded.
func (s *Service) keep(ctx context.Context, tx *ent.Tx, p *ent.Payment, with uuid.UUID, now time.Time) (bool, error) {
	isSame := *p.GatewayAccountID == with && now.Before(p.PayableUntil.Add(-s.pace.Of(resumedUntil)))
	switch {
	case p.Status == record.StateVerifying && now.Before(*p.PayableUntil):
		return false, fault.New(fault.Conflict,
			"a payment of this order is just being confirmed; look at its page again in a minute").After(time.Minute)
	case isSame && (p.Theirs != nil || s.repeats(p) && !now.Before(p.CreatedAt.Add(s.pace.Of(replacedAfter)))):
		return true, nil
	case isSame && now.Before(p.CreatedAt.Add(s.pace.Of(replacedAfter))):
		return false, fault.New(fault.Conflict, "a payment of this order is being started; try again in a moment").
			After(p.CreatedAt.Add(s.pace.Of(replacedAfter)).Sub(now))
	}
	return false, tx.Payment.UpdateOneID(p.ID).SetStatus(record.StateSuperseded).SetUpdatedAt(now).Exec(ctx)
}

// repeats reports whether the gateway of a try may be asked to begin it again.
func (s *Service) repeats(p *ent.Payment) bool {
	at, _, err := s.accounts.Open(p.Edges.GatewayAccount)
	return err == nil && at.About().Repeats
}

// sent writes what a gateway answered when a try was begun, and returns the error for the customer.
func (s *Service) sent(ctx context.Context, p *ent.Payment, begun gateway.Begun, failure error) error {
	refused, isRefused := errors.AsType[*gateway.Refused](failure)
	if failure != nil && !isRefused {
		s.log.WarnContext(ctx, "a payment gateway did not begin a payment", "gateway", *p.GatewayType,
			"business", p.TenantID, "error", failure)
		return fault.From(unanswered(failure)).After(s.pace.Of(replacedAfter))
	}
	isCancelled := false
	err := transaction.Run(ctx, s.store, func(tx *ent.Tx) error {
		held, at, err := s.orders.Hold(ctx, tx, p.OrderID)
		if err != nil {
			return err
		}
		isCancelled = held.Status == record.OrderCancelled
		update, state := tx.Payment.UpdateOneID(p.ID), record.StateSent
		if isRefused {
			state = record.StateFailed
			update.ClearHoldsUntil().ClearLookAt().SetProblem(textFor(p.Edges.Order.Edges.Tenant, refused.Reason))
		} else if update.SetTheirs(begun.Theirs); isCancelled {
			update.SetLookAt(at) // so that a gateway which can soon takes no money for it
		}
		if err := update.Exec(ctx); err != nil {
			return err
		}
		// one that was superseded meanwhile stays so
		return tx.Payment.Update().Where(payment.ID(p.ID), payment.StatusEQ(record.StateBegun)).
			SetStatus(state).Exec(ctx)
	})
	if err == nil && isCancelled {
		return fault.New(fault.Conflict, "the order cannot be paid now: %s", fault.Say("the order is cancelled"))
	}
	if err == nil && isRefused {
		s.log.WarnContext(ctx, "a payment gateway refused to begin a payment", "gateway", *p.GatewayType,
			"business", p.TenantID, "code", refused.Code)
		if refused.Code == "" {
			return fault.From(unanswered(failure)).After(s.pace.Of(replacedAfter))
		}
		err = fault.New(fault.Unavailable, "the payment gateway refuses this payment; the shop must look into it")
	}
	return err
}

func unanswered(cause error) error {
	return fault.Wrap(fault.Unavailable, cause, "the payment gateway does not answer; nothing was paid, try again")
}
