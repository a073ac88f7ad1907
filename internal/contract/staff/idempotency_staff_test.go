package staff_test

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"storefront"

	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront/ent/staffmember"
	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

const addWebhook = `mutation($shop: ID!) {
	addWebhook(businessId: $shop, input: {url: "https://a.example/hook", events: [order_placed]})
	{ secret webhook { id } } }`

// TestKeysOfStaff checks that a keyed mutation of staff runs once, that its answer is not sent again, and that
// a person who has lost the role gets no answer, at any instance.
func TestKeysOfStaff(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, operator := c.Staff(t, c.Tools, record.Owner), c.Staff(t, "", record.Operator)
		shop := map[string]any{"shop": c.Tools}
		c.StockedUp(t, "D-13", 11)
		made := c.REST().Shopper(t, 1).Bought(t, "D-13", 1)
		const partnerKey = `mutation { addPartnerKey(domain: "partner.example") { key } }`
		move := map[string]any{"shop": c.Tools, "order": made.ID}
		const moving = `mutation($shop: ID!, $order: ID!) {
			moveOrder(businessId: $shop, orderId: $order, status: confirmed) {
			order { shippingAddress { address } } } }`
		elsewhere := *c
		elsewhere.Accounts = c.Instance(t)
		for n, one := range []struct {
			who       shoptest.Worker
			document  string
			variables map[string]any
		}{{owner, addWebhook, shop}, {operator, partnerKey, nil}, {owner, moving, move}} {
			key := fmt.Sprint("staff-", n)
			if got := one.who.Keyed(t, key, one.document, one.variables).Fresh(t); got.Code != "" {
				t.Errorf("got %s", got.Body)
			}
			for _, at := range []*shoptest.Accounts{c.Accounts, elsewhere.Accounts} {
				there := one.who
				there.Accounts = at
				got := there.Keyed(t, key, one.document, one.variables)
				if got.Code != "CONFLICT" || got.Header.Get("Idempotent-Replayed") != "true" {
					t.Errorf("sent again: got %v %s", got.Header, got.Body)
				}
			}
			dismiss(t, c, one.who)
			for _, at := range []*shoptest.Accounts{c.Accounts, elsewhere.Accounts} {
				there := one.who
				there.Accounts = at
				if got := there.Keyed(t, key, one.document, one.variables).Fresh(t); got.Code != "FORBIDDEN" {
					t.Errorf("without the role: got %s", got.Body)
				}
			}
			if one.who.ID == owner.ID {
				c.Employ(t, owner, c.Tools, record.Owner)
			}
		}
		if n := strings.Count(dump(t, c.Accounts)["webhook_endpoints"], "https://a.example/hook"); n != 1 {
			t.Errorf("%d webhooks", n)
		}
	})
}

// dismiss removes all roles of a person.
func dismiss(t testing.TB, c *shoptest.Crew, w shoptest.Worker) {
	t.Helper()
	if _, err := c.Store.Client.StaffMember.Delete().Where(staffmember.UserID(uuid.MustParse(w.ID))).
		Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// TestNoSecretIsStored requests every secret that the schema can return (@secret), and codes, with and
// without keys, and searches all tables for them. Secrets that sign webhooks may be only in the table of
// webhooks.
func TestNoSecretIsStored(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, operator := c.Staff(t, c.Tools, record.Owner), c.Staff(t, "", record.Operator)
		second, guest := c.Staff(t, c.Tools, record.Owner), shoptest.Worker{API: c.GraphQL()}
		third, fourth := c.Staff(t, c.Tools, record.Owner), c.Staff(t, c.Tools, record.Owner)
		fifth, sixth := c.Staff(t, c.Tools, record.Owner), c.Staff(t, c.Tools, record.Owner)
		cell := c.GraphQL().Cell(90)
		secrets := map[string]string{} // by type and field
		note := func(typ string, r shoptest.Reply, fields ...string) {
			t.Helper()
			if r.Code != "" {
				t.Fatalf("got %s", r.Body)
			}
			var found func(value any)
			found = func(value any) {
				switch value := value.(type) {
				case map[string]any:
					for name, v := range value {
						if text, ok := v.(string); ok && slices.Contains(fields, name) {
							secrets[typ+"."+name+" "+text] = text
						}
						if texts, ok := v.([]any); ok && slices.Contains(fields, name) {
							for _, text := range texts {
								secrets[fmt.Sprint(typ, ".", name, " ", text)] = fmt.Sprint(text)
							}
						}
						found(v)
					}
				}
			}
			var data any
			if err := json.Unmarshal([]byte(r.Said), &data); err != nil {
				t.Fatal(err)
			}
			found(data)
		}
		for _, key := range []string{"a", "b", "a"} {
			for typ, one := range map[string]struct {
				who              shoptest.Worker
				document, fields string
			}{
				"WebhookSecretPayload": {owner,
					`mutation { addWebhook(businessId: "<tenant:tools>", input: {url: "https://` + key +
						`.example/", events: [order_placed]}) { secret } }`, "secret"},
				"PartnerKeyPayload": {operator,
					`mutation { addPartnerKey(domain: "partner.example") { key } }`, "key"},
				"AccessTokenPayload": {second,
					`mutation { createAccessToken(businessId: "<tenant:tools>", input: {name: "` + key +
						`", permissions: [seeShop]}) { token } }`, "token"},
				"SheetExportPayload": {third,
					`mutation { createOrderExport(businessId: "<tenant:tools>") { url } }`, "url"},
				"SheetImportPayload": {fourth,
					`mutation { createOfferImport(businessId: "<tenant:tools>") { url checkUrl } }`, "url checkUrl"},
				"MediaUploadPayload": {fifth,
					`mutation { createMediaUpload(businessId: "<tenant:tools>") { url } }`, "url"},
				"PreviewPayload": {sixth,
					`mutation { createBlogPreview(businessId: "<tenant:tools>", slug: "hello") { preview } }`,
					"preview"},
				"AddToCartPayload": {guest, `mutation { addToCart(businessId: "<tenant:tools>", ` +
					`items: [{storeItemVariantId: "<tools:variant:D-13>"}]) { cartToken } }`, "cartToken"},
			} {
				got := one.who.Keyed(t, key, c.Named(t, one.document), nil)
				if got.Code != "CONFLICT" {
					note(typ, got, strings.Fields(one.fields)...)
				}
			}
		}
		guard := c.Customer(t)
		for _, key := range []string{"b", "a"} {
			setup := guard.Keyed(t, key, beginFactor, byPassword(shoptest.GoodPassword))
			note("SecondFactorSetup", setup, "secret", "uri")
			app := phoneApp{shoptest.Must(base32.StdEncoding.DecodeString(
				setup.Member(t, "beginSecondFactor.secret")))(t), c.Clock}
			secrets["a raw secret "+key] = string(app.secret)
			if key == "b" {
				continue
			}
			note("RecoveryCodesPayload", guard.Keyed(t, key, confirmFactor, code(app.at(0))), "recoveryCodes")
		}
		both := []string{"accessToken", "refreshToken"}
		mine := c.GraphQL()
		note("NoAccount", mine.Key("a").Right(t, "signInByCode",
			shoptest.ByCodeAt(cell, mine.Code(t, cell), shoptest.ToolsShop)), "ticket")
		note("Registered", mine.Key("a").Right(t, "register", shoptest.Registering(cell,
			shoptest.GoodPassword, shoptest.ToolsShop)), both...)
		note("SignInPayload", mine.Key("a").Right(t, "login", shoptest.ByPassword(cell,
			shoptest.GoodPassword)), both...)
		given := map[string]bool{"LinkPending.accessToken": true, "LinkPending.refreshToken": true, // always null
			"Receipt.url": true} // TestReceiptLinksAreNotStored asks for it
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
		mine.Right(t, "sendOtp", shoptest.ToCell(cell))
		secrets["a code"] = c.Phones.Code(t, cell)
		secrets["a password"] = shoptest.GoodPassword
		tables := dump(t, c.Accounts)
		for name, secret := range secrets {
			if strings.HasPrefix(name, "AccessTokenPayload") {
				used := shoptest.Worker{API: c.GraphQL().With(secret)}
				used.Do(t, `{ shopAccess(businessId: "<tenant:tools>") { domain } }`, nil, nil)
				used.Refused(t, "FORBIDDEN", `{ me { id } }`, nil)
			}
			if strings.HasPrefix(name, "MediaUploadPayload") {
				request := shoptest.Must(http.NewRequestWithContext(t.Context(), "PUT", c.URL+secret,
					strings.NewReader("no image")))(t)
				answer := shoptest.Must(http.DefaultTransport.RoundTrip(request))(t)
				answer.Body.Close()
			}
			if found := traces(tables, secret); len(found) > 0 {
				t.Errorf("%s: %q", name, found)
			}
			if encoded, ok := strings.CutPrefix(secret, "whsec_"); ok {
				raw := string(shoptest.Must(base64.StdEncoding.DecodeString(encoded))(t))
				if found := traces(tables, raw); !slices.Equal(found, []string{"webhook_endpoints: " + raw}) {
					t.Errorf("%s: %q", name, found)
				}
			}
		}
		c.Stop()
		for name, secret := range secrets {
			sent := strings.HasPrefix(name, "AccessTokenPayload") || strings.HasPrefix(name, "MediaUploadPayload")
			if sent && strings.Contains(c.Log.String(), secret) {
				t.Errorf("%s is logged", name)
			}
		}
		if len(secrets) < 25 {
			t.Errorf("only %q", fmt.Sprint(slices.Sorted(maps.Keys(secrets))))
		}
	})
}
