package service_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"storefront/internal/contract/shoptest"
)

func TestIdempotencyReplays(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			mine, theirs := d.With(d.Register(t, d.Cell(1)).Access), d.With(d.Register(t, d.Cell(2)).Access)
			key := mine.Key("key-1")
			first := key.Right(t, "createAddress", shoptest.HomeAddress).Fresh(t)
			first.Is(t, `{"address": `+shoptest.PlainAddress+`}`)
			key.Right(t, "createAddress", shoptest.HomeAddress).Again(t, first)
			// The same JSON, written in another way.
			key.Right(t, "createAddress", ``+
				`{"address":"\u062e\u06cc\u0627\u0628\u0627\u0646 ولیعصر، پلاک ۱۲", `+
				`"city":"تهران","province":"تهران"}`).Again(t, first)
			mine.HasAddresses(t, 1)

			for _, other := range []string{
				strings.Replace(shoptest.HomeAddress, "{", `{"label": "a", `,
					1), strings.Replace(shoptest.HomeAddress, "{",
					`{"label": null, `, 1),
				strings.Replace(shoptest.HomeAddress, "۱۲", "12", 1),
			} {
				key.Wrong(t, "createAddress", other, 422, "IDEMPOTENCY_KEY_REUSED").Fresh(t)
			}
			key.Wrong(t, "createAddress", `{}`, 400, "VALIDATION_FAILED", "province", "city", "address").Fresh(t)
			mine.HasAddresses(t, 1)

			// Another key, none, another customer, another path or operation.
			mine.Key("Key-1").Right(t, "createAddress", shoptest.HomeAddress).Fresh(t)
			mine.Right(t, "createAddress", shoptest.HomeAddress).Fresh(t)
			mine.HasAddresses(t, 3)
			theirs.Key("key-1").Right(t, "createAddress", shoptest.HomeAddress).Fresh(t)
			theirs.HasAddresses(t, 1)
			if !d.GraphQL {
				key.Right(t, "changePassword", shoptest.Changing(shoptest.GoodPassword,
					shoptest.OtherPassword)).Fresh(t)
			}
			key.Right(t, "createAddress", shoptest.HomeAddress).Again(t, first)
		})
		rest, graphQL := a.REST(), a.GraphQL()
		c := rest.Register(t, "+989120009999")
		rest, graphQL = rest.With(c.Access).Key("both"), graphQL.With(c.Access).Key("both")
		rest.Right(t, "createAddress", shoptest.HomeAddress).Fresh(t)
		graphQL.Right(t, "createAddress", shoptest.HomeAddress).Fresh(t)
		rest.HasAddresses(t, 2)
	})
}

// TestIdempotencySlash checks that a trailing slash does not make another path.
func TestIdempotencySlash(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d := a.REST()
		mine := d.With(d.Register(t, d.Cell(1)).Access).Key("a")
		first := mine.Right(t, "createAddress", shoptest.HomeAddress)
		mine.Read(t, mine.Send(t, "POST", "/auth/addresses/", shoptest.HomeAddress, mine.Headers...)).Again(t, first)
		mine.HasAddresses(t, 1)
	})
}

// TestIdempotencyErrors checks that errors are not stored.
func TestIdempotencyErrors(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			mine := d.With(d.Register(t, d.Cell(1)).Access)
			var last shoptest.Reply
			for range 100 {
				last = mine.Right(t, "createAddress", shoptest.HomeAddress)
			}
			key := mine.Key("a")
			for range 2 {
				key.Wrong(t, "createAddress", shoptest.HomeAddress, 409, "CONFLICT").Fresh(t)
			}
			mine.Right(t, "deleteAddress "+last.Member(t, "address.id"), "")
			other := strings.Replace(shoptest.HomeAddress, "۱۲", "12", 1) // a key can be used again after an error
			first := key.Right(t, "createAddress", other).Fresh(t)
			key.Right(t, "createAddress", other).Again(t, first) // a new request would exceed the limit
			mine.HasAddresses(t, 100)
		})
	})
}

func TestIdempotencyTime(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			d.Register(t, d.Cell(1))
			begin := func() shoptest.API {
				return d.With(d.Login(t, d.Cell(1),
					shoptest.GoodPassword).Access).Key("a")
			}
			first := begin().Right(t, "createAddress", shoptest.HomeAddress)
			d.Clock.Pass(24*time.Hour - time.Microsecond)
			begin().Right(t, "createAddress", shoptest.HomeAddress).Again(t, first)
			d.Clock.Pass(time.Microsecond)
			second := begin().Right(t, "createAddress", strings.Replace(shoptest.HomeAddress, "۱۲", "12", 1)).Fresh(t)
			d.Clock.Pass(24*time.Hour - time.Microsecond)
			begin().Right(t, "createAddress", strings.Replace(shoptest.HomeAddress, "۱۲", "12", 1)).Again(t, second)
			begin().HasAddresses(t, 2)
		})
	})
}

// TestIdempotencyIgnored checks where a key has no effect.
func TestIdempotencyIgnored(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d := a.REST()
		c := d.Register(t, d.Cell(1))
		mine := d.With(c.Access)
		at := mine.Right(t, "createAddress", shoptest.HomeAddress).Member(t, "address.id")
		for _, key := range []string{"a", "", strings.Repeat("a", 256)} {
			for _, city := range []string{"ری", "کرج"} {
				if got := mine.Key(key).Right(t, "updateAddress "+at, `{"city": "`+city+`"}`).Fresh(t).
					Member(t, "address.city"); got != city {
					t.Errorf("the city is %s, want %s", got, city)
				}
				mine.Key(key).Right(t, "profile", `{"firstName": "`+city+`"}`).Fresh(t)
			}
			mine.Key(key).Right(t, "me", "").Fresh(t)
			d.Key(key).Right(t, "login", shoptest.ByPassword(c.Cell, shoptest.GoodPassword)).Fresh(t)
			d.Key(key).Right(t, "login", shoptest.ByPassword(c.Cell, shoptest.GoodPassword)).Fresh(t)
			d.Key(key).Wrong(t, "createAddress", `{}`, 401, "UNAUTHENTICATED").Fresh(t)
			gone := mine.Right(t, "createAddress", shoptest.HomeAddress).Member(t, "address.id")
			mine.Key(key).Right(t, "deleteAddress "+gone, "").Fresh(t)
			mine.Key(key).Wrong(t, "deleteAddress "+gone, "", 404, "NOT_FOUND").Fresh(t)

			g := a.GraphQL()
			g.Key(key).Right(t, "login", shoptest.ByPassword(c.Cell, shoptest.GoodPassword)).Fresh(t)
			g.With(c.Access).Key(key).Right(t, "me", "").Fresh(t)
			g.Key(key).Wrong(t, "createAddress", shoptest.HomeAddress, 401, "UNAUTHENTICATED").Fresh(t)
		}
	})
}

func TestIdempotencyMalformed(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			mine := d.With(d.Register(t, d.Cell(1)).Access)
			for _, key := range []string{"", "a b", "a\tb", "é", strings.Repeat("a", 256)} {
				mine.Key(key).Wrong(t, "createAddress", shoptest.HomeAddress, 400, "VALIDATION_FAILED",
					"Idempotency-Key")
				mine.Key(key).Wrong(t, "createAddress", `{"province": "a", "address": "b"}`, 400, "VALIDATION_FAILED",
					"Idempotency-Key", "city")
			}
			mine.HasAddresses(t, 0)
			for i, key := range []string{"!", "~", `"a,b"`, strings.Repeat("~", 255)} {
				first := mine.Key(key).Right(t, "createAddress", shoptest.HomeAddress).Fresh(t)
				mine.Key(key).Right(t, "createAddress", shoptest.HomeAddress).Again(t, first)
				mine.HasAddresses(t, i+1)
			}
			twice := twice(t, mine, "a", shoptest.HomeAddress)
			if twice.Code != "VALIDATION_FAILED" || !slices.Equal(twice.Fields, []string{"Idempotency-Key"}) {
				t.Errorf("a key twice: %s", twice.Body)
			}
		})
	})
}

// twice creates an address with the header Idempotency-Key sent twice.
func twice(t testing.TB, d shoptest.API, key, input string) shoptest.Reply {
	t.Helper()
	url, body := d.URL+"/api/v1/auth/addresses", input
	if d.GraphQL {
		url, body = d.URL+"/graphql", shoptest.GraphQLBody(
			shoptest.AccountOperations["createAddress"].Document, `{"input": `+input+`}`)
	}
	r, err := http.NewRequestWithContext(t.Context(), "POST", url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(d.Headers); i += 2 {
		r.Header.Set(d.Headers[i], d.Headers[i+1])
	}
	r.Header["Idempotency-Key"] = []string{key, key}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	return d.Read(t, shoptest.Receive(t, response))
}
