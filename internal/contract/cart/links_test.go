package cart_test

import (
	"encoding/json"
	"testing"

	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// linked is the product and variant of a line.
type linked struct {
	Sku     string
	Image   *struct{ URL string }
	Product *struct {
		Slug            string
		CheapestVariant *struct{ Sku string }
	}
	Variant *struct {
		Sku             string
		DiscountPercent *int
		Product         struct{ Slug string }
	}
}

// TestLinesLeadToWhatIsSold reads the product and variant of each line of a cart and of an order, two lines of one
// product among them: as the public sees them, and null once they are not on sale. The order keeps its image.
func TestLinesLeadToWhatIsSold(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		buyer, owner := c.Customer(t), c.Staff(t, c.Tools, record.Owner)
		shop := map[string]any{"shop": c.Tools}
		for _, sku := range []string{"D-10", "D-13", "MUG-S"} {
			buyer.Do(t, `mutation($shop: ID!, $in: CartItemInput!) { addToCart(businessId: $shop, items: [$in]) {
				cart { id } } }`, map[string]any{"shop": c.Tools, "in": map[string]any{"quantity": 1,
				"storeItemVariantId": c.Named(t, "<tools:variant:"+sku+">")}}, nil)
		}
		const lines = `items { sku image { url } product { slug cheapestVariant { sku } }
			variant { sku discountPercent product { slug } } }`
		var seen struct {
			Cart struct{ Items []linked }
			Me   struct {
				Orders struct{ Items []struct{ Items []linked } }
			}
		}
		read := func() (inCart, ordered string) {
			t.Helper()
			buyer.Do(t, `query($shop: ID!) { cart(businessId: $shop) { `+lines+` }
				me { orders(businessId: $shop) { items { `+lines+` } } } }`, shop, &seen)
			text := func(of []linked) string { return string(shoptest.Must(json.Marshal(of))(t)) }
			for _, one := range seen.Me.Orders.Items {
				ordered = text(one.Items)
			}
			return text(seen.Cart.Items), ordered
		}
		const want = `[{"Sku":"D-10","Image":{"URL":"https://img.example/drill-1.jpg"},` +
			`"Product":{"Slug":"drill","CheapestVariant":{"Sku":"D-10"}},` +
			`"Variant":{"Sku":"D-10","DiscountPercent":17,"Product":{"Slug":"drill"}}},` +
			`{"Sku":"D-13","Image":{"URL":"https://img.example/d13.jpg"},` +
			`"Product":{"Slug":"drill","CheapestVariant":{"Sku":"D-10"}},` +
			`"Variant":{"Sku":"D-13","DiscountPercent":null,"Product":{"Slug":"drill"}}},` +
			`{"Sku":"MUG-S","Image":null,"Product":{"Slug":"mug","CheapestVariant":{"Sku":"MUG-S"}},` +
			`"Variant":{"Sku":"MUG-S","DiscountPercent":1,"Product":{"Slug":"mug"}}}]`
		if got, _ := read(); got != want {
			t.Errorf("in the cart: got %s, want %s", got, want)
		}
		var done struct {
			Checkout struct{ Order struct{ Items []linked } }
		}
		buyer.Do(t, `mutation($shop: ID!, $in: CheckoutInput!) { checkout(businessId: $shop, input: $in) {
			order { `+lines+` } } }`, map[string]any{"shop": c.Tools, "in": json.RawMessage(shoptest.ToHome)}, &done)
		if got := string(shoptest.Must(json.Marshal(done.Checkout.Order.Items))(t)); got != want {
			t.Errorf("placed: got %s, want %s", got, want)
		}
		if _, got := read(); got != want {
			t.Errorf("ordered: got %s, want %s", got, want)
		}
		owner.Do(t, `mutation($shop: ID!) {
			updateProduct(businessId: $shop, slug: "mug", input: {status: draft}) { id }
			updateOffers(businessId: $shop, input: [{sku: "D-10", onSale: false}]) { message } }`, shop, nil)
		const left = `[{"Sku":"D-10","Image":{"URL":"https://img.example/drill-1.jpg"},` +
			`"Product":{"Slug":"drill","CheapestVariant":{"Sku":"D-13"}},"Variant":null},` +
			`{"Sku":"D-13","Image":{"URL":"https://img.example/d13.jpg"},` +
			`"Product":{"Slug":"drill","CheapestVariant":{"Sku":"D-13"}},` +
			`"Variant":{"Sku":"D-13","DiscountPercent":null,"Product":{"Slug":"drill"}}},` +
			`{"Sku":"MUG-S","Image":null,"Product":null,"Variant":null}]`
		if _, got := read(); got != left {
			t.Errorf("off sale: got %s, want %s", got, left)
		}
	})
}

// TestCheapestVariants reads the cheapest variant of each product of a list, and the image of each item of the store.
func TestCheapestVariants(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		var seen struct {
			Tenant struct {
				Products struct {
					Items []struct {
						Slug            string
						Price           json.Number
						CheapestVariant *struct{ Price json.Number }
					}
				}
				StoreItems struct {
					Items []struct {
						ImageURL string
						Image    *struct{ URL string }
					}
				}
			}
		}
		shoptest.Worker{API: c.GraphQL()}.Do(t, `{ tenant(domain: "tools.example") { products(pageSize: 100) {
			items { slug price cheapestVariant { price } } } storeItems { items { imageUrl image { url } } } } }`,
			nil, &seen)
		priced := 0
		for _, p := range seen.Tenant.Products.Items {
			switch v := p.CheapestVariant; {
			case v == nil && p.Price == "":
			case v == nil || v.Price != p.Price:
				t.Errorf("%s: got %+v, want the price %s", p.Slug, v, p.Price)
			default:
				priced++
			}
		}
		shown := 0
		for _, item := range seen.Tenant.StoreItems.Items {
			if item.Image == nil && item.ImageURL == "" {
				continue
			}
			if shown++; item.Image == nil || item.Image.URL != item.ImageURL {
				t.Errorf("got the image %+v, want that of %s", item.Image, item.ImageURL)
			}
		}
		if shown == 0 {
			t.Error("no item of the store has an image")
		}
		if priced < 4 {
			t.Errorf("only %d products have a price", priced)
		}
	})
}
