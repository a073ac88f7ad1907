package cart_test

import (
	"bytes"
	"encoding/json"
	"image"
	"image/png"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront"
	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// counted is a product with all that is counted below it.
const counted = `{ slug technicalInfo { form { title } } brand { slug products { total } } category { slug itemCount
	products(pageSize: 1) { total items { slug } facets { brands { count } } }
	children { slug itemCount products(pageSize: 1) { total items { slug } } } } }`

// ofUser is the path from a sign-in to a product.
const ofUser = "user favorites(AT,pageSize:1) items product"

// toCounts holds, for each root field below which there is a product, except those of a shop, how a test asks for it:
// the caller, the arguments and the path. Without a caller the field is not requested, and path says why. AT stands for
// the shop.
var toCounts = map[string]struct{ by, arguments, path string }{
	"cart":                 {"customer", `AT`, "items product"},
	"me":                   {"customer", "", `favorites(AT,pageSize:1) items product`},
	"shopOrdersConnection": {"owner", `AT, first: 1`, "nodes order items product"},
	"shopOrder":            {"owner", `AT, orderId: "ORDER"`, "order items product"},
	"staffProduct":         {"owner", `AT, slug: "drill"`, "product"},
	"loginOtp":             {"customer", `input: {cellNumber: "CELL", code: "CODE"}`, ofUser},
	"signInByCode": {"customer", `input: {cellNumber: "CELL", code: "CODE", domain: "tools.example"}`,
		"...on,SignInPayload " + ofUser},
	"login":         {path: "nowhere: it reads no access token, and so shows nothing below its user"},
	"refreshTokens": {path: "nowhere, as login"},
	"register":      {path: "user, as loginOtp: a new account has nothing"},
	"confirmEmail":  {path: "user, as updateProfile"},
	"updateProfile": {"customer", `input: {firstName: "A"}`, `user orders(AT,pageSize:1) items items product`},
	"addToCart": {"customer", `AT, items: [{storeItemVariantId: "<tools:variant:D-13>"}]`,
		"cart items product"},
	"setCartQuantity": {"customer", `AT, itemId: "ITEM", quantity: 1`, "cart items product"},
	"mergeCart":       {"customer", `AT, cartToken: "TOKEN"`, "cart items product"},
	"addFavorite":     {"customer", `AT, input: {productId: "<tools:product:drill>"}`, "favorite product"},
	"emptyCart":       {"customer", `AT`, "cart items product"},
	"checkout": {"customer", `AT, input: {payment: {type: cash},
		shippingAddress: {province: "T", city: "T", address: "T"}}`, "order items product"},
	"cancelOrder":      {"customer", `AT, orderId: "ORDER"`, "order items product"},
	"beginPayment":     {"customer", `AT, orderId: "ORDER"`, "order items product"},
	"removeReceipt":    {"customer", `AT, orderId: "ORDER", receiptId: "RECEIPT"`, "order items product"},
	"deleteReceipt":    {"owner", `AT, orderId: "ORDER", receiptId: "RECEIPT"`, "order items product"},
	"markPayment":      {"owner", `AT, orderId: "ORDER", input: {status: paid}`, "order items product"},
	"refundPayment":    {path: "order, as recordRefund: it needs a gateway"},
	"recordRefund":     {"owner", `AT, paymentId: "PAYMENT", input: {amount: 1}`, "order items product"},
	"moveOrder":        {"owner", `AT, orderId: "ORDER", status: confirmed`, "order items product"},
	"orderUpdates":     {"customer", `AT, orderId: "ORDER"`, "order items product"},
	"shopOrderUpdates": {"owner", `AT`, "order order items product"},
}

// leadsTo reports whether a product is found below a type without going through a shop's own field.
func leadsTo(schema *ast.Schema, name string, seen map[string]bool) bool {
	if name == "Product" {
		return true
	}
	if seen[name] || name == "Tenant" || name == "Node" {
		return false
	}
	seen[name] = true
	of := schema.Types[name]
	for _, field := range of.Fields {
		if leadsTo(schema, field.Type.Name(), seen) {
			return true
		}
	}
	for _, one := range of.Types {
		if leadsTo(schema, one, seen) {
			return true
		}
	}
	return false
}

// TestCountsBelowEveryRoot asks for all that is counted below a product on every way there: it is as the public sees
// it, also after the content has changed.
func TestCountsBelowEveryRoot(t *testing.T) {
	schema, err := gqlparser.LoadSchema(&ast.Source{Input: storefront.Schema})
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]string{}
	for kind, root := range map[string]*ast.Definition{
		"query": schema.Query, "mutation": schema.Mutation, "subscription": schema.Subscription,
	} {
		for _, field := range root.Fields {
			if leadsTo(schema, field.Type.Name(), map[string]bool{}) {
				if kinds[field.Name] = kind; toCounts[field.Name].path == "" {
					t.Errorf("say how to get from %s to a product", field.Name)
				}
			}
		}
	}
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		by := map[string]shoptest.Worker{"owner": c.Staff(t, c.Tools, record.Owner), "customer": c.Customer(t)}
		customer := by["customer"]
		visitor := shoptest.Worker{API: c.GraphQL()}
		at := strings.NewReplacer("AT", `domain: "tools.example"`).Replace
		const order = `mutation { checkout(AT, input: {shippingAddress: {province: "T", city: "T",
			address: "T"}, payment: {type: transfer}}) { order { id } } }`
		const add = `mutation { addToCart(AT, items: [{storeItemVariantId: "<tools:variant:D-13>"}])
			{ cartToken cart { items { id } } } }`
		read := func(name string) {
			t.Helper()
			var public struct {
				Tenant struct{ Product json.RawMessage }
			}
			visitor.Do(t, `{ tenant(domain: "tools.example") { product(slug: "drill") `+counted+` } }`, nil, &public)
			want := string(public.Tenant.Product)
			for field, kind := range kinds {
				way := toCounts[field]
				if way.by == "" {
					continue
				}
				c.StockedUp(t, "D-13", 1000)
				var guest struct{ AddToCart struct{ CartToken string } }
				visitor.Do(t, at(add), nil, &guest)
				token := guest.AddToCart.CartToken
				customer.Do(t, at(`mutation { addFavorite(AT, input: {productId: "<tools:product:drill>"})
					{ message } emptyCart(AT) { message } }`), nil, nil)
				var filled struct {
					AddToCart struct {
						Cart struct{ Items []struct{ ID string } }
					}
				}
				customer.Do(t, at(add), nil, &filled)
				var made struct {
					Checkout struct{ Order struct{ ID string } }
				}
				customer.Do(t, at(order), nil, &made)
				customer.Do(t, at(add), nil, &filled)
				named := []string{"ORDER", made.Checkout.Order.ID, "TOKEN", token, "CELL", customer.Customer.Cell,
					"ITEM", filled.AddToCart.Cart.Items[0].ID}
				for name, find := range map[string]func() string{
					"CODE": func() string { return visitor.Code(t, customer.Customer.Cell) },
					"RECEIPT": func() string {
						id := receiptOf(t, c, customer, made.Checkout.Order.ID)
						if field == "deleteReceipt" { // allowed only once the payment is settled
							by["owner"].Do(t, at(`mutation { markPayment(AT, orderId: "`+made.Checkout.Order.ID+
								`", input: {status: failed}) { message } }`), nil, nil)
						}
						return id
					},
					"PAYMENT": func() string {
						var paid struct {
							MarkPayment struct {
								Order struct{ Payment struct{ ID string } }
							}
						}
						by["owner"].Do(t, at(`mutation { markPayment(AT, orderId: "`+made.Checkout.Order.ID+
							`", input: {status: paid}) { order { payment { id } } } }`), nil, &paid)
						return paid.MarkPayment.Order.Payment.ID
					},
				} {
					if strings.Contains(way.arguments, name) {
						named = append(named, name, find())
					}
				}
				ids := strings.NewReplacer(named...)
				arguments := way.arguments
				if arguments != "" {
					arguments = "(" + arguments + ")"
				}
				document := kind + " { " + field + arguments
				for _, step := range strings.Fields(way.path) {
					document += " { " + step
				}
				document += counted + strings.Repeat(" }", len(strings.Fields(way.path))+1)
				asked := []string{document}
				if field == "cart" {
					asked = append(asked, strings.Replace(document, `AT`, `AT, cartToken: "TOKEN"`, 1))
				}
				for i, document := range asked {
					document = ids.Replace(at(document)) // in this order: a token may have any letters
					var got shoptest.Answered
					switch {
					case kind == "subscription":
						updates := subscribe(t, by[way.by].API, c.Named(t, document), nil)
						if field == "shopOrderUpdates" { // its first event only reports the start
							updates.next(t)
							by["owner"].Do(t, at(`mutation { moveOrder(AT, orderId: "`+made.Checkout.Order.ID+
								`", status: confirmed) { message } }`), nil, nil)
						}
						got = updates.next(t).Answered
					case i > 0:
						got = visitor.Ask(t, document, nil)
					default:
						got = by[way.by].Ask(t, document, nil)
					}
					is := got.Data[field]
					for _, step := range strings.Fields(way.path) {
						if name, _, _ := strings.Cut(step, "("); !strings.HasPrefix(name, "...") {
							is = below(t, is, name)
						}
					}
					if got.Code() != "" || field != "emptyCart" && string(is) != want {
						t.Errorf("%s, %s: got %v %s, want %s", name, field, got.Errors, is, want)
					}
				}
			}
		}
		read("at first")
		by["owner"].Do(t, at(`mutation { createCategory(AT, entityType: product, slug: "tiny", input: {name: "Tiny",
				nameFa: "ریز", parentSlug: "drills"}) { id }
			createProduct(AT, slug: "new-one", input: {titleFa: "نو", category: "tiny", brand: "ronix",
				values: [{key: "power", value: 700}], status: published, publishedAt: "2026-11-01T00:00:00Z"})
				{ id } }`), nil, nil)
		read("after a change")
	})
}

// below returns a member of an object, or of the first object of a list.
func below(t *testing.T, value json.RawMessage, name string) json.RawMessage {
	t.Helper()
	var all []json.RawMessage
	if json.Unmarshal(value, &all) == nil && len(all) > 0 {
		value = all[0]
	}
	var members map[string]json.RawMessage
	_ = json.Unmarshal(value, &members) // the caller compares what is there
	return members[name]
}

// receiptOf uploads a receipt for an order, and returns its id.
func receiptOf(t *testing.T, c *shoptest.Crew, w shoptest.Worker, order string) string {
	t.Helper()
	var made struct {
		CreateReceiptUpload struct{ URL string }
	}
	w.Do(t, `mutation($shop: ID!, $order: ID!) {
		createReceiptUpload(businessId: $shop, orderId: $order) { url } }`,
		map[string]any{"shop": c.Tools, "order": order}, &made)
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewGray(image.Rect(0, 0, 20, 20))); err != nil {
		t.Fatal(err)
	}
	got := c.Fetch(t, "PUT", made.CreateReceiptUpload.URL, &file)
	var receipt struct{ ID string }
	if err := json.Unmarshal(got.Body, &receipt); err != nil || receipt.ID == "" {
		t.Fatalf("got %d %s", got.Status, got.Body)
	}
	return receipt.ID
}
