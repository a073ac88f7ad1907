package cart_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"storefront/internal/contract/shoptest"
)

// pageOf holds the members of a page that tests read.
type pageOf struct {
	Items                 []struct{ ID, CreatedAt string }
	Total, Page, PageSize int
}

func page(t testing.TB, r shoptest.Reply) (page pageOf, ids string) {
	t.Helper()
	if err := json.Unmarshal([]byte(r.Said), &page); err != nil {
		t.Fatal(err)
	}
	for _, item := range page.Items {
		ids += item.ID + " "
	}
	return page, ids
}

// TestShopperLists goes through the pages of orders and favorites, newest first.
func TestShopperLists(t *testing.T) {
	shoptest.EachShopper(t, func(t *testing.T, s shoptest.Shopper) {
		s.Stocked(t, "D-13", 1000)
		var orders, favorites []string
		for range 23 {
			orders = append(orders, s.Bought(t, "D-13", 1).ID)
			s.Clock.Pass(time.Second)
		}
		for _, slug := range []string{"drill", "saw", "hammer"} {
			favorites = append(favorites, s.Right(t, "AddFavorite", keeping(slug)).Member(t, "favorite.id"))
		}
		slices.Reverse(orders)
		slices.Reverse(favorites)
		for _, list := range []struct {
			operation string
			ids       []string
		}{{"Orders", orders}, {"Favorites", favorites}} {
			for _, c := range []struct{ page, pageSize, asSize int }{ // 0: not given
				{0, 0, 20}, {2, 0, 20}, {1, 5, 5}, {2, 2, 2}, {2, 22, 22}, {9, 20, 20}, {1, 100, 100}, {1, 101, 100},
				{1, 100000, 100}, {2147483647, 100, 100},
			} {
				if s.GraphQL && list.operation == "Orders" && c.asSize == 100 {
					continue // a client document for that would exceed the limits
				}
				var values []string
				if c.page > 0 {
					values = append(values, fmt.Sprint("page=", c.page))
				}
				if c.pageSize > 0 {
					values = append(values, fmt.Sprint("pageSize=", c.pageSize))
				}
				number, size := max(c.page, 1), c.asSize
				from := min((number-1)*size, len(list.ids))
				want := strings.Join(append(slices.Clone(list.ids[from:min(from+size, len(list.ids))]), ""), " ")
				page, ids := page(t, s.Right(t, list.operation, "", values...))
				if page.Page != number || page.PageSize != size || page.Total != len(list.ids) || ids != want ||
					page.Items == nil {
					t.Errorf("%s %v: %+v", list.operation, values, page)
				}
			}
			for _, value := range []string{"page=0", "page=-1", "pageSize=0", "pageSize=-5"} {
				name, _, _ := strings.Cut(value, "=")
				s.Wrong(t, list.operation, "", "VALIDATION_FAILED", value).Blames(t, name)
			}
			if !s.GraphQL {
				for _, value := range []string{"page=x", "page=1.5", "pageSize=۵", "pageSize=1e2"} {
					name, _, _ := strings.Cut(value, "=")
					s.Wrong(t, list.operation, "", "VALIDATION_FAILED", value).Blames(t, name)
				}
				s.Right(t, list.operation, "", "page=", "pageSize=", "other=1")
			}
		}

		s.Moved(t, orders[0], "confirmed")
		s.Moved(t, orders[5], "cancelled")
		for status, total := range map[string]int{"pending": 21, "confirmed": 1, "cancelled": 1, "shipped": 0,
			"processing": 0, "delivered": 0} {
			if page, _ := page(t, s.Right(t, "Orders", "", "status="+status)); page.Total != total ||
				len(page.Items) != min(total, 20) {
				t.Errorf("%s: %+v", status, page)
			}
		}
		for _, status := range []string{"Pending", "paid", "1"} {
			s.Wrong(t, "Orders", "", "VALIDATION_FAILED", "status="+status).Blames(t, "status")
		}
		if s.GraphQL {
			return
		}
		if page, _ := page(t, s.Right(t, "Orders", "", "status=")); page.Total != 23 {
			t.Errorf("an empty status: %+v", page)
		}
	})
}

// TestShopperLinks checks that reads do not link a customer to a shop, that the first write does, and that it
// activates a pending link.
func TestShopperLinks(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		at := 10
		for operation, input := range map[string]string{
			"AddCartItem": `{"storeItemVariantId": "<mugs:variant:MUG-S>"}`, "ClearCart": "",
			"AddFavorite": `{"productId": "<mugs:product:mug>"}`, "RemoveFavorite": "",
		} {
			for _, d := range shoptest.Sides(a) {
				at++
				s := d.Shopper(t, at).At(t, "mugs")
				for _, read := range []string{"Cart", "Orders", "Favorites"} {
					s.Right(t, read, "")
				}
				s.Wrong(t, "Checkout", shoptest.ToHome, "CART_EMPTY")
				s.Wrong(t, "AddCartItem", `{"storeItemVariantId": "<mugs:variant:MUG-L>"}`, "INSUFFICIENT_STOCK")
				if d.IsMember(t, s.Customer.Cell, shoptest.MugsShop) {
					t.Errorf("%s is a member for having read", s.Customer.Cell)
				}
				s.Right(t, operation, input, "productId="+shoptest.NobodysID)
				if !d.IsMember(t, s.Customer.Cell, shoptest.MugsShop) {
					t.Errorf("%s is no member after %s", s.Customer.Cell, operation)
				}

				at++
				s = d.Shopper(t, at).At(t, "mugs")
				// This link awaits a code.
				d.Right(t, "register", shoptest.Acknowledging(s.Customer.Cell, shoptest.OtherPassword,
					shoptest.MugsShop))
				if d.IsMember(t, s.Customer.Cell, shoptest.MugsShop) {
					t.Fatal("the link does not wait")
				}
				s.Right(t, operation, input, "productId="+shoptest.NobodysID)
				if !d.IsMember(t, s.Customer.Cell, shoptest.MugsShop) {
					t.Errorf("%s: the link of %s still waits", operation, s.Customer.Cell)
				}
				a.Clock.Pass(time.Hour) // the pending link would have expired
				if !d.IsMember(t, s.Customer.Cell, shoptest.MugsShop) {
					t.Errorf("%s: the link of %s is over", operation, s.Customer.Cell)
				}
			}
		}
	})
}
