package service_test

import (
	"fmt"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

// TestIdempotencyOfDocuments checks that a document of several mutations is one request.
func TestIdempotencyOfDocuments(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d := a.GraphQL()
		c := d.Register(t, d.Cell(1))
		mine := d.With(c.Access)

		several := `mutation { ` + shoptest.AddingAddress("one", "x") +
			`updateProfile(input: {firstName: "New"}) { ` +
			`user { firstName addresses { city } } } ` + shoptest.AddingAddress("two", "y") + `}`
		first := mine.Key("several").Graph(t, several).Fresh(t)
		if first.Code != "" || !strings.Contains(first.Said,
			`"user":{"firstName":"New","addresses":[{"city":"x"}]}`) {
			t.Errorf("what one mutation wrote is not there for the next: %s", first.Body)
		}
		mine.HasAddresses(t, 2)
		mine.Right(t, "profile", `{"firstName": "Newer"}`)
		mine.Key("several").Graph(t, several).Again(t, first)
		mine.HasAddresses(t, 2)
		if got := mine.Right(t, "me", "").Member(t, "user.firstName"); got != "Newer" {
			t.Errorf("the name is %s", got)
		}

		// The answer of a failed document is not stored, and its earlier mutations are rolled back.
		half := `mutation { ` + shoptest.AddingAddress("one", "x") + `deleteAddress(addressId: "none") { message } }`
		for range 2 {
			if got := mine.Key("half").Graph(t, half).Fresh(t); got.Code != "NOT_FOUND" ||
				!strings.Contains(string(got.Body),
					`"data":null`) {
				t.Errorf("got %s", got.Body)
			}
			mine.HasAddresses(t, 2)
		}

		// Operation name, variables and extensions are part of what a key stands for.
		named := `"query": "mutation A { logout { message } } mutation B($city: String!) { createAddress(input: ` +
			`{province: \"a\", city: $city, address: \"c\"}) { address { city } } }",
			"operationName": "B", "variables": {"city": "x"}`
		send := func(body string) shoptest.Reply {
			headers := mine.Key("named").Headers
			return mine.Read(t, mine.Send(t, "POST", "/graphql", `{`+body+`}`, headers...))
		}
		first = send(named).Fresh(t)
		send(named).Again(t, first)
		for _, other := range []string{strings.Replace(named, `"x"`, `"y"`, 1), named + `, "extensions": {}`,
			strings.Replace(named, `"B", `, `"A", `, 1)} {
			if got := send(other).Fresh(t); got.Code != "IDEMPOTENCY_KEY_REUSED" {
				t.Errorf("%s: got %s", other, got.Body)
			}
		}
		mine.HasAddresses(t, 3)
	})
}

// TestIdempotencyOfMixedDocuments checks that the answer of a sign-in is never stored, whatever else the
// document does.
func TestIdempotencyOfMixedDocuments(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d := a.GraphQL()
		c := d.Register(t, d.Cell(1))
		mine := d.With(c.Access)
		login := fmt.Sprintf(`login(input: {cellNumber: %q, password: %q}) { accessToken } `, c.Cell,
			shoptest.GoodPassword)
		for _, document := range []string{
			`mutation { ` + login + shoptest.AddingAddress("one", "x") + `}`,
			`mutation { ` + shoptest.AddingAddress("one", "x") +
				`... on Mutation { ...more } } fragment more on Mutation { ` +
				login + `}`,
		} {
			shoptest.WantGraphQL(t, mine.Key("mixed").Graph(t, document).Answer, 200, "VALIDATION_FAILED",
				"Idempotency-Key")
			mine.HasAddresses(t, 0)
		}
		if got := mine.Key("mixed").Graph(t, `mutation { `+login+`}`).Fresh(t); got.Code != "" {
			t.Errorf("got %s", got.Body)
		}
		if got := mine.Key("mixed").Graph(t, `mutation { __typename `+shoptest.AddingAddress("one", "x")+`}`).
			Fresh(t); got.Code != "" {
			t.Errorf("got %s", got.Body)
		}
	})
}

// TestIdempotencyOfPasswords checks that wrong passwords with a key count as guesses, and that no secret is
// stored.
func TestIdempotencyOfPasswords(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			cell := d.Cell(1)
			d.Register(t, cell)
			mine := d.With(d.Login(t, cell, shoptest.GoodPassword).Access)
			first := mine.Key("new").Right(t, "changePassword", shoptest.Changing(shoptest.GoodPassword,
				shoptest.OtherPassword)).Fresh(t)
			mine.Key("new").Right(t, "changePassword", shoptest.Changing(shoptest.GoodPassword,
				shoptest.OtherPassword)).Again(t, first)
			mine.Key("new").Wrong(t, "changePassword", shoptest.Changing(shoptest.OtherPassword,
				shoptest.GoodPassword), 422,
				"IDEMPOTENCY_KEY_REUSED")
			d.Login(t, cell, shoptest.OtherPassword)
			for range 10 {
				mine.Key("wrong").Wrong(t, "changePassword", shoptest.Changing("wrong password",
					shoptest.GoodPassword), 400,
					"CURRENT_PASSWORD_INCORRECT").Fresh(t)
			}
			mine.Key("wrong").TooMany(t, "changePassword", shoptest.Changing(shoptest.OtherPassword,
				shoptest.GoodPassword), "60")
			mine.Key("new").Right(t, "changePassword", shoptest.Changing(shoptest.GoodPassword,
				shoptest.OtherPassword)).Again(t, first)
		})
	})
}

// TestIdempotencyOfLongAnswers checks that an answer too long to store still succeeds, and that its request
// is not run twice.
func TestIdempotencyOfLongAnswers(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d := a.GraphQL()
		mine := d.With(d.Register(t, d.Cell(1)).Access)
		for range 50 {
			mine.Right(t, "createAddress", `{"province": "a", "city": "b", "address": "`+strings.Repeat("x",
				500)+`"}`)
		}
		long := func(times int) string { // about 27 kB each
			var lists strings.Builder
			for i := range times {
				fmt.Fprintf(&lists, "a%d: addresses { id address } ", i)
			}
			return `mutation { ` + shoptest.AddingAddress("one", "x") + `updateProfile(input: {}) { user { ` +
				lists.String() + `} } }`
		}
		tooLong := func(key string, times int) {
			if got := mine.Key(key).Graph(t, long(times)).Fresh(t); got.Code != "" {
				t.Fatalf("%.300s", got.Body)
			}
			if got := mine.Key(key).Graph(t, long(times)); got.Code != "CONFLICT" ||
				!strings.Contains(got.Message(t), "not kept") || got.Header.Get("Idempotent-Replayed") != "true" {
				t.Errorf("%s: %.300s", key, got.Body)
			}
		}
		big := mine.Key("big").Graph(t, long(28)).Fresh(t)
		mine.Key("big").Graph(t, long(28)).Again(t, big)
		mine.HasAddresses(t, 51)

		// A customer's long answers are kept up to a sum; short ones always.
		for n := len(big.Body); n+len(big.Body) <= 16<<20; n += len(big.Body) {
			key := fmt.Sprint("big", n)
			got := mine.Key(key).Graph(t, `mutation { `+strings.TrimPrefix(long(28),
				`mutation { `+shoptest.AddingAddress("one",
					"x"))).Fresh(t)
			if got.Code != "" {
				t.Fatalf("%.300s", got.Body)
			}
		}
		tooLong("one-more", 28)
		first := mine.Key("short").Graph(t, `mutation { `+shoptest.AddingAddress("one", "x")+`}`).Fresh(t)
		mine.Key("short").Graph(t, `mutation { `+shoptest.AddingAddress("one", "x")+`}`).Again(t, first)
		mine.Key("big").Graph(t, long(28)).Again(t, big)
		mine.HasAddresses(t, 53)
	})
}

// TestIdempotencyOfTheLongestAnswer checks that a single answer has a limit, too.
func TestIdempotencyOfTheLongestAnswer(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d := a.GraphQL()
		mine := d.With(d.Register(t, d.Cell(1)).Access)
		for range 99 {
			mine.Right(t, "createAddress", `{"province": "a", "city": "b", "address": "`+strings.Repeat("ی",
				500)+`"}`)
		}
		var lists strings.Builder
		for i := range 12 {
			fmt.Fprintf(&lists, "a%d: addresses { id address } ", i)
		}
		document := `mutation { ` + shoptest.AddingAddress("one", "x") + `updateProfile(input: {}) { user { ` +
			lists.String() + `} } }`
		if got := mine.Key("a").Graph(t, document).Fresh(t); got.Code != "" || len(got.Body) < 1<<20 {
			t.Fatalf("%d bytes: %.300s", len(got.Body), got.Body)
		}
		if got := mine.Key("a").Graph(t, document); got.Code != "CONFLICT" ||
			!strings.Contains(got.Message(t), "not kept") || got.Header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("%.300s", got.Body)
		}
		mine.HasAddresses(t, 100)
	})
}
