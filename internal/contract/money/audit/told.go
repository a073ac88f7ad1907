package audit

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"
)

// Entry is what a customer or staff asked, or was answered.
type Entry struct {
	Life     int         `json:"life"`
	Do       string      `json:"do"`
	Asks     bool        `json:"asks"`
	Status   int         `json:"status"`
	Code     string      `json:"code"` // of a refusal
	Key      string      `json:"key"`  // of an order: its note
	Order    string      `json:"order"`
	Total    json.Number `json:"total"`
	Currency string      `json:"currency"`
}

// Diary reads what was asked and answered.
func Diary(r io.Reader) (all []Entry, err error) {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		var e Entry
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return nil, fmt.Errorf("audit: line %d of a diary: %w", len(all)+1, err)
		}
		all = append(all, e)
	}
	return all, lines.Err()
}

// Minor returns an amount, as APIs write it, in the smallest unit of its currency.
func Minor(currency, amount string) (*big.Int, error) {
	exact, ok := new(big.Rat).SetString(amount)
	if ok && currency != "IRT" && currency != "IRR" {
		exact.Mul(exact, big.NewRat(100, 1))
	}
	if !ok || !exact.IsInt() {
		return nil, fmt.Errorf("audit: %q is no amount of %s", amount, currency)
	}
	return exact.Num(), nil
}

// Told checks of rule 8 what was answered: what was acknowledged is there, and what was refused left no trace.
func Told(entries []Entry, orders []Order) error {
	var b book
	byID, byNote := map[string]Order{}, map[string]Order{}
	for _, o := range orders {
		byID[o.ID] = o
		if before, is := byNote[o.Note]; is && o.Note != "" {
			b.add(8, "the orders %s and %s were placed by one request %q", before.ID, o.ID, o.Note)
		}
		byNote[o.Note] = o
	}
	wanted, answered := map[string]bool{}, map[string]bool{}
	for _, e := range entries {
		if e.Do == "order" {
			b.placed(e, byID, byNote, wanted)
			continue
		}
		o := byID[e.Order]
		if e.Asks || e.Status != 200 || e.Code != "" {
			continue
		}
		answered[e.Order+" "+e.Do] = true
		if e.Do == "cancel" && o.Status != "cancelled" {
			b.add(8, "the order %s of the life %d was cancelled, and is %s", o.ID, e.Life, o.Status)
		}
		is := func(p Payment) bool { return slices.Contains(received, p.Status) }
		if e.Do == "mark paid" && !slices.ContainsFunc(o.Payments, is) {
			b.add(8, "the order %s of the life %d was marked as paid, and is not", o.ID, e.Life)
		}
		if e.Do == "mark refunded" && !slices.ContainsFunc(o.Payments, func(p Payment) bool {
			return p.Refunded.Sign() > 0
		}) {
			b.add(8, "the order %s of the life %d was refunded, and nothing of it is", o.ID, e.Life)
		}
	}
	for _, o := range orders {
		if o.Note != "" && !wanted[o.Note] {
			b.add(8, "the order %s with the note %q was placed, and nobody was to place it", o.ID, o.Note)
		}
		for i, status := range o.History {
			if status != "cancelled" && i > 0 && !answered[o.ID+" move "+status] {
				b.add(8, "the order %s became %s by itself", o.ID, status)
			}
		}
	}
	return errors.Join(b.faults...)
}

// placed compares what is known of a checkout with the orders.
func (b *book) placed(e Entry, byID, byNote map[string]Order, wanted map[string]bool) {
	switch {
	case e.Asks:
		wanted[e.Key] = true
	case e.Order == "" && e.Code != "LOST":
		if o, is := byNote[e.Key]; is {
			b.add(8, "the checkout %q of the life %d was refused, and made the order %s", e.Key, e.Life, o.ID)
		}
	case e.Order != "":
		o, is := byID[e.Order]
		total, err := Minor(e.Currency, e.Total.String())
		if !is || err != nil || o.Total.Cmp(total) != 0 || o.Note != "" && o.Note != e.Key {
			b.add(8, "the life %d was told of the order %s for %s, and it is %q for %v", e.Life, e.Order, e.Total,
				o.Note, o.Total)
		}
	}
}

// shown returns how an order's payment is shown to customers.
func (o Order) shown() (status string, amount *big.Int) {
	for _, p := range o.Payments {
		if p.Counts {
			status, amount = p.Status, p.Amount
		}
	}
	if status == "review" {
		status = "paid"
	}
	return status, amount
}

// Seen is an order as an API or the sheet of orders shows it.
type Seen struct {
	Where, Order, Status, Payment string
	Total, Amount                 *big.Int
}

// Shown checks of rule 9 that the APIs and the sheet show the orders as they are.
func Shown(orders []Order, all []Seen) error {
	var b book
	byID, counted := map[string]Order{}, map[string]int{}
	for _, o := range orders {
		byID[o.ID] = o
	}
	for _, s := range all {
		o := byID[s.Order]
		counted[s.Where+" "+s.Order]++
		status, amount := o.shown()
		if o.Status != s.Status || status != s.Payment || amount == nil || s.Amount.Cmp(amount) != 0 ||
			s.Total.Cmp(o.Total) != 0 {
			b.add(9, "%s shows the order %s as %s for %v, its payment of %v as %s, and it is %s for %v, of %v and %s",
				s.Where, s.Order, s.Status, s.Total, s.Amount, s.Payment, o.Status, o.Total, amount, status)
		}
	}
	for _, o := range orders {
		for _, where := range []string{"GraphQL", "the sheet"} {
			if n := counted[where+" "+o.ID]; n != 1 {
				b.add(9, "staff are shown the order %s %d times by %s", o.ID, n, where)
			}
		}
	}
	return errors.Join(b.faults...)
}

// Event is what a webhook received, once each.
type Event struct {
	Type, Order, Status, Payment string // Payment: its status, or that of the Refund
	Refund                       string // its id
	Total                        *big.Int
}

// Events checks of rule 9 that each order has the events of its steps, in order, and one of each payment and refund.
func Events(orders []Order, all []Event) error {
	var b book
	byOrder := map[string][]Event{}
	for _, e := range all {
		byOrder[e.Order] = append(byOrder[e.Order], e)
	}
	for _, o := range orders {
		var steps []string
		marks := map[string]int{}
		for _, e := range byOrder[o.ID] {
			switch e.Type {
			case "payment.marked":
				marks[e.Payment]++
			case "payment.refunded":
				marks[e.Refund+" "+e.Payment]++
			default:
				steps = append(steps, e.Status)
			}
			if e.Total.Cmp(o.Total) != 0 {
				b.add(9, "an event says that the order %s costs %v, and it costs %v", o.ID, e.Total, o.Total)
			}
		}
		if want := slices.Compact(slices.Clone(o.History)); !slices.Equal(steps, want) {
			b.add(9, "the events of the order %s are of %s, and it was %s", o.ID, strings.Join(steps, ", "),
				strings.Join(want, ", "))
		}
		var has []string
		for _, p := range o.Payments {
			if slices.Contains(received, p.Status) || p.Status == "given_back" { // perhaps after it was paid
				has = append(has, p.Status)
			}
			for _, r := range p.Refunds {
				isEnd := r.Status == "done" || r.Status == "failed"
				if n := marks[r.ID+" "+r.Status]; isEnd && n != 1 {
					b.add(9, "of the refund %s of the order %s came %d events %s", r.ID, o.ID, n, r.Status)
				}
			}
		}
		if want := len(has); want < 2 && !slices.Contains(has, "given_back") && marks["paid"] != want {
			b.add(9, "of the order %s, whose payment is %v, came %d events that it is paid", o.ID, has, marks["paid"])
		}
	}
	return errors.Join(b.faults...)
}

// Figures are those of a shop's report.
type Figures struct {
	Orders, Cancelled, Refunded        int
	Revenue, Paid, Refunds, RefundsDue *big.Int
}

// Reported checks of rule 9 that a report has the sums over the orders of a shop. Test money is not in them.
func Reported(shop string, orders []Order, said Figures) error {
	want := Figures{0, 0, 0, new(big.Int), new(big.Int), new(big.Int), new(big.Int)}
	for _, o := range orders {
		if o.Shop != shop {
			continue
		}
		payment, due := "", new(big.Int)
		left := new(big.Int).Set(o.Total)
		for _, p := range o.Payments {
			if p.IsTest {
				continue
			}
			want.Refunds.Add(want.Refunds, p.Refunded)
			if p.Counts {
				payment, _ = o.shown()
				due = o.Due
				left.Sub(left, p.Refunded)
			}
		}
		want.RefundsDue.Add(want.RefundsDue, due)
		if o.Status == "cancelled" {
			want.Cancelled++
		}
		switch {
		case payment == "refunded":
			want.Refunded++
		case o.Status != "cancelled":
			want.Orders++
			want.Revenue.Add(want.Revenue, left)
			if payment == "paid" {
				want.Paid.Add(want.Paid, left)
			}
		}
	}
	if fmt.Sprint(said) != fmt.Sprint(want) {
		return Fault{9, fmt.Sprintf("the report of the shop %s says %v, and its orders come to %v", shop, said, want)}
	}
	return nil
}
