package money

import (
	"context"
	"encoding/json"
	"math/big"
	"slices"
	"sync"
	"sync/atomic"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
)

// try is a try to pay, as staff see it.
type try struct {
	ID, State, Gateway, Theirs string
	Amount, RefundedAmount     json.Number
}

func (l *life) tries(ctx context.Context) []try {
	var got struct {
		Data struct {
			ShopOrder struct {
				Order struct{ Payment struct{ Attempts []try } }
			}
		}
	}
	must.Do(l.staff(ctx, "look at tries", `query($b: ID!, $o: ID!) { shopOrder(businessId: $b, orderId: $o) { order {
		payment { attempts { id state gateway theirs amount refundedAmount } } } } }`, map[string]any{}, &got))
	return got.Data.ShopOrder.Order.Payment.Attempts
}

// units returns how many of the smallest unit a unit of the shop's currency has.
func (s *shop) units() int64 {
	if s.currency == "USD" {
		return 100
	}
	return 1
}

// decimal writes an amount in the smallest unit as APIs do.
func (s *shop) decimal(minor int64) string {
	if s.units() == 1 {
		return big.NewInt(minor).String()
	}
	return big.NewRat(minor, s.units()).FloatString(2)
}

// rest returns how much of a try is not refunded, in the smallest unit.
func (s *shop) rest(t try) int64 {
	amount, ok := new(big.Rat).SetString(t.Amount.String())
	back, also := new(big.Rat).SetString(t.RefundedAmount.String())
	must.Hold(ok && also, "a try is of %s, of which %s went back", t.Amount, t.RefundedAmount)
	left := amount.Mul(amount.Sub(amount, back), big.NewRat(s.units(), 1))
	must.Hold(left.IsInt(), "a try has %s left", left)
	return left.Num().Int64()
}

// held are the states of tries whose money the shop has.
var held = []string{"paid", "review"}

// refund refunds the paid tries of the order, in one of several ways.
func (l *life) refund(ctx context.Context) {
	isHeld := func(t try) bool { return slices.Contains(held, t.State) }
	all := l.tries(ctx)
	for n := 0; n < 20 && !slices.ContainsFunc(all, isHeld); n++ { // the service may not know yet that it was paid
		must.Do(customer.Wait(ctx, restful))
		all = l.tries(ctx)
	}
	for _, t := range all {
		if left := l.shop.rest(t); left > 0 && isHeld(t) {
			if t.Gateway == "stripe" {
				l.atStripe(ctx, t, left)
			} else {
				l.inPanel(ctx, t, left)
			}
		}
	}
}

// gives refunds a part of a try as staff do, by its gateway, or records that they did so themselves.
func (l *life) gives(ctx context.Context, t try, part int64, byGateway bool) error {
	document := `mutation($b: ID!, $p: ID!, $in: RecordedRefundInput!) {
		recordRefund(businessId: $b, paymentId: $p, input: $in) { message } }`
	if byGateway {
		document = `mutation($b: ID!, $p: ID!, $in: RefundInput!) {
			refundPayment(businessId: $b, paymentId: $p, input: $in) { message } }`
	}
	return l.asks(ctx, &l.shop.owner.Client, "refund", document,
		map[string]any{"p": t.ID, "in": map[string]any{"amount": json.Number(l.shop.decimal(part))}}, nil)
}

// eight asks eight times at the same time for a refund of more than a third of a try, and returns how many were
// accepted: two at most.
func (l *life) eight(ctx context.Context, t try, left int64, byGateway bool) (part int64, done int) {
	part = left/3 + 1
	var all sync.WaitGroup
	var n atomic.Int64
	for i := range 8 {
		clone := *l
		clone.order = l.order
		clone.Rand = newRand(l.Uint64(), uint64(i))
		all.Go(func() {
			if clone.gives(ctx, t, part, byGateway) == nil {
				n.Add(1)
			}
		})
	}
	all.Wait()
	return part, int(n.Load())
}

// atStripe refunds a try by the service, in the panel, or by a dispute at the customer's bank.
func (l *life) atStripe(ctx context.Context, t try, left int64) {
	intent := "pi_" + t.Theirs[len(t.Theirs)-24:]
	l.inject(ctx, refunding, intent)
	l.inject(ctx, reading, intent)
	way := l.IntN(7)
	if len(l.cells[refunding])+len(l.cells[reading]) > 0 {
		way = l.IntN(3)
	}
	l.cells[refunding], l.cells[reading] = nil, nil
	panel := func(do string, amount int64) {
		l.town.control(ctx, t.Gateway, map[string]any{"do": do, "id": t.Theirs, "amount": amount}, nil)
	}
	switch way {
	case 0:
		must.Hold(customer.Code(l.gives(ctx, t, left+1, true)) == "CONFLICT", "more is given back than was paid")
		_ = l.gives(ctx, t, left, true)
	case 1:
		_ = l.gives(ctx, t, left/3, true)
		_ = l.gives(ctx, t, left-left/3, true)
	case 2:
		_, _ = l.eight(ctx, t, left, true)
	case 3:
		panel("refund", left-left/3)
	case 4:
		panel("dispute", 0)
		panel([]string{"won", "lost"}[l.IntN(2)], 0)
	case 5: // a refund that fails later
		panel("refund", left)
		l.town.settleRefunds(ctx, "refundFailed", t.Theirs)
	case 6: // staff refund it in the panel, and record that
		if l.gives(ctx, t, left, false) == nil {
			panel("refund", left)
		}
	}
}

// inPanel refunds a try in the panel of a gateway of Iran, which the service cannot do.
func (l *life) inPanel(ctx context.Context, t try, left int64) {
	must.Hold(customer.Code(l.gives(ctx, t, left, true)) == "CONFLICT", "the service gives money of %s back", t.Gateway)
	panel := func(part int64) {
		if t.Gateway == "zibal" && l.shop.currency == "IRT" {
			part *= 10
		}
		l.town.control(ctx, t.Gateway, map[string]any{"do": "refund", "id": t.Theirs, "amount": part}, nil)
		if t.Gateway == "zibal" {
			l.town.settleRefunds(ctx, "refundDone", t.Theirs)
		}
	}
	switch way := l.IntN(3); {
	case t.Gateway == "zibal" && way == 0: // the service finds it
		panel(left)
	case t.Gateway == "zibal" && way == 1:
		if l.gives(ctx, t, left, false) == nil {
			panel(left)
		}
	case way == 0:
		if part, done := l.eight(ctx, t, left, false); done > 0 {
			for range done {
				panel(part)
			}
		}
	default:
		_ = l.mark(ctx, "refunded")
		for _, after := range l.tries(ctx) { // perhaps another one was meant
			if after.ID == t.ID && after.State == "refunded" {
				panel(left)
			}
		}
	}
}

// settleRefunds makes the refunds of a session succeed or fail; without a session all refunds that are pending.
func (t *town) settleRefunds(ctx context.Context, do, session string) {
	for _, gateway := range names {
		var all []struct {
			ID      string
			Refunds []struct{ ID, Status string }
		}
		t.control(ctx, gateway, map[string]any{"do": "sessions"}, &all)
		for _, s := range all {
			for _, r := range s.Refunds {
				if s.ID == session || session == "" && r.Status == "pending" {
					t.control(ctx, gateway, map[string]any{"do": do, "id": r.ID}, nil)
				}
			}
		}
	}
}
