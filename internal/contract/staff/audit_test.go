package staff_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront"
	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
	"storefront/internal/shop/staff"
)

// logged is an entry of the audit log.
type logged struct {
	CreatedAt                                              time.Time
	Action, Kind, RecordID, RecordName, CustomerID, UserID string
	User                                                   *struct{ CellNumber string }
	Before, After                                          json.RawMessage
}

// log reads the audit log of the tool shop, narrowed by arguments.
func log(t *testing.T, c *shoptest.Crew, by shoptest.Worker, arguments string) []logged {
	t.Helper()
	var seen struct{ AuditLogConnection struct{ Nodes []logged } }
	by.Do(t, `query($shop: ID!) { auditLogConnection(businessId: $shop, first: 100`+arguments+`) { nodes {
		createdAt action kind recordId recordName customerId userId user { cellNumber } before after } } }`,
		map[string]any{"shop": c.Tools}, &seen)
	return seen.AuditLogConnection.Nodes
}

// TestAuditLogHasEveryValue checks that the log shows changes to 0, false and null, and back.
func TestAuditLogHasEveryValue(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := c.Staff(t, c.Tools, record.Owner)
		offer := func(members map[string]any) {
			t.Helper()
			members["sku"] = "D-13"
			owner.Do(t, `mutation($shop: ID!, $in: [OfferInput!]!) { updateOffers(businessId: $shop, `+
				`input: $in) { message } }`,
				map[string]any{"shop": c.Tools, "in": []any{members}}, nil)
		}
		offer(map[string]any{"stock": 20})
		offer(map[string]any{"stock": 0, "onSale": false, "price": nil, "compareAtPrice": nil})
		offer(map[string]any{"stock": 0, "onSale": true, "price": 5})
		log := log(t, c, owner, `, action: "updateOffers"`)
		if len(log) != 3 {
			t.Fatalf("got %+v", log)
		}
		for i, want := range []struct{ before, after string }{
			{`{"onSale":false,"price":null}`, `{"onSale":true,"price":5}`},
			{`{"compareAtPrice":1450000,"onSale":true,"price":1450000,"stock":20}`,
				`{"compareAtPrice":null,"onSale":false,"price":null,"stock":0}`},
			{`{"stock":11}`, `{"stock":20}`},
		} {
			before, after := sortedJSON(t, log[i].Before), sortedJSON(t, log[i].After)
			if before != want.before || after != want.after || log[i].RecordName != "D-13" {
				t.Errorf("%d: %q from %s to %s, want %s to %s", i, log[i].RecordName, before, after,
					want.before, want.after)
			}
		}
	})
}

// sortedJSON returns an object with its members by name: PostgreSQL has an order of its own.
func sortedJSON(t *testing.T, text json.RawMessage) string {
	t.Helper()
	var value map[string]any
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatal(err)
	}
	return string(shoptest.Must(json.Marshal(value))(t))
}

// TestAuditLogNames deletes, moves, moderates and exports, and checks that each entry names its subject and
// is found by its author, by the customer, and by its time.
func TestAuditLogNames(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		who, owner := leavesTraces(t, c, 1), c.Staff(t, c.Tools, record.Owner)
		shop := map[string]any{"shop": c.Tools}
		owner.Do(t, `mutation($shop: ID!) { deleteProduct(businessId: $shop, slug: "mallet") { message } }`,
			shop, nil)
		hire(t, owner, c.Tools, shoptest.Worker{API: c.GraphQL().With(who.Access), Customer: who.Customer}, "editor")
		owner.Do(t, `mutation($shop: ID!) { updateUserProduct(businessId: $shop, slug: "`+listingOfTraces(t, c).Slug+`",
			input: {status: published}) { id } }`, shop, nil)
		var waiting struct {
			ModeratedCommentsConnection struct {
				Nodes []struct{ ID, AuthorName string }
			}
		}
		owner.Do(t, `query($shop: ID!) { moderatedCommentsConnection(businessId: $shop, status: pending) {
			nodes { id authorName } } }`, shop, &waiting)
		for _, one := range waiting.ModeratedCommentsConnection.Nodes {
			if one.AuthorName == "Mahnaz1" {
				owner.Do(t, `mutation($shop: ID!, $ids: [ID!]!) {
					changeComments(businessId: $shop, select: {ids: $ids}, change: {status: approved}) { changed } }`,
					map[string]any{"shop": c.Tools, "ids": []string{one.ID}}, nil)
			}
		}
		owner.Do(t, customerExport, map[string]any{"shop": c.Tools, "id": who.ID}, nil)
		all := log(t, c, owner, "")
		found := map[string]logged{}
		for _, e := range all {
			found[e.Action+" "+e.Kind] = e
		}
		number := order(t, c).OrderNumber
		for what, want := range map[string]struct {
			name  string
			about bool
		}{
			"deleteProduct product": {"چکش لاستیکی", false}, "deleteProduct variant": {"M-1", false},
			"moveOrder order": {number, true}, "addStaff staffInvitation": {"", false},
			"acceptInvitation staffMember": {who.Customer.Cell, true},
			"updateUserProduct userProduct": {"Lathe of Mahnaz1",
				true}, "changeComments comment": {"دريل چكشي", true},
			"customerExport customer": {who.Customer.Cell, true},
		} {
			e, ok := found[what]
			if !ok || e.RecordName != want.name || (e.CustomerID == who.ID) != want.about {
				t.Errorf("%s: %v %q about %q", what, ok, e.RecordName, e.CustomerID)
			}
		}
		if e := found["customerExport customer"]; !strings.Contains(string(e.After), `"orders":1`) ||
			e.RecordID != who.ID {
			t.Errorf("got %+v", e)
		}
		if e := found["deleteProduct variant"]; e.After != nil && string(e.After) != "null" ||
			!strings.Contains(string(e.Before), `"stock":1`) || !strings.Contains(string(e.Before), `"price":null`) {
			t.Errorf("a variant that went with its product: %s to %s", e.Before, e.After)
		}
		// others moved the order and accepted
		if n := len(log(t, c, owner, `, userId: "`+owner.ID+`"`)); n != len(all)-2 {
			t.Errorf("got %d entries by the owner, want %d", n, len(all)-2)
		}
		if n := len(log(t, c, owner, `, customerId: "`+who.ID+`"`)); n != 5 {
			t.Errorf("%d about the customer", n)
		}
		at := all[2].CreatedAt.Format(time.RFC3339Nano)
		if since, before := len(log(t, c, owner, `, from: "`+at+`"`)), len(log(t, c, owner,
			`, until: "`+at+`"`)); since < 3 ||
			since+before != len(all) {
			t.Errorf("%d from %s, %d before", since, at, before)
		}
		c.Staff(t, c.Tools, record.Editor).
			Refused(t, "FORBIDDEN", customerExport, map[string]any{"shop": c.Tools, "id": who.ID})
		if n := len(log(t, c, owner, "")); n != len(all) {
			t.Errorf("a refused export is in the log")
		}
	})
}

// TestAuditIsFoundByEverything narrows the log by each of its arguments, as a page and as a connection: by who and
// which program made a change, the record, its kind and name, the action, the customer and the time.
func TestAuditIsFoundByEverything(t *testing.T) {
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: storefront.Schema})
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		who := leavesTraces(t, c, 1)
		owner, editor := c.Staff(t, c.Tools, record.Owner), c.Staff(t, c.Tools, record.Editor)
		program, machine := token(t, c, c.Tools, []staff.Permission{staff.EditContent, staff.EditCatalog}, nil)
		foreigner := c.Staff(t, c.Mugs, record.Owner)
		shop := map[string]any{"shop": c.Tools}
		left := c.Staff(t, c.Tools, record.Editor)
		left.Do(t, `mutation($shop: ID!) { createBrand(businessId: $shop, slug: "left",
			input: {name: "Left", nameFa: "رفته"}) { id } }`, shop, nil)
		var employed struct{ Staff []struct{ ID, UserID string } }
		owner.Do(t, `query($shop: ID!) { staff(businessId: $shop) { id userId } }`, shop, &employed)
		for _, one := range employed.Staff {
			if one.UserID == left.ID {
				owner.Do(t, removeStaff, map[string]any{"shop": c.Tools, "id": one.ID}, nil)
			}
		}
		c.Clock.Pass(time.Minute)
		var brand struct{ CreateBrand struct{ ID string } }
		editor.Do(t, `mutation($shop: ID!) { createBrand(businessId: $shop, slug: "keen",
			input: {name: "Keen", nameFa: "تیز"}) { id } }`, shop, &brand)
		for _, one := range []shoptest.Worker{machine, owner} {
			one.Do(t, `mutation($shop: ID!, $to: String) { updateBrand(businessId: $shop, slug: "keen",
				input: {logoUrl: $to}) { id } }`, map[string]any{"shop": c.Tools, "to": "/" + one.ID + ".png"}, nil)
		}
		all := log(t, c, owner, "")
		entries := map[string]int{}
		for _, e := range all {
			for _, by := range []shoptest.Worker{owner, editor} {
				if e.UserID == by.ID && (e.User == nil || e.User.CellNumber != by.Customer.Cell) {
					t.Errorf("%s by %+v, want %s", e.Action, e.User, by.Customer.Cell)
				}
			}
			if e.UserID == left.ID && e.User != nil {
				t.Errorf("%s by %+v, who has left", e.Action, e.User)
			}
			if e.UserID == "" && e.User != nil {
				t.Errorf("%s by %+v, want nobody", e.Action, e.User)
			}
			entries["action: "+strconv.Quote(e.Action)]++
			entries["kind: "+strconv.Quote(e.Kind)]++
			if e.UserID != "" {
				entries["userId: "+strconv.Quote(e.UserID)]++
			}
			if e.RecordID != "" {
				entries["recordId: "+strconv.Quote(e.RecordID)]++
			}
			if e.CustomerID != "" {
				entries["customerId: "+strconv.Quote(e.CustomerID)]++
			}
		}
		brandID, newest := strconv.Quote(brand.CreateBrand.ID), all[0].CreatedAt.Format(time.RFC3339Nano)
		for narrow, want := range map[string]int{
			`tokenId: "` + program.String() + `"`: 1, `tokenId: "` + shoptest.NobodysID + `"`: 0,
			`userId: "` + editor.ID + `"`: 1, `userId: "` + foreigner.ID + `"`: 0,
			`recordId: ` + brandID: 3, `recordId: ` + brandID + `, action: "updateBrand"`: 2,
			`recordId: ` + brandID + `, userId: "` + owner.ID + `"`: 1,
			`name: "تیز"`: 3, `name: "KEEN"`: 3, `name: "کین"`: 0, `kind: "brand", name: "تی"`: 3, `kind: "product"`: 0,
			`customerId: "` + who.ID + `"`: 1, `from: "` + newest + `"`: 1, `until: "` + newest + `"`: len(all) - 1,
			`action: "updateBrand", until: "` + newest + `"`: 1,
		} {
			entries[narrow] = want
		}
		for narrow, field := range map[string]string{
			`action: "updateproduct"`: "action", `kind: "products"`: "kind",
			`from: "` + newest + `", until: "` + newest + `"`: "from"} {
			bad := owner.Refused(t, "VALIDATION_FAILED",
				`query($shop: ID!) { auditLogConnection(businessId: $shop, `+narrow+`) { totalCount } }`, shop)
			if got := bad.Errors[0].Extensions.Errors[0].Field; got != field {
				t.Errorf("by %s: got the field %s, want %s", narrow, got, field)
			}
		}
		arguments := schema.Query.Fields.ForName("auditLogConnection").Arguments
		window := []string{"businessId", "domain", "first", "after", "last", "before"}
		for _, a := range arguments {
			if !slices.Contains(window, a.Name) && !slices.ContainsFunc(
				slices.Collect(maps.Keys(entries)), func(n string) bool { return strings.HasPrefix(n, a.Name+":") }) {
				t.Errorf("the log is not narrowed by %s", a.Name)
			}
		}
		for narrow, want := range entries {
			var got struct {
				AuditLogConnection struct {
					TotalCount int
					Nodes      []struct{ Action string }
				}
			}
			owner.Do(t, `query($shop: ID!) { auditLogConnection(businessId: $shop, first: 100, `+narrow+`) {
				totalCount nodes { action } } }`, shop, &got)
			if got.AuditLogConnection.TotalCount != want || len(got.AuditLogConnection.Nodes) != want {
				t.Errorf("by %s: got %+v, want %d", narrow, got, want)
			}
			document := `query($shop: ID!) { auditLogConnection(businessId: $shop, ` + narrow + `) { totalCount } }`
			foreigner.Refused(t, "FORBIDDEN", document, shop)
			var theirs struct{ AuditLogConnection struct{ TotalCount int } }
			foreigner.Do(t, document, map[string]any{"shop": c.Mugs}, &theirs)
			if theirs.AuditLogConnection.TotalCount != 0 {
				t.Errorf("another shop finds %d entries by %s", theirs.AuditLogConnection.TotalCount, narrow)
			}
		}
	})
}
