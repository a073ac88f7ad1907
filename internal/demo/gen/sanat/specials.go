package sanat

import (
	"slices"
	"time"

	"storefront/internal/demo/gen/bundle"
	"storefront/internal/demo/gen/chance"
)

// specials holds one special that runs for years and one that has expired. The first also names a variant
// of an archived product, which must not be seen.
func specials(products []bundle.Product) []bundle.Special {
	var reduced []string
	for _, p := range products {
		i := slices.IndexFunc(p.Variants, func(v bundle.Variant) bool { return v.CompareAtPrice != "" && v.OnSale })
		if i >= 0 && p.Status == "published" {
			reduced = append(reduced, p.Variants[i].SKU)
		}
	}
	return []bundle.Special{
		{Key: "autumn", Title: "جشنوارهٔ پاییز", StartsAt: date(2026, 9, 23), EndsAt: date(2046, 9, 22),
			Variants: append(chance.Shuffled(chance.New("sanat/specials"), reduced)[:12], "SM-OLD-1")},
		{Key: "nowruz", Title: "فروش ویژهٔ نوروز", StartsAt: date(2026, 3, 1), EndsAt: date(2026, 4, 3),
			Variants: reduced[:6]},
	}
}

func date(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}
