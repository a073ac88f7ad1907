package service_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"storefront/internal/contract/shoptest"
	"storefront/internal/database"
)

// TestKeyedAnswersShareConnections lets more customers than there are connections send requests with keys, whose
// answers have lists and counts. Each must be answered from the connection of its own transaction.
func TestKeyedAnswersShareConnections(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		small := *a
		small.Database = shoptest.WithParameters(a.Database, "pool_size=8")
		few := small.Instance(t)
		customers := shoptest.Crowd(t, 12, few)
		document := a.Named(t, `mutation { addFavorite(businessId: "<tenant:tools>", input: {productId:
			"<tools:product:drill>"}) { favorite { product { category {
			products(pageSize: 1) { items { id } total facets { brands { count } } } } } } } }`)
		for n := range 4 * *shoptest.Rounds {
			for _, late := range shoptest.Together(len(customers), func(i int) string {
				began := time.Now()
				d := few.GraphQL().With(customers[i].Access)
				got := d.Key(fmt.Sprint(n)).Graph(t, document)
				if took := time.Since(began); got.Code != "" || took > 5*time.Second {
					return fmt.Sprintf("after %v: %s", took, got.Body)
				}
				return ""
			}) {
				if late != "" {
					t.Error(late)
				}
			}
		}
	})
}

// TestKeyedAnswerReadTooLong lets the reading of an answer take longer than a transaction may wait for it: nothing is
// done. Without a key it is done.
func TestKeyedAnswerReadTooLong(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		slow := a.Watched(t, func(text string) {
			if strings.HasPrefix(text, "SELECT") && strings.Contains(text, "addresses") {
				time.Sleep(1200 * time.Millisecond)
			}
		})
		d := a.GraphQL()
		mine := d.With(d.Register(t, d.Cell(1)).Access)
		late := mine
		late.Accounts = slow
		const document = `mutation { updateProfile(input: {firstName: "New"}) { user { addresses { id } firstName } } }`
		got := late.Key("a").Graph(t, document)
		shoptest.WantGraphQL(t, got.Answer, 200, "LIMIT_EXCEEDED")
		if !strings.Contains(string(got.Body), `"data":null`) ||
			mine.Right(t, "me", "").Member(t, "user.firstName") == "New" {
			t.Errorf("got %s", got.Body)
		}
		if got := late.Graph(t, document); got.Code != "" {
			t.Errorf("without a key: %s", got.Body)
		}
		mine.Key("a").Graph(t, document).Fresh(t) // the key was free
	})
}

// TestDoneAnswerTooLarge asks for more after a write than an answer may have. It says that the write was done; with a
// key it is not.
func TestDoneAnswerTooLarge(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d := a.GraphQL()
		mine := d.With(d.Register(t, d.Cell(1)).Access)
		long := database.Statement(`UPDATE products SET description = $text WHERE slug = 'drill'`)
		_, err := long.Exec(t.Context(), a.Store.Client.Raw(), database.Values{"text": strings.Repeat("x", 600_000)})
		if err != nil {
			t.Fatal(err)
		}
		var fields strings.Builder
		for i := range 29 {
			fmt.Fprintf(&fields, "a%d: description ", i)
		}
		document := a.Named(t, `mutation {
			addFavorite(domain: "tools.example", input: {productId: "<tools:product:drill>"}) {
				favorite { product { `+fields.String()+`} } } }`)
		for _, c := range []struct {
			shoptest.API
			done bool
		}{{mine.Key("a"), false}, {mine, true}} {
			got := c.API.Graph(t, document)
			shoptest.WantGraphQL(t, got.Answer, 200, "LIMIT_EXCEEDED")
			if !strings.Contains(string(got.Body), `"data":null`) ||
				strings.HasPrefix(got.Message(t), "It was done; the answer is too large") != c.done ||
				a.Rows(t, "SELECT count(*) FROM favorites") != map[bool]int{true: 1}[c.done] {
				t.Errorf("%.300s", got.Body)
			}
		}
	})
}
