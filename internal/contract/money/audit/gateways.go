package audit

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/big"
	"slices"
	"time"
)

// Effect is a line of a gateway's ledger: what has happened there, whatever the service believes.
type Effect struct {
	Gateway   string   `json:"gateway"`
	Account   string   `json:"account"`
	Operation string   `json:"operation"`
	Theirs    string   `json:"theirs"`
	Refund    string   `json:"refund"`
	Amount    *big.Int `json:"amount"` // on the wire
	Currency  string   `json:"currency"`
	Card      string   `json:"card"`

	At time.Time `json:"at"`
}

// Effects reads a gateway's ledger.
func Effects(r io.Reader) (all []Effect, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e Effect
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return nil, fmt.Errorf("audit: line %d of a gateway: %w", len(all)+1, err)
		}
		all = append(all, e)
	}
	return all, lines.Err()
}

// Account is an account at a gateway, as the gateway's ledger names it.
type Account struct{ Gateway, ID string }

// Settled are the books when no payment is under way any more.
type Settled struct {
	Orders   []Order
	Effects  []Effect
	Accounts map[string]Account  // by our row
	Due      map[string]*big.Int // by order: what staff are shown that must be given back

	Cancelled map[string]time.Time // by order
}

// Check checks rules 3, 4 and 5.
func (s Settled) Check() error {
	var b book
	b.gateways(s)
	b.cards(s)
	for _, o := range s.Orders {
		b.owed(o, s.Due[o.ID])
	}
	return errors.Join(b.faults...)
}

// received are the statuses of payments whose money the shop has, or had before it gave it back.
var received = counting

// key names a session at a gateway.
func key(a Account, theirs string) string { return a.Gateway + " " + a.ID + " " + theirs }

func (e Effect) key() string { return key(Account{e.Gateway, e.Account}, e.Theirs) }

// wire returns an amount as it is sent to a gateway.
func wire(gateway, currency string, amount *big.Int) *big.Int {
	if currency == "IRT" && gateway != "zarinpal" { // which is sent the currency, too
		return new(big.Int).Mul(amount, big.NewInt(10))
	}
	return amount
}

// onCard returns what an effect's amount is on a card: rial, where the gateway takes toman too.
func (e Effect) onCard() *big.Int { return wire("", e.Currency, e.Amount) }

// atGateway calls f with each payment that is at a gateway.
func (s Settled) atGateway(f func(o Order, p Payment, a Account)) {
	for _, o := range s.Orders {
		for _, p := range o.Payments {
			if a, is := s.Accounts[p.Account]; is && p.Theirs != "" {
				f(o, p, a)
			}
		}
	}
}

// refundsOf returns the refunds that the gateways have made and that have not failed, by their ids there.
func (s Settled) refundsOf() map[string]Effect {
	all := map[string]Effect{}
	for _, e := range s.Effects {
		switch e.Operation {
		case "refund":
			all[e.Refund] = e
		case "refund_failed":
			delete(all, e.Refund)
		case "dispute_lost":
			all["dispute of "+e.key()] = e
		}
	}
	return all
}

// gateways is rule 3: what each gateway has verified and refunded is what the service has booked.
func (b *book) gateways(s Settled) {
	verified, refunds := map[string]int{}, map[string]int{} // theirs less ours
	amounts := map[string]*big.Int{}
	for _, e := range s.Effects {
		switch e.Operation {
		case "verify":
			verified[fmt.Sprint(e.key(), " ", e.Amount)]++
			amounts[e.key()] = e.Amount
		case "overlap":
			b.add(3, "the payment %s was verified while the answer to another such call was awaited", e.Theirs)
		case "reverse":
			if amount := amounts[e.key()]; amount != nil {
				verified[fmt.Sprint(e.key(), " ", amount)]--
			}
		}
	}
	for _, e := range s.refundsOf() {
		refunds[fmt.Sprint(e.key(), " ", e.Amount)]++
	}
	s.atGateway(func(o Order, p Payment, a Account) {
		if slices.Contains(received, p.Status) {
			verified[fmt.Sprint(key(a, p.Theirs), " ", wire(a.Gateway, o.Currency, p.Amount))]--
		}
		for _, r := range p.Refunds {
			switch r.Status {
			case "done":
				refunds[fmt.Sprint(key(a, p.Theirs), " ", wire(a.Gateway, o.Currency, r.Amount))]--
			case "asked", "sent", "unknown":
				b.add(3, "nobody knows whether the refund %s of %v was made: it is %s", r.ID, r.Amount, r.Status)
			}
		}
	})
	for what, all := range map[string]map[string]int{"payment": verified, "refund": refunds} {
		for _, id := range slices.Sorted(maps.Keys(all)) {
			if n := all[id]; n > 0 {
				b.add(3, "the gateway has a %s that is not booked: %s", what, id)
			} else if n < 0 {
				b.add(3, "a %s is booked that the gateway does not have: %s", what, id)
			}
		}
	}
}

// cards is rule 4: what a card has spent is held by shops for its orders, and every paid session is settled, given back
// or in review, and only one of these.
func (b *book) cards(s Settled) {
	spent, held := map[string]*big.Int{}, map[string]*big.Int{}
	add := func(to map[string]*big.Int, card string, sign int64, amount *big.Int) {
		if to[card] == nil {
			to[card] = new(big.Int)
		}
		to[card].Add(to[card], new(big.Int).Mul(big.NewInt(sign), amount))
	}
	card, ends, paid := map[string]string{}, map[string]int{}, map[string]time.Time{} // by session
	verified := map[string]bool{}
	for _, e := range s.Effects {
		switch e.Operation {
		case "pay":
			card[e.key()], paid[e.key()] = e.Card, e.At
			add(spent, e.Card, 1, e.onCard())
		case "verify":
			verified[e.key()] = true
		case "given_back", "reverse":
			ends[e.key()]++
			add(spent, e.Card, -1, e.onCard())
		}
	}
	for _, e := range s.refundsOf() {
		add(spent, e.Card, -1, e.onCard())
	}
	s.atGateway(func(o Order, p Payment, a Account) {
		id := key(a, p.Theirs)
		at, isCancelled := s.Cancelled[o.ID]
		if isCancelled && verified[id] && a.Gateway != "stripe" && paid[id].After(at) {
			b.add(4, "the payment %s was verified, though it was paid after the order %s was cancelled", id, o.ID)
		}
		if !slices.Contains(received, p.Status) {
			return
		}
		ends[id]++
		left := new(big.Int).Set(p.Amount)
		for _, r := range p.Refunds {
			if r.Status == "done" {
				left.Sub(left, r.Amount)
			}
		}
		add(held, card[id], 1, wire("", o.Currency, left))
	})
	for _, id := range slices.Sorted(maps.Keys(card)) {
		if ends[id] != 1 {
			b.add(4, "the paid session %s is settled, given back or in review %d times", id, ends[id])
		}
	}
	for _, number := range slices.Sorted(maps.Keys(spent)) {
		add(held, number, 1, new(big.Int))
		if spent[number].Cmp(held[number]) != 0 {
			b.add(4, "the card %s has spent %v, and shops hold %v of it", number, spent[number], held[number])
		}
	}
}

// moment is a time as drivers return it: SQLite's own has microseconds. It is zero for NULL.
type moment struct{ time.Time }

// Scan implements sql.Scanner.
func (m *moment) Scan(column any) error {
	switch at := column.(type) {
	case nil:
		m.Time = time.Time{}
	case int64:
		m.Time = time.UnixMicro(at)
	case time.Time:
		m.Time = at
	default:
		return fmt.Errorf("audit: a time as %T", column)
	}
	return nil
}

// Cancelled returns when each order was cancelled.
func Cancelled(ctx context.Context, db Database) (map[string]time.Time, error) {
	all := map[string]time.Time{}
	const first = `SELECT CAST(order_id AS TEXT), at FROM order_events WHERE status = 'cancelled' ORDER BY at DESC`
	err := each(ctx, db, first, func(scan func(...any) error) error {
		var order string
		var at moment
		err := scan(&order, &at)
		all[order] = at.Time
		return err
	})
	return all, err
}

// owed is rule 5: a shop has the price of an order that is not cancelled, less what it gave back, or nothing; what it
// has beyond that is due to the customer, and staff are shown it.
func (b *book) owed(o Order, due *big.Int) {
	if due == nil {
		due = new(big.Int)
	}
	has, credits := new(big.Int), new(big.Int)
	for _, p := range o.Payments {
		if slices.Contains(received, p.Status) {
			has.Add(has, new(big.Int).Sub(p.Amount, p.Refunded))
		}
		if p.Counts {
			credits.Set(p.Refunded)
		}
	}
	price := new(big.Int)
	if o.Status != "cancelled" {
		price.Sub(o.Total, credits)
	}
	if has.Sign() == 0 {
		price = has
	}
	if beyond := new(big.Int).Sub(has, price); beyond.Cmp(due) != 0 {
		b.add(5, "the shop has %v of the order %s, which is %s and costs %v: staff are shown %v to give back, not %v",
			has, o.ID, o.Status, price, due, beyond)
	}
}

// Window is how long units may be held: Grace after the last moment at which an order can be paid, Silent more where a
// gateway does not answer.
type Window struct{ Grace, Silent time.Duration }

// Unpaid is an order that waits for a gateway's money, with the last moments at which it and its attempts can be paid,
// and those until which a server that died may hold up others.
type Unpaid struct {
	Order  string
	Until  []time.Time
	Silent bool // the gateway of an attempt does not answer
}

const unpaidRows = `SELECT CAST(o.id AS TEXT), p.due_at, p.payable_until, p.claimed_until
	FROM orders o JOIN payments p ON p.order_id = o.id AND p.tenant_id = o.tenant_id
	WHERE o.status = 'pending' AND NOT EXISTS (SELECT 1 FROM payments g WHERE g.order_id = o.id
		AND g.status IN ('paid', 'review', 'refunded'))
	ORDER BY 1`

// UnpaidOrders reads the orders that hold units and have nothing paid, but for those that may wait for ever.
func UnpaidOrders(ctx context.Context, db Database) (all []Unpaid, err error) {
	err = each(ctx, db, unpaidRows, func(scan func(...any) error) error {
		var order string
		var due, payable, claimed moment
		if err := scan(&order, &due, &payable, &claimed); err != nil {
			return err
		}
		if len(all) == 0 || all[len(all)-1].Order != order {
			all = append(all, Unpaid{Order: order})
		}
		last := &all[len(all)-1]
		for _, until := range []moment{due, payable, claimed} {
			if !until.IsZero() {
				last.Until = append(last.Until, until.Time)
			}
		}
		return nil
	})
	return slices.DeleteFunc(all, func(u Unpaid) bool { return len(u.Until) == 0 }), err
}

// Held checks rule 7: no order in all holds its units longer than the window.
func Held(all []Unpaid, now time.Time, w Window) error {
	var b book
	for _, u := range all {
		end := slices.MaxFunc(u.Until, time.Time.Compare).Add(w.Grace)
		if u.Silent {
			end = end.Add(w.Silent)
		}
		if now.After(end) {
			b.add(7, "the unpaid order %s holds its units %s too long", u.Order, now.Sub(end))
		}
	}
	return errors.Join(b.faults...)
}
