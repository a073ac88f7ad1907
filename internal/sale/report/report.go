// Package report reports what a shop sold in a period: how many orders, their amounts, products, customers
// and destinations (contract 3.7, "Figures").
//
// An order counts unless it is cancelled or its payment is refunded. All figures are of the orders that were
// placed in the period, in their present state; so yesterday's figures change if one of its orders is
// cancelled today.
//
// Reading a million orders takes seconds, and so does a single statement over them on SQLite. So a report that has
// read the orders of a day (UTC) that is over stores its figures in a row (ent/schema/orderday.go); those of a million
// orders are read in less than half a second, for any time zone and calendar. They hold each order with its time,
// customer and amounts, and the quantity of each product sold that day.
//
// The figures are a cache. With them is the number of the last event that the snapshot showed from which they were
// read. Every change of an order writes an event with the order's day in its transaction (package outbox). A change
// that the snapshot did not show gets a higher number, and until then none: so a report takes stored figures unless
// its own snapshot shows an event of that day that has a higher number, or none. It reads all other days, the current
// one, and days of which it covers only a part from their orders. All is read in one transaction with one snapshot;
// what is new is stored after it. A report that runs out of time stores what it has read, so that the next one goes on
// from there.
//
// A day is over by the clock of the server that reads it. An order that is placed later on that day, by a server with
// another clock, writes an event of the day as well. Of other days an order changes only whether the customer's next
// order is their first: that holds as long as clocks differ by less than a day.
package report

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/database"
	"storefront/internal/database/tenancy"
	"storefront/internal/event/outbox"
	"storefront/internal/fault"
	"storefront/internal/locale/calendar"
	"storefront/internal/locale/money"
	"storefront/internal/record"
)

// Service makes the reports.
type Service struct {
	store *ent.Client // guarded by tenancy.Guard
	clock func() time.Time
	log   *slog.Logger
}

// New makes the service. clock gives the time that requests see.
func New(store *ent.Client, clock func() time.Time, log *slog.Logger) *Service {
	return &Service{store: store, clock: clock, log: log}
}

// Request describes the report to make.
type Request struct {
	From, Until *time.Time // nil: the beginning of the interval in which Until lies; now
	Interval    record.Interval
	Calendar    *record.Calendar // nil: that of the shop's locale
	BestBy      record.Rank
	Best        int // limit on products and categories

	// Parts that cost extra time are left out unless they are requested.
	Products, Categories, Provinces, Carts bool
}

// The limits on the length of a report and the number of its intervals.
const (
	mostYears     = 10
	mostIntervals = 400
)

// Of returns a report of a shop.
func (s *Service) Of(ctx context.Context, business uuid.UUID, wanted Request) (*Report, error) {
	ctx = database.WithoutReadLimit(tenancy.In(ctx, business)) // orders are summed up, and few rows are in the answer
	r, err := s.of(ctx, business, wanted)
	if errors.Is(err, errTooMuch) {
		err = fault.Invalid("until", "must be earlier: the sums are too high to be shown")
	}
	return r, err
}

func (s *Service) of(ctx context.Context, business uuid.UUID, wanted Request) (*Report, error) {
	days := &reading{business: business, today: outbox.DayOf(s.clock())}
	r, err := s.add(ctx, days, wanted)
	if failed := days.keep(ctx, s.store); failed != nil && ctx.Err() == nil {
		s.log.Warn("the figures of days were not stored; reports read their orders again", "error", failed)
	}
	return r, err
}

// add makes a report, and notes in days what it has read.
func (s *Service) add(ctx context.Context, days *reading, wanted Request) (*Report, error) {
	tx, err := s.store.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer tx.Rollback() // it only reads
	shop, err := tx.Tenant.Get(ctx, days.business)
	if err != nil {
		return nil, err
	}
	r, spans, err := s.begin(shop, wanted)
	if err != nil {
		return nil, err
	}
	places, err := provincesOf(ctx, tx, wanted.Provinces)
	if err != nil {
		return nil, err
	}
	sums := newSummation(spans, wanted.Products || wanted.Categories, places)
	days.on, days.from, days.until = tx.Raw(), r.From, r.Until
	if err := days.eachDay(ctx, sums.add); err != nil {
		return nil, err
	}
	sums.into(r)
	if wanted.Products || wanted.Categories {
		if err := sums.sales.into(ctx, tx, days.business, r, wanted); err != nil {
			return nil, err
		}
	}
	if wanted.Carts {
		if r.CartsLeft, err = s.cartsLeft(ctx, tx, days.business, r.From, r.Until); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// begin returns a report without figures, and its intervals. It fails with VALIDATION_FAILED for one that is too long.
func (s *Service) begin(shop *ent.Tenant, wanted Request) (*Report, []calendar.Span, error) {
	r := &Report{Calendar: record.Gregorian, Interval: wanted.Interval,
		TimeZone: calendar.ZoneOf(shop.TimeZone, shop.DefaultLocale), Until: toMicrosecond(s.clock())}
	zone, err := calendar.Zone(r.TimeZone)
	if err != nil {
		return nil, nil, fmt.Errorf("the time zone %q of a shop: %w", r.TimeZone, err) // was valid when stored
	}
	switch {
	case wanted.Calendar != nil:
		r.Calendar = *wanted.Calendar
	case shop.DefaultLocale == "fa":
		r.Calendar = record.Jalali
	}
	if wanted.Until != nil {
		r.Until = toMicrosecond(*wanted.Until)
	}
	r.From = calendar.Begin(r.Until.Add(-time.Microsecond), zone, r.Calendar, r.Interval)
	if wanted.From != nil {
		r.From = toMicrosecond(*wanted.From)
	}
	var bad fault.Fields
	switch {
	case wanted.Until == nil && !r.From.Before(r.Until):
		bad.Add("from", "must be in the past, unless until is given: without it a report ends now")
	case !r.From.Before(r.Until):
		bad.Add("until", "must be after from")
	case r.From.AddDate(mostYears, 0, 0).Before(r.Until):
		bad.Add("until", "must be at most %d years after from", mostYears)
	}
	if err := bad.Err(); err != nil {
		return nil, nil, err
	}
	spans, err := calendar.Divide(r.From, r.Until, zone, r.Calendar, r.Interval, mostIntervals)
	if errors.Is(err, calendar.ErrTooMany) {
		bad.Add("interval", "must be longer, or the time shorter: there are at most %d intervals", mostIntervals)
		err = bad.Err()
	}
	return r, spans, err
}

// toMicrosecond rounds up to a whole microsecond. Orders have whole microseconds, so the same orders are
// before the result as before the moment.
func toMicrosecond(moment time.Time) time.Time {
	cut := record.Moment(moment)
	if cut.Before(moment) {
		cut = cut.Add(time.Microsecond)
	}
	return cut
}

// Report is what a shop sold in a period. Its fields are those of the schema's ShopReport.
type Report struct {
	From, Until time.Time
	TimeZone    string
	Calendar    record.Calendar
	Interval    record.Interval
	Total       *Figures
	Series      []*Interval
	Products    []*ProductSales
	Categories  []*CategorySales
	Provinces   []*ProvinceSales
	CartsLeft   *CartsLeft
}

// Interval is a part of the period of a report.
type Interval struct {
	From, Until time.Time
	Label       string
	Figures     *Figures
}

// Figures are the figures of the orders of a period.
type Figures struct {
	Orders, Units                   int
	CancelledOrders, RefundedOrders int
	NewCustomers                    int
	ReturningCustomers              int
	Money                           []*Sums // by currency
}

// Sums are the amounts of the orders of a period in one currency.
type Sums struct {
	Currency                                      string
	Orders                                        int
	Revenue, Paid, Discounts, Refunds, RefundsDue money.Amount
}

// AverageOrder returns the revenue divided by the number of orders, rounded half up to the smallest unit;
// nil without orders.
func (s *Sums) AverageOrder() *money.Amount {
	if s.Orders == 0 {
		return nil
	}
	return &money.Amount{Minor: money.Fraction(s.Revenue.Minor, 1, int64(s.Orders)), Currency: s.Currency}
}

// ProductSales is what was sold of a product.
type ProductSales struct {
	ProductID              uuid.UUID
	Slug, TitleFa, TitleEn *string
	Units                  int
	Revenue                []money.Amount
}

// CategorySales is what was sold of the products of a category.
type CategorySales struct {
	Slug, Name, NameFa *string
	Units              int
	Revenue            []money.Amount
}

// ProvinceSales are the orders to a province.
type ProvinceSales struct {
	Slug, Name, NameFa *string
	Orders             int
	Revenue            []money.Amount
}

// CartsLeft are carts that are not empty.
type CartsLeft struct {
	Carts, Units int
	Worth        []money.Amount
}
