package report_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/order"
	"storefront/internal/locale/calendar"
	"storefront/internal/locale/money"
	"storefront/internal/record"
	"storefront/internal/sale/report"
)

// This file computes the same figures by a loop over all orders of the shop. It finds the interval of an
// order by its date in the time zone, and by a calendar that is counted day by day.

// sum holds the sums of a period; maps are by currency, or by name.
type sum struct {
	orders, units, cancelled, refunded, newOnes, returning int
	by                                                     map[string]int // by names such as "revenue IRR"
}

func (s *sum) add(o *ent.Order, counts bool) {
	if s.by == nil {
		s.by = map[string]int{}
	}
	paid, refunded := o.Edges.Payments[0].Status, o.Edges.Payments[0].Refunded
	is := func(name string, minor int64) { s.by[name+" "+o.PriceCurrency] += int(minor) }
	if o.Status == record.OrderCancelled {
		s.cancelled++
		if paid == record.StatePaid {
			is("due", o.Total-refunded)
		}
	}
	if is("refunds", refunded); paid == record.StateRefunded {
		s.refunded++
	}
	if counts {
		s.orders++
		s.units += o.TotalQuantity
		is("orders", 1)
		is("revenue", o.Total-refunded)
		is("discounts", o.Discount+o.Subtotal-o.Total)
		if paid == record.StatePaid {
			is("paid", o.Total-refunded)
		}
	}
}

func (s *sum) String() string {
	return fmt.Sprint(s.orders, s.units, s.cancelled, s.refunded, s.newOnes, s.returning, sorted(s.by))
}

// sorted formats the entries that are not zero.
func sorted(by map[string]int) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(by)) {
		if by[name] != 0 {
			parts = append(parts, fmt.Sprint(name, "=", by[name]))
		}
	}
	return strings.Join(parts, ", ")
}

// shown formats the figures of a report like those of sum.
func shown(f *report.Figures) string {
	by := map[string]int{}
	for _, m := range f.Money {
		by["orders "+m.Currency], by["revenue "+m.Currency] = m.Orders, int(m.Revenue.Minor)
		by["paid "+m.Currency], by["discounts "+m.Currency] = int(m.Paid.Minor), int(m.Discounts.Minor)
		by["refunds "+m.Currency], by["due "+m.Currency] = int(m.Refunds.Minor), int(m.RefundsDue.Minor)
	}
	return (&sum{orders: f.Orders, units: f.Units, cancelled: f.CancelledOrders, refunded: f.RefundedOrders,
		newOnes: f.NewCustomers, returning: f.ReturningCustomers, by: by}).String()
}

// labelOf returns the label of the interval that a moment is in.
func labelOf(at time.Time, zone *time.Location, c record.Calendar, by record.Interval) string {
	local := at.In(zone)
	day := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, time.UTC)
	if by == record.Week {
		first := time.Monday
		if c == record.Jalali {
			first = time.Saturday
		}
		for day.Weekday() != first {
			day = day.AddDate(0, 0, -1)
		}
	}
	label := day.Format(time.DateOnly)
	if c == record.Jalali {
		label = solar(day)
	}
	if by == record.Month {
		label = label[:7]
	}
	return label
}

// solar returns a date in the calendar of Iran, counted from 1 Farvardin 1403.
func solar(day time.Time) string {
	at, year, month, date := time.Date(2024, 3, 20, 0, 0, 0, 0, time.UTC), 1403, 1, 1
	for at.Before(day) {
		at, date = at.AddDate(0, 0, 1), date+1
		length := 31
		if month > 6 {
			length = 30
		}
		if month == 12 && year%4 != 3 { // 1403 and 1407 are leap years
			length = 29
		}
		if date > length {
			date, month = 1, month+1
		}
		if month > 12 {
			month, year = 1, year+1
		}
	}
	return fmt.Sprintf("%04d-%02d-%02d", year, month, date)
}

// compare makes a report and compares it with the loop's.
func (s *shop) compare(t *testing.T, asked report.Request) {
	t.Helper()
	asked.Products, asked.Categories, asked.Provinces, asked.Carts, asked.Best = true, true, true, true, 100
	got, err := s.reports.Of(t.Context(), s.id, asked)
	if err != nil {
		t.Fatalf("%v to %v: %v", asked.From, asked.Until, err)
	}
	zone, err := calendar.Zone(got.TimeZone)
	if err != nil {
		t.Fatal(err)
	}
	all := s.Client.Order.Query().WithItems().WithPayments().Order(order.ByCreatedAt(), order.ByID()).AllX(s.here)
	total, series := sum{}, map[string]*sum{}
	products, categories, provinces := map[string]int{}, map[string]int{}, map[string]int{}
	categoryOf := map[uuid.UUID]string{}
	for _, p := range s.Client.Product.Query().WithCategory().AllX(s.here) {
		if p.Edges.Category != nil {
			categoryOf[p.ID] = p.Edges.Category.Slug
		}
	}
	first, counted := map[uuid.UUID]time.Time{}, map[string]bool{}
	for _, o := range all {
		if o.UserID != nil && first[*o.UserID].IsZero() {
			first[*o.UserID] = o.CreatedAt
		}
		if o.CreatedAt.Before(*asked.From) || !o.CreatedAt.Before(*asked.Until) {
			continue
		}
		counts := o.Status != record.OrderCancelled && o.Edges.Payments[0].Status != record.StateRefunded
		label := labelOf(o.CreatedAt, zone, got.Calendar, got.Interval)
		if series[label] == nil {
			series[label] = &sum{}
		}
		for name, one := range map[string]*sum{"": &total, label: series[label]} {
			one.add(o, counts)
			if !counts || o.UserID == nil || counted[name+o.UserID.String()] {
				continue
			}
			counted[name+o.UserID.String()] = true
			began := first[*o.UserID]
			if !began.Before(*asked.From) && (name == "" || labelOf(began, zone, got.Calendar, got.Interval) == name) {
				one.newOnes++
			} else {
				one.returning++
			}
		}
		if !counts {
			continue
		}
		for _, i := range o.Edges.Items {
			category := cmp.Or(categoryOf[i.ProductID], "none")
			for of, name := range map[*map[string]int]string{&products: i.ProductID.String(), &categories: category} {
				(*of)[name+" units"] += i.Quantity
				(*of)[name+" "+o.PriceCurrency] += int(i.LineTotal)
			}
		}
		province := map[string]string{"Tehran": "tehran", "تهران": "tehran", "tehran ": "tehran", "البرز": "alborz",
			"alborz": "alborz"}[o.ShippingAddress.Province]
		provinces[cmp.Or(province, "other")+" orders"]++
		provinces[cmp.Or(province, "other")+" "+o.PriceCurrency] += int(o.Total - o.Edges.Payments[0].Refunded)
	}
	where := fmt.Sprint(got.TimeZone, " ", got.Calendar, " ", asked.From, " to ", asked.Until, " by ", asked.Interval)
	if got, want := shown(got.Total), total.String(); got != want {
		t.Fatalf("%s: got  %s\nwant %s", where, got, want)
	}
	end := got.From
	for _, part := range got.Series {
		want := cmp.Or(series[part.Label], &sum{}).String()
		if got := shown(part.Figures); got != want || !part.From.Equal(end) {
			t.Fatalf("%s: %s from %v (the last ended %v): got  %s\nwant %s", where, part.Label, part.From, end, got,
				want)
		}
		delete(series, part.Label)
		end = part.Until
	}
	if len(series) > 0 || !end.Equal(got.Until) {
		t.Fatalf("%s: the series ends %v and lacks %v", where, end, series)
	}
	for name, pair := range map[string][2]string{
		"products": {sorted(products), soldOf(got.Products, func(p *report.ProductSales) (string, int, []amount) {
			return p.ProductID.String(), p.Units, p.Revenue
		})},
		"categories": {sorted(categories), soldOf(got.Categories,
			func(c *report.CategorySales) (string, int, []amount) {
				return named(c.Slug, "none"), c.Units, c.Revenue
			})},
		"provinces": {strings.ReplaceAll(sorted(provinces), " orders", " units"), soldOf(got.Provinces,
			func(p *report.ProvinceSales) (string, int, []amount) {
				return named(p.Slug, "other"), p.Orders, p.Revenue
			})},
	} {
		if pair[0] != pair[1] {
			t.Fatalf("%s: the %s are\n%s\nwant\n%s", where, name, pair[1], pair[0])
		}
	}
}

type amount = money.Amount

func named(slug *string, none string) string {
	if slug == nil {
		return none
	}
	return *slug
}

// soldOf formats the sold products or categories of a report as sorted does.
func soldOf[T any](all []T, of func(T) (name string, units int, revenue []amount)) string {
	by := map[string]int{}
	for _, one := range all {
		name, units, revenue := of(one)
		by[name+" units"] = units
		for _, a := range revenue {
			by[name+" "+a.Currency] = int(a.Minor)
		}
	}
	return sorted(by)
}
