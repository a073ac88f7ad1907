package cart_test

import (
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"

	"storefront/internal/contract/shoptest"
)

// TestTotalAgreesWithItems adds a record to a list between the statements that read a page of it and count it.
func TestTotalAgreesWithItems(t *testing.T) {
	shoptest.EachRace(t, func(t *testing.T, first, _ *shoptest.Accounts) {
		customer := shoptest.Crowd(t, 1, first)[0]
		customer.Right(t, "AddFavorite", keeping("drill"))
		customer.Right(t, "AddFavorite", keeping("mug"))
		var statements atomic.Int64
		watched := first.Watched(t, func(text string) {
			reads := strings.HasPrefix(text, "SELECT") && strings.Contains(text, "favorites")
			if reads && statements.Add(1) == 2 {
				customer.Right(t, "AddFavorite", keeping("hammer"))
			}
		})
		for _, reader := range customer.Everywhere(watched) {
			for _, c := range []struct {
				page, size          string
				before, items, most int // most is the total with the record that was added
			}{
				{"1", "20", 0, 2, 2}, {"1", "2", 0, 2, 3}, {"1", "1", 0, 1, 3},
				{"2", "1", 1, 1, 3}, {"3", "1", 2, 0, 2}, {"2", "20", 20, 0, 2},
			} {
				statements.Store(0)
				var got struct {
					Items []json.RawMessage
					Total int
				}
				answer := reader.Right(t, "Favorites", "", "page="+c.page, "pageSize="+c.size)
				if err := json.Unmarshal([]byte(answer.Said), &got); err != nil {
					t.Fatal(err)
				}
				if len(got.Items) != c.items || got.Total < 2 || got.Total < c.before+c.items && c.items > 0 ||
					got.Total > c.most {
					t.Errorf("page %s of %s: got %d items of %d, want %d of 2 to %d", c.page, c.size, len(got.Items),
						got.Total, c.items, c.most)
				}
				customer.Right(t, "RemoveFavorite", "", "productId=<tools:product:hammer>")
			}
		}
	})
}
