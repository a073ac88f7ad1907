package cart_test

import (
	"testing"

	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// asking returns a document with a field of a shop, which the argument in named identifies.
func asking(kind, field, named, rest string) string {
	return kind + ` { body: ` + field + `(` + named + rest + `) { ` + cartFields + ` } }`
}

// TestDomainForBusiness identifies a shop by its domain, or by an alias of it, where operations of guests, customers
// and staff take its id.
func TestDomainForBusiness(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, foreigner := c.Staff(t, c.Tools, record.Owner), c.Staff(t, c.Mugs, record.Owner)
		operator := c.Staff(t, "", record.Operator)
		nobody, customer := shoptest.Worker{API: c.GraphQL()}, c.Customer(t)
		const byVariable = `query($b: ID, $d: String) { body: staff(businessId: $b, domain: $d) { lastName } }`
		operator.Do(t, `mutation { addDomainAlias(businessId: "<tenant:tools>", domain: "other.example") `+
			`{ shopAccess { domain } } }`, nil, nil)

		byID := owner.Ask(t, `{ staff(businessId: "<tenant:tools>") { lastName } }`, nil)
		for _, domain := range []string{"tools.example", "TOOLS.example.", "other.example"} {
			got := owner.Ask(t, byVariable, shoptest.Members{"b": nil, "d": domain})
			if string(got.Data["body"]) != string(byID.Data["staff"]) || len(got.Errors) > 0 {
				t.Errorf("%s: got %s %v, want %s", domain, got.Data["body"], got.Errors, byID.Data["staff"])
			}
			var added struct {
				Body struct {
					Cart struct{ TotalQuantity int }
				}
			}
			customer.Do(t, asking("mutation", "addToCart", `domain: "`+domain+`"`,
				`, items: [{storeItemVariantId: "<tools:variant:D-10>"}]`), nil, &added)
			customer.Do(t, asking("mutation", "emptyCart", `businessId: "<tenant:tools>"`, ""), nil, nil)
			if added.Body.Cart.TotalQuantity != 1 {
				t.Errorf("%s: got %+v, want one in the cart", domain, added)
			}
		}
		unknowns := []shoptest.Members{{"d": "none.example"}, {"d": "no host"}, {"b": shoptest.NobodysID}}
		// Callers without permission get the same answer for an unknown domain as for an unknown id.
		for who, one := range map[string]struct {
			worker shoptest.Worker
			code   string
		}{
			"nobody": {nobody, "UNAUTHENTICATED"}, "customer": {customer, "FORBIDDEN"},
			"foreigner": {foreigner, "FORBIDDEN"}, "operator": {operator, "NOT_FOUND"},
		} {
			for _, unknown := range unknowns {
				if got := one.worker.Ask(t, byVariable, unknown).Code(); got != one.code {
					t.Errorf("%s asks for %v: got %q, want %q", who, unknown, got, one.code)
				}
			}
		}
		if got := foreigner.Ask(t, byVariable, shoptest.Members{"d": "tools.example"}).Code(); got != "FORBIDDEN" {
			t.Errorf("staff of another shop: got %q", got)
		}
		for _, unknown := range []string{`domain: "none.example"`, `domain: "no host"`, `businessId: "x"`} {
			for _, document := range []string{
				asking("mutation", "emptyCart", unknown, ""), `{ body: cart(` + unknown + `) { id } }`,
				asking("mutation", "addToCart", unknown, `, items: [{storeItemVariantId: "<tools:variant:D-10>"}]`),
			} {
				if got := customer.Ask(t, document, nil).Code(); got != "NOT_FOUND" {
					t.Errorf("%s: got %q, want NOT_FOUND", document, got)
				}
			}
		}
	})
}

// TestDomainOrBusiness checks that identifying a shop twice or not at all is refused, and that other fields
// of a query still run.
func TestDomainOrBusiness(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, customer := c.Staff(t, c.Tools, record.Owner), c.Customer(t)
		const missing, both = "is required, if none is given of: domain", "must not be given together with businessId"
		for _, one := range []struct{ variables, named, field, message string }{
			{``, ``, "businessId", missing},
			{``, `(businessId: null)`, "businessId", missing},
			{``, `(businessId: "", domain: "")`, "businessId", missing},
			{`($d: String)`, `(domain: $d)`, "businessId", "is required, if none is given of: d"},
			{`($b: ID, $d: String)`, `(businessId: $b, domain: $d)`, "b", "is required, if none is given of: d"},
			{``, `(businessId: "<tenant:tools>", domain: "tools.example")`, "domain", both},
			{`($id: ID = "x")`, `(businessId: $id, domain: "tools.example")`, "domain",
				"must not be given together with id"},
		} {
			got := owner.Ask(t, `query`+one.variables+` { staff`+one.named+` { id } }`, shoptest.Members{"d": ""})
			if got.Code() != "VALIDATION_FAILED" {
				t.Errorf("%s: got %v", one.named, got.Errors)
				continue
			}
			wrong := got.Errors[0].Extensions.Errors
			if len(wrong) != 1 || wrong[0].Field != one.field || wrong[0].Message != one.message {
				t.Errorf("%s: got %v, want %q of %q", one.named, wrong, one.message, one.field)
			}
		}
		got := owner.Ask(t, `{ shop: shopAccess(domain: "tools.example") { domain } staff { id } }`, nil)
		if string(got.Data["shop"]) != `{"domain":"tools.example"}` || got.Code() != "VALIDATION_FAILED" {
			t.Errorf("beside a field with no shop: got %s %v", got.Data, got.Errors)
		}
		for who, one := range map[string]struct {
			worker shoptest.Worker
			code   string
		}{
			"nobody": {shoptest.Worker{API: c.GraphQL()}, "UNAUTHENTICATED"}, "customer": {customer, "FORBIDDEN"},
			"owner": {owner, "VALIDATION_FAILED"},
		} { // faults of values are shown only to callers with permission
			got := one.worker.Ask(t, `{ moderatedCommentsConnection(domain: "tools.example", first: 0) {
				totalCount } }`, nil)
			if got.Code() != one.code {
				t.Errorf("%s asks for none: got %v, want %s", who, got.Errors, one.code)
			}
		}
		customer.Refused(t, "VALIDATION_FAILED", `mutation { a: emptyCart(domain: "tools.example") { message } `+
			`emptyCart { message } }`, nil)
	})
}
