package contract_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"entgo.io/ent/dialect"

	"storefront/ent"
	"storefront/internal/app"
	"storefront/internal/bundle"
	"storefront/internal/store"
	"storefront/internal/tenancy"
)

// TestItemsAndTotalAreOfOneMoment commits an import between the statements of one request for a list: its
// total, which was counted before, and its items, which are read after the import, must still agree.
func TestItemsAndTotalAreOfOneMoment(t *testing.T) {
	t.Parallel()
	shops.Each(t, func(t *testing.T, url string) {
		importing := openStore(t, url)
		var between sync.Once
		armed := false
		hooked := dialect.DebugWithContext(importing.Driver(), func(ctx context.Context, said ...any) {
			text, _ := said[0].(string)
			if !armed || !strings.Contains(text, "products") || strings.Contains(strings.ToUpper(text), "COUNT(") {
				return
			}
			between.Do(func() {
				_, err := bundle.Import(context.WithoutCancel(ctx), importing, bundle.Bytes([]byte(change)), nil)
				if err != nil {
					t.Error(err)
				}
			})
		})
		client := tenancy.Guard(ent.NewClient(ent.Driver(hooked)))
		p := startWith(t, &store.Store{DB: importing.DB, Client: client}, app.Options{Clock: noon, PasswordCost: cheap})
		var page struct {
			Items []struct{ Slug string }
			Total int
		}
		const list = tools + "/products?name=drill"
		p.decode(t, list, &page)
		before := page.Total
		armed = true
		p.decode(t, list, &page)
		if len(page.Items) != page.Total {
			t.Errorf("%d items with a total of %d", len(page.Items), page.Total)
		}
		var after struct{ Total int }
		p.decode(t, list, &after)
		if after.Total != page.Total {
			t.Errorf("a total of %d, and of %d when asked again", page.Total, after.Total)
		}
		if after.Total == before {
			t.Errorf("a total of %d before and after the import", before)
		}
	})
}
