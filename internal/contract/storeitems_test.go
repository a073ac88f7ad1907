package contract_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestStoreItems(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *place) {
		p.run(t, []step{
			{"all", "GET " + tools + "/store-items", 200},
			{"of the other shop", "GET " + mugs + "/store-items", 200},
			{"second page of two", "GET " + mugs + "/store-items?page=2&pageSize=2", 200},
			{"past the end", "GET " + tools + "/store-items?page=9&pageSize=500", 200},
			{"none", "GET " + bare + "/store-items", 200},
			{"all parameters wrong", "GET " + tools + "/store-items?page=-1&pageSize=1e1&inStock=on&isFestival=yes" +
				"&minPrice=-1&maxPrice=a&name=x&name=x", 400},
			{"negative prices", "GET " + tools + "/store-items?minPrice=-1&maxPrice=-0.01&page=0", 400},
			{"prices the wrong way round", "GET " + tools + "/store-items?minPrice=2&maxPrice=1.99", 400},
			{"prices that are none", "GET " + tools + "/store-items?minPrice=%DB%B1&maxPrice=NaN", 400},
			{"unknown shop", "GET /tenants/nobody.example/store-items", 404},
		})
	})
}

func TestStoreItem(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *place) {
		p.run(t, []step{
			{"some variants", "GET " + tools + "/store-items/by-product/<tools:product:drill>", 200},
			{"one variant without a price", "GET " + tools + "/store-items/by-product/<tools:product:mallet>", 200},
			{"free and out of stock", "GET " + tools + "/store-items/by-product/<tools:product:saw>", 200},
			{"in dollars", "GET " + mugs + "/store-items/by-product/<mugs:product:mug>", 200},
			{"nothing on sale", "GET " + tools + "/store-items/by-product/<tools:product:plain>", 404},
			{"no variants", "GET " + tools + "/store-items/by-product/<tools:product:hammer>", 404},
			{"published later", "GET " + tools + "/store-items/by-product/<tools:product:future-drill>", 404},
			{"draft", "GET " + tools + "/store-items/by-product/<tools:product:draft-drill>", 404},
			{"unknown", "GET " + tools + "/store-items/by-product/01890a5d-ac96-774b-bcce-b302099a8057", 404},
			{"malformed", "GET " + tools + "/store-items/by-product/drill", 404},
			{"of the other shop", "GET " + tools + "/store-items/by-product/<mugs:product:tea>", 404},
			{"unknown shop", "GET /tenants/nobody.example/store-items/by-product/<tools:product:drill>", 404},
		})
	})
}

func TestVariant(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *place) {
		p.run(t, []step{
			{"whole", "GET " + tools + "/store-items/<tools:variant:D-10>", 200},
			{"no discount and its own picture", "GET " + tools + "/store-items/<tools:variant:D-13>", 200},
			{"price on request", "GET " + tools + "/store-items/<tools:variant:D-20>", 200},
			{"largest price", "GET " + tools + "/store-items/<tools:variant:W-1>", 200},
			{"two decimals", "GET " + mugs + "/store-items/<mugs:variant:MUG-S>", 200},
			{"three decimals", "GET " + mugs + "/store-items/<mugs:variant:PEN-1>", 200},
			{"no decimals", "GET " + mugs + "/store-items/<mugs:variant:TEA-1>", 200},
			{"off sale", "GET " + tools + "/store-items/<tools:variant:D-16>", 404},
			{"of a product published later", "GET " + tools + "/store-items/<tools:variant:F-1>", 404},
			{"of a draft", "GET " + tools + "/store-items/<tools:variant:X-1>", 404},
			{"unknown", "GET " + tools + "/store-items/01890a5d-ac96-774b-bcce-b302099a8057", 404},
			{"malformed", "GET " + tools + "/store-items/by-product", 404},
			{"of the other shop", "GET " + tools + "/store-items/<mugs:variant:TEA-1>", 404},
			{"unknown shop", "GET /tenants/nobody.example/store-items/<tools:variant:D-10>", 404},
		})
	})
}

// TestStoreItemGoneMeanwhile takes all variants of a product off sale after they were read, and before the
// product is: the prices in the answer are theirs.
func TestStoreItemGoneMeanwhile(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		const path = "GET " + tools + "/store-items/by-product/<tools:product:drill>"
		type shown struct {
			StoreItem struct {
				PriceMin, PriceMax json.Number
				PriceCurrency      string
				Variants           []struct{ Sku string }
			}
		}
		read := func(p *place) (s shown) {
			t.Helper()
			got := p.ask(t, path)
			if err := json.Unmarshal(got.body, &s); err != nil || got.status != 200 {
				t.Fatalf("%d %s", got.status, got.body)
			}
			return s
		}
		want, gone := read(a.place), false
		var off []any
		for _, v := range want.StoreItem.Variants {
			off = append(off, map[string]any{"sku": v.Sku, "priceCurrency": want.StoreItem.PriceCurrency, "onSale": false})
		}
		slow := a.watched(t, func(text string) {
			text = strings.NewReplacer("`", "", `"`, "").Replace(text)
			if !gone && strings.Contains(text, "FROM products") && strings.HasSuffix(text, "LIMIT 2") { // one product
				gone = true
				a.rest().nobody(t).amends(t, "drill", map[string]any{"variants": off})
			}
		})
		if got := read(slow.place); !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, want %+v", got, want)
		}
		if got := slow.ask(t, path); !gone || got.status != 404 {
			t.Errorf("afterwards: %d %s", got.status, got.body)
		}
	})
}
