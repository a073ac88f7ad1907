package money

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestPortion(t *testing.T) {
	for _, c := range []struct {
		minor int64
		parts int
		want  int64
	}{
		{0, 90_000, 0}, {1, 499_999, 0}, {1, 500_000, 1}, {1, 1_000_000, 1}, {100, 90_000, 9}, {5, 90_000, 0},
		{6, 90_000, 1}, {Max, 0, 0}, {Max, 1, 9_007_199_255}, {Max, 500_000, 4_503_599_627_370_496},
		{Max, 999_999, 9_007_190_247_541_736}, {Max, 1_000_000, Max},
	} {
		if got := Portion(c.minor, c.parts); got != c.want {
			t.Errorf("%d parts per million of %d are %d, want %d", c.parts, c.minor, got, c.want)
		}
	}
}

func TestContained(t *testing.T) {
	for _, c := range []struct {
		minor int64
		parts int
		want  int64
	}{
		{0, 90_000, 0}, {109, 90_000, 9}, {110, 100_000, 10}, {1, 100_000, 0}, {1, 1_000_000, 0}, {2, 1_000_000, 1},
		{5, 100_000, 0}, {6, 100_000, 1}, {Max, 0, 0}, {Max, 1_000_000, Max / 2}, {Max, 100_000, 818_836_295_885_545},
	} {
		if got := Contained(c.minor, c.parts); got != c.want {
			t.Errorf("in %d a tax of %d parts per million is %d, want %d", c.minor, c.parts, got, c.want)
		}
	}
}

// TestFractionIsExact compares Fraction with rationals.
func TestFractionIsExact(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		minor, denominator := drawn(random), drawn(random)+1
		numerator := random.Int64N(denominator + 1)
		exact := big.NewRat(numerator, denominator)
		exact.Mul(exact, new(big.Rat).SetInt64(minor)).Add(exact, big.NewRat(1, 2))
		want := new(big.Int).Div(exact.Num(), exact.Denom())
		if got := Fraction(minor, numerator, denominator); want.Cmp(big.NewInt(got)) != 0 {
			t.Fatalf("%d × %d / %d is %d, want %s", minor, numerator, denominator, got, want)
		}
	}
}

func TestShare(t *testing.T) {
	hundred := func(weight int64) []int64 { return slices.Repeat([]int64{weight}, 100) }
	first := func(n int, many, few int64) []int64 {
		return append(slices.Repeat([]int64{many}, n), slices.Repeat([]int64{few}, 100-n)...)
	}
	for name, c := range map[string]struct {
		minor         int64
		weights, want []int64
	}{
		"no lines":                     {5, nil, nil},
		"nothing":                      {0, []int64{3, 4}, []int64{0, 0}},
		"one line":                     {Max, []int64{1}, []int64{Max}},
		"a tie goes to the earlier":    {1, []int64{7, 7}, []int64{1, 0}},
		"two of three":                 {2, []int64{1, 1, 1}, []int64{1, 1, 0}},
		"the largest rest":             {10, []int64{1, 2, 4}, []int64{1, 3, 6}},
		"free lines":                   {9, []int64{0, 5, 0}, []int64{0, 9, 0}},
		"all of them free":             {9, []int64{0, 0}, []int64{9, 0}},
		"the greatest, a hundred ways": {Max, hundred(Max), first(91, 90_071_992_547_410, 90_071_992_547_409)},
		"a unit among a hundred":       {1, hundred(1), first(1, 1, 0)},
		"weights far apart":            {Max, []int64{1, Max}, []int64{1, Max - 1}},
	} {
		if got := Share(c.minor, c.weights); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}

// TestShareIsFair checks what must hold for all shares: they add up, none is a unit away from its exact value, and
// who got a unit more lost at least as much by rounding as who did not, or as much and comes earlier.
func TestShareIsFair(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 2_000 {
		minor, weights, all := drawn(random), make([]int64, 1+random.IntN(100)), new(big.Int)
		for i := range weights {
			weights[i] = drawn(random)
			all.Add(all, big.NewInt(weights[i]))
		}
		if all.Sign() == 0 {
			continue
		}
		sum, lost, more := int64(0), make([]*big.Int, len(weights)), make([]bool, len(weights))
		for i, share := range Share(minor, weights) {
			sum += share
			product := new(big.Int).Mul(big.NewInt(minor), big.NewInt(weights[i]))
			quotient, rest := product.QuoRem(product, all, new(big.Int))
			lost[i], more[i] = rest, share == quotient.Int64()+1
			if !more[i] && share != quotient.Int64() || more[i] && rest.Sign() == 0 {
				t.Fatalf("share %d of %d by %v is %d, want %s rounded down or up", i, minor, weights, share, quotient)
			}
		}
		if sum != minor {
			t.Fatalf("the shares of %d by %v add up to %d", minor, weights, sum)
		}
		for i := range weights {
			for j := range weights {
				order := lost[i].Cmp(lost[j])
				if more[j] && !more[i] && (order > 0 || order == 0 && i < j) {
					t.Fatalf("of %d by %v the unit of line %d is line %d's", minor, weights, j, i)
				}
			}
		}
	}
}

// drawn returns an amount of any size, often an extreme one.
func drawn(random *rand.Rand) int64 {
	switch random.IntN(5) {
	case 0:
		return int64(random.IntN(3))
	case 1:
		return Max - int64(random.IntN(3))
	}
	return random.Int64N(1 << (1 + random.IntN(53)))
}

func TestWords(t *testing.T) {
	for _, c := range []struct {
		amount         Amount
		english, farsi string
	}{
		{Amount{0, "IRT"}, "0 toman", "۰ تومان"},
		{Amount{999, "IRR"}, "999 rial", "۹۹۹ ریال"},
		{Amount{1_250_000, "IRT"}, "1,250,000 toman", "۱٬۲۵۰٬۰۰۰ تومان"},
		{Amount{-1_000, "IRT"}, "-1,000 toman", "-۱٬۰۰۰ تومان"},
		{Amount{123_450, "USD"}, "1,234.50 USD", "۱٬۲۳۴٫۵۰ USD"},
		{Amount{Max, "KWD"}, "9,007,199,254,740.991 KWD", "۹٬۰۰۷٬۱۹۹٬۲۵۴٬۷۴۰٫۹۹۱ KWD"},
	} {
		english, farsi := Words(c.amount).String(), Words(c.amount).Farsi()
		if english != c.english || farsi != c.farsi {
			t.Errorf("%+v is %q and %q, want %q and %q", c.amount, english, farsi, c.english, c.farsi)
		}
	}
}
