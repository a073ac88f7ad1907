package report_test

import (
	"bytes"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/order"
	"storefront/ent/tenant"
	"storefront/internal/content/derive"
	"storefront/internal/customer/personal"
	"storefront/internal/database"
	"storefront/internal/event/outbox"
	"storefront/internal/fault"
	"storefront/internal/record"
	"storefront/internal/request"
	orders "storefront/internal/sale/order"
	"storefront/internal/sale/report"
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
	staff := request.WithStaff(s.here, request.Staff{Business: s.id})
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
		_, err = personal.Account(t.Context(), s.Client, *one.UserID)
		for _, day := range s.Client.OrderDay.Query().AllX(s.here) {
			if bytes.Contains(day.Figures, one.UserID[:]) {
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

// kept returns the number of days with stored figures.
func (s *shop) kept() int { return s.Client.OrderDay.Query().CountX(s.here) }

// TestReportsAreExact compares reports with sums over all orders, while orders are placed, cancelled, paid, refunded
// and erased, of which the events sometimes have numbers and sometimes not. The clock is at the moment of the last
// order.
func TestReportsAreExact(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		mugs := s.Client.Tenant.Query().Where(tenant.Slug("mugs")).OnlyIDX(t.Context())
		const rounds, each = 12, 25
		moments := make([]time.Time, rounds*each)
		for i := range moments {
			moments[i] = s.moment()
		}
		slices.SortFunc(moments, time.Time.Compare)
		for round := range rounds {
			for _, s.now = range moments[round*each : (round+1)*each] {
				s.place(t, s.id, s.now)
			}
			s.place(t, mugs, s.now)
			for range 15 {
				s.change(t)
				if s.IntN(4) == 0 {
					s.number(t)
				}
			}
			s.Client.Tenant.Update().Where(tenant.ID(s.id)).SetTimeZone(pick(s, zones)).
				SetDefaultLocale(pick(s, []string{"fa", "en"})).ExecX(derive.Alone(t.Context()))
			for range 6 {
				s.compare(t, s.anyRequest())
			}
		}
		if n := s.kept(); n < 50 {
			t.Errorf("got %d days with stored figures, want more", n)
		}
	})
}

// number numbers the events so far.
func (s *shop) number(t *testing.T) {
	t.Helper()
	if err := outbox.Number(t.Context(), s.Client, s.now); err != nil {
		t.Error(err)
	}
}

// TestStoredFigures checks when a report takes the stored figures of a day: it changes the stored ones, so that reports
// with them show no orders.
func TestStoredFigures(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		yesterday := s.now.AddDate(0, 0, -1)
		s.place(t, s.id, yesterday)
		s.place(t, s.id, s.now.Add(-time.Hour))
		from := s.now.AddDate(0, 0, -3)
		check := func(what string, until time.Time, want int) {
			t.Helper()
			got, err := s.reports.Of(t.Context(), s.id,
				report.Request{From: &from, Until: &until, Interval: record.Day})
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for _, m := range got.Total.Money {
				n += int(m.Revenue.Minor + m.Refunds.Minor + m.RefundsDue.Minor)
			}
			if n += got.Total.CancelledOrders; min(n, 1) != want {
				t.Errorf("%s: got %+v, want orders: %d", what, got.Total, want)
			}
		}
		empty := func(what string) {
			t.Helper()
			none := []byte{3, 0, 0, 0, 0}
			if n := s.Client.OrderDay.Update().SetFigures(none).SaveX(derive.Alone(s.here)); n != 1 {
				t.Errorf("%s: the figures of %d days are stored, want those of yesterday", what, n)
			}
		}
		noon := yesterday.Add(time.Second)
		if check("a part of a day", noon, 1); s.kept() != 0 {
			t.Error("the figures of a part of a day are stored")
		}
		midnight := s.now.Truncate(24 * time.Hour)
		check("the day", midnight, 1)
		empty("read the first time")
		check("an event without a number", midnight, 1)
		s.number(t)
		empty("read again, with an event without a number")
		check("the number of the event is higher", midnight, 1)
		empty("read again")
		check("no later event", midnight, 0)
		check("a part of a stored day", noon, 1)
		one := s.Client.Order.Query().Where(order.CreatedAt(yesterday)).OnlyX(s.here)
		err := outbox.Put(t.Context(), s.Client.Raw(), s.id, outbox.Event{ID: uuid.New(), Type: record.OrderMoved,
			Subject: one.ID, At: s.now, Placed: s.now})
		if err != nil {
			t.Fatal(err)
		}
		check("an event of another day", midnight, 0)
		err = outbox.PutErased(t.Context(), s.Client.Raw(), s.id, s.now, one.CreatedAt)
		if err != nil || s.kept() != 0 {
			t.Errorf("after the customer was erased %d days are stored, %v", s.kept(), err)
		}
		check("erased", midnight, 1)
	})
}

// TestFiguresOfADayAreRaced makes reports of days while their orders are placed and changed and servers number the
// events, and compares afterwards.
func TestFiguresOfADayAreRaced(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		days := make([]time.Time, 4)
		for i := range days {
			days[i] = s.now.AddDate(0, 0, -1-i)
		}
		everybody := s.customers
		// no customer orders on two days: no order is placed before earlier ones of its customer
		place := func(s *shop) {
			i := s.IntN(len(days))
			s.customers = everybody[i*7 : i*7+7]
			s.place(t, s.id, days[i])
		}
		for range 40 {
			place(s)
		}
		from, until := days[3].AddDate(0, 0, -1), s.now
		asked := report.Request{From: &from, Until: &until, Interval: record.Day}
		all := s.Client.Order.Query().Order(order.ByID()).AllX(s.here)
		var writers, others sync.WaitGroup
		over := make(chan struct{})
		often := func(f func() error) {
			others.Go(func() {
				for {
					if err := f(); err != nil {
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
		}
		for range 2 {
			often(func() error { return second(s.reports.Of(t.Context(), s.id, asked)) })
			often(func() error { return outbox.Number(t.Context(), s.Client, s.now) })
		}
		for i := range 4 {
			mine := *s
			mine.Rand = newRand(uint64(i))
			writers.Go(func() {
				for n := i; n < len(all); n += 4 {
					place(&mine)
					mine.turn(t, all[n])
				}
			})
		}
		writers.Wait()
		close(over)
		others.Wait()
		s.compare(t, asked)
		s.number(t)
		s.compare(t, asked)
		if kept := s.kept(); kept != len(days) {
			t.Errorf("got %d days with stored figures, want %d", kept, len(days))
		}
	})
}

// TestSweptEvents sweeps the events of changes of orders while these are made, after the figures of their days were
// stored: the figures go before the events that outdate them.
func TestSweptEvents(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		for i := range 30 {
			s.place(t, s.id, s.now.AddDate(0, 0, -1-i%5))
		}
		from, until := s.now.AddDate(0, 0, -8), s.now
		asked := report.Request{From: &from, Until: &until, Interval: record.Day}
		s.number(t)
		s.compare(t, asked)
		all := s.Client.Order.Query().Order(order.ByID()).AllX(s.here)
		week := s.now.Add(outbox.Kept + time.Hour)
		deleted := int64(0)
		sweep := func() error {
			n, err := outbox.Sweep(t.Context(), s.Client, week)
			deleted += n
			return err
		}
		if err := sweep(); err != nil || deleted != 30 || s.kept() != 5 {
			t.Fatalf("got %d deleted events and %d days, %v; want all 30 and 5: they are older than the figures",
				deleted, s.kept(), err)
		}
		s.now = s.now.Add(time.Minute) // numbers are not below the time
		var changes, sweeps sync.WaitGroup
		over := make(chan struct{})
		sweeps.Go(func() {
			for open := true; open; {
				select {
				case <-over:
					open = false
				default:
				}
				s.number(t)
				if err := sweep(); err != nil {
					t.Error(err)
				}
			}
		})
		for i := range 2 {
			changes.Go(func() {
				for n := i; n < len(all); n += 2 {
					s.turn(t, all[n])
				}
			})
		}
		changes.Wait()
		close(over)
		sweeps.Wait()
		if n := s.Client.OrderDay.Query().CountX(s.here); n != 0 {
			t.Errorf("got %d days with figures whose orders have changed", n)
		}
		if n := s.rows(t, "SELECT count(*) FROM shop_events"); n != 0 {
			t.Errorf("%d events are left", n)
		}
		s.compare(t, asked)
	})
}

// rows returns the number that a query counts.
func (s *shop) rows(t *testing.T, query string) (n int) {
	t.Helper()
	rows, err := s.Client.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	if rows.Next() {
		err = rows.Scan(&n)
	}
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// turn changes an order in ways that affect figures.
func (s *shop) turn(t *testing.T, o *ent.Order) {
	staff := request.WithStaff(s.here, request.Staff{Business: s.id})
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
		from := s.now.AddDate(-2, 0, 0)
		_, err := s.reports.Of(t.Context(), s.id, report.Request{From: &from, Interval: record.Month})
		if err != nil || s.kept() == 0 {
			t.Fatalf("got %d days, %v", s.kept(), err)
		}
		mugs := s.Client.Tenant.Query().Where(tenant.Slug("mugs")).OnlyIDX(t.Context())
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
