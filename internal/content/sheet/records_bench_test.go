package sheet

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"storefront/internal/content/bundle"
	"storefront/internal/content/plan"
	"storefront/internal/database/store/storetest"
)

// BenchmarkSheetOfChanges imports a sheet of 10,000 products, and then with other titles and prices: s/noted with an
// entry in the audit log for each record, s/unnoted without any.
func BenchmarkSheetOfChanges(b *testing.B) {
	const products = 10_000
	sheet := func(round int) string {
		var text strings.Builder
		text.WriteString("slug,titleFa,sku,priceCurrency,price\n")
		for i := range products {
			fmt.Fprintf(&text, "many-%d,title %d,MANY-%d,IRT,%d\n", i, round, i, 5+round)
		}
		return text.String()
	}
	for name, create := range map[string]func(testing.TB) string{"sqlite": shops.SQLite,
		"postgres": shops.Postgres} {
		b.Run(name, func(b *testing.B) {
			var noted, unnoted time.Duration
			for b.Loop() {
				b.StopTimer()
				s := storetest.Open(b, create(b))
				of := tenant(b, s, "lamps.example")
				first := strings.NewReader(sheet(0))
				if _, err := (Import{Kind: Products}).Into(b.Context(), s, of, first); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				for round, spent := range []*time.Duration{&noted, &unnoted, &unnoted, &noted} {
					m := &maker{kind: Products, client: s.Client}
					made, err := m.of(b.Context(), sheet(round+1))
					if err != nil {
						b.Fatal(err)
					}
					from := bundle.Sheet{Sheet: plan.Sheet{Value: technical}, Shop: of.ID}
					if spent == &noted {
						from.Kind, from.File = "product", "many.csv"
					}
					start := time.Now()
					if _, err := bundle.Import(b.Context(), s, bundle.Bytes(made), nil,
						bundle.FromSheet(from)); err != nil {
						b.Fatal(err)
					}
					*spent += time.Since(start) / 2
				}
			}
			b.ReportMetric(noted.Seconds()/float64(b.N), "s/noted")
			b.ReportMetric(unnoted.Seconds()/float64(b.N), "s/unnoted")
		})
	}
}
