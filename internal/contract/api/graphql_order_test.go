package api_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/google/uuid"

	"storefront/internal/contract/shoptest"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
)

// wrongOf are operations on the tool shop: a document with wrong variables, the wrong fields, and right
// variables.
var wrongOf = map[string]struct {
	document, wrong string
	fields          []string
	right           string
}{
	"a variable of another type": {
		document: shoptest.AddStaff,
		wrong:    `{"shop": "<tenant:tools>", "in": {"cellNumber": 5, "role": "manager"}}`,
		fields:   []string{"in.cellNumber"},
		right:    `{"shop": "<tenant:tools>", "in": {"cellNumber": "+989120000000", "role": "manager"}}`,
	},
	"a variable that is missing": {
		document: shoptest.AddStaff,
		wrong:    `{"shop": "<tenant:tools>"}`,
		fields:   []string{"in"},
		right:    `{"shop": "<tenant:tools>", "in": {"cellNumber": "+989120000000", "role": "manager"}}`,
	},
	"a variable out of range": {
		document: `query($shop: ID!, $n: Int!) { auditLogConnection(businessId: $shop, first: $n) { totalCount } }`,
		wrong:    `{"shop": "<tenant:tools>", "n": 0}`,
		fields:   []string{"n"},
		right:    `{"shop": "<tenant:tools>", "n": 1}`,
	},
	"an unknown value of an enum": {
		document: `query($status: OrderStatus) {
			shopOrdersConnection(businessId: "<tenant:tools>", status: $status) { totalCount } }`,
		wrong:  `{"status": "gone"}`,
		fields: []string{"status"},
		right:  `{"status": "pending"}`,
	},
	"a price": {
		document: `mutation($offers: [OfferInput!]!) { updateOffers(businessId: "<tenant:tools>",
			input: $offers) { message } }`,
		wrong:  `{"offers": [{"sku": "D-13", "price": "1"}]}`,
		fields: []string{"offers.0.price"},
		right:  `{"offers": [{"sku": "D-13", "price": 1}]}`,
	},
}

// TestGraphQLAsksWhoFirst checks that values are checked only after the caller: without credentials or
// without the role, an operation has the same answer whatever its values are (contract 1.2).
func TestGraphQLAsksWhoFirst(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		nobody := shoptest.Worker{API: c.GraphQL(), Customer: shoptest.Customer{}}
		without := map[string][]shoptest.Worker{
			"UNAUTHENTICATED": {nobody, {API: c.GraphQL().With("none"), Customer: shoptest.Customer{}}},
			"FORBIDDEN":       {c.Customer(t), c.Staff(t, c.Mugs, record.Owner)},
		}
		owner, operator := c.Staff(t, c.Tools, record.Owner), c.Staff(t, "", record.Operator)
		read := func(text string) (values map[string]any) {
			if err := json.Unmarshal([]byte(c.Named(t, text)), &values); err != nil {
				t.Fatal(err)
			}
			return values
		}
		for name, of := range wrongOf {
			for code, callers := range without {
				for _, w := range callers {
					wrong, right := w.Refused(t, code, of.document, read(of.wrong)), w.Refused(t, code,
						of.document, read(of.right))
					if fmt.Sprintf("%+v", wrong) != fmt.Sprintf("%+v", right) {
						t.Errorf("%s, %s: got %+v, want %+v as with right values", name, code, wrong, right)
					}
				}
			}
			for _, w := range []shoptest.Worker{owner, operator} {
				got := w.Refused(t, "VALIDATION_FAILED", of.document, read(of.wrong))
				var fields []string
				for _, one := range got.Errors[0].Extensions.Errors {
					fields = append(fields, one.Field)
				}
				if !slices.Equal(fields, of.fields) {
					t.Errorf("%s: fields %v, want %v", name, fields, of.fields)
				}
			}
		}
		unknownShop := map[string]any{"shop": shoptest.UnknownID, "n": 0}
		operator.Refused(t, "NOT_FOUND", wrongOf["a variable out of range"].document, unknownShop)
		owner.Refused(t, "FORBIDDEN", wrongOf["a variable out of range"].document, unknownShop)
		owner.Refused(t, "FORBIDDEN", wrongOf["a variable out of range"].document, nil)
		operator.Refused(t, "VALIDATION_FAILED", wrongOf["a variable out of range"].document, nil)

		const address = `mutation($in: AddressInput!) { createAddress(input: $in) { address { id } } }`
		nobody.Refused(t, "UNAUTHENTICATED", address, map[string]any{"in": map[string]any{"city": ""}})
		owner.Refused(t, "VALIDATION_FAILED", address, map[string]any{"in": map[string]any{"city": ""}})
		nobody.Refused(t, "UNAUTHENTICATED", `{ me { orders(businessId: "<tenant:tools>", page: 0) { total } } }`, nil)
		nobody.Refused(t, "GRAPHQL_VALIDATION_FAILED",
			`{ auditLogConnection(businessId: "<tenant:tools>", size: 1) { totalCount } }`, nil)
		nobody.Refused(t, "GRAPHQL_VALIDATION_FAILED",
			`{ auditLogConnection(businessId: "<tenant:tools>", first: "1") { totalCount } }`, nil)
	})
}

// TestGraphQLRefusesTheFieldAlone checks that wrong values in a query do not affect its other fields, and
// that a mutation with a wrong value does nothing.
func TestGraphQLRefusesTheFieldAlone(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		nobody, customer, owner := shoptest.Worker{API: c.GraphQL(),
			Customer: shoptest.Customer{}}, c.Customer(t), c.Staff(t, c.Tools, record.Owner)
		const document = `query($n: Int!, $shop: ID!) {
			tenant(domain: "tools.example") { name }
			log: auditLogConnection(businessId: $shop, first: $n) { totalCount }
			...more }
			fragment more on Query { staff(businessId: $shop) { role }
			me { id orders(businessId: $shop, page: $n) { total } }
			cities(level: country, parentSlug: "x") { id } }`
		answers := func(w shoptest.Worker, want map[string]string) {
			t.Helper()
			got := w.Ask(t, document, map[string]any{"n": 0, "shop": c.Tools})
			for name, code := range want {
				if isNull := string(got.Data[name]) == "null"; isNull != (code != "") || got.Data[name] == nil {
					t.Errorf("%s is %s, want the error %q", name, got.Data[name], code)
				}
			}
			for _, e := range got.Errors {
				if name := fmt.Sprint(e.Path...); want[name] != e.Extensions.Code || want[name] == "" {
					t.Errorf("%s: %s, want %q", name, e.Extensions.Code, want[name])
				}
				if e.Extensions.Code == "VALIDATION_FAILED" && (len(e.Extensions.Errors) != 1 ||
					e.Extensions.Errors[0].Field != "n") {
					t.Errorf("%v names %v, want n", e.Path, e.Extensions.Errors)
				}
				delete(want, fmt.Sprint(e.Path...))
			}
			for name, code := range want {
				if code != "" {
					t.Errorf("%s has no error, want %s", name, code)
				}
			}
		}
		const none, wrong = "UNAUTHENTICATED", "VALIDATION_FAILED"
		answers(nobody, map[string]string{"tenant": "", "log": none, "staff": none, "me": none, "cities": ""})
		answers(customer, map[string]string{"tenant": "", "log": "FORBIDDEN", "staff": "FORBIDDEN",
			"me": wrong, "cities": ""})
		answers(owner, map[string]string{"tenant": "", "log": wrong, "staff": "", "me": wrong, "cities": ""})

		leftOut := owner.Ask(t, `query($n: Int!, $shop: ID!, $ids: [ID!]!) { tenant(domain: "tools.example") { name }
			log: auditLogConnection(businessId: $shop, first: $n) { totalCount }
			nodes(ids: $ids) @skip(if: true) { __typename } }`,
			map[string]any{"n": 0, "shop": c.Tools, "ids": []any{true}})
		huge := owner.Ask(t, `query($shop: ID!) { tenant(domain: "tools.example") { name }
			log: auditLogConnection(businessId: $shop, from: 1e999) { totalCount } }`, map[string]any{"shop": c.Tools})
		if len(huge.Errors) != 1 || huge.Errors[0].Extensions.Code != "VALIDATION_FAILED" {
			t.Errorf("a time of 1e999: %s, %+v, want one VALIDATION_FAILED", huge.Data, huge.Errors)
		}
		if len(leftOut.Errors) != 1 || string(leftOut.Data["tenant"]) == "" || string(leftOut.Data["log"]) != "null" {
			t.Errorf("beside a field that is left out: %s, %+v, want the shop and one error", leftOut.Data,
				leftOut.Errors)
		}

		got := customer.Refused(t, wrong, `mutation($p: FavoriteInput!) {
			addFavorite(businessId: "<tenant:tools>", input: {productId: "<tools:product:drill>"}) { favorite { id } }
			b: addFavorite(businessId: "<tenant:tools>", input: $p) { favorite { id } } }`,
			map[string]any{"p": map[string]any{"productId": 5}})
		if got.Data != nil {
			t.Errorf("the mutation was run: got %v", got.Data)
		}
		if n := c.Store.Client.Favorite.Query().CountX(tenancy.In(t.Context(), uuid.MustParse(c.Tools))); n != 0 {
			t.Errorf("%d favorites, want none", n)
		}
	})
}
