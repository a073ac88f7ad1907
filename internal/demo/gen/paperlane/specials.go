package paperlane

import (
	"slices"
	"time"

	"storefront/internal/demo/gen/bundle"
	"storefront/internal/demo/gen/chance"
)

// specials holds three that are active for years: one by its end far away, one without an end, one without
// any time.
func specials(products []bundle.Product) []bundle.Special {
	r := chance.New("paperlane/specials")
	var festival, books, clothes []string
	for _, p := range products {
		if p.Status != "published" || len(p.Variants) == 0 {
			continue
		}
		first := p.Variants[0]
		switch {
		case first.IsFestival:
			festival = append(festival, first.SKU)
		case slices.ContainsFunc(p.Variations, func(v bundle.Variation) bool { return v.Key == "format" }):
			books = append(books, first.SKU)
		case slices.ContainsFunc(p.Variations, func(v bundle.Variation) bool { return v.Key == "size" }):
			clothes = append(clothes, first.SKU)
		}
	}
	return []bundle.Special{
		{Key: "festival", Title: "Reading festival", StartsAt: day(2026, 9, 1), EndsAt: day(2046, 9, 1),
			Variants: append(chance.Some(r, festival, 16), "PL-OUT-M")},
		{Key: "booksellers", Title: "Our booksellers recommend", StartsAt: day(2026, 1, 1),
			Variants: chance.Some(r, books, 12)},
		{Key: "winter", Title: "Warm things", Variants: chance.Some(r, clothes, 12)},
	}
}

func day(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}
