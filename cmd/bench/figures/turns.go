package figures

import "slices"

// Median is the middle of some values, the upper one of two.
func Median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// Compare returns the ratios of ours to theirs, turn by turn.
func Compare(name string, ours, theirs []float64, aim float64) Against {
	ratios := make([]float64, len(ours))
	for i := range ours {
		ratios[i] = ours[i] / theirs[i]
	}
	return Against{Name: name, PerSecond: Median(theirs), Ratio: Median(ratios), Lowest: slices.Min(ratios),
		Highest: slices.Max(ratios), Aim: aim}
}

// Within returns what was measured, turn by turn, as a part of a bound that it should not exceed.
func Within(name string, measured []float64, bound float64) Against {
	bounds := make([]float64, len(measured))
	for i := range bounds {
		bounds[i] = bound
	}
	a := Compare(name, measured, bounds, 1)
	a.PerSecond, a.AtMost = 0, true
	return a
}
