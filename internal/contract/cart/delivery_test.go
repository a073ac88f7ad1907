package cart_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// carrier is the owner of the tool shop, who sets up delivery.
type carrier struct {
	shoptest.Worker
	shop string
}

func (c carrier) do(t testing.TB, mutation string) {
	t.Helper()
	c.Do(t, `mutation($shop: ID!) { `+mutation+` }`, map[string]any{"shop": c.shop}, nil)
}

// method adds a delivery method.
func (c carrier) method(t testing.TB, key, input string) {
	t.Helper()
	c.do(t, fmt.Sprintf(`createDeliveryMethod(businessId: $shop, key: %q, input: {name: %[1]q, nameFa: %[1]q,
		priceCurrency: "IRT", %s}) { id }`, key, input))
}

// options returns what the delivery methods of a customer's cart cost: "post 500, bike OTHER_PLACE".
func options(t testing.TB, s shoptest.Shopper, arguments string) string {
	t.Helper()
	byGraphQL := s
	byGraphQL.API = s.Accounts.GraphQL().With(s.Access)
	got := byGraphQL.Graph(t, fmt.Sprintf(`{ cart(businessId: %q) { deliveryOptions%s {
		name price refusal } } }`, s.Business, arguments))
	if got.Code != "" {
		return got.Code
	}
	return optionsIn(t, got.Said)
}

func optionsIn(t testing.TB, said string) string {
	t.Helper()
	var read struct {
		Cart struct {
			DeliveryOptions []struct {
				Name    string
				Price   *json.Number
				Refusal string
			}
		}
	}
	if err := json.Unmarshal([]byte(said), &read); err != nil {
		t.Fatalf("%s: %v", said, err)
	}
	var all []string
	for _, one := range read.Cart.DeliveryOptions {
		if one.Price != nil {
			one.Refusal += one.Price.String()
		}
		all = append(all, one.Name+" "+one.Refusal)
	}
	return strings.Join(all, ", ")
}

const inKaraj = `(to: {province: "البرز", city: "كرج"})`

// TestDeliveryOptions has a shop set up delivery, and customers and guests ask what it costs.
func TestDeliveryOptions(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := carrier{c.Staff(t, c.Tools, record.Owner), c.Tools}
		s := c.REST().Shopper(t, 1)
		s.Right(t, "AddCartItem", shoptest.Adding("D-13", 2)) // 1,450,000 each
		want := func(arguments, want string) {
			t.Helper()
			if got := options(t, s, arguments); got != want {
				t.Errorf("%s: got %q, want %q", arguments, got, want)
			}
		}
		want("", "")
		owner.method(t, "post", `kind: steps, steps: [{upTo: 1000, price: 400}, {upTo: 2000, price: 900}]`)
		owner.method(t, "bike", `kind: flat, price: 300, provinces: ["alborz"], freeFrom: 2900001, position: -1`)
		owner.method(t, "bus", `kind: freight_collect, cities: ["karaj"], position: 3`)
		owner.method(t, "old", `kind: pick_up, active: false`)
		want("", "bike OTHER_PLACE, post 400, bus OTHER_PLACE")
		want(inKaraj, "bike 300, post 400, bus 0")
		want(`(to: {province: "تهران", city: "کرج"})`, "bike OTHER_PLACE, post 400, bus OTHER_PLACE")

		// the shop changes what decides: the next answer shows it
		owner.do(t, `updateDeliveryMethod(businessId: $shop, key: "bike", input: {freeFrom: 2900000}) { id }`)
		want(inKaraj, "bike 0, post 400, bus 0")
		owner.do(t, `updateShop(businessId: $shop, input: {orderRules: {usualWeight: 501}}) { id }`)
		want(inKaraj, "bike 0, post 900, bus 0")
		owner.do(t, `updateProduct(businessId: $shop, slug: "drill", input: {variants: [
			{sku: "D-13", weight: 1001}]}) { id }`)
		want(inKaraj, "bike 0, post TOO_HEAVY, bus 0")
		owner.do(t, `reorderDeliveryMethods(businessId: $shop, keys: ["bus"]) { message }`)
		want(inKaraj, "bus 0, bike 0, post TOO_HEAVY")
		owner.do(t, `updateDeliveryMethod(businessId: $shop, key: "old", input: {active: true}) { id }`)
		owner.do(t, `deleteDeliveryMethod(businessId: $shop, key: "bus") { message }`)
		want(inKaraj, "bike 0, old 0, post TOO_HEAVY")
		operator := c.Staff(t, c.Tools, record.Operator)
		operator.Do(t, `mutation($id: ID!) { updateLocation(locationId: $id, input: {nameFa: "کرج بزرگ"}) {
			location { id } } }`, map[string]any{"id": c.Named(t, "<location:city:karaj>")}, nil)
		want(inKaraj, "bike 0, old 0, post TOO_HEAVY")

		// a saved address, with a location that its texts do not say
		s.Graph(t, "{ me { id } }")
		made := c.GraphQL().With(s.Access).Graph(t, c.Named(t, `mutation { createAddress(input: {province: "?",
			city: "?", address: "1", locationId: "<location:city:karaj>"}) { address { id } } }`))
		var read struct {
			CreateAddress struct{ Address struct{ ID string } }
		}
		if err := json.Unmarshal([]byte(made.Said), &read); err != nil || read.CreateAddress.Address.ID == "" {
			t.Fatalf("%s: %v", made.Body, err)
		}
		saved := `(addressId: "` + read.CreateAddress.Address.ID + `")`
		want(saved, "bike 0, old 0, post TOO_HEAVY")
		s.Right(t, "UpdateAddress", `{"city": "Another"}`, "addressId="+read.CreateAddress.Address.ID)
		want(saved, "bike OTHER_PLACE, old 0, post TOO_HEAVY")
		other := c.REST().Shopper(t, 2)
		if got := options(t, other, saved); got != "NOT_FOUND" {
			t.Errorf("another customer's address: %s", got)
		}

		g := newGuest(t, c.Accounts)
		g.add(t, "D-10", 1)
		reply := g.onCarts(t, "query", `cart(businessId: $b, cartToken: $t) { id deliveryOptions`+inKaraj+` { name } }`)
		if reply.code != "" {
			t.Errorf("a guest: %s", reply.code)
		}
		if got := g.onCarts(t, "query", `cart(businessId: $b, cartToken: $t) { id deliveryOptions`+saved+
			` { name } }`); got.code != "UNAUTHENTICATED" {
			t.Errorf("a guest with an address: %s", got.code)
		}
	})
}
