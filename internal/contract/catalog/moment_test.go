package catalog_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"entgo.io/ent/dialect"

	"storefront/ent"
	"storefront/internal/app"
	"storefront/internal/content/bundle"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/store"
	"storefront/internal/database/store/storetest"
	"storefront/internal/database/tenancy"
)

// TestItemsAndTotalAreConsistent commits an import between the statements of one request for a list: its total
// and its items, of which one was read before the import and one after it, must still agree. The total may have
// been counted by an earlier request.
func TestItemsAndTotalAreConsistent(t *testing.T) {
	t.Parallel()
	isCount := func(text string) bool { return strings.Contains(strings.ToUpper(text), "COUNT(") }
	for name, moment := range map[string]struct {
		asked  bool                   // whether the list was asked for before
		before func(text string) bool // the statement that the import commits before
	}{
		"before the items, of a total that is kept": {
			asked: true, before: func(text string) bool { return !isCount(text) }},
		"before the items": {before: func(text string) bool { return !isCount(text) }},
		"before the count": {before: isCount},
	} {
		t.Run(name, func(t *testing.T) {
			shoptest.Shops.Each(t, func(t *testing.T, url string) {
				importing := storetest.Open(t, url)
				var between sync.Once
				armed := false
				hooked := dialect.DebugWithContext(importing.Driver(), func(ctx context.Context, said ...any) {
					text, _ := said[0].(string)
					if !armed || !strings.Contains(text, "search_text") || !moment.before(text) {
						return
					}
					between.Do(func() {
						_, err := bundle.Import(context.WithoutCancel(ctx), importing,
							bundle.Bytes([]byte(change)), nil)
						if err != nil {
							t.Error(err)
						}
					})
				})
				client := tenancy.Guard(ent.NewClient(ent.Driver(hooked)))
				p := shoptest.StartWith(t, &store.Store{DB: importing.DB, Client: client},
					app.Options{Clock: shoptest.Noon, PasswordCost: shoptest.CheapPasswords})
				var page struct {
					Items []struct{ Slug string }
					Total int
				}
				const list = shoptest.ToolsPath + "/products?name=drill"
				before := 1
				if moment.asked {
					p.Decode(t, list, &page)
					before = page.Total
				}
				armed = true
				p.Decode(t, list, &page)
				if len(page.Items) != page.Total {
					t.Errorf("got %d items, want the total of %d", len(page.Items), page.Total)
				}
				var after struct{ Total int }
				p.Decode(t, list, &after)
				if after.Total != page.Total {
					t.Errorf("got a total of %d when asked again, want %d", after.Total, page.Total)
				}
				if after.Total == before {
					t.Errorf("a total of %d before and after the import", before)
				}
			})
		})
	}
}
