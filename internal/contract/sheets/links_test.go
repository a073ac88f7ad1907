package sheets_test

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent/auditentry"
	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
	"storefront/internal/shop/staff"
)

// program makes an access token with one permission.
func (o testShop) program(t testing.TB, may string) (id string, program shoptest.Worker) {
	t.Helper()
	var made struct {
		CreateAccessToken struct {
			Token       string
			AccessToken struct{ ID string }
		}
	}
	o.owner.Do(t, `mutation($shop: ID!, $may: [Permission!]!) {
		createAccessToken(businessId: $shop, input: {name: "p", permissions: $may}) { token accessToken { id } } }`,
		map[string]any{"shop": o.Tools, "may": []string{may}}, &made)
	return made.CreateAccessToken.AccessToken.ID, shoptest.Worker{API: o.GraphQL().With(made.CreateAccessToken.Token)}
}

// needed holds the permission that each kind of sheet needs.
var needed = map[string]staff.Permission{
	"products": staff.EditCatalog, "offers": staff.ChangeStock, "orders": staff.ManageOrders,
	"payments": staff.ManageOrders, "customers": staff.SeeCustomers,
}

// TestSheetsComeByLinks downloads a sheet of every kind without a header, as a person and as a program with
// only the needed permission. It checks content, headers and audit log.
func TestSheetsComeByLinks(t *testing.T) {
	eachTestShop(t, func(t *testing.T, o testShop) {
		o.StockedUp(t, "D-13", 11)
		buyer := o.REST().Shopper(t, 1)
		err := o.Store.Client.User.UpdateOneID(uuid.MustParse(buyer.ID)).SetFirstName("=1+1").Exec(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		bought := buyer.Bought(t, "D-13", 2)
		for kind, want := range map[string][]string{
			"products": {"slug,titleFa,", "\r\ndrill,دريل چكشي,Hammer Drill,", ",D-13,IRT,1450000,"},
			"offers": {"sku,title,priceCurrency,price,compareAtPrice,stock,expectedStock,lowStockAt,onSale\r\n",
				"\r\nD-13,دريل چكشي red 13,IRT,"},
			"orders":    {"orderNumber,", bought.OrderNumber, ",D-13,", ",'=1+1"},
			"payments":  {"day,receivedAt,orderNumber,"},
			"customers": {"id,cellNumber,", "\r\n" + buyer.ID + ",09", ",'=1+1,"},
		} {
			_, program := o.program(t, string(needed[kind]))
			for name, by := range map[string]shoptest.Worker{"an owner": o.owner, "a program": program} {
				link, _ := o.link(t, by, o.Tools, kinds[kind].out)
				answer := o.at(t, http.MethodGet, link, nil)
				h := answer.Header
				if answer.Status != 200 || h.Get("Content-Type") != "text/csv; charset=utf-8" ||
					h.Get("Content-Disposition") != `attachment; filename="tools.example-`+kind+`-2026-11-15.csv"` ||
					h.Get("Cache-Control") != "no-store" || h.Get("Referrer-Policy") != "no-referrer" ||
					h.Get("X-Content-Type-Options") != "nosniff" {
					t.Errorf("%s for %s: got %d %v", kind, name, answer.Status, h)
				}
				for _, text := range append(want, "\uFEFF") {
					if !strings.Contains(string(answer.Body), text) {
						t.Errorf("%s for %s: there is no %q in\n%s", kind, name, text, answer.Body)
					}
				}
				if strings.Contains(string(answer.Body), "TEA-1") || strings.Contains(string(answer.Body), "kettle") {
					t.Errorf("%s has records of another shop:\n%s", kind, answer.Body)
				}
			}
		}
		noted := o.Store.Client.AuditEntry.Query().Where(auditentry.Action("exportSheet")).
			Order(auditentry.ByID()).AllX(t.Context())
		if len(noted) != 2*len(kinds) {
			t.Fatalf("got %d entries, want %d", len(noted), 2*len(kinds))
		}
		byPersons := 0
		for _, e := range noted {
			if kinds[e.Kind+"s"].out == "" || e.BusinessID.String() != o.Tools || e.After == nil {
				t.Errorf("got %+v", e)
			}
			if e.UserID != nil && e.UserID.String() == o.owner.ID && *e.Role == record.Owner && e.TokenID == nil {
				byPersons++
			}
		}
		if byPersons != len(kinds) {
			t.Errorf("got %d entries of the owner, want %d", byPersons, len(kinds))
		}
	})
}

var linkIn = regexp.MustCompile(`link=([^&]+)`)

// TestLinksAreRefused uses invalid links, and links of a member who may no longer use them.
func TestLinksAreRefused(t *testing.T) {
	eachTestShop(t, func(t *testing.T, o testShop) {
		products := o.exports(t, "products")
		imports, _ := o.link(t, o.owner, o.Tools, "createProductImport")
		text := linkIn.FindStringSubmatch(products)[1]
		flip := func(at int) string {
			changed := []byte(text)
			changed[at] ^= 1
			return "sheets/products?link=" + string(changed)
		}
		for name, link := range map[string]string{
			"none": "sheets/products", "an empty one": "sheets/products?link=", "cut": products[:len(products)-1],
			"of another kind":     strings.Replace(products, "products", "offers", 1),
			"of customers":        strings.Replace(products, "products", "customers", 1),
			"with another letter": flip(20), "with another signature": flip(len(text) - 5),
			"an access token": "sheets/products?link=" + strings.TrimPrefix(o.owner.Headers[1], "Bearer "),
		} {
			refused(t, "a link "+name, o.at(t, http.MethodGet, link, nil), 403, "FORBIDDEN")
		}
		refused(t, "a link twice", o.at(t, http.MethodGet, products+"&link="+text, nil), 400, "BAD_REQUEST")
		csv := func(method, link string) shoptest.Answer {
			return o.at(t, method, link, strings.NewReader("slug,titleFa\nx,x\n"), "Content-Type", "text/csv")
		}
		refused(t, "a link for an export", csv("POST", products), 403, "FORBIDDEN")
		for _, method := range []string{"GET", "HEAD"} {
			got := o.at(t, method, imports, nil)
			if got.Status != 405 || got.Header.Get("Allow") != "POST, PUT" ||
				method == "GET" && !strings.Contains(string(got.Body), "send it here by PUT or POST") {
				t.Errorf("%s of a link for an import: %d %v %s", method, got.Status, got.Header, got.Body)
			}
		}
		refused(t, "an export of orders", csv("POST", o.exports(t, "orders")), 405, "METHOD_NOT_ALLOWED")
		refused(t, "deleting", csv("DELETE", imports), 405, "METHOD_NOT_ALLOWED")
		refused(t, "no kind", o.at(t, "GET", strings.Replace(products, "products", "staff", 1), nil), 404, "NOT_FOUND")
		refused(t, "no path", o.at(t, "GET", strings.Replace(products, "products", "products/x", 1), nil), 404,
			"NOT_FOUND")
		refused(t, "no path", o.at(t, "GET", "sheets", nil), 404, "NOT_FOUND")

		o.Clock.Pass(10*time.Minute - time.Second)
		if got := o.at(t, http.MethodGet, products, nil); got.Status != 200 {
			t.Errorf("a second before its end: got %d %s", got.Status, got.Body)
		}
		o.Clock.Pass(time.Second)
		refused(t, "an expired link", o.at(t, http.MethodGet, products, nil), 403, "FORBIDDEN")
		refused(t, "an expired link", csv("PUT", imports), 403, "FORBIDDEN")

		elsewhere := o.Instance(t, func(s *app.Options) { s.Key, s.OtherKey = bytes.Repeat([]byte("n"), 32), o.Key })
		there := o
		c := *o.Crew
		c.Accounts = elsewhere
		there.Crew = &c
		if got := there.at(t, http.MethodGet, o.exports(t, "offers"), nil); got.Status != 200 {
			t.Errorf("at a server that knows the key as its other one: got %d %s", got.Status, got.Body)
		}
	})
}

// TestRightsAreLookedAtAgain requests links to all kinds of sheets with every role and as a program, and
// uses them after the role, the session, the token or the permission has been removed.
func TestRightsAreLookedAtAgain(t *testing.T) {
	eachTestShop(t, func(t *testing.T, o testShop) {
		use := func(kind, link string, imports bool) shoptest.Answer {
			if imports {
				return o.at(t, http.MethodPut, link, strings.NewReader("slug,titleFa\nnever,x\n"))
			}
			return o.at(t, http.MethodGet, link, nil)
		}
		links := func(by shoptest.Worker, kind string) map[string]bool {
			out, _ := o.link(t, by, o.Tools, kinds[kind].out)
			all := map[string]bool{out: false}
			if kinds[kind].in != "" {
				in, check := o.link(t, by, o.Tools, kinds[kind].in)
				all[in], all[check] = true, true
			}
			return all
		}
		for kind := range kinds {
			for _, role := range record.StaffRole("").Values() {
				role := record.StaffRole(role)
				if !staff.May(role, needed[kind]) {
					continue
				}
				member := o.Staff(t, o.Tools, role)
				before := links(member, kind)
				o.dismiss(t, member)
				for link, imports := range before {
					refused(t, fmt.Sprint(kind, " of who was ", role), use(kind, link, imports), 403, "FORBIDDEN")
				}
				o.Employ(t, member, o.Mugs, record.Owner)
				for link, imports := range before {
					refused(t, kind+" of an owner elsewhere", use(kind, link, imports), 403, "FORBIDDEN")
				}
				for _, other := range record.StaffRole("").Values() {
					if other := record.StaffRole(other); !staff.May(other, needed[kind]) && role == record.Owner {
						o.dismiss(t, member)
						o.Employ(t, member, o.Tools, other)
						for link, imports := range before {
							refused(t, fmt.Sprint(kind, " of a ", other), use(kind, link, imports), 403, "FORBIDDEN")
						}
					}
				}
			}
			leaves := o.Staff(t, o.Tools, record.Owner)
			before := links(leaves, kind)
			leaves.Do(t, `mutation { logout { message } }`, nil, nil)
			for link, imports := range before {
				refused(t, kind+" of who signed out", use(kind, link, imports), 401, "UNAUTHENTICATED")
			}
			id, program := o.program(t, string(needed[kind]))
			before = links(program, kind)
			o.owner.Do(t, `mutation($shop: ID!, $id: ID!) {
				revokeAccessToken(businessId: $shop, tokenId: $id) { message } }`,
				map[string]any{"shop": o.Tools, "id": id}, nil)
			for link, imports := range before {
				refused(t, kind+" of a token that ended", use(kind, link, imports), 401, "UNAUTHENTICATED")
			}
		}
		if strings.Contains(o.got(t, o.exports(t, "products")), "never") {
			t.Error("a sheet was taken of who may not")
		}
	})
}

// TestLinksAreNotLogged looks for links in what the service logs.
func TestLinksAreNotLogged(t *testing.T) {
	eachTestShop(t, func(t *testing.T, o testShop) {
		var all []string
		for _, kind := range slices.Sorted(maps.Keys(kinds)) {
			link := o.exports(t, kind)
			o.got(t, link)
			_ = o.at(t, http.MethodGet, strings.Replace(link, kind, "x", 1), nil)
			_ = o.at(t, http.MethodDelete, link, nil)
			all = append(all, linkIn.FindStringSubmatch(link)[1])
		}
		o.Stop()
		log := o.Log.String()
		for _, text := range all {
			if strings.Contains(log, text) || strings.Contains(log, text[len(text)-20:]) {
				t.Error("a link is in the log")
			}
		}
		if !strings.Contains(log, `"route":"/sheets/{kind}"`) || !strings.Contains(log, `"tenant":"tools.example"`) {
			t.Errorf("the log does not tell route and shop:\n%s", log)
		}
	})
}
