package media_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// TestReceiptRaces uploads while the order is paid or cancelled, or its customer erased: acknowledged uploads are
// stored, no file is left without a row, and late uploads are refused.
func TestReceiptRaces(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		second, owner := c.Instance(t), c.Staff(t, c.Tools, record.Owner)
		at := []*shoptest.Accounts{c.Accounts, second}
		whole := func(name string, want int) {
			t.Helper()
			c.Clock.Pass(2 * time.Hour)
			c.Service.Sweep(t.Context())
			left, has := kept(t, c.Accounts), rows(t, c)
			if len(left) != has || want >= 0 && has != want {
				t.Errorf("%s: %d rows, want %d, and the files %v", name, has, want, left)
			}
			owner = c.Staff(t, c.Tools, record.Owner) // sessions end while the clock moves
		}
		b := buys(t, c, 1, "transfer")
		address := b.address(t)
		ids := shoptest.Together(6, func(i int) string { return put(t, at[i%2], address, pngOf(t, 40, 30, 1)).ID })
		if got := shoptest.Tallied(ids); len(got) != 1 {
			t.Errorf("the same file has become %d receipts", len(got))
		}
		different := shoptest.Together(6, func(i int) string {
			return fmt.Sprint(at[i%2].Fetch(t, "PUT", address, bytes.NewReader(pngOf(t, 40, 30, i+2))).Status)
		})
		if got := shoptest.Tallied(different); got["201"] != 2 || got["409"] != 4 {
			t.Errorf("got %v, want two beside the one that is there", got)
		}
		if left := kept(t, c.Accounts); len(left) != 3 {
			t.Errorf("got the files %v, want those of three receipts", left)
		}
		whole("uploads", 3)
		all := 3
		for n, end := range []func(b buyer){
			func(b buyer) { owner.Do(t, markPayment, b.names("as", "paid"), nil) },
			func(b buyer) { owner.Do(t, moveOrder, b.names(), nil) },
			func(b buyer) {
				owner.Do(t, eraseCustomer, map[string]any{"shop": c.Tools, "id": b.ID}, nil)
			},
		} {
			b := buys(t, c, n+2, "transfer")
			address := b.address(t)
			codes := shoptest.Together(4, func(i int) int {
				if i == 1 {
					end(b)
					return 0
				}
				return at[i%2].Fetch(t, "PUT", address, bytes.NewReader(pngOf(t, 40, 30, i))).Status
			})
			acknowledged := 0
			for _, code := range codes {
				switch code {
				case 201:
					acknowledged++
				case 0, 401, 404, 409:
				default:
					t.Errorf("%d: got %v", n, codes)
				}
			}
			if n == 2 { // erased
				acknowledged = 0
			}
			all += acknowledged
			whole(fmt.Sprint(n), all)
		}
	})
}
