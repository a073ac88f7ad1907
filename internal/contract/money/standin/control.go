package standin

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
)

// A Command is what a test does to a gateway, by Do or by POST /control, which answers 409 when Do refuses it.
type Command struct {
	// Do is account (adds or changes Account), card (adds Amount to the card ID: rial, or minor units at
	// Stripe), inject (Faults), clear (removes all faults), lines, sessions and cells; foreign (an event of
	// another application of the account ID); on the session ID repeat (its events, the last first), expire,
	// refund (Amount, in the panel; at Zibal all of it, which is pending), reverse (in the panel), dispute, won
	// and lost (ends it); on the refund ID refundDone and refundFailed, also of one that was done.
	Do      string   `json:"do"`
	ID      string   `json:"id,omitempty"`
	Amount  int64    `json:"amount,omitempty"`
	Account *Account `json:"account,omitempty"`
	Faults  []Fault  `json:"faults,omitempty"`
}

func (g *Gateway) control(w http.ResponseWriter, r *http.Request) {
	var c Command
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&c)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	result, err := g.Do(c)
	if err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	reply(http.StatusOK, result).send(w)
}

// Do carries out a command. It returns a []Line, []Session, []Cell or a Refund where one is asked for.
func (g *Gateway) Do(c Command) (result any, err error) {
	g.mu.Lock()
	defer g.release()
	g.sweep()
	switch c.Do {
	case "account":
		g.accounts[c.Account.ID] = c.Account
		g.book(Line{Operation: c.Do, Account: c.Account.ID, Owner: c.Account}, nil)
	case "card":
		g.cards[c.ID] += c.Amount
		g.book(Line{Operation: c.Do, Card: c.ID, Amount: c.Amount}, nil)
	case "inject":
		return nil, g.inject(c.Faults)
	case "clear":
		g.faults = nil
	case "lines":
		return slices.Clone(g.lines), nil
	case "sessions":
		all := make([]Session, 0, len(g.order))
		for _, s := range g.order {
			copied := *s
			copied.Refunds = slices.Clone(s.Refunds)
			all = append(all, copied)
		}
		return all, nil
	case "cells":
		return g.allCells(), nil
	case "foreign":
		return nil, g.foreign(c.ID)
	case "repeat":
		return nil, g.repeat(c.ID)
	case "refundDone", "refundFailed":
		status := map[string]string{"refundDone": "succeeded", "refundFailed": "failed"}[c.Do]
		if !slices.ContainsFunc(g.order, func(s *Session) bool { return g.settle(s, c.ID, status) }) {
			return nil, fmt.Errorf("no refund %s that can become %s", c.ID, status)
		}
	default:
		return g.panel(c)
	}
	return nil, nil
}

// panel carries out a command on a session.
func (g *Gateway) panel(c Command) (result any, err error) {
	s := g.sessions[c.ID]
	from := map[string][]string{"expire": {waiting, cancelled, badCard, poor}, "refund": {verified},
		"reverse": {paid, verified}, "dispute": {verified}, "won": {disputed}, "lost": {disputed}}
	switch {
	case s == nil:
		return nil, fmt.Errorf("%s: no session %q", c.Do, c.ID)
	case !slices.Contains(from[c.Do], s.State) || c.Do == "reverse" && len(s.Refunds) > 0:
		return nil, fmt.Errorf("%s: the session is %s", c.Do, s.State)
	}
	switch c.Do {
	case "expire":
		g.expire(s)
	case "refund":
		isZibal, status := g.name() == "zibal", "succeeded"
		if c.Amount <= 0 || c.Amount > s.rest() || isZibal && c.Amount < s.Paid {
			return nil, fmt.Errorf("%d of %d cannot be refunded", c.Amount, s.rest())
		}
		if isZibal {
			s.State, status = refunding, "pending"
		}
		return g.refund(s, Refund{Amount: c.Amount, Status: status}), nil
	case "reverse":
		g.reverse(s, reversed, "reverse")
	case "dispute":
		s.Dispute = "needs_response"
		g.reverse(s, disputed, "dispute")
	case "won":
		s.State, s.Dispute = verified, c.Do
		g.move(s, "dispute_won", "", s.Paid, -s.Paid)
	case "lost":
		s.State, s.Dispute = reversed, c.Do
		g.move(s, "dispute_lost", "", s.Paid, 0)
	}
	return nil, nil
}
