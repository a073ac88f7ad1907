package main

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"storefront/internal/demo"
)

const (
	made      = "nodes { id at: createdAt }"
	published = "nodes { id at: publishedAt }"
	ofStaff   = "Connection(domain: $shop, "
	ofShop    = "tenant(domain: $shop) { list: "
)

// timeLists are lists of a shop in the order of times, the newest first unless the name says the oldest: how
// one begins, the time of an item, and how it ends.
var timeLists = map[string][3]string{
	"orders":          {"list: shopOrders" + ofStaff, "nodes { order { id at: createdAt } }", ""},
	"payments":        {"list: shopPayments" + ofStaff, "nodes { id at: receivedAt }", ""},
	"customers":       {"list: shopCustomers" + ofStaff, "nodes { id at: memberSince }", ""},
	"staff's records": {"list: staffRecords" + ofStaff + "kind: product, ", made, ""},
	"audit log":       {"list: auditLog" + ofStaff, made, ""},
	"oldest comments": {"list: moderatedComments" + ofStaff, made, ""},
	"oldest reviews":  {"list: moderatedReviews" + ofStaff, made, ""},
	"own orders":      {"me { list: orders" + ofStaff, made, "}"},
	"products":        {ofShop + "productsConnection(", published, "}"},
	"listings":        {ofShop + "userProductsConnection(", published, "}"},
	"blogs":           {ofShop + "blogsConnection(", published, "}"},
	"portfolios":      {ofShop + "portfoliosConnection(", published, "}"},
}

var (
	itemOfList = regexp.MustCompile(`"id":"([^"]+)","at":"([^"]+)"`)
	endOfPage  = regexp.MustCompile(`"totalCount":(\d+),"pageInfo":\{"hasNextPage":(\w+),"endCursor":([^}]+)\}`)
)

// TestDemoListsAreInOrder walks the lists of the demo. Its times were moved when it was loaded, those in ids
// were not. Every list must be whole and in its order, and the newest order from the last days.
func TestDemoListsAreInOrder(t *testing.T) {
	t.Parallel()
	withOrders.Each(t, func(t *testing.T, database string) {
		i := installed(t, database)
		i.withPassword(t, moverPassword)
		for _, d := range demo.Bundles() {
			i.succeed(t, "staff", "add", d.Domain, mover, "owner")
		}
		token := i.signedIn(t, mover, moverPassword)
		for _, d := range demo.Bundles() {
			for name, of := range timeLists {
				times := i.walked(t, token, d.Domain, name, of)
				if strings.HasPrefix(name, "oldest") {
					slices.Reverse(times)
				}
				if !slices.IsSortedFunc(times, func(a, b time.Time) int { return b.Compare(a) }) {
					t.Errorf("%s: %s are not in order: %v", d.Domain, name, times)
				}
				if age := time.Since(slices.MaxFunc(append(times, time.Time{}), time.Time.Compare)); name == "orders" &&
					len(times) > 0 && (age < 0 || age > 48*time.Hour) {
					t.Errorf("%s: the newest order is %v old", d.Domain, age)
				}
			}
		}
	})
}

// walked returns the times of a list, whose items must be as many as it says, each of them once.
func (i *installation) walked(t *testing.T, token, shop, name string, of [3]string) (times []time.Time) {
	t.Helper()
	seen, after := map[string]bool{}, json.RawMessage("null")
	for {
		status, _, text := i.ask("POST", "/graphql", token, map[string]any{
			"query": "query($shop: String!, $after: String) { " + of[0] + "first: 60, after: $after) { " + of[1] +
				" totalCount pageInfo { hasNextPage endCursor } } " + of[2] + " }",
			"variables": map[string]any{"shop": shop, "after": after},
		})
		end := endOfPage.FindStringSubmatch(text)
		if status != http.StatusOK || end == nil {
			t.Fatalf("%s: %s: %d %s", shop, name, status, text)
		}
		for _, item := range itemOfList.FindAllStringSubmatch(text, -1) {
			at, err := time.Parse(time.RFC3339, item[2])
			if err != nil || seen[item[1]] {
				t.Errorf("%s: %s: %v is there again, or at no time (%v)", shop, name, item, err)
			}
			seen[item[1]], times = true, append(times, at)
		}
		if after = json.RawMessage(end[3]); end[2] == "false" {
			if end[1] != strconv.Itoa(len(times)) {
				t.Errorf("%s: %s: got %d items, want %s", shop, name, len(times), end[1])
			}
			return times
		}
	}
}
