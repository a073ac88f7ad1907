package standin

import (
	"slices"
	"time"
)

// begin adds a session, on which the buyer can pay until its end.
func (g *Gateway) begin(s *Session) {
	s.State, s.Began, s.Number = waiting, g.options.Now().UTC(), int64(len(g.order)+1)
	if s.Ends.IsZero() {
		s.Ends = s.Began.Add(g.scaled(g.options.Life))
	}
	g.sessions[s.ID], g.order = s, append(g.order, s)
	g.book(Line{Operation: "request", Amount: s.Amount, Note: s.Reference}, s)
}

// units returns what an amount is on a card: Zarinpal's toman are 10 rial.
func units(s *Session, amount int64) int64 {
	if s.Currency == "IRT" {
		return 10 * amount
	}
	return amount
}

// move books an effect on an amount, of which toCard, perhaps negative, goes to the session's card.
func (g *Gateway) move(s *Session, operation, refund string, amount, toCard int64) {
	g.cards[s.Card] += units(s, toCard)
	g.book(Line{Operation: operation, Refund: refund, Amount: amount, Card: s.Card}, s)
}

// pay takes the amount from a card. The fault "amount" takes a tenth less.
func (g *Gateway) pay(s *Session, card string, f Fault) bool {
	amount := s.Amount
	if f.Kind == "amount" {
		amount -= max(amount/10, 1)
	}
	balance, is := g.cards[card]
	switch {
	case !is:
		s.State = badCard
	case balance < units(s, amount):
		s.State = poor
	default:
		s.State, s.Card, s.Paid, s.PaidAt, s.Ended = paid, card, amount, g.options.Now().UTC(), true
		g.move(s, "pay", "", amount, -amount)
		if s.Auto {
			g.verify(s)
		}
		return true
	}
	s.Card = card
	g.book(Line{Operation: "fail", Card: card}, s)
	return false
}

func (g *Gateway) verify(s *Session) {
	s.State, s.VerifiedAt = verified, g.options.Now().UTC()
	g.move(s, "verify", "", s.Paid, 0)
}

// reverse gives all of a payment back to the card.
func (g *Gateway) reverse(s *Session, state, operation string) {
	s.State = state
	g.move(s, operation, "", s.Paid, s.Paid)
}

// rest returns what can be refunded.
func (s *Session) rest() int64 {
	if s.State != verified {
		return 0
	}
	rest := s.Paid
	for _, r := range s.Refunds {
		if r.Status != "failed" {
			rest -= r.Amount
		}
	}
	return rest
}

// refund books a refund of at most the rest.
func (g *Gateway) refund(s *Session, r Refund) Refund {
	r.ID, r.At = "re_"+g.id(24), g.options.Now().UTC()
	s.Refunds = append(s.Refunds, r)
	toCard := int64(0)
	if r.Status == "succeeded" {
		toCard = r.Amount
	}
	g.move(s, "refund", r.ID, r.Amount, toCard)
	return r
}

// settle makes a pending refund succeed, or one that has not failed fail.
func (g *Gateway) settle(s *Session, id, status string) bool {
	i := slices.IndexFunc(s.Refunds, func(r Refund) bool { return r.ID == id })
	if i < 0 || s.Refunds[i].Status == "failed" || s.Refunds[i].Status == status {
		return false
	}
	r := &s.Refunds[i]
	was := r.Status
	r.Status = status
	if s.State == refunding {
		s.State = map[string]string{"succeeded": refunded, "failed": verified}[status]
	}
	switch {
	case status == "succeeded":
		g.move(s, "refund_done", id, r.Amount, r.Amount)
	case was == "succeeded":
		g.move(s, "refund_failed", id, r.Amount, -r.Amount)
	default:
		g.move(s, "refund_failed", id, r.Amount, 0)
	}
	return true
}

// sweep ends sessions whose time is over, and gives back what was not verified in 30 minutes.
func (g *Gateway) sweep() {
	now := g.options.Now()
	for _, s := range g.order {
		switch {
		case s.State == paid && now.After(s.PaidAt.Add(g.scaled(30*time.Minute))):
			g.reverse(s, givenBack, "given_back")
		case !s.Ended && now.After(s.Ends):
			g.expire(s)
		}
	}
}

func (g *Gateway) expire(s *Session) {
	s.Ended = true
	g.book(Line{Operation: "expire"}, s)
}
