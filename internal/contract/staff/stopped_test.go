package staff_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"storefront/ent/staffmember"
	"storefront/internal/content/bundle"
	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// stopped is the answer of a change of many records that was stopped.
type stopped struct {
	Body struct {
		Changed int
		Left    json.RawMessage
		Next    *string
		Stopped *struct{ Code, Message string }
	}
}

// halfDone sends a change of many records and signs its author out before the second transaction. Another
// author then sends the variables that next returns for the first answer.
func halfDone(
	t *testing.T, c *shoptest.Crew, document string, variables map[string]any, next func(stopped) map[string]any,
) (first, second stopped) {
	t.Helper()
	owner, other := c.Staff(t, c.Tools, record.Owner), c.Staff(t, c.Tools, record.Owner)
	transactions := 0
	watched := c.Watched(t, func(text string) {
		if text == "BEGIN" {
			if transactions++; transactions == 2 {
				owner.Do(t, "mutation { logout { message } }", nil, nil)
			}
		}
	})
	shoptest.Worker{API: watched.GraphQL().With(owner.Access)}.Do(t, document, variables, &first)
	if why := first.Body.Stopped; why == nil || why.Code != "UNAUTHENTICATED" || why.Message == "" {
		t.Errorf("got %+v, want what stopped it", first.Body)
	}
	other.Do(t, document, next(first), &second)
	if second.Body.Stopped != nil {
		t.Errorf("the second time: got %+v", second.Body)
	}
	return first, second
}

// TestStoppedByTheDatabase loses the database between two transactions, so that the remaining records
// cannot be counted. The answer must still say what was done.
func TestStoppedByTheDatabase(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		pending(t, c, 210)
		owner := c.Staff(t, c.Tools, record.Owner)
		var watched *shoptest.Accounts
		transactions := 0
		watched = c.Watched(t, func(text string) {
			if text == "BEGIN" {
				if transactions++; transactions == 2 {
					watched.Store.Close()
				}
			}
		})
		var got stopped
		shoptest.Worker{API: watched.GraphQL().With(owner.Access)}.Do(t, `mutation($shop: ID!) {
			body: `+rejectHalf+` {
				changed left stopped { code message } } }`, map[string]any{"shop": c.Tools}, &got)
		if got.Body.Changed != 100 || string(got.Body.Left) != "null" || got.Body.Stopped == nil {
			t.Errorf("got %+v, want 100 changed, and why it stopped", got.Body)
		}
	})
}

// rejectHalf rejects the pending comments of the author Half.
const rejectHalf = `changeComments(businessId: $shop, select: {status: pending, filter: {name: "Half"}},
	change: {status: rejected})`

// pending creates pending comments of the author Half.
func pending(t *testing.T, c *shoptest.Crew, n int) {
	t.Helper()
	comments := make([]string, n)
	for i := range comments {
		comments[i] = fmt.Sprintf(`{"entityType": "product", "entity": "half", "authorName": "Half",
			"text": "%d", "status": "pending"}`, i)
	}
	file := fmt.Sprintf(`{"format": "storefront-bundle/1", "tenant": {"domain": "tools.example"},
		"products": [{"slug": "half", "titleFa": "H"}], "comments": [%s]}`, strings.Join(comments, ","))
	if _, err := bundle.Import(t.Context(), c.Store, bundle.Bytes([]byte(file)), nil); err != nil {
		t.Fatal(err)
	}
}

// TestStoppedHalfWay stops changes of many records between two transactions. The answer says what was done,
// and what to send to do the rest.
func TestStoppedHalfWay(t *testing.T) {
	var products, comments []string
	for i := range 3 {
		var variants []string
		for j := range 60 {
			variants = append(variants,
				fmt.Sprintf(`{"sku": "HALF-%d-%02d", "price": 5, "priceCurrency": "USD", "stock": 5}`, i, j))
		}
		products = append(products, fmt.Sprintf(`{"slug": "whole-%d", "titleFa": "W", "variants": [%s]}`, i,
			strings.Join(variants, ",")))
	}
	for i := range 110 {
		products = append(products, fmt.Sprintf(`{"slug": "half-%03d", "titleFa": "نیمه"}`, i))
	}
	for i := range 210 {
		comments = append(comments, fmt.Sprintf(`{"entityType": "product", "entity": "whole-0", "authorName": "Half",
			"text": "%d", "status": "pending"}`, i))
	}
	file := fmt.Sprintf(`{"format": "storefront-bundle/1", "tenant": {"domain": "tools.example"}, "products": [%s],
		"comments": [%s]}`, strings.Join(products, ","), strings.Join(comments, ","))
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		if _, err := bundle.Import(t.Context(), c.Store, bundle.Bytes([]byte(file)), nil); err != nil {
			t.Fatal(err)
		}
		variables := map[string]any{"shop": c.Tools, "change": map[string]any{"delete": true},
			"select": map[string]any{"filter": map[string]any{"name": "نیمه"}}}
		first, second := halfDone(t, c, `mutation(
				$shop: ID!, $select: RecordSelection!, $change: ContentChange!, $after: ID) {
			body: changeProducts(businessId: $shop, select: $select, change: $change, after: $after) {
				changed left next stopped { code message } } }`, variables, func(first stopped) map[string]any {
			variables["after"] = first.Body.Next
			return variables
		})
		if first.Body.Changed != 100 || string(first.Body.Left) != "null" || first.Body.Next == nil ||
			second.Body.Changed != 10 || string(second.Body.Left) != "0" {
			t.Errorf("products: got %+v, then %+v", first.Body, second.Body)
		}

		var offers []any
		for i := range 3 {
			for j := range 60 {
				offers = append(offers, map[string]any{"sku": fmt.Sprintf("HALF-%d-%02d", i, j), "stock": 4,
					"expectedStock": 5})
			}
		}
		first, second = halfDone(t, c, `mutation($shop: ID!, $in: [OfferInput!]!) {
			body: updateOffers(businessId: $shop, input: $in) { changed left stopped { code message } } }`,
			map[string]any{"shop": c.Tools, "in": offers}, func(first stopped) map[string]any {
				var rest []any
				for _, offer := range offers {
					if sku := offer.(map[string]any)["sku"].(string); strings.Contains(string(first.Body.Left), sku) {
						rest = append(rest, offer)
					}
				}
				return map[string]any{"shop": c.Tools, "in": rest}
			})
		if first.Body.Changed == 0 || first.Body.Changed+second.Body.Changed != len(offers) {
			t.Errorf("offers: got %d changed, then %d, want %d", first.Body.Changed, second.Body.Changed, len(offers))
		}

		variables = map[string]any{"shop": c.Tools}
		first, second = halfDone(t, c, `mutation($shop: ID!) {
			body: `+rejectHalf+` {
				changed left stopped { code message } } }`,
			variables, func(stopped) map[string]any { return variables })
		if first.Body.Changed != 100 || string(first.Body.Left) != "null" || second.Body.Changed != 110 {
			t.Errorf("comments: got %+v, then %+v", first.Body, second.Body)
		}
	})
}

// TestDismissedMeanwhile takes a person's role away after their request was admitted, and before one of its
// transactions. What is written from then on is refused, and what was written before stays.
func TestDismissedMeanwhile(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, shop := c.Staff(t, c.Tools, record.Owner), map[string]any{"shop": c.Tools}
		pending(t, c, 210)
		// dismissed returns an API of another owner, whom owner removes before the nth transaction of a request.
		dismissed := func(nth int) shoptest.Worker {
			leaver := c.Staff(t, c.Tools, record.Owner)
			id := memberID(t, c, leaver)
			transactions := 0
			watched := c.Watched(t, func(text string) {
				if text == "BEGIN" {
					if transactions++; transactions == nth {
						owner.Do(t, removeStaff, map[string]any{"shop": c.Tools, "id": id}, nil)
					}
				}
			})
			return shoptest.Worker{API: watched.GraphQL().With(leaver.Access)}
		}

		var got stopped
		dismissed(2).Do(t, `mutation($shop: ID!) { body: `+rejectHalf+` {
			changed left stopped { code message } } }`, shop, &got)
		if got.Body.Changed != 100 || got.Body.Stopped == nil || got.Body.Stopped.Code != "FORBIDDEN" {
			t.Errorf("got %+v, want 100 changed, and FORBIDDEN", got.Body)
		}

		dismissed(1).Refused(t, "FORBIDDEN", `mutation($shop: ID!) {
			createBrand(businessId: $shop, slug: "late", input: {name: "Late", nameFa: "دیر"}) { id } }`, shop)
		owner.Refused(t, "NOT_FOUND", `mutation($shop: ID!) {
			deleteBrand(businessId: $shop, slug: "late") { message } }`, shop)

		other := c.Staff(t, c.Tools, record.Owner)
		id := memberID(t, c, other)
		dismissed(1).Refused(t, "FORBIDDEN", removeStaff, map[string]any{"shop": c.Tools, "id": id})

		// Members may remove themselves, though they have lost the role before the commit.
		other.Do(t, removeStaff, map[string]any{"shop": c.Tools, "id": id}, nil)
	})
}

// TestAnotherRoleMeanwhile gives a person another role before the second transaction of their request. One that may
// do the same does not stop it.
func TestAnotherRoleMeanwhile(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := c.Staff(t, c.Tools, record.Owner)
		for role, want := range map[record.StaffRole]string{
			record.Manager: "0 left", record.Support: "null left: FORBIDDEN",
		} {
			pending(t, c, 210)
			member := c.Staff(t, c.Tools, record.Moderator)
			id, transactions := memberID(t, c, member), 0
			watched := c.Watched(t, func(text string) {
				if text == "BEGIN" {
					if transactions++; transactions == 2 {
						owner.Do(t, changeStaff, map[string]any{"shop": c.Tools, "id": id, "role": role}, nil)
					}
				}
			})
			shop := map[string]any{"shop": c.Tools}
			var got stopped
			const reject = `mutation($shop: ID!) {
				body: ` + rejectHalf + ` {
					changed left stopped { code message } } }`
			shoptest.Worker{API: watched.GraphQL().With(member.Access)}.Do(t, reject, shop, &got)
			ended := string(got.Body.Left) + " left"
			if got.Body.Stopped != nil {
				ended += ": " + got.Body.Stopped.Code
			}
			if ended != want {
				t.Errorf("as %s: got %s, want %s", role, ended, want)
			}
			owner.Do(t, reject, shop, nil)
		}
	})
}

// memberID returns the id of a person among the staff.
func memberID(t testing.TB, c *shoptest.Crew, who shoptest.Worker) uuid.UUID {
	t.Helper()
	found, err := c.Store.Client.StaffMember.Query().Where(staffmember.UserID(uuid.MustParse(who.ID))).Only(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return found.ID
}
