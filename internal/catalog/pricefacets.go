package catalog

import (
	"cmp"
	"math"
	"slices"

	"entgo.io/ent/dialect/sql"

	"storefront/ent/product"
	"storefront/internal/locale/money"
)

// priceStep counts the prices of a currency with the same number of digits and the same first digit, in
// thousandths of the unit.
type priceStep struct {
	Currency  string `json:"currency"`
	Digits    int    `json:"digits"`
	Lead      int    `json:"lead"`
	Low, High int64  // thousandths of the unit
	Count     int
	of        []*int // counts of groups of records; a group may appear in several steps; if empty, Count applies
}

// counted are the numbers of records that were counted.
type counted map[*int]bool

// add returns how many records of a step were not counted yet.
func (c counted) add(s priceStep) int {
	n := s.Count
	for _, of := range s.of {
		if !c[of] {
			c[of] = true
			n += *of
		}
	}
	return n
}

// PriceFacet counts the prices of a list in one currency.
type PriceFacet struct {
	Currency string
	Count    int
	Min, Max money.Amount
	Buckets  []*PriceBucket // the lowest first
}

// PriceBucket is a range of prices, both bounds inclusive.
type PriceBucket struct {
	Min, Max money.Amount
	Count    int
}

// selectPriceSteps makes a statement count its rows by price step. The price column is negative without a price. The
// bounds of buckets are always bounds of steps.
func selectPriceSteps(s *sql.Selector) {
	price, currency := s.C(product.FieldSortDear), s.C(product.FieldPriceCurrency) // variants have the same columns
	text := "CAST(" + price + " AS text)"
	digits, lead := "LENGTH("+text+")", "SUBSTR("+text+", 1, 1)"
	s.Where(sql.GTE(price, 0)).
		Select(
			sql.As(currency, "currency"),
			sql.As(digits, "digits"),
			sql.As("CAST("+lead+" AS integer)", "lead"),
			sql.As(sql.Min(price), "low"),
			sql.As(sql.Max(price), "high"),
			sql.As(sql.Count("*"), "count"),
		).
		GroupBy(currency, digits, lead)
}

// maxBuckets is the most buckets of a currency, not counting that of price zero.
const maxBuckets = 10

// priceFacets puts the steps of each currency into buckets, as fine as maxBuckets allows.
func priceFacets(steps []priceStep) []*PriceFacet {
	slices.SortFunc(steps, func(a, b priceStep) int {
		return cmp.Or(cmp.Compare(a.Currency, b.Currency), cmp.Compare(a.Low, b.Low))
	})
	facets := []*PriceFacet{}
	for len(steps) > 0 {
		currency := steps[0].Currency
		own := steps[:1]
		for len(own) < len(steps) && steps[len(own)].Currency == currency {
			own = steps[:len(own)+1]
		}
		steps = steps[len(own):]
		facet := &PriceFacet{
			Currency: currency,
			Min:      fromMilli(own[0].Low, currency),
			Max:      fromMilli(own[len(own)-1].High, currency),
		}
		all := counted{}
		for _, s := range own {
			facet.Count += all.add(s)
		}
		for _, round := range scales {
			if facet.Buckets = buckets(own, round); len(facet.Buckets) <= maxBuckets {
				break
			}
		}
		facets = append(facets, facet)
	}
	return facets
}

// scale returns the bounds of the bucket of a step, in thousandths of the unit: from is inclusive, to
// exclusive.
type scale func(s priceStep) (from, to float64)

// scales are the scales of buckets, the finest first: buckets begin at every first digit; at 1, 2 and 5; at
// powers of ten; at powers of a hundred.
var scales = []scale{
	func(s priceStep) (from, to float64) { return bucketAt(s, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}) },
	func(s priceStep) (from, to float64) { return bucketAt(s, []float64{1, 2, 5, 10}) },
	func(s priceStep) (from, to float64) { return bucketAt(s, []float64{1, 10}) },
	func(s priceStep) (from, to float64) {
		even := (s.Digits - 1) / 2 * 2
		return math.Pow10(even), math.Pow10(even + 2)
	},
}

// bucketAt returns the bounds of the bucket of a step if buckets begin at the given first digits.
func bucketAt(s priceStep, digits []float64) (from, to float64) {
	i := 0
	for digits[i+1] <= float64(s.Lead) {
		i++
	}
	power := math.Pow10(s.Digits - 1)
	return digits[i] * power, digits[i+1] * power
}

// buckets joins steps, the lowest first, by a scale. Price zero is a bucket of its own.
func buckets(steps []priceStep, round scale) []*PriceBucket {
	all := []*PriceBucket{}
	last, own := math.Inf(-1), counted{}
	for _, s := range steps {
		from, to := 0.0, 0.0
		if s.Low > 0 {
			from, to = round(s)
		}
		if from == last {
			all[len(all)-1].Count += own.add(s)
			continue
		}
		last, own = from, counted{}
		bucket := &PriceBucket{
			Min:   fromMilli(int64(from), s.Currency),
			Max:   fromMilli(int64(min(to, aboveAllPrices)), s.Currency),
			Count: own.add(s),
		}
		if to > 0 {
			bucket.Max.Minor = min(bucket.Max.Minor-1, money.Max) // inclusive, like filters
		}
		all = append(all, bucket)
	}
	return all
}

// aboveAllPrices is above every price, in thousandths of the unit, and fits an int64.
const aboveAllPrices = 9.2e18

// fromMilli converts thousandths of the unit to an amount. It is the inverse of money.Milli.
func fromMilli(milli int64, currency string) money.Amount {
	return money.Amount{Minor: milli / money.Milli(1, currency), Currency: currency}
}
