package cart_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"storefront/internal/app"
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

// doing returns a function that does a mutation.
func (c carrier) doing(t testing.TB, mutation string) func() { return func() { c.do(t, mutation) } }

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
		made := c.GraphQL().With(s.Access).Graph(t, c.Named(t, `mutation { createAddress(
			locationId: "<location:city:karaj>", input: {
			province: "?", city: "?", address: "1"}) { address { id } } }`))
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

// checkout is the input of a checkout with more members.
func checkout(more string) string {
	return strings.Replace(shoptest.ToHome, `"payment"`, more+`, "payment"`, 1)
}

// methodID returns the id of a delivery method.
func (c carrier) methodID(t testing.TB, key string) string {
	t.Helper()
	var read struct{ StaffDeliveryMethods []struct{ ID, Key string } }
	c.Do(t, `query($shop: ID!) { staffDeliveryMethods(businessId: $shop) { id key } }`,
		map[string]any{"shop": c.shop}, &read)
	for _, one := range read.StaffDeliveryMethods {
		if one.Key == key {
			return one.ID
		}
	}
	t.Fatalf("there is no method %s", key)
	return ""
}

// TestDeliveryIsCharged places orders at a shop with delivery methods, by both APIs.
func TestDeliveryIsCharged(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := carrier{c.Staff(t, c.Tools, record.Owner), c.Tools}
		c.StockedUp(t, "D-13", 50)
		s := c.REST().Shopper(t, 1)
		byGraphQL := s
		byGraphQL.API = c.GraphQL().With(s.Access)
		doors := []shoptest.Shopper{s, byGraphQL}
		placed := func(s shoptest.Shopper, more string, total int64, message, delivery string) {
			t.Helper()
			s.Right(t, "AddCartItem", shoptest.Adding("D-13", 1)) // 1,450,000
			got := s.Right(t, "Checkout", checkout(more))
			var read struct {
				Message string
				Order   struct{ ID string }
			}
			if err := json.Unmarshal([]byte(got.Said), &read); err != nil {
				t.Fatal(err)
			}
			if read.Message != "Thank you. Your order is placed."+message {
				t.Errorf("got the message %q", read.Message)
			}
			seen := byGraphQL.Graph(t, fmt.Sprintf(`{ me { order(businessId: %q, orderId: %q) {
				subtotal total deliveryTotal delivery { name kind daysTo } charges { kind name amount }
				payment { amount } } } }`, s.Business, read.Order.ID))
			want := fmt.Sprintf(`{"me":{"order":{"subtotal":1450000,"total":%d,%s,"payment":{"amount":%[1]d}}}}`,
				total, delivery)
			if seen.Said != want {
				t.Errorf("got %s, want %s", seen.Said, want)
			}
		}
		for _, s := range doors {
			placed(s, `"expectedTotal": 1450000`, 1450000, "", `"deliveryTotal":null,"delivery":null,"charges":[]`)
			s.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
			got := s.Wrong(t, "Checkout", checkout(`"expectedTotal": 1450001`), "PRICE_CHANGED")
			if !strings.Contains(string(got.Body), `"cart"`) {
				t.Errorf("another total: %s", got.Body)
			}
			s.Wrong(t, "Checkout", checkout(`"deliveryMethodId": "`+c.Tools+`"`), "NOT_FOUND")
			s.Right(t, "ClearCart", "")
		}
		owner.method(t, "post", `kind: steps, steps: [{upTo: 1000, price: 50000}], daysTo: 3`)
		owner.method(t, "bike", `kind: flat, price: 30000, freeFrom: 1450000, position: 1`)
		owner.method(t, "far", `kind: flat, price: 1, provinces: ["alborz"], position: 2`)
		post := `"deliveryTotal":50000,"delivery":{"name":"post","kind":"steps","daysTo":3},` +
			`"charges":[{"kind":"delivery","name":"post","amount":50000}]`
		for _, s := range doors {
			placed(s, `"expectedTotal": 1500000`, 1500000, " Delivery costs 50,000 toman.", post)
			placed(s, `"expectedTotal": null`, 1500000, " Delivery costs 50,000 toman.", post)
			placed(s, fmt.Sprintf(`"deliveryMethodId": %q`, owner.methodID(t, "bike")), 1450000,
				" Delivery costs 0 toman.", `"deliveryTotal":0,"delivery":{"name":"bike","kind":"flat","daysTo":null},`+
					`"charges":[{"kind":"delivery","name":"bike","amount":0}]`)
			s.Right(t, "AddCartItem", shoptest.Adding("D-13", 3))
			s.Wrong(t, "Checkout", checkout(`"expectedTotal": 4350000.5`), "PRICE_CHANGED")
			for method, code := range map[string]string{
				owner.methodID(t, "far"): "NOT_DELIVERABLE", owner.methodID(t, "post"): "NOT_DELIVERABLE", // too heavy
				c.Tools: "NOT_FOUND", "post": "NOT_FOUND",
			} {
				s.Wrong(t, "Checkout", checkout(fmt.Sprintf(`"deliveryMethodId": %q`, method)), code)
			}
			owner.do(t, `updateDeliveryMethod(businessId: $shop, key: "bike", input: {provinces: ["alborz"]}) { id }`)
			got := s.Wrong(t, "Checkout", shoptest.ToHome, "NOT_DELIVERABLE")
			if !strings.Contains(string(got.Body), "too heavy") {
				t.Errorf("got %s", got.Body)
			}
			if is := s.Quantities(t); is != "D-13 3 " {
				t.Errorf("after refusals the cart has %s", is)
			}
			owner.do(t, `updateDeliveryMethod(businessId: $shop, key: "bike", input: {provinces: []}) { id }`)
			s.Right(t, "ClearCart", "")
		}
		for _, key := range []string{"post", "bike", "far"} {
			owner.do(t, `deleteDeliveryMethod(businessId: $shop, key: "`+key+`") { message }`)
		}
		placed(s, `"expectedTotal": 1450000`, 1450000, "", `"deliveryTotal":null,"delivery":null,"charges":[]`)
	})
}

// TestDeliveryMeanwhile changes what delivery costs between what a checkout reads and what it writes.
func TestDeliveryMeanwhile(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := carrier{c.Staff(t, c.Tools, record.Owner), c.Tools}
		c.Clock.Ticks.Store(true)
		slow, happens := c.Meanwhile(t)
		c.StockedUp(t, "D-13", 50)
		owner.method(t, "post", `kind: steps, steps: [{upTo: 1000, price: 50000}, {upTo: 9000, price: 70000}]`)
		s := c.REST().Shopper(t, 1)
		weigh := func(grams string) func() {
			return func() {
				owner.do(t, `updateProduct(businessId: $shop, slug: "drill", input: {variants: [
					{sku: "D-13", weight: `+grams+`}]}) { id }`)
			}
		}
		steps := func(price int) func() {
			return func() {
				owner.do(t, fmt.Sprintf(`updateDeliveryMethod(businessId: $shop, key: "post", input: {
					steps: [{upTo: 1000, price: %d}, {upTo: 9000, price: 70000}]}) { id }`, price))
			}
		}
		usual := func(grams int) func() {
			return func() {
				owner.do(t, fmt.Sprintf(`updateShop(businessId: $shop, input: {orderRules: {
					usualWeight: %d}}) { id }`, grams))
			}
		}
		owner.do(t, `createTaxRate(businessId: $shop, key: "luxury", input: {category: "luxury", name: "Luxury",
			nameFa: "تجملی", rate: 200000}) { id }`)
		taxed := func(category string) func() {
			return owner.doing(t, `updateProduct(businessId: $shop, slug: "drill", input: {variants: [
				{sku: "D-13", taxCategory: `+category+`}]}) { id }`)
		}
		for name, change := range map[string]struct {
			to, back func()
			total    int64
		}{
			"the price":        {steps(60000), steps(50000), 1510000},
			"the weight":       {weigh("1001"), weigh("null"), 1520000},
			"the usual weight": {usual(1001), usual(500), 1520000},
			"the tax": {owner.doing(t, `createTaxRate(businessId: $shop, key: "vat", input: {category: "standard",
				name: "VAT", nameFa: "مالیات", rate: 100000}) { id }`),
				owner.doing(t, `deleteTaxRate(businessId: $shop, key: "vat") { message }`), 1645000},
			"the tax category": {taxed(`"luxury"`), taxed("null"), 1790000},
		} {
			for _, more := range []string{`"expectedTotal": 1500000`, `"customerNotes": null`} {
				s.Right(t, "ClearCart", "")
				s.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
				happens(change.to)
				got := s.Everywhere(slow)[0].Ask(t, "Checkout", checkout(more))
				if more == `"customerNotes": null` {
					if got.Code != "" || got.Order(t).Total.String() != fmt.Sprint(change.total) {
						t.Errorf("%s: got %s", name, got.Body)
					}
				} else if got.Code != "PRICE_CHANGED" {
					t.Errorf("%s, with a total: got %s", name, got.Body)
				}
				change.back()
			}
		}
	})
}

// TestOrdersOfREST checks that orders have the members of charges and of paying in REST once the shop has a delivery
// method or a gateway account, those that were placed before, too, and no others before.
func TestOrdersOfREST(t *testing.T) {
	const none = `"charges":[],"delivery":null,"deliveryTotal":null,`
	unpaid := func(url, reason string) string {
		return `,"refundedAmount":0,"payUrl":` + url + `,"payUrlReason":` + reason
	}
	offline := unpaid("null", `"the shop takes no payments online"`)
	type step struct {
		do      func(t testing.TB, owner carrier)
		charges string // of an order that is placed then; the first order has none
		pays    string
	}
	mutation := func(text string) func(testing.TB, carrier) {
		return func(t testing.TB, owner carrier) { owner.do(t, text) }
	}
	method := func(set string) func(testing.TB, carrier) {
		return func(t testing.TB, owner carrier) { owner.method(t, "post", set) }
	}
	var account string
	for name, steps := range map[string][]step{
		"delivery": {
			{method(`kind: flat, price: 50000, active: false`), none, offline},
			{mutation(`updateDeliveryMethod(businessId: $shop, key: "post", input: {active: true, daysFrom: 1}) {
				id }`), `"charges":[{"kind":"delivery","name":"post","nameFa":"post","amount":50000,"rate":null,` +
				`"included":false}],"delivery":{"methodId":"<random>","name":"post","nameFa":"post",` +
				`"kind":"flat","daysFrom":1,"daysTo":null},"deliveryTotal":50000,`, offline},
			{mutation(`deleteDeliveryMethod(businessId: $shop, key: "post") { message }`), none, offline},
		},
		"a gateway": {
			{func(t testing.TB, owner carrier) {
				var added struct {
					AddGatewayAccount struct{ Account struct{ ID string } }
				}
				owner.Do(t, `mutation($shop: ID!, $password: String) { addGatewayAccount(businessId: $shop, input: {
					gateway: "zibal", secrets: [{name: "merchant", value: "shop1"}]}, currentPassword: $password) {
					account { id } } }`, shoptest.Members{"shop": owner.shop,
					"password": shoptest.GoodPassword}, &added)
				account = added.AddGatewayAccount.Account.ID
			}, none, offline},
			{func(t testing.TB, owner carrier) {
				owner.do(t, fmt.Sprintf(`switchGatewayAccount(businessId: $shop, accountId: %q, active: true,
					currentPassword: %q) { account { id } }`, account, shoptest.GoodPassword))
			}, none, unpaid(`"http://pay.invalid/pay/<random>"`, "null")},
		},
	} {
		t.Run(name, func(t *testing.T) {
			shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
				owner := carrier{c.Staff(t, c.Tools, record.Owner), c.Tools}
				c.StockedUp(t, "D-13", 50)
				s := c.REST().Shopper(t, 1)
				members := func(want, oldest, pays string) {
					t.Helper()
					pays = `"payment":{"type":"cash","status":"pending","posType":null,"transferAccount":null,` +
						`"transferRefNumber":null,"gatewayType":null,"notes":null` + pays + `},"customerNotes"`
					s.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
					placed := s.Right(t, "Checkout", checkout(`"charges": true`)).Said
					orders := s.Right(t, "Orders", "", "charges=true", "page=1")
					ids := strings.Fields(orders.Orders(t))
					for _, answer := range []struct{ name, said, want string }{
						{"Checkout", placed, want}, {"Orders", orders.Said, want},
						{"Order", s.Right(t, "Order", "", "charges=true", "orderId="+ids[0]).Said, want},
						{"the first order", s.Right(t, "Order", "", "orderId="+ids[len(ids)-1]).Said, oldest},
					} {
						said := named.ReplaceAllString(answer.said, `$1<random>`)
						got := regexp.MustCompile(`"priceCurrency":"IRT",.*?"customerNotes"`).FindString(said)
						got = regexp.MustCompile(`"shippingAddress":{.*?},`).ReplaceAllString(got, "")
						got = regexp.MustCompile(`"amount":\d+,"posType"`).ReplaceAllString(got, `"posType"`)
						want := `"priceCurrency":"IRT",` + answer.want + pays
						if got != want {
							t.Errorf("%s: got %s, want %s", answer.name, got, want)
						}
					}
				}
				members("", "", "")
				for _, step := range steps {
					step.do(t, owner)
					members(step.charges, none, step.pays)
				}
			}, func(o *app.Options) { o.PublicURL = "http://pay.invalid" })
		})
	}
}

// named matches what answers name at random.
var named = regexp.MustCompile(`("methodId":"|/pay/)[0-9A-Za-z-]+`)
