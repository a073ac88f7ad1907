package catalog_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

func TestStoreItems(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		p.Run(t, []shoptest.Step{
			{"all", "GET " + shoptest.ToolsPath + "/store-items", 200},
			{"of the other shop", "GET " + shoptest.MugsPath + "/store-items", 200},
			{"second page of two", "GET " + shoptest.MugsPath + "/store-items?page=2&pageSize=2", 200},
			{"past the end", "GET " + shoptest.ToolsPath + "/store-items?page=9&pageSize=500", 200},
			{"none", "GET " + shoptest.BarePath + "/store-items", 200},
			{"all parameters wrong", "GET " + shoptest.ToolsPath +
				"/store-items?page=-1&pageSize=1e1&inStock=on&isFestival=yes" +
				"&minPrice=-1&maxPrice=a&name=x&name=x", 400},
			{"negative prices", "GET " + shoptest.ToolsPath + "/store-items?minPrice=-1&maxPrice=-0.01&page=0", 400},
			{"prices the wrong way round", "GET " + shoptest.ToolsPath +
				"/store-items?minPrice=2&maxPrice=1.99", 400},
			{"prices that are none", "GET " + shoptest.ToolsPath + "/store-items?minPrice=%DB%B1&maxPrice=NaN", 400},
			{"unknown shop", "GET /tenants/nobody.example/store-items", 404},
		})
	})
}

func TestStoreItem(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		p.Run(t, []shoptest.Step{
			{"some variants", "GET " + shoptest.ToolsPath + "/store-items/by-product/<tools:product:drill>", 200},
			{"one variant without a price", "GET " + shoptest.ToolsPath +
				"/store-items/by-product/<tools:product:mallet>", 200},
			{"free and out of stock", "GET " + shoptest.ToolsPath +
				"/store-items/by-product/<tools:product:saw>", 200},
			{"in dollars", "GET " + shoptest.MugsPath + "/store-items/by-product/<mugs:product:mug>", 200},
			{"nothing on sale", "GET " + shoptest.ToolsPath + "/store-items/by-product/<tools:product:plain>", 404},
			{"no variants", "GET " + shoptest.ToolsPath + "/store-items/by-product/<tools:product:hammer>", 404},
			{"published later", "GET " + shoptest.ToolsPath +
				"/store-items/by-product/<tools:product:future-drill>", 404},
			{"draft", "GET " + shoptest.ToolsPath + "/store-items/by-product/<tools:product:draft-drill>", 404},
			{"unknown", "GET " + shoptest.ToolsPath +
				"/store-items/by-product/01890a5d-ac96-774b-bcce-b302099a8057", 404},
			{"malformed", "GET " + shoptest.ToolsPath + "/store-items/by-product/drill", 404},
			{"of the other shop", "GET " + shoptest.ToolsPath + "/store-items/by-product/<mugs:product:tea>", 404},
			{"unknown shop", "GET /tenants/nobody.example/store-items/by-product/<tools:product:drill>", 404},
		})
	})
}

func TestVariant(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		p.Run(t, []shoptest.Step{
			{"whole", "GET " + shoptest.ToolsPath + "/store-items/<tools:variant:D-10>", 200},
			{"no discount and its own picture", "GET " + shoptest.ToolsPath +
				"/store-items/<tools:variant:D-13>", 200},
			{"price on request", "GET " + shoptest.ToolsPath + "/store-items/<tools:variant:D-20>", 200},
			{"largest price", "GET " + shoptest.ToolsPath + "/store-items/<tools:variant:W-1>", 200},
			{"two decimals", "GET " + shoptest.MugsPath + "/store-items/<mugs:variant:MUG-S>", 200},
			{"three decimals", "GET " + shoptest.MugsPath + "/store-items/<mugs:variant:PEN-1>", 200},
			{"no decimals", "GET " + shoptest.MugsPath + "/store-items/<mugs:variant:TEA-1>", 200},
			{"off sale", "GET " + shoptest.ToolsPath + "/store-items/<tools:variant:D-16>", 404},
			{"of a product published later", "GET " + shoptest.ToolsPath + "/store-items/<tools:variant:F-1>", 404},
			{"of a draft", "GET " + shoptest.ToolsPath + "/store-items/<tools:variant:X-1>", 404},
			{"unknown", "GET " + shoptest.ToolsPath + "/store-items/01890a5d-ac96-774b-bcce-b302099a8057", 404},
			{"malformed", "GET " + shoptest.ToolsPath + "/store-items/by-product", 404},
			{"of the other shop", "GET " + shoptest.ToolsPath + "/store-items/<mugs:variant:TEA-1>", 404},
			{"unknown shop", "GET /tenants/nobody.example/store-items/<tools:variant:D-10>", 404},
		})
	})
}

// TestStoreItemGoneMeanwhile takes all variants of a product off sale after they were read, and before the
// product is read. The answer must still have their prices.
func TestStoreItemGoneMeanwhile(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		const path = "GET " + shoptest.ToolsPath + "/store-items/by-product/<tools:product:drill>"
		type shown struct {
			StoreItem struct {
				PriceMin, PriceMax json.Number
				PriceCurrency      string
				Variants           []struct{ Sku string }
			}
		}
		read := func(p *shoptest.Place) (s shown) {
			t.Helper()
			got := p.Ask(t, path)
			if err := json.Unmarshal(got.Body, &s); err != nil || got.Status != 200 {
				t.Fatalf("%d %s", got.Status, got.Body)
			}
			return s
		}
		want, gone := read(a.Place), false
		var off []any
		for _, v := range want.StoreItem.Variants {
			off = append(off, map[string]any{"sku": v.Sku, "priceCurrency": want.StoreItem.PriceCurrency,
				"onSale": false})
		}
		slow := a.Watched(t, func(text string) {
			text = strings.NewReplacer("`", "", `"`, "").Replace(text)
			if !gone && strings.Contains(text, "FROM products") && strings.HasSuffix(text, "LIMIT 2") { // one product
				gone = true
				a.REST().Nobody(t).Amends(t, "drill", map[string]any{"variants": off})
			}
		})
		if got := read(slow.Place); !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, want %+v", got, want)
		}
		if got := slow.Ask(t, path); !gone || got.Status != 404 {
			t.Errorf("afterwards: got %d %s", got.Status, got.Body)
		}
	})
}
