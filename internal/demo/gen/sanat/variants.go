package sanat

import (
	"fmt"
	"io/fs"
	"math/rand/v2"

	"storefront/internal/demo/gen/bundle"
	"storefront/internal/demo/gen/catalog"
	"storefront/internal/demo/gen/chance"
	"storefront/internal/demo/gen/words"
)

// most is how many variants a new machine has at first; variantLimits brings the sum to what the table says.
const most = 3

// variations is those of the nearest category that has some; nil for used machines.
func variations(p park, texts fs.FS, o offer) []catalog.Variation {
	lists := words.ReadLists(texts, "variations.txt")
	if o.used {
		return nil
	}
	for _, slug := range p.tree.Path(o.category) {
		section := map[string]string{"woodworking": "wood"}[slug]
		if section == "" {
			section = slug
		}
		if len(lists[section]) > 0 {
			return catalog.Variations(lists, section)
		}
	}
	return nil
}

// variantLimits is the number of variants of each offer, total together.
func variantLimits(r *rand.Rand, p park, offers []offer, texts fs.FS, total int) []int {
	limits := make([]int, len(offers))
	var large []int
	for i, o := range offers {
		limits[i] = 1
		if v := variations(p, texts, o); v != nil {
			limits[i] = len(catalog.Choices(v, most))
		}
		total -= limits[i]
		if limits[i] == most {
			large = append(large, i)
		}
	}
	if total > 0 || -total > len(large) {
		panic(fmt.Sprintf("%d variants away from the table", total))
	}
	for _, i := range chance.Shuffled(r, large)[:-total] {
		limits[i]--
	}
	return limits
}

func variants(r *rand.Rand, p park, texts fs.FS, o offer, number string,
	limit int) ([]bundle.Variation, []bundle.Variant) {
	base := o.million
	if o.used {
		base = base * int64(100+(o.year-2012)*4) / 100
	}
	v := variations(p, texts, o)
	if v == nil {
		one := variant(r, number, base, 0, o)
		if o.used {
			one.Stock, one.MaxOrderQuantity = 1, new(1)
		}
		return nil, []bundle.Variant{one}
	}
	choices := catalog.Choices(v, limit)
	festival := r.IntN(6) == 0
	var out []bundle.Variant
	for i, c := range choices {
		one := variant(r, fmt.Sprintf("%s-%d", number, i+1), base, c.Percent, o)
		one.Options = c.Options
		one.IsFestival = festival
		out = append(out, one)
	}
	return catalog.Used(v, choices), out
}

func variant(r *rand.Rand, sku string, million int64, percent int, o offer) bundle.Variant {
	toman := million * 10_000 * int64(100+percent) / 5_000 * 5_000
	v := bundle.Variant{SKU: sku, Price: bundle.Whole(toman), PriceCurrency: currency,
		Stock: chance.Between(r, 1, shelf(million)), OnSale: true}
	switch r.IntN(14) {
	case 0:
		v.Stock = 0
	case 1, 2:
		v.CompareAtPrice = bundle.Whole(toman * int64(chance.Between(r, 104, 115)) / 100 / 100_000 * 100_000)
	case 3:
		if o.million > 9000 {
			v.Price = "" // ask
		}
	case 4:
		if !o.used {
			v.MaxOrderQuantity = new(2)
		}
	}
	return v
}

// shelf is the most of a machine that a shop keeps.
func shelf(million int64) int {
	switch {
	case million > 5000:
		return 2
	case million > 1000:
		return 5
	default:
		return 24
	}
}
