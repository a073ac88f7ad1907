package report

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"sort"

	"github.com/google/uuid"

	"storefront/internal/locale/calendar"
	"storefront/internal/locale/money"
)

// errTooMuch is the error of a sum that exceeds an int64: over a thousand times the highest total of an
// order.
var errTooMuch = errors.New("report: a sum is too high")

// plus adds an amount, which is not negative, to a sum.
func plus(sum *int64, amount int64) error {
	if amount > math.MaxInt64-*sum {
		return errTooMuch
	}
	*sum += amount
	return nil
}

// amounts are the sums of one currency.
type amounts struct {
	orders                                        int
	revenue, paid, discounts, refunds, refundsDue int64
}

// figures are the figures of a period, with the amounts by currency.
type figures struct {
	Figures
	amounts []amounts
}

// customer is the state of a customer who ordered in the period of a report.
type customer struct {
	isNew, counted         bool // in the whole period
	interval               int  // interval of their last order
	isNewHere, countedHere bool // in this interval
}

// summation adds up orders, which come in the order of time.
type summation struct {
	spans      []calendar.Span
	untils     []int64 // when these end, in microseconds
	total      figures
	series     []figures
	currencies []string
	known      map[string]int // places of currencies
	customers  map[uuid.UUID]int
	people     []customer
	sales      *sales     // nil if products are not requested
	places     *provinces // nil if provinces are not requested
}

func newSummation(spans []calendar.Span, withSales bool, places *provinces) *summation {
	s := &summation{spans: spans, series: make([]figures, len(spans)), known: map[string]int{},
		customers: map[uuid.UUID]int{}, places: places}
	for _, span := range spans {
		s.untils = append(s.untils, span.Until.UnixMicro())
	}
	if withSales {
		s.sales = &sales{at: map[uuid.UUID]int{}}
	}
	return s
}

// add adds a day.
func (s *summation) add(d *day) error {
	currencies := make([]int, len(d.currencies)) // indexes of those of the day
	for i, code := range d.currencies {
		currencies[i] = indexOf(code, &s.currencies, s.known)
	}
	var places []int
	if s.places != nil {
		places = make([]int, len(d.provinces))
		for i, name := range d.provinces {
			places[i] = s.places.find(name)
		}
	}
	at := 0
	for i := range d.orders {
		o := &d.orders[i]
		if at >= len(s.untils) || o.at >= s.untils[at] || at > 0 && o.at < s.untils[at-1] {
			at = sort.Search(len(s.untils), func(k int) bool { return o.at < s.untils[k] })
		}
		currency := currencies[o.currency]
		for _, f := range []*figures{&s.total, &s.series[at]} {
			if err := f.add(o, currency); err != nil {
				return err
			}
		}
		if o.known {
			s.countCustomer(o, at)
		}
		if places != nil && o.counts() {
			if err := s.places.add(places[o.province], currency, o.total-o.refunded); err != nil {
				return err
			}
		}
	}
	if s.sales != nil {
		return s.sales.add(d.sales, currencies)
	}
	return nil
}

// add adds an order.
func (f *figures) add(o *placed, currency int) error {
	for len(f.amounts) <= currency {
		f.amounts = append(f.amounts, amounts{})
	}
	a := &f.amounts[currency]
	if o.cancelled {
		f.CancelledOrders++
	}
	if err := cmp.Or(plus(&a.refunds, o.refunds), plus(&a.refundsDue, o.due)); err != nil {
		return err
	}
	if o.payment == refunded {
		f.RefundedOrders++
	}
	if !o.counts() {
		return nil
	}
	f.Orders++
	f.Units += int(o.units)
	a.orders++
	if err := cmp.Or(plus(&a.revenue, o.total-o.refunded), plus(&a.discounts, o.discount)); err != nil {
		return err
	}
	if o.payment == paid {
		return plus(&a.paid, o.total-o.refunded)
	}
	return nil
}

// countCustomer records that a customer ordered in an interval. A customer is new in a period if their very first
// order is in it, and counts once one of their orders in it counts.
func (s *summation) countCustomer(o *placed, interval int) {
	i, known := s.customers[o.customer]
	if !known {
		i = len(s.people)
		s.customers[o.customer] = i
		s.people = append(s.people, customer{isNew: !o.before, interval: -1})
	}
	c := &s.people[i]
	if c.interval != interval {
		c.interval, c.isNewHere, c.countedHere = interval, !o.before, false
	}
	if !o.counts() {
		return
	}
	if !c.counted {
		c.counted = true
		s.total.countCustomer(c.isNew)
	}
	if !c.countedHere {
		c.countedHere = true
		s.series[interval].countCustomer(c.isNewHere)
	}
}

func (f *figures) countCustomer(isNew bool) {
	if isNew {
		f.NewCustomers++
	} else {
		f.ReturningCustomers++
	}
}

// into writes the sums into a report.
func (s *summation) into(r *Report) {
	r.Total = s.total.shown(s.currencies)
	for i, span := range s.spans {
		r.Series = append(r.Series, &Interval{From: span.From, Until: span.Until, Label: span.Label,
			Figures: s.series[i].shown(s.currencies)})
	}
	if s.places != nil {
		r.Provinces = s.places.shown(s.currencies)
	}
	if s.sales != nil {
		s.sales.currencies = s.currencies
	}
}

// shown returns the figures with the currencies that occur, in the order of their names.
func (f *figures) shown(currencies []string) *Figures {
	shown := f.Figures
	shown.Money = []*Sums{}
	for i, a := range f.amounts {
		if a == (amounts{}) {
			continue
		}
		in := func(minor int64) money.Amount { return money.Amount{Minor: minor, Currency: currencies[i]} }
		shown.Money = append(shown.Money, &Sums{Currency: currencies[i], Orders: a.orders, Revenue: in(a.revenue),
			Paid: in(a.paid), Discounts: in(a.discounts), Refunds: in(a.refunds), RefundsDue: in(a.refundsDue)})
	}
	slices.SortFunc(shown.Money, func(a, b *Sums) int { return cmp.Compare(a.Currency, b.Currency) })
	return &shown
}
