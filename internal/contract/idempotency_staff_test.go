package contract_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront"
	"storefront/ent/staffmember"
	"storefront/internal/record"
)

// keyed sends a document with a key to GraphQL.
func (w worker) keyed(t testing.TB, key, document string, variables map[string]any) reply {
	t.Helper()
	return w.read(t, w.send(t, "POST", "/graphql", asked(document, string(must(json.Marshal(variables))(t))),
		w.door.key(key).headers...))
}

const addWebhook = `mutation($shop: ID!) {
	addWebhook(businessId: $shop, input: {url: "https://a.example/hook", events: [order_placed]}) { secret webhook { id } } }`

// TestKeysOfStaff checks that a keyed mutation of staff runs once, that its answer is not given again, and that
// a person who has lost the role gets no answer, at any instance.
func TestKeysOfStaff(t *testing.T) {
	eachCrew(t, func(t *testing.T, c *crew) {
		owner, operator := c.staff(t, c.tools, record.Owner), c.staff(t, "", record.Operator)
		shop := map[string]any{"shop": c.tools}
		c.stockedUp(t, "D-13", 11)
		made := c.rest().shopper(t, 1).bought(t, "D-13", 1)
		const partnerKey = `mutation { addPartnerKey(domain: "partner.example") { key } }`
		move := map[string]any{"shop": c.tools, "order": made.ID}
		const moving = `mutation($shop: ID!, $order: ID!) { moveOrder(businessId: $shop, orderId: $order, status: confirmed) {
			order { shippingAddress { address } } } }`
		elsewhere := *c
		elsewhere.accounts = c.instance(t)
		for n, one := range []struct {
			who       worker
			document  string
			variables map[string]any
		}{{owner, addWebhook, shop}, {operator, partnerKey, nil}, {owner, moving, move}} {
			key := fmt.Sprint("staff-", n)
			if got := one.who.keyed(t, key, one.document, one.variables).fresh(t); got.code != "" {
				t.Errorf("%s", got.body)
			}
			for _, at := range []*accounts{c.accounts, elsewhere.accounts} {
				there := one.who
				there.accounts = at
				got := there.keyed(t, key, one.document, one.variables)
				if got.code != "CONFLICT" || got.header.Get("Idempotent-Replayed") != "true" {
					t.Errorf("sent again: %v %s", got.header, got.body)
				}
			}
			c.dismiss(t, one.who)
			for _, at := range []*accounts{c.accounts, elsewhere.accounts} {
				there := one.who
				there.accounts = at
				if got := there.keyed(t, key, one.document, one.variables).fresh(t); got.code != "FORBIDDEN" {
					t.Errorf("without the role: %s", got.body)
				}
			}
			if one.who.id == owner.id {
				c.employ(t, owner, c.tools, record.Owner)
			}
		}
		if n := strings.Count(c.dump(t)["webhook_endpoints"], "https://a.example/hook"); n != 1 {
			t.Errorf("%d webhooks", n)
		}
	})
}

// dismiss takes all roles of somebody away.
func (c *crew) dismiss(t testing.TB, w worker) {
	t.Helper()
	if _, err := c.store.Client.StaffMember.Delete().Where(staffmember.UserID(uuid.MustParse(w.id))).Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// TestNoSecretIsStored asks for every secret that the schema can give (@secret), and for codes, with keys and
// without, and looks for them in all tables. Those of webhooks, which sign with them, are in theirs alone.
func TestNoSecretIsStored(t *testing.T) {
	eachCrew(t, func(t *testing.T, c *crew) {
		owner, operator := c.staff(t, c.tools, record.Owner), c.staff(t, "", record.Operator)
		guest := worker{door: c.graphQL()}
		cell := c.graphQL().cell(90)
		secrets := map[string]string{} // by type and field
		note := func(typ string, r reply, fields ...string) {
			t.Helper()
			if r.code != "" {
				t.Fatalf("%s", r.body)
			}
			var found func(value any)
			found = func(value any) {
				switch value := value.(type) {
				case map[string]any:
					for name, v := range value {
						if text, ok := v.(string); ok && slices.Contains(fields, name) {
							secrets[typ+"."+name+" "+text] = text
						}
						found(v)
					}
				}
			}
			var data any
			if err := json.Unmarshal([]byte(r.said), &data); err != nil {
				t.Fatal(err)
			}
			found(data)
		}
		for _, key := range []string{"a", "b", "a"} {
			for typ, one := range map[string]struct {
				who              worker
				document, fields string
			}{
				"WebhookSecretPayload": {owner, `mutation { addWebhook(businessId: "<tenant:tools>", input: {url: "https://` + key +
					`.example/", events: [order_placed]}) { secret } }`, "secret"},
				"PartnerKeyPayload": {operator, `mutation { addPartnerKey(domain: "partner.example") { key } }`, "key"},
				"GuestCartPayload":  {guest, `mutation { createCart(businessId: "<tenant:tools>") { cartToken } }`, "cartToken"},
			} {
				got := one.who.keyed(t, key, c.named(t, one.document), nil)
				if got.code != "CONFLICT" {
					note(typ, got, one.fields)
				}
			}
		}
		both := []string{"accessToken", "refreshToken"}
		mine := c.graphQL()
		note("Registered", mine.key("a").right(t, "register", registering(cell, goodPassword, toolsShop)), both...)
		note("SignInPayload", mine.key("a").right(t, "login", byPassword(cell, goodPassword)), both...)
		given := map[string]bool{"LinkPending.accessToken": true, "LinkPending.refreshToken": true} // always null
		for name := range secrets {
			name, _, _ = strings.Cut(name, " ")
			given[name] = true
		}
		for _, definition := range gqlparser.MustLoadSchema(&ast.Source{Input: storefront.Schema}).Types {
			for _, field := range definition.Fields {
				name := definition.Name + "." + field.Name
				if definition.Kind == ast.Object && field.Directives.ForName("secret") != nil && !given[name] {
					t.Errorf("%s was not asked for", name)
				}
			}
		}
		mine.right(t, "sendOtp", toCell(cell))
		secrets["a code"] = c.phones.code(t, cell)
		secrets["a password"] = goodPassword
		tables := c.dump(t)
		for name, secret := range secrets {
			if found := traces(tables, secret); len(found) > 0 {
				t.Errorf("%s: %q", name, found)
			}
			if encoded, ok := strings.CutPrefix(secret, "whsec_"); ok {
				raw := string(must(base64.StdEncoding.DecodeString(encoded))(t))
				if found := traces(tables, raw); !slices.Equal(found, []string{"webhook_endpoints: " + raw}) {
					t.Errorf("%s: %q", name, found)
				}
			}
		}
		if len(secrets) < 11 {
			t.Errorf("only %q", fmt.Sprint(slices.Sorted(maps.Keys(secrets))))
		}
	})
}
