package facets

import (
	"runtime"
	"strings"
	"testing"

	"storefront/ent"
	"storefront/internal/record"
)

// TestBytes compares the memory of kept facets, as their cache counts it, with what they take.
func TestBytes(t *testing.T) {
	text := func() string { return strings.Repeat("x", 100) }
	for name, kept := range map[string]func() interface{ Bytes() int }{
		"brands": func() interface{ Bytes() int } {
			var all counted[*BrandFacet]
			for range maxBrandFacets {
				all = append(all, &BrandFacet{Brand: &ent.Brand{Name: text()}})
			}
			return all
		},
		"categories": func() interface{ Bytes() int } {
			return counted[*CategoryFacet]{{Category: &ent.Category{Name: text(), NameFa: text()}}}
		},
		"options": func() interface{ Bytes() int } {
			var values []*VariationValueFacet
			for range maxValueFacets {
				values = append(values, &VariationValueFacet{VariationValue: record.VariationValue{Label: text()}})
			}
			return counted[*VariationFacet]{{Values: values}}
		},
		"prices": func() interface{ Bytes() int } {
			return counted[*PriceFacet]{{Currency: text(), Buckets: []*PriceBucket{{}, {}, {}}}}
		},
	} {
		all, before, counted := make([]interface{ Bytes() int }, 1_000), heapInUse(), 0
		for i := range all {
			all[i] = kept()
			counted += all[i].Bytes()
		}
		if taken := heapInUse() - before; taken > counted*5/4 || taken < counted/4 {
			t.Errorf("%s take %d bytes, and count as %d", name, taken, counted)
		}
		runtime.KeepAlive(all)
	}
}

func heapInUse() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
