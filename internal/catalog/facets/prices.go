package facets

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"

	"storefront/ent/product"
	"storefront/ent/variant"
	"storefront/internal/catalog"
	"storefront/internal/database"
	"storefront/internal/locale/money"
	"storefront/internal/request"
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

// seen are the numbers of records that were counted.
type seen map[*int]bool

// add returns how many records of a step were not counted yet.
func (c seen) add(s priceStep) int {
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

func (f *PriceFacet) bytes() int { return 200 + 150*len(f.Buckets) }

// PriceBucket is a range of prices, both bounds inclusive.
type PriceBucket struct {
	Min, Max money.Amount
	Count    int
}

// Prices returns the prices of the records, by currency.
func (f listFacets) Prices(ctx context.Context) ([]*PriceFacet, error) {
	others := f.filter.Without(catalog.Prices, "")
	return catalog.CountList(ctx, f.c, others, catalog.Prices, func(
		ctx context.Context,
	) (_ counted[*PriceFacet], err error) {
		var steps []priceStep
		if f.ofProducts {
			steps, err = foundPrices(ctx, f.c, others)
		} else {
			err = f.scan(ctx, &steps, others.Narrow(request.Of(ctx).Now), selectPriceSteps)
		}
		return priceFacets(steps), err
	})
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
			Min:      money.OfMilli(own[0].Low, currency),
			Max:      money.OfMilli(own[len(own)-1].High, currency),
		}
		all := seen{}
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

// scale returns the bounds of the bucket of a step, in thousandths of the unit: from is inclusive, to exclusive.
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
	last, own := math.Inf(-1), seen{}
	for _, s := range steps {
		from, to := 0.0, 0.0
		if s.Low > 0 {
			from, to = round(s)
		}
		if from == last {
			all[len(all)-1].Count += own.add(s)
			continue
		}
		last, own = from, seen{}
		bucket := &PriceBucket{
			Min:   money.OfMilli(int64(from), s.Currency),
			Max:   money.OfMilli(int64(min(to, aboveAllPrices)), s.Currency),
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

// stepsOf is the SQL, by dialect, of the price steps of a product's variants, as in "41,52":
// each is the number of digits and the first digit, so that 41 is 1000 to 1999.
var stepsOf = map[string]string{
	dialect.SQLite: "group_concat(DISTINCT %s)", dialect.Postgres: "string_agg(DISTINCT %s, ',')",
}

// foundPrices counts the products that match a filter for each price step in which they have a matching variant.
func foundPrices(ctx context.Context, c *catalog.Catalog, f catalog.Filter) (steps []priceStep, err error) {
	name := c.Store.Raw().Dialect()
	variants, v := f.Variants(name, request.Of(ctx).Now)
	price := v.C(variant.FieldSortDear)
	text := "CAST(" + price + " AS text)"
	variants.Where(sql.GTE(price, 0)).GroupBy(v.C(variant.FieldProductID), v.C(variant.FieldPriceCurrency)).
		Select(sql.As(v.C(variant.FieldPriceCurrency), "currency"), sql.As(sql.Min(price), "low"),
			sql.As(sql.Max(price), "high"),
			sql.As(fmt.Sprintf(stepsOf[name], "LENGTH("+text+") || SUBSTR("+text+", 1, 1)"), "steps"))
	query, values := sql.Dialect(name).Select("currency", "steps", "MIN(low)", "MAX(high)", "COUNT(*)").
		From(variants.As("found")).GroupBy("currency", "steps").Query()
	type key struct {
		currency string
		step     int
	}
	found, lowest, highest := map[key][]*int{}, map[string]int64{}, map[string]int64{}
	err = database.EachRow(ctx, c.Store.Raw(), query, values, func(row *sql.Rows) error {
		var currency, all string
		var low, high int64
		products := new(int)
		if err := row.Scan(&currency, &all, &low, &high, products); err != nil {
			return err
		}
		if before, ok := lowest[currency]; !ok || low < before {
			lowest[currency] = low
		}
		highest[currency] = max(highest[currency], high)
		for text := range strings.SplitSeq(all, ",") {
			step, err := strconv.Atoi(text)
			if err != nil {
				return err
			}
			found[key{currency, step}] = append(found[key{currency, step}], products)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("count prices: %w", err)
	}
	stepOf := func(price int64) int {
		digits := strconv.FormatInt(price, 10)
		return len(digits)*10 + int(digits[0]-'0')
	}
	for at, of := range found {
		digits, lead := at.step/10, at.step%10
		step := priceStep{Currency: at.currency, Digits: digits, Lead: lead, of: of}
		step.Low = int64(lead) * int64(math.Pow10(digits-1))
		step.High = step.Low
		if stepOf(lowest[at.currency]) == at.step {
			step.Low = lowest[at.currency]
		}
		if stepOf(highest[at.currency]) == at.step {
			step.High = highest[at.currency]
		}
		steps = append(steps, step)
	}
	return steps, nil
}
