package report

import (
	"time"

	"github.com/google/uuid"

	"storefront/internal/locale/money"
	"storefront/internal/record"
)

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
	n := int64(s.Orders)
	average := s.Revenue.Minor / n
	if s.Revenue.Minor%n >= n-s.Revenue.Minor%n {
		average++
	}
	return &money.Amount{Minor: average, Currency: s.Currency}
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
