package figures

import (
	"fmt"
	"slices"
)

// tolerance is how much worse a ratio may be than the committed one before it counts as a loss: that much is noise in
// short runs.
const tolerance = 0.15

// Name says what a figure is of.
func (f Figure) Name() string {
	name := fmt.Sprintf("%s, %s, %s", f.Database, f.Shop, f.Operation)
	if f.Clients > 1 {
		name += fmt.Sprintf(", %d clients", f.Clients)
	}
	return name
}

// Was returns the committed ratio of a figure to a reference.
func (f File) Was(now Figure, reference string) (Against, bool) {
	committed, _ := f.Find(now)
	for _, a := range committed.Against {
		if a.Name == reference {
			return a, true
		}
	}
	return Against{}, false
}

// Note writes the committed ratios beside those of a figure.
func (f File) Note(now *Figure) {
	for i := range now.Against {
		was, _ := f.Was(*now, now.Against[i].Name)
		now.Against[i].Was = was.Ratio
	}
}

// Losses names the ratios that are worse than the committed ones by more than noise makes: by the
// tolerance, and outside of what the committed turns themselves had.
func (f File) Losses(measured []Figure) (all []string) {
	for _, now := range measured {
		for _, a := range now.Against {
			if was, ok := f.Was(now, a.Name); ok && a.worse(was) {
				all = append(all, fmt.Sprintf("%s: %.2f of %s, was %.2f", now.Name(), a.Ratio, a.Name, was.Ratio))
			}
		}
	}
	return all
}

func (a Against) worse(was Against) bool {
	if a.AtMost {
		return a.Ratio > was.Ratio*(1+tolerance) && a.Ratio > was.Highest
	}
	return a.Ratio < was.Ratio*(1-tolerance) && a.Ratio < was.Lowest
}

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
