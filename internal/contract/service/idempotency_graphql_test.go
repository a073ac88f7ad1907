package service_test

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

// TestIdempotencyOfDocuments checks that a key is for one mutation, as fields stand in the document.
func TestIdempotencyOfDocuments(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d := a.GraphQL()
		mine := d.With(d.Register(t, d.Cell(1)).Access)
		one := shoptest.AddingAddress("one", "x")
		for _, document := range []string{
			`mutation { ` + one + shoptest.AddingAddress("two", "y") + `}`,
			`mutation { ` + one + one + `}`,
			`mutation { ` + one + `logout @skip(if: true) { message } }`,
			`mutation { ` + one + `... on Mutation @skip(if: true) { logout { message } } }`,
			`mutation { ...a ...a } fragment a on Mutation { ` + one + `}`,
			`mutation { ...a ...b } fragment a on Mutation { ...b } fragment b on Mutation { ` + one + `}`,
		} {
			shoptest.WantGraphQL(t, mine.Key("several").Graph(t, document).Answer, 200, "VALIDATION_FAILED",
				"Idempotency-Key")
			mine.HasAddresses(t, 0)
		}
		first := mine.Key("several").Graph(t, `mutation { __typename ...a } fragment a on Mutation { `+one+`}`).Fresh(t)
		if first.Code != "" {
			t.Errorf("got %s", first.Body)
		}
		mine.HasAddresses(t, 1)
		if got := mine.Graph(t, `mutation { `+one+shoptest.AddingAddress("two", "y")+`}`); got.Code != "" {
			t.Errorf("without a key: %s", got.Body)
		}
		mine.HasAddresses(t, 3)

		// The document, its operation's name and the variables are what a key stands for.
		named := `"query": "mutation A { logout { message } } mutation B($city: String!) { createAddress(input: ` +
			`{province: \"a\", city: $city, address: \"c\"}) { address { city } } }",
			"operationName": "B", "variables": {"city": "x"}`
		send := func(body string) shoptest.Reply {
			headers := mine.Key("named").Headers
			return mine.Read(t, mine.Send(t, "POST", "/graphql", `{`+body+`}`, headers...))
		}
		first = send(named).Fresh(t)
		send(named).Again(t, first)
		send(named+`, "extensions": {}`).Again(t, first)
		for _, other := range []string{strings.Replace(named, `"x"`, `"y"`, 1),
			strings.Replace(named, "address { city }", "address { id }", 1),
			strings.Replace(named, `"B", `, `"A", `, 1)} {
			if got := send(other).Fresh(t); got.Code != "IDEMPOTENCY_KEY_REUSED" {
				t.Errorf("%s: got %s", other, got.Body)
			}
		}
		mine.HasAddresses(t, 4)
	})
}

// TestIdempotencyOfPersistedQueries sends a request again by the hash of its document alone, as clients with
// persisted queries do, and with the document again.
func TestIdempotencyOfPersistedQueries(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d := a.GraphQL()
		mine := d.With(d.Register(t, d.Cell(1)).Access).Key("a")
		document := `mutation { ` + shoptest.AddingAddress("one", "x") + `}`
		hash := fmt.Sprintf(`"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "%x"}}`,
			sha256.Sum256([]byte(document)))
		whole := fmt.Sprintf(`"query": %q, `, document) + hash
		send := func(body string) shoptest.Reply {
			return mine.Read(t, mine.Send(t, "POST", "/graphql", `{`+body+`}`, mine.Headers...))
		}
		if got := send(hash); got.Code != "PERSISTED_QUERY_NOT_FOUND" {
			t.Errorf("got %s", got.Body)
		}
		first := send(whole).Fresh(t)
		for _, again := range []string{hash, whole, fmt.Sprintf(`"query": %q`, document)} {
			send(again).Again(t, first)
		}
		mine.HasAddresses(t, 1)
	})
}

// TestIdempotencyOfStreams repeats a mutation that is answered as an event.
func TestIdempotencyOfStreams(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d := a.GraphQL()
		mine := d.With(d.Register(t, d.Cell(1)).Access).Key("a")
		var first string
		for i := range 2 {
			got := mine.Fetch(t, "POST", "/graphql/stream",
				strings.NewReader(shoptest.GraphQLBody(`mutation { `+shoptest.AddingAddress("one", "x")+`}`, "")),
				append(mine.Headers, "Accept", "text/event-stream", "Content-Type", "application/json")...)
			if i == 0 {
				first = string(got.Body)
			}
			if string(got.Body) != first || (got.Header.Get("Idempotent-Replayed") == "true") != (i == 1) {
				t.Errorf("got %v %s", got.Header, got.Body)
			}
		}
		mine.HasAddresses(t, 1)
	})
}

// TestIdempotencyOfComments repeats a comment by each API. A visitor's is written again.
func TestIdempotencyOfComments(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		mine := a.REST().With(a.REST().Register(t, a.REST().Cell(1)).Access)
		const path = shoptest.ToolsPath + "/comments"
		body := mine.Named(t, `{"entityType": "product", "entityId": "<tools:product:drill>", "authorName": "a",
			"authorEmail": "a@example.com", "text": "b"}`)
		send := func(headers ...string) shoptest.Reply {
			return mine.Read(t, mine.Send(t, "POST", path, body, headers...))
		}
		comments := func() int { return a.Rows(t, "SELECT count(*) FROM comments WHERE text = 'b'") }
		before := comments()
		first := send(mine.Key("a").Headers...).Fresh(t)
		if first.Status != 201 {
			t.Fatalf("got %d %s", first.Status, first.Body)
		}
		send(mine.Key("a").Headers...).Again(t, first)
		if got := send(mine.Key(strings.Repeat("a", 300)).Headers...); got.Status != 400 {
			t.Errorf("got %d %s", got.Status, got.Body)
		}
		if n := comments() - before; n != 1 {
			t.Errorf("%d comments, want 1", n)
		}
		for range 2 {
			send("Idempotency-Key", "a").Fresh(t)
		}
		if n := comments() - before; n != 3 {
			t.Errorf("%d comments, want 3", n)
		}
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

// TestIdempotencyOfAnExport asks for the customer's data in the answer to a change of it.
func TestIdempotencyOfAnExport(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d := a.GraphQL()
		mine := d.With(d.Register(t, d.Cell(1)).Access).Key("a")
		const document = `mutation { updateProfile(input: {firstName: "keyed"}) { user { dataExport } } }`
		first := mine.Graph(t, document).Fresh(t)
		if first.Code != "" || !strings.Contains(string(first.Body), `"firstName":"keyed"`) {
			t.Errorf("got %s", first.Body)
		}
		mine.Graph(t, document).Again(t, first)
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
			return `mutation { updateProfile(input: {firstName: "keyed"}) { user { ` + lists.String() + `} } }`
		}
		keepsName := func(again func()) {
			t.Helper()
			mine.Right(t, "profile", `{"firstName": "Later"}`)
			again()
			if got := mine.Right(t, "me", "").Member(t, "user.firstName"); got != "Later" {
				t.Errorf("it was done again: the name is %s", got)
			}
		}
		big := mine.Key("big").Graph(t, long(28)).Fresh(t)
		keepsName(func() { mine.Key("big").Graph(t, long(28)).Again(t, big) })

		// A customer's long answers are kept up to a sum; short ones always.
		for n := len(big.Body); n+len(big.Body) <= 16<<20; n += len(big.Body) {
			if got := mine.Key(fmt.Sprint("big", n)).Graph(t, long(28)).Fresh(t); got.Code != "" {
				t.Fatalf("%.300s", got.Body)
			}
		}
		if got := mine.Key("one-more").Graph(t, long(28)).Fresh(t); got.Code != "" {
			t.Fatalf("%.300s", got.Body)
		}
		keepsName(func() { notKept(t, mine.Key("one-more").Graph(t, long(28))) })
		first := mine.Key("short").Graph(t, `mutation { `+shoptest.AddingAddress("one", "x")+`}`).Fresh(t)
		mine.Key("short").Graph(t, `mutation { `+shoptest.AddingAddress("one", "x")+`}`).Again(t, first)
		mine.Key("big").Graph(t, long(28)).Again(t, big)
		mine.HasAddresses(t, 51)
	})
}

// notKept checks that an answer says that the request was done and its answer is not kept.
func notKept(t testing.TB, got shoptest.Reply) {
	t.Helper()
	if got.Code != "CONFLICT" || !strings.Contains(got.Message(t), "not kept") ||
		got.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("%.300s", got.Body)
	}
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
		document := `mutation { updateProfile(input: {email: null}) { user { ` + lists.String() + `} } }`
		if got := mine.Key("a").Graph(t, document).Fresh(t); got.Code != "" || len(got.Body) < 1<<20 {
			t.Fatalf("%d bytes: %.300s", len(got.Body), got.Body)
		}
		notKept(t, mine.Key("a").Graph(t, document))
	})
}
