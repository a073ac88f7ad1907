package money

import (
	"cmp"
	"math/bits"
	"slices"
)

// Amounts are divided here and nowhere else (internal/checks). These functions take magnitudes of 0 to Max,
// multiply in 128 bits and keep no fraction.

// million is the whole of a Portion.
const million = 1_000_000

// Portion returns so many parts per million of an amount, rounded half up: at 90,000 it is 9 percent.
func Portion(minor int64, parts int) int64 { return Fraction(minor, int64(parts), million) }

// Contained returns what a tax of so many parts per million is in an amount that contains it: what is left without it
// is rounded half up.
func Contained(minor int64, parts int) int64 {
	return minor - Fraction(minor, million, million+int64(parts))
}

// Fraction returns minor × numerator / denominator, rounded half up. The denominator is above 0, and the result
// must fit an int64.
func Fraction(minor, numerator, denominator int64) int64 {
	quotient, rest := divided(minor, numerator, denominator)
	if rest >= denominator-rest {
		quotient++
	}
	return quotient
}

// Share divides an amount among lines in proportion to their weights, without a rest: each gets its share rounded
// down, and what is left goes, a unit each, to those that lost most, of equals to the earlier. The sum of the weights
// must fit an int64; where it is 0, the first line gets all. Without lines the result is nil.
func Share(minor int64, weights []int64) []int64 {
	if len(weights) == 0 {
		return nil
	}
	sum, left := int64(0), minor
	for _, w := range weights {
		sum += w
	}
	shares, rests, order := make([]int64, len(weights)), make([]int64, len(weights)), make([]int, len(weights))
	for i, w := range weights {
		order[i] = i
		if sum > 0 {
			shares[i], rests[i] = divided(minor, w, sum)
			left -= shares[i]
		}
	}
	if sum == 0 {
		shares[0], left = minor, 0
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rests[b], rests[a]) })
	for _, i := range order[:left] {
		shares[i]++
	}
	return shares
}

// divided returns a × b / by, and what is left.
func divided(a, b, by int64) (quotient, rest int64) {
	high, low := bits.Mul64(uint64(a), uint64(b))
	whole, left := bits.Div64(high, low, uint64(by))
	return int64(whole), int64(left)
}
