package catalog

import (
	"slices"
	"strconv"

	"storefront/internal/demo/gen/bundle"
	"storefront/internal/demo/gen/words"
)

// Variation is a way in which the variants of a product differ, and what each choice adds to the price.
type Variation struct {
	bundle.Variation
	Percent map[string]int // by value key
}

// Choice is the options of one variant and what they add to the price together.
type Choice struct {
	Options map[string]string
	Percent int
}

// Variations reads the variations of a section: key | English | Persian | values as
// key=English=Persian=percent[=colour]; ...
func Variations(lists words.Lists, section string) []Variation {
	var out []Variation
	for _, row := range lists.Rows(section) {
		v := Variation{Percent: map[string]int{}}
		v.Key, v.Name, v.NameFa = row[0], row[1], row[2]
		for _, part := range words.Cells(row[3], ";") {
			piece := words.Cells(part, "=")
			percent, err := strconv.Atoi(piece[3])
			if err != nil {
				panic(err)
			}
			v.Percent[piece[0]] = percent
			v.Values = append(v.Values, bundle.VariationValue{
				Key: piece[0], Label: piece[1], LabelFa: piece[2], ColorHex: piece.Cell(4),
			})
		}
		out = append(out, v)
	}
	return out
}

// Choices is the combinations of variations, at most limit. They begin with a diagonal, so that few of them
// still use many values: not every combination is on sale, as in real shops.
func Choices(variations []Variation, limit int) []Choice {
	var all [][]int
	var walk func(at []int)
	walk = func(at []int) {
		if len(at) == len(variations) {
			all = append(all, slices.Clone(at))
			return
		}
		for i := range variations[len(at)].Values {
			walk(append(at, i))
		}
	}
	walk(nil)
	slices.SortStableFunc(all, func(a, b []int) int { return spread(a) - spread(b) })
	var out []Choice
	for _, at := range all[:min(limit, len(all))] {
		c := Choice{Options: map[string]string{}}
		for i, v := range variations {
			key := v.Values[at[i]].Key
			c.Options[v.Key] = key
			c.Percent += v.Percent[key]
		}
		out = append(out, c)
	}
	return out
}

// spread is 0 on the diagonal and grows away from it.
func spread(at []int) int { return slices.Max(at) - slices.Min(at) }

// Used is the variations with only those values that choices use.
func Used(variations []Variation, choices []Choice) []bundle.Variation {
	var out []bundle.Variation
	for _, v := range variations {
		kept := v.Variation
		kept.Values = nil
		for _, value := range v.Values {
			if slices.ContainsFunc(choices, func(c Choice) bool { return c.Options[v.Key] == value.Key }) {
				kept.Values = append(kept.Values, value)
			}
		}
		out = append(out, kept)
	}
	return out
}
