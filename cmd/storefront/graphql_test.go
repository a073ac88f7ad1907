package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"storefront/ent/tenant"
	"storefront/ent/user"
	"storefront/internal/database/store"
	"storefront/internal/database/store/storetest"
	"storefront/internal/shop/staff"
)

// withOrders returns the settings of a database that holds the demo.
var withOrders = storetest.NewTemplate(func(ctx context.Context, s *store.Store) error {
	return loadDemo(ctx, s, demoAddresses{"http://shop.example", "http://shop.example", false}, io.Discard,
		slog.New(slog.DiscardHandler))
})

const machineShop = "sanat-mashin.example"

// auditLog is a document that shows the log of a shop or, without -domain, of the service.
const auditLog = `{ auditLogConnection(first: 100) { nodes { action kind userId role recordName customerId } } }`

// entries returns the actions in the log of a shop, or of the service where the domain is empty. Commands must
// have made them.
func (s settings) entries(t testing.TB, domain string) string {
	t.Helper()
	var got struct {
		AuditLogConnection struct {
			Nodes []struct {
				Action, Kind string
				UserID, Role *string
			}
		}
	}
	out := s.succeed(t, "graphql", "-domain", domain, auditLog)
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	var actions []string
	for _, e := range got.AuditLogConnection.Nodes {
		if e.UserID != nil || e.Role != nil || !slices.Contains(staff.AuditKinds, e.Kind) {
			t.Errorf("by whom, and of what kind: %+v", e)
		}
		actions = append(actions, e.Action)
	}
	return strings.Join(actions, " ")
}

// TestCommandsAreAudited checks that each command that changes something has an entry in the audit log of the
// shop, or of the service.
func TestCommandsAreAudited(t *testing.T) {
	eachMigrated(t, func(t *testing.T, database string) {
		s := on(database)
		const cell = "+989121234567"
		s.succeed(t, "tenant", "add", "shop.example", "Shop", "فروشگاه")
		known(t, database, cell, true)
		s.succeed(t, "staff", "add", "shop.example", cell, "owner")
		small := write(t, "small.json", strings.ReplaceAll(smallBundle, "small.example", "shop.example"))
		s.succeed(t, "import", small)
		s.succeed(t, "import", small) // changes nothing
		s.succeed(t, "graphql", "-domain", "shop.example",
			`mutation { closeShop { shopAccess { domain } } openShop { shopAccess { domain } } }`)
		s.succeed(t, "staff", "add", cell, "operator")
		s.succeed(t, "staff", "remove", cell)
		newKey(t, s, "partner.example")
		s.succeed(t, "partner", "revoke", table(t, keyHeader, s.succeed(t, "partner", "list"))[0][0])
		if got := s.entries(t, "shop.example"); got != "openShop closeShop import addStaff addTenant" {
			t.Errorf("the shop's: got %s", got)
		}
		if got := s.entries(t, ""); got != "revokePartnerKey addPartnerKey removeStaff addStaff" {
			t.Errorf("the service's: got %s", got)
		}
		s.refuse(t, []string{"graphql", "-domain", "none.example", auditLog}, "NOT_FOUND")
		s.refuse(t, []string{"graphql", `{ auditLogConnection(businessId: "x") { totalCount } }`}, "NOT_FOUND")
		s.refuse(t, []string{"graphql", `{ shopAccess { domain } }`}, "businessId", "is required")
	})
}

// TestCommandMovesOrders lists the orders of a shop in columns, and moves one.
func TestCommandMovesOrders(t *testing.T) {
	t.Parallel()
	withOrders.Each(t, func(t *testing.T, database string) {
		s := on(database)
		list := func(more ...string) [][]string {
			t.Helper()
			const document = `query($n: Int, $status: OrderStatus) {
				shopOrdersConnection(first: $n, status: $status) {
					nodes {
					order { id orderNumber status items { sku } payment { type } }
					customer { cellNumber } } } }`
			return table(t, "order.id order.orderNumber order.status order.items order.payment.type "+
				"customer.cellNumber", s.succeed(t,
				append([]string{"graphql", "-domain", machineShop, "-table", document}, more...)...))
		}
		all := list("-v", "n=2")
		if len(all) != 2 || all[0][1] != "TZJRTPTG" || all[0][2] != "pending" ||
			!strings.HasPrefix(all[0][3], `[{"sku":`) || all[0][5] != "+989120000025" {
			t.Errorf("got %q", all)
		}
		if some := list("-v", "status=cancelled"); len(some) != 15 {
			t.Errorf("got %d cancelled orders", len(some))
		}
		move := func(to string) []string {
			return []string{"graphql", "-domain", machineShop, "-v", "id=" + all[0][0], "-v", "to=" + to,
				`mutation($id: ID!, $to: OrderStatus!) { moveOrder(orderId: $id, status: $to, note: "x") {
					order { history { status note } } } }`}
		}
		out := s.succeed(t, move("confirmed")...)
		if !strings.Contains(out, `"status": "confirmed",`) || !strings.Contains(out, `"note": "x"`) {
			t.Errorf("got %s", out)
		}
		code, out, stderr := ended(t, s.process(t.Context(), move("confirmed")...))
		if code != 1 || out != "" || !strings.Contains(stderr,
			"moveOrder: an order that is confirmed cannot become confirmed (CONFLICT)\n") {
			t.Errorf("exit %d: %s%s", code, out, stderr)
		}
		if got := s.entries(t, machineShop); !strings.HasPrefix(got, "moveOrder") {
			t.Errorf("the log: %s", got)
		}
	})
}

// TestCommandServesAPerson exports a customer of two shops and erases it, as the operator for whoever writes.
func TestCommandServesAPerson(t *testing.T) {
	eachMigrated(t, func(t *testing.T, database string) {
		s := on(database)
		const cell = "+989121234567"
		s.succeed(t, "tenant", "add", "one.example", "One", "یک")
		s.succeed(t, "tenant", "add", "two.example", "Two", "دو")
		known(t, database, cell, true)
		join(t, database, cell, "one.example", "two.example")
		out := s.succeed(t, "graphql", "-v", "cell=0912 123 4567",
			`query($cell: String!) { accountExport(cellNumber: $cell) }`)
		if !strings.Contains(out, `"one.example"`) || !strings.Contains(out, `"two.example"`) {
			t.Errorf("got %s", out)
		}
		s.succeed(t, "graphql", `mutation { eraseAccount(cellNumber: "`+cell+`") { message } }`)
		for _, shop := range []string{"one.example", "two.example"} {
			if got := s.entries(t, shop); got != "eraseAccount customerExport addTenant" {
				t.Errorf("the log of %s: got %s", shop, got)
			}
		}
	})
}

// TestCommandWords tries documents, variables and refusals of the command graphql.
func TestCommandWords(t *testing.T) {
	eachMigrated(t, func(t *testing.T, database string) {
		s := on(database)
		s.succeed(t, "tenant", "add", "one.example", "One", "یک")
		file := write(t, "two.graphql", `query Name { tenant { ...named } } query Slug($domain: String!) {
			tenant(domain: $domain) { slug } } fragment named on Tenant { name }`)
		for operation, want := range map[string]string{"Name": `"name": "One"`, "Slug": `"slug": "one-example"`} {
			out := s.succeed(t, "graphql", file, "-domain", "one.example", "-operation", operation)
			if !strings.Contains(out, want) {
				t.Errorf("%s: got %s", operation, out)
			}
		}
		if out := s.succeed(t, "graphql", "-table", "-domain", "one.example", "{ tenant { name slug } }"); out !=
			"tenant.name  tenant.slug\nOne          one-example\n" {
			t.Errorf("got %q", out)
		}
		contact := `mutation($domain: String!, $input: ContactInput!) {
			a: submitContact(domain: $domain, input: $input) { message }
			b: submitContact(domain: $domain, input: $input) { message } }`
		s.succeed(t, "graphql", "-domain", "one.example", contact, "-v",
			`input={"title": "x", "name": "x", "text": "one"}`)
		for _, c := range []struct {
			args  []string
			words string
		}{
			{[]string{}, "give one document"},
			{[]string{"{ x }", "{ y }"}, "give one document"},
			{[]string{"none.graphql"}, "no such file"},
			{[]string{"{ x }", "-v", "x"}, "NAME=VALUE"},
			{[]string{"{"}, "GRAPHQL_PARSE_FAILED"},
			{[]string{"{ nothing }"}, "GRAPHQL_VALIDATION_FAILED"},
			{[]string{file, "-domain", "one.example"}, "say in operationName"},
			{[]string{"{ __typename }", "-v", "x=1"}, "x is no variable of the document"},
			{[]string{contact, "-v", "input={"}, "input must be JSON"},
			{[]string{"{ me { id } }"}, "me: a command does what staff and operators do"},
			{[]string{"subscription { shopOrderUpdates { id } }"}, "subscriptions are answered at /graphql/stream"},
			{[]string{"{ tenant { name } }", "-domain", "none.example"}, "NOT_FOUND"},
		} {
			s.refuse(t, append([]string{"graphql"}, c.args...), c.words)
		}
	})
}

// TestSheetsFromTheShell asks for links by the command, and follows them at a server.
func TestSheetsFromTheShell(t *testing.T) {
	eachMigrated(t, func(t *testing.T, database string) {
		s := on(database)
		s.succeed(t, "tenant", "add", "one.example", "One", "یک")
		ctx, stop := context.WithCancel(t.Context())
		server := serving(t, ctx, s)
		link := func(mutation string) string {
			t.Helper()
			row := table(t, mutation+".url", s.succeed(t, "graphql", "-domain", "one.example", "-table",
				fmt.Sprintf("mutation { %s { url } }", mutation)))
			return server.url + "/" + row[0][0]
		}
		answer, err := http.Post(link("createProductImport"), "text/csv",
			strings.NewReader("slug;titleFa;sku;priceCurrency;price;stock\nlamp;چراغ;L-1;IRR;۱۲۵۰۰۰;۳\n"))
		if err != nil {
			t.Fatal(err)
		}
		if text := readAll(t, answer.Body); answer.StatusCode != http.StatusOK {
			t.Errorf("the import: %s %s", answer.Status, text)
		}
		if answer, err = http.Get(link("createOfferExport")); err != nil {
			t.Fatal(err)
		}
		if text := readAll(t, answer.Body); !strings.Contains(text, "L-1,چراغ,IRR,125000,,3,3,,true\r\n") {
			t.Errorf("the export: %s %s", answer.Status, text)
		}
		if got := s.entries(t, "one.example"); !strings.HasPrefix(got, "exportSheet") {
			t.Errorf("the log: %s", got)
		}
		stop()
		server.ends(t)
	})
}

// join makes an account a member of shops.
func join(t testing.TB, database, cell string, domains ...string) {
	t.Helper()
	s := storetest.Open(t, database)
	var shops []uuid.UUID
	for _, domain := range domains {
		shops = append(shops, s.Client.Tenant.Query().Where(tenant.Domain(domain)).OnlyIDX(t.Context()))
	}
	who := s.Client.User.Query().Where(user.CellNumber(cell)).OnlyIDX(t.Context())
	for _, shop := range shops {
		s.Client.Membership.Create().SetUserID(who).SetBusinessID(shop).ExecX(t.Context())
	}
}
