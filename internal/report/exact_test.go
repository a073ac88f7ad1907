package report_test

import (
	"bytes"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/order"
	"storefront/ent/tenant"
	"storefront/internal/auth"
	"storefront/internal/database"
	"storefront/internal/derive"
	"storefront/internal/fault"
	orders "storefront/internal/order"
	"storefront/internal/personal"
	"storefront/internal/record"
	"storefront/internal/report"
)

var zones = []string{"Asia/Tehran", "UTC", "Europe/Berlin", "Africa/Cairo", "America/Havana", "Atlantic/Azores",
	"Asia/Kathmandu", "Pacific/Chatham", "America/St_Johns"}

// anyRequest returns a report to make, of a period that often begins or ends at a boundary.
func (s *shop) anyRequest() report.Request {
	from, until := s.moment(), s.moment()
	if until.Before(from) {
		from, until = until, from
	}
	until = until.Add(time.Microsecond)
	asked := report.Request{From: &from, Until: &until}
	asked.BestBy = pick(s, []record.Rank{record.ByUnits, record.ByRevenue})
	asked.Interval = pick(s, []record.Interval{record.Day, record.Week, record.Month})
	if until.Sub(from) > 390*24*time.Hour && asked.Interval == record.Day {
		asked.Interval = record.Month
	}
	asked.Calendar = pick(s, []*record.Calendar{nil, new(record.Gregorian), new(record.Jalali)})
	return asked
}

// change changes a random order as staff do, or as erasing its customer does.
func (s *shop) change(t *testing.T) {
	t.Helper()
	all := s.Client.Order.Query().Order(order.ByID()).AllX(s.here)
	one := pick(s, all)
	staff := auth.WithStaff(s.here, auth.Staff{Business: s.id})
	var err error
	switch s.IntN(4) {
	case 0:
		_, err = s.orders.Move(staff, s.id, one.ID, record.OrderCancelled, nil)
	case 1:
		_, err = s.orders.Move(staff, s.id, one.ID, record.OrderShipped, nil)
	case 2:
		to := pick(s, []record.PaymentStatus{record.PaymentPaid, record.PaymentRefunded, record.PaymentFailed})
		_, err = s.orders.MarkPayment(staff, s.id, one.ID, orders.Mark{Status: to})
	case 3:
		if one.UserID == nil || s.IntN(4) > 0 {
			return
		}
		_, err = personal.Account(t.Context(), s.Client, "closeAccount", *one.UserID)
		for _, day := range s.Client.OrderDay.Query().AllX(s.here) {
			if day.Figures != nil && bytes.Contains(*day.Figures, one.UserID[:]) {
				t.Errorf("the figures of the day %d name a customer who is erased", day.Day)
			}
		}
		for i, id := range s.customers {
			if id == *one.UserID {
				s.customers = append(s.customers[:i:i], s.customers[i+1:]...)
			}
		}
	}
	if err != nil && !fault.Is(err, fault.Conflict) {
		t.Fatal(err)
	}
}

// kept returns the number of days with stored figures and of those without.
func (s *shop) kept() (kept, open int) {
	for _, day := range s.Client.OrderDay.Query().AllX(s.here) {
		if day.Figures != nil {
			kept++
		} else {
			open++
		}
	}
	return kept, open
}

// TestReportsAreExact compares reports with sums over all orders, while orders of any day are placed,
// cancelled, paid, refunded and erased, and figures are stored in between.
func TestReportsAreExact(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		mugs := s.Client.Tenant.Query().Where(tenant.Slug("mugs")).OnlyIDX(t.Context())
		taken := 0
		for range 12 {
			for range 25 {
				s.place(t, s.id, s.moment())
			}
			s.place(t, mugs, s.moment())
			if _, err := s.reports.Keep(t.Context()); err != nil {
				t.Fatal(err)
			}
			before, open := s.kept()
			if open > 1 {
				t.Errorf("got %d days that are not added up, want today at most", open)
			}
			for range 15 {
				s.change(t)
			}
			after, _ := s.kept()
			taken += before - after
			s.Client.Tenant.Update().Where(tenant.ID(s.id)).SetTimeZone(pick(s, zones)).
				SetDefaultLocale(pick(s, []string{"fa", "en"})).ExecX(derive.Alone(t.Context()))
			for range 6 {
				s.compare(t, s.anyRequest())
			}
		}
		if taken == 0 {
			t.Error("no change took the figures of a day away")
		}
	})
}

// TestFiguresOfADayAreRaced stores figures of days while their orders are placed and changed, and compares
// afterwards.
func TestFiguresOfADayAreRaced(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		days := make([]time.Time, 4)
		for i := range days {
			days[i] = s.now.AddDate(0, 0, -1-i)
		}
		for range 40 {
			s.place(t, s.id, pick(s, days))
		}
		all := s.Client.Order.Query().Order(order.ByID()).AllX(s.here)
		var writers, keepers sync.WaitGroup
		over := make(chan struct{})
		keepers.Go(func() {
			for {
				if _, err := s.reports.Keep(t.Context()); err != nil {
					t.Error(err)
					return
				}
				select {
				case <-over:
					return
				default:
				}
			}
		})
		for i := range 4 {
			mine := *s
			mine.Rand = newRand(uint64(i))
			writers.Go(func() {
				for n := i; n < len(all); n += 4 {
					mine.place(t, s.id, pick(&mine, days))
					mine.turn(t, all[n])
				}
			})
		}
		writers.Wait()
		close(over)
		keepers.Wait()
		from, until := days[3].AddDate(0, 0, -1), s.now
		asked := report.Request{From: &from, Until: &until, Interval: record.Day}
		s.compare(t, asked)
		if _, err := s.reports.Keep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if kept, open := s.kept(); kept != len(days) || open > 0 {
			t.Errorf("got %d days that are added up and %d that are not, want %d and none", kept, open, len(days))
		}
		s.compare(t, asked)
	})
}

// turn changes an order in ways that affect figures.
func (s *shop) turn(t *testing.T, o *ent.Order) {
	staff := auth.WithStaff(s.here, auth.Staff{Business: s.id})
	for _, err := range []error{
		second(s.orders.Move(staff, s.id, o.ID, record.OrderCancelled, nil)),
		second(s.orders.MarkPayment(staff, s.id, o.ID, orders.Mark{Status: record.PaymentPaid})),
		second(s.orders.MarkPayment(staff, s.id, o.ID, orders.Mark{Status: record.PaymentRefunded})),
	} {
		if err != nil && !fault.Is(err, fault.Conflict) {
			t.Error(err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// TestReportsReadALot checks that the limit on what a request reads does not apply to reports.
func TestReportsReadALot(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		s.place(t, s.id, s.now.AddDate(0, 0, -1))
		limited := database.WithReadLimit(t.Context(), func(int) error { return errors.New("too much was read") })
		from := s.now.AddDate(0, 0, -2)
		if _, err := s.reports.Of(limited, s.id, report.Request{From: &from, Interval: record.Day}); err != nil {
			t.Error(err)
		}
	})
}

// TestReportOfAnotherShop checks that the figures of a shop do not include those of another one with the
// same customers.
func TestReportOfAnotherShop(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		for range 20 {
			s.place(t, s.id, s.moment())
		}
		if _, err := s.reports.Keep(t.Context()); err != nil {
			t.Fatal(err)
		}
		mugs := s.Client.Tenant.Query().Where(tenant.Slug("mugs")).OnlyIDX(t.Context())
		from := s.now.AddDate(-2, 0, 0)
		got, err := s.reports.Of(t.Context(), mugs, report.Request{From: &from, Interval: record.Month, Best: 5,
			Products: true, Categories: true, Provinces: true, Carts: true})
		if err != nil {
			t.Fatal(err)
		}
		if got.Total.Orders+got.Total.CancelledOrders+len(got.Products)+len(got.Categories)+len(got.Provinces) > 0 {
			t.Errorf("got %+v of a shop without orders", got.Total)
		}
		if _, err := s.reports.Of(t.Context(), uuid.New(), report.Request{Interval: record.Day}); !ent.IsNotFound(err) {
			t.Errorf("got %v, want that there is no such shop", err)
		}
	})
}
