package contract_test

import (
	"fmt"
	"strings"
	"testing"
)

// graph sends a document to /graphql.
func (d door) graph(t testing.TB, document string) reply {
	t.Helper()
	return d.read(t, d.send(t, "POST", "/graphql", asked(document, ""), d.headers...))
}

// addingAddress is a mutation that creates an address.
func addingAddress(alias, city string) string {
	return fmt.Sprintf(`%s: createAddress(input: {province: "a", city: %q, address: "c"}) { address { `+
		`id city } } `, alias, city)
}

// TestIdempotencyOfDocuments checks that a document of several mutations is one request.
func TestIdempotencyOfDocuments(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		d := a.graphQL()
		c := d.register(t, d.cell(1))
		mine := d.with(c.access)

		several := `mutation { ` + addingAddress("one", "x") + `updateProfile(input: {firstName: "New"}) { ` +
			`user { firstName addresses { city } } } ` + addingAddress("two", "y") + `}`
		first := mine.key("several").graph(t, several).fresh(t)
		if first.code != "" || !strings.Contains(first.said,
			`"user":{"firstName":"New","addresses":[{"city":"x"}]}`) {
			t.Errorf("what one mutation wrote is not there for the next: %s", first.body)
		}
		mine.hasAddresses(t, 2)
		mine.right(t, "profile", `{"firstName": "Newer"}`)
		mine.key("several").graph(t, several).again(t, first)
		mine.hasAddresses(t, 2)
		if got := mine.right(t, "me", "").member(t, "user.firstName"); got != "Newer" {
			t.Errorf("the name is %s", got)
		}

		// One that fails is no answer, and what went before it is undone.
		half := `mutation { ` + addingAddress("one", "x") + `deleteAddress(addressId: "none") { message } }`
		for range 2 {
			if got := mine.key("half").graph(t, half).fresh(t); got.code != "NOT_FOUND" || !strings.Contains(string(got.body),
				`"data":null`) {
				t.Errorf("%s", got.body)
			}
			mine.hasAddresses(t, 2)
		}

		// The name, the variables and the extensions belong to the JSON.
		named := `"query": "mutation A { logout { message } } mutation B($city: String!) { createAddress(input: ` +
			`{province: \"a\", city: $city, address: \"c\"}) { address { city } } }",
			"operationName": "B", "variables": {"city": "x"}`
		send := func(body string) reply {
			headers := mine.key("named").headers
			return mine.read(t, mine.send(t, "POST", "/graphql", `{`+body+`}`, headers...))
		}
		first = send(named).fresh(t)
		send(named).again(t, first)
		for _, other := range []string{strings.Replace(named, `"x"`, `"y"`, 1), named + `, "extensions": {}`,
			strings.Replace(named, `"B", `, `"A", `, 1)} {
			if got := send(other).fresh(t); got.code != "IDEMPOTENCY_KEY_REUSED" {
				t.Errorf("%s: %s", other, got.body)
			}
		}
		mine.hasAddresses(t, 3)
	})
}

// TestIdempotencyOfMixedDocuments checks that the answer of a sign-in is never stored, whatever else the
// document does.
func TestIdempotencyOfMixedDocuments(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		d := a.graphQL()
		c := d.register(t, d.cell(1))
		mine := d.with(c.access)
		login := fmt.Sprintf(`login(input: {cellNumber: %q, password: %q}) { accessToken } `, c.cell, goodPassword)
		for _, document := range []string{
			`mutation { ` + login + addingAddress("one", "x") + `}`,
			`mutation { ` + addingAddress("one", "x") + `... on Mutation { ...more } } fragment more on Mutation { ` +
				login + `}`,
		} {
			wantGraphQL(t, mine.key("mixed").graph(t, document).answer, 200, "VALIDATION_FAILED", "Idempotency-Key")
			mine.hasAddresses(t, 0)
		}
		if got := mine.key("mixed").graph(t, `mutation { `+login+`}`).fresh(t); got.code != "" {
			t.Errorf("%s", got.body)
		}
		if got := mine.key("mixed").graph(t, `mutation { __typename `+addingAddress("one", "x")+`}`).
			fresh(t); got.code != "" {
			t.Errorf("%s", got.body)
		}
	})
}

// TestIdempotencyOfPasswords checks that a key does not make guesses free, and that no secret is stored.
func TestIdempotencyOfPasswords(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			cell := d.cell(1)
			d.register(t, cell)
			mine := d.with(d.login(t, cell, goodPassword).access)
			first := mine.key("new").right(t, "changePassword", changing(goodPassword, otherPassword)).fresh(t)
			mine.key("new").right(t, "changePassword", changing(goodPassword, otherPassword)).again(t, first)
			mine.key("new").wrong(t, "changePassword", changing(otherPassword, goodPassword), 422,
				"IDEMPOTENCY_KEY_REUSED")
			d.login(t, cell, otherPassword)
			for range 10 {
				mine.key("wrong").wrong(t, "changePassword", changing("wrong password", goodPassword), 400,
					"CURRENT_PASSWORD_INCORRECT").fresh(t)
			}
			mine.key("wrong").tooMany(t, "changePassword", changing(otherPassword, goodPassword), "60")
			mine.key("new").right(t, "changePassword", changing(goodPassword, otherPassword)).again(t, first)
		})
	})
}

// TestIdempotencyOfLongAnswers checks that an answer too long to store still succeeds, and that its request
// is not run twice.
func TestIdempotencyOfLongAnswers(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		d := a.graphQL()
		mine := d.with(d.register(t, d.cell(1)).access)
		for range 50 {
			mine.right(t, "createAddress", `{"province": "a", "city": "b", "address": "`+strings.Repeat("x", 500)+`"}`)
		}
		long := func(times int) string { // about 27 kB each
			var lists strings.Builder
			for i := range times {
				fmt.Fprintf(&lists, "a%d: addresses { id address } ", i)
			}
			return `mutation { ` + addingAddress("one", "x") + `updateProfile(input: {}) { user { ` +
				lists.String() + `} } }`
		}
		tooLong := func(key string, times int) {
			if got := mine.key(key).graph(t, long(times)).fresh(t); got.code != "" {
				t.Fatalf("%.300s", got.body)
			}
			if got := mine.key(key).graph(t, long(times)); got.code != "CONFLICT" ||
				!strings.Contains(got.message(t), "not kept") || got.header.Get("Idempotent-Replayed") != "true" {
				t.Errorf("%s: %.300s", key, got.body)
			}
		}
		big := mine.key("big").graph(t, long(28)).fresh(t)
		mine.key("big").graph(t, long(28)).again(t, big)
		mine.hasAddresses(t, 51)

		// A customer's long answers are kept up to a sum; short ones always.
		for n := len(big.body); n+len(big.body) <= 16<<20; n += len(big.body) {
			key := fmt.Sprint("big", n)
			got := mine.key(key).graph(t, `mutation { `+strings.TrimPrefix(long(28), `mutation { `+addingAddress("one",
				"x"))).fresh(t)
			if got.code != "" {
				t.Fatalf("%.300s", got.body)
			}
		}
		tooLong("one-more", 28)
		first := mine.key("short").graph(t, `mutation { `+addingAddress("one", "x")+`}`).fresh(t)
		mine.key("short").graph(t, `mutation { `+addingAddress("one", "x")+`}`).again(t, first)
		mine.key("big").graph(t, long(28)).again(t, big)
		mine.hasAddresses(t, 53)
	})
}

// TestIdempotencyOfTheLongestAnswer checks that a single answer has a limit, too.
func TestIdempotencyOfTheLongestAnswer(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		d := a.graphQL()
		mine := d.with(d.register(t, d.cell(1)).access)
		for range 99 {
			mine.right(t, "createAddress", `{"province": "a", "city": "b", "address": "`+strings.Repeat("ی", 500)+`"}`)
		}
		var lists strings.Builder
		for i := range 12 {
			fmt.Fprintf(&lists, "a%d: addresses { id address } ", i)
		}
		document := `mutation { ` + addingAddress("one", "x") + `updateProfile(input: {}) { user { ` +
			lists.String() + `} } }`
		if got := mine.key("a").graph(t, document).fresh(t); got.code != "" || len(got.body) < 1<<20 {
			t.Fatalf("%d bytes: %.300s", len(got.body), got.body)
		}
		if got := mine.key("a").graph(t, document); got.code != "CONFLICT" ||
			!strings.Contains(got.message(t), "not kept") || got.header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("%.300s", got.body)
		}
		mine.hasAddresses(t, 100)
	})
}
