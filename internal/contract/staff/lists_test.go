package staff_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"storefront"

	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront/ent/comment"
	"storefront/ent/expertreview"
	entorder "storefront/ent/order"
	"storefront/internal/content/derive"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
)

// TestStaffListsAreWalked pages through the connection of each list with @staff of the schema, in both
// directions, while records of the list are added and changed. Records that stay are returned once, in
// order. The lists are taken from the schema; each type of record must be in the kinds of meanwhile.
func TestStaffListsAreWalked(t *testing.T) {
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: storefront.Schema})
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		m := newMeanwhile(t, c)
		for _, field := range schema.Query.Fields {
			if field.Directives.ForName("staff") == nil || field.Arguments.ForName("page") == nil {
				continue
			}
			connection := schema.Query.Fields.ForName(field.Name + "Connection")
			if connection == nil {
				t.Errorf("the list %s is no connection", field.Name)
				continue
			}
			sameArguments(t, field, connection)
			for _, arguments := range requiredArguments(schema, connection, m.there) {
				l := staffList{meanwhile: m, name: connection.Name, arguments: arguments, page: field.Name}
				node := schema.Types[schema.Types[connection.Type.Name()].Fields.ForName("nodes").Type.Name()]
				l.node = identity(schema, node)
				happens, known := m.kinds[node.Name+kindOf(arguments)]
				if !known {
					t.Errorf("how %s of %s come and change is not known", node.Name+kindOf(arguments),
						connection.Name)
					continue
				}
				l.holds(t, happens)
			}
		}
	})
}

// sameArguments checks that a page and its connection have the same filters and permission.
func sameArguments(t *testing.T, page, connection *ast.FieldDefinition) {
	t.Helper()
	filters := func(of *ast.FieldDefinition) (names []string) {
		for _, a := range of.Arguments {
			if !slices.Contains([]string{"page", "pageSize", "first", "after", "last", "before"}, a.Name) {
				names = append(names, a.Name+" "+a.Type.String())
			}
		}
		return names
	}
	if p, c := filters(page), filters(connection); !slices.Equal(p, c) {
		t.Errorf("%s: got the arguments %v, want %v as %s has", page.Name, p, c, connection.Name)
	}
	asks := page.Directives.ForName("staff")
	if c := connection.Directives.ForName("staff"); c == nil || permissionOf(asks) != permissionOf(c) {
		t.Errorf("%s and %s ask for different permissions", page.Name, connection.Name)
	}
}

// requiredArguments returns the required arguments of a field, once for each value of an enum.
func requiredArguments(schema *ast.Schema, field *ast.FieldDefinition, there map[string]string) []string {
	all := []string{""}
	for _, a := range field.Arguments {
		names := a.Type.NonNull || a.Directives.ForName("orDomain") != nil
		if !names || a.DefaultValue != nil {
			continue
		}
		values := []string{there[a.Name]}
		if definition := schema.Types[a.Type.Name()]; definition.Kind == ast.Enum {
			values = nil
			for _, v := range definition.EnumValues {
				values = append(values, v.Name)
			}
		}
		var longer []string
		for _, given := range all {
			for _, value := range values {
				longer = append(longer, given+" "+a.Name+": "+value)
			}
		}
		all = longer
	}
	return all
}

// kindOf returns the argument kind of a list, or "".
func kindOf(arguments string) string {
	_, kind, _ := strings.Cut(arguments, "kind: ")
	return kind
}

// identity returns the selection that identifies a record: its first id, or that of its first object.
func identity(schema *ast.Schema, of *ast.Definition) string {
	for _, f := range of.Fields {
		if f.Type.String() == "ID!" {
			return f.Name
		}
	}
	return of.Fields[0].Name + " { " + identity(schema, schema.Types[of.Fields[0].Type.Name()]) + " }"
}

// staffList is a connection of staff's with the arguments that it must have.
type staffList struct {
	*meanwhile
	name, arguments, node, page string
}

// holds pages through the list in both directions while records are added and changed.
func (l staffList) holds(t *testing.T, h happening) {
	t.Helper()
	for range 9 {
		h.add(t)
	}
	for _, backward := range []bool{false, true} {
		before, total := l.walk(t, 100, backward, func() {})
		if len(before) < 9 || total != len(before) {
			t.Fatalf("%s%s: got %d records, want the total of %d, and 9 at least", l.name,
				l.arguments, len(before), total)
		}
		steps := 0
		got, _ := l.walk(t, 3, backward, func() {
			h.add(t)
			h.add(t)
			if h.change != nil {
				h.change(t, steps)
			}
			steps++
		})
		after, total := l.walk(t, 100, backward, func() {})
		if steps < 2 || total <= len(before) {
			t.Fatalf("%s%s: %d steps, %d records became %d", l.name, l.arguments, steps, len(before), total)
		}
		stays := func(id string) bool { return slices.Contains(before, id) && slices.Contains(after, id) }
		var want, kept []string
		for _, id := range before {
			if stays(id) {
				want = append(want, id)
			}
		}
		seen := map[string]bool{}
		for _, id := range got {
			if seen[id] {
				t.Errorf("%s%s, backward %v: %s is given again", l.name, l.arguments, backward, id)
			}
			if seen[id] = true; stays(id) {
				kept = append(kept, id)
			}
		}
		if !slices.Equal(kept, want) {
			t.Errorf("%s%s, backward %v: got of those that stay\n%v\nwant\n%v", l.name,
				l.arguments, backward, kept, want)
		}
	}
	l.hasTheSameOnPages(t)
}

// walk reads the list in steps of a size, forward or backward, and returns its ids in the order of the
// list, and its total. It calls between after each step but the last.
func (l staffList) walk(t *testing.T, size int, backward bool, between func()) (ids []string, total int) {
	t.Helper()
	window, way := fmt.Sprintf("first: %d", size), "hasNextPage endCursor"
	if backward {
		window, way = fmt.Sprintf("last: %d", size), "hasPreviousPage startCursor"
	}
	for ; ; between() {
		var got struct {
			List struct {
				Nodes    []json.RawMessage
				PageInfo struct {
					HasNextPage, HasPreviousPage bool
					StartCursor, EndCursor       string
				}
				TotalCount int
			}
		}
		l.owner.Do(t, fmt.Sprintf("{ list: %s(%s %s) { nodes { %s } pageInfo { %s } totalCount } }",
			l.name, window, l.arguments, l.node, way), nil, &got)
		var step []string
		for _, node := range got.List.Nodes {
			step = append(step, string(node))
		}
		if len(step) > size || len(ids) > 1000 {
			t.Fatalf("%s gives %d for %s, %d before", l.name, len(step), window, len(ids))
		}
		total = got.List.TotalCount
		if backward {
			ids = append(step, ids...)
			window = fmt.Sprintf("last: %d, before: %q", size, got.List.PageInfo.StartCursor)
		} else {
			ids = append(ids, step...)
			window = fmt.Sprintf("first: %d, after: %q", size, got.List.PageInfo.EndCursor)
		}
		if !got.List.PageInfo.HasNextPage && !got.List.PageInfo.HasPreviousPage {
			return ids, total
		}
	}
}

// hasTheSameOnPages checks that the pages beside a connection have its records.
func (l staffList) hasTheSameOnPages(t *testing.T) {
	t.Helper()
	want, _ := l.walk(t, 100, false, func() {})
	var ids []string
	for page := 1; len(ids) < len(want); page++ {
		var got struct {
			List struct {
				Items []json.RawMessage
				Total int
			}
		}
		l.owner.Do(t, fmt.Sprintf("{ list: %s(page: %d, pageSize: 7 %s) { items { %s } total } }",
			l.page, page, l.arguments, l.node), nil, &got)
		if len(got.List.Items) == 0 || got.List.Total != len(want) {
			t.Fatalf("page %d of %s: %+v, want a total of %d", page, l.page, got.List, len(want))
		}
		for _, item := range got.List.Items {
			ids = append(ids, string(item))
		}
	}
	slices.Sort(ids)
	if slices.Sort(want); !slices.Equal(ids, want) {
		t.Errorf("the pages of %s: got %v, want %v as of the connection", l.page, ids, want)
	}
}

// meanwhile is what happens in the tool shop while staff read its lists.
type meanwhile struct {
	*shoptest.Crew
	owner shoptest.Worker
	there map[string]string    // values of arguments
	kinds map[string]happening // by the type of records
	made  int
}

// happening is how a record is added, and how others change.
type happening struct {
	add    func(t *testing.T)
	change func(t *testing.T, step int)
}

func newMeanwhile(t *testing.T, c *shoptest.Crew) *meanwhile {
	t.Helper()
	m := &meanwhile{Crew: c, owner: c.Staff(t, c.Tools, record.Owner)}
	shop, hook := uuid.MustParse(c.Tools), c.Listens(t, "tools")
	m.there = map[string]string{"businessId": `"` + c.Tools + `"`, "webhookId": `"` + hook.ID.String() + `"`}
	here, client := derive.Alone(tenancy.In(t.Context(), shop)), c.Store.Client
	s := c.REST().Shopper(t, 1)
	drill := uuid.MustParse(c.Named(t, "<tools:product:drill>"))
	now := func() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }
	next := func(name string) string {
		m.made++
		return fmt.Sprint(name, "-", m.made)
	}
	approve := func(t *testing.T, step int) { // a pending record leaves the list
		comments, reviews := client.Comment.Query().Where(comment.StatusEQ(record.Pending)),
			client.ExpertReview.Query().Where(expertreview.StatusEQ(record.Pending))
		client.Comment.UpdateOneID(comments.Order(comment.ByID()).Offset(step).FirstIDX(here)).
			SetStatus(record.Approved).ExecX(here)
		client.ExpertReview.UpdateOneID(reviews.Order(expertreview.ByID()).Offset(step).FirstIDX(here)).
			SetStatus(record.Rejected).ExecX(here)
	}
	comments := func(t *testing.T) {
		client.Comment.Create().SetTenantID(shop).SetEntityType(record.Product).SetEntityID(drill).SetAuthorName("A").
			SetText("T").ExecX(here)
		client.ExpertReview.Create().SetTenantID(shop).SetProductID(drill).SetAuthorName("A").SetText("T").
			SetRate(7).ExecX(here)
	}
	edited := func(table string) func(*testing.T, int) {
		return func(t *testing.T, _ int) {
			text := "UPDATE " + table + " SET updated_at = $1, published_at = $1 WHERE tenant_id = $2"
			if _, err := client.ExecContext(here, text, now(), shop); err != nil {
				t.Fatal(err)
			}
		}
	}
	m.kinds = map[string]happening{
		"AuditEntry": {add: func(t *testing.T) {
			client.AuditEntry.Create().SetBusinessID(shop).SetAction("import").SetKind("product").ExecX(here)
		}},
		"StaffRecordproduct": {func(t *testing.T) {
			client.Product.Create().SetTenantID(shop).SetSlug(next("product")).SetTitleFa("T").
				SetPublishedAt(now()).ExecX(here)
		}, edited("products")},
		"StaffRecorduserProduct": {func(t *testing.T) {
			client.UserProduct.Create().SetTenantID(shop).SetSlug(next("listing")).SetTitleFa("T").
				SetPriceCurrency("IRT").
				SetCondition("new").SetPublishedAt(now()).ExecX(here)
		}, edited("user_products")},
		"StaffRecordblog": {func(t *testing.T) {
			client.Blog.Create().SetTenantID(shop).SetSlug(next("blog")).SetTitleFa("T").SetType("news").SetBody("B").
				SetPublishedAt(now()).ExecX(here)
		}, edited("blogs")},
		"StaffRecordportfolio": {func(t *testing.T) {
			client.Portfolio.Create().SetTenantID(shop).SetSlug(next("portfolio")).SetTitleFa("T").SetBody("B").
				SetPublishedAt(now()).ExecX(here)
		}, edited("portfolios")},
		"StaffVariant": {func(t *testing.T) {
			client.Variant.Create().SetTenantID(shop).SetProductID(drill).SetSku(next("V")).SetPriceCurrency("IRT").
				SetStock(m.made % 7).ExecX(here)
		}, func(t *testing.T, _ int) { // changes the order of the list
			const text = "UPDATE variants SET stock = (stock + 3) % 7 WHERE tenant_id = $1"
			if _, err := client.ExecContext(here, text, shop); err != nil {
				t.Fatal(err)
			}
		}},
		"ShopOrder": {func(t *testing.T) {
			c.StockedUp(t, "D-13", 9)
			s.Bought(t, "D-13", 1)
		}, func(t *testing.T, _ int) {
			id := client.Order.Query().Where(entorder.StatusEQ(record.OrderPending)).FirstIDX(here)
			m.owner.Do(t, shoptest.MoveOrder, map[string]any{"shop": c.Tools, "id": id, "to": "cancelled"}, nil)
		}},
		"ShopCustomer": {func(t *testing.T) { c.Customer(t) }, func(t *testing.T, _ int) {
			client.User.Update().SetFirstName(next("Sara")).ExecX(here)
		}},
		"Comment": {comments, approve}, "ExpertReview": {comments, approve},
		"ContactSubmission": {func(t *testing.T) {
			client.ContactSubmission.Create().SetTenantID(shop).SetTitle("T").SetName("N").SetText("T").ExecX(here)
		}, func(t *testing.T, _ int) { client.ContactSubmission.Update().SetHandledAt(now()).ExecX(here) }},
		"WebhookDelivery": {func(t *testing.T) {
			client.WebhookDelivery.Create().SetTenantID(shop).SetEndpoint(hook).SetEventID(uuid.Must(uuid.NewV7())).
				SetType(record.StockLow).SetSubjectID(drill).SetPayload("{}").SetCreatedAt(shoptest.Today).
				SetNextAt(now()).
				SetGiveUpAt(now()).ExecX(here)
		}, func(t *testing.T, _ int) {
			client.WebhookDelivery.Update().SetDeliveredAt(now()).ClearNextAt().ExecX(here)
		}},
	}
	return m
}
