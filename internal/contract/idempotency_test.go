package contract_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// key is the door for a client that sends an Idempotency-Key.
func (d door) key(key string) door {
	d.headers = append(slices.Clone(d.headers), "Idempotency-Key", key)
	return d
}

// fresh checks that an answer is not a stored one.
func (r reply) fresh(t testing.TB) reply {
	t.Helper()
	if r.header.Values("Idempotent-Replayed") != nil {
		t.Errorf("replayed: %s", r.body)
	}
	return r
}

// again checks that an answer repeats an earlier one, byte for byte.
func (r reply) again(t testing.TB, first reply) {
	t.Helper()
	if r.status != first.status || !bytes.Equal(r.body, first.body) ||
		r.header.Get("Content-Type") != first.header.Get("Content-Type") {
		t.Errorf("%d %s, first it was %d %s", r.status, r.body, first.status, first.body)
	}
	if got := r.header.Values("Idempotent-Replayed"); !slices.Equal(got, []string{"true"}) {
		t.Errorf("Idempotent-Replayed: %q", got)
	}
}

// addresses returns how many addresses the customer has.
func (d door) addresses(t testing.TB) int {
	t.Helper()
	var list struct{ Items []json.RawMessage }
	if err := json.Unmarshal([]byte(d.right(t, "addresses", "").said), &list); err != nil {
		t.Fatal(err)
	}
	return len(list.Items)
}

func (d door) hasAddresses(t testing.TB, want int) {
	t.Helper()
	if n := d.addresses(t); n != want {
		t.Errorf("%d addresses, want %d", n, want)
	}
}

func TestIdempotencyReplays(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			mine, theirs := d.with(d.register(t, d.cell(1)).access), d.with(d.register(t, d.cell(2)).access)
			key := mine.key("key-1")
			first := key.right(t, "createAddress", homeAddress).fresh(t)
			first.is(t, `{"address": `+plainAddress+`}`)
			key.right(t, "createAddress", homeAddress).again(t, first)
			// The same JSON, written in another way.
			key.right(t, "createAddress", `{"address":"\u062e\u06cc\u0627\u0628\u0627\u0646 ولیعصر، پلاک ۱۲", `+
				`"city":"تهران","province":"تهران"}`).again(t, first)
			mine.hasAddresses(t, 1)

			for _, other := range []string{
				strings.Replace(homeAddress, "{", `{"label": "a", `, 1), strings.Replace(homeAddress, "{",
					`{"label": null, `, 1),
				strings.Replace(homeAddress, "۱۲", "12", 1),
			} {
				key.wrong(t, "createAddress", other, 422, "IDEMPOTENCY_KEY_REUSED").fresh(t)
			}
			key.wrong(t, "createAddress", `{}`, 400, "VALIDATION_FAILED", "province", "city", "address").fresh(t)
			mine.hasAddresses(t, 1)

			// Another key, none, another customer, another path or operation.
			mine.key("Key-1").right(t, "createAddress", homeAddress).fresh(t)
			mine.right(t, "createAddress", homeAddress).fresh(t)
			mine.hasAddresses(t, 3)
			theirs.key("key-1").right(t, "createAddress", homeAddress).fresh(t)
			theirs.hasAddresses(t, 1)
			if !d.graphQL {
				key.right(t, "changePassword", changing(goodPassword, otherPassword)).fresh(t)
			}
			key.right(t, "createAddress", homeAddress).again(t, first)
		})
		rest, graphQL := a.rest(), a.graphQL()
		c := rest.register(t, "+989120009999")
		rest, graphQL = rest.with(c.access).key("both"), graphQL.with(c.access).key("both")
		rest.right(t, "createAddress", homeAddress).fresh(t)
		graphQL.right(t, "createAddress", homeAddress).fresh(t)
		rest.hasAddresses(t, 2)
	})
}

// TestIdempotencySlash checks that a trailing slash does not make another path.
func TestIdempotencySlash(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		d := a.rest()
		mine := d.with(d.register(t, d.cell(1)).access).key("a")
		first := mine.right(t, "createAddress", homeAddress)
		mine.read(t, mine.send(t, "POST", "/auth/addresses/", homeAddress, mine.headers...)).again(t, first)
		mine.hasAddresses(t, 1)
	})
}

// TestIdempotencyErrors checks that errors are not stored.
func TestIdempotencyErrors(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			mine := d.with(d.register(t, d.cell(1)).access)
			var last reply
			for range 100 {
				last = mine.right(t, "createAddress", homeAddress)
			}
			key := mine.key("a")
			for range 2 {
				key.wrong(t, "createAddress", homeAddress, 409, "CONFLICT").fresh(t)
			}
			mine.right(t, "deleteAddress "+last.member(t, "address.id"), "")
			other := strings.Replace(homeAddress, "۱۲", "12", 1) // a key that failed is free
			first := key.right(t, "createAddress", other).fresh(t)
			key.right(t, "createAddress", other).again(t, first) // though one more would be too many
			mine.hasAddresses(t, 100)
		})
	})
}

func TestIdempotencyTime(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			d.register(t, d.cell(1))
			begin := func() door { return d.with(d.login(t, d.cell(1), goodPassword).access).key("a") }
			first := begin().right(t, "createAddress", homeAddress)
			d.clock.pass(24*time.Hour - time.Microsecond)
			begin().right(t, "createAddress", homeAddress).again(t, first)
			d.clock.pass(time.Microsecond)
			second := begin().right(t, "createAddress", strings.Replace(homeAddress, "۱۲", "12", 1)).fresh(t)
			d.clock.pass(24*time.Hour - time.Microsecond)
			begin().right(t, "createAddress", strings.Replace(homeAddress, "۱۲", "12", 1)).again(t, second)
			begin().hasAddresses(t, 2)
		})
	})
}

// TestIdempotencyIgnored checks where a key has no effect.
func TestIdempotencyIgnored(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		d := a.rest()
		c := d.register(t, d.cell(1))
		mine := d.with(c.access)
		at := mine.right(t, "createAddress", homeAddress).member(t, "address.id")
		for _, key := range []string{"a", "", strings.Repeat("a", 256)} {
			for _, city := range []string{"ری", "کرج"} {
				if got := mine.key(key).right(t, "updateAddress "+at, `{"city": "`+city+`"}`).fresh(t).
					member(t, "address.city"); got != city {
					t.Errorf("the city is %s, want %s", got, city)
				}
				mine.key(key).right(t, "profile", `{"firstName": "`+city+`"}`).fresh(t)
			}
			mine.key(key).right(t, "me", "").fresh(t)
			d.key(key).right(t, "login", byPassword(c.cell, goodPassword)).fresh(t)
			d.key(key).right(t, "login", byPassword(c.cell, goodPassword)).fresh(t)
			d.key(key).wrong(t, "createAddress", `{}`, 401, "UNAUTHENTICATED").fresh(t)
			gone := mine.right(t, "createAddress", homeAddress).member(t, "address.id")
			mine.key(key).right(t, "deleteAddress "+gone, "").fresh(t)
			mine.key(key).wrong(t, "deleteAddress "+gone, "", 404, "NOT_FOUND").fresh(t)

			g := a.graphQL()
			g.key(key).right(t, "login", byPassword(c.cell, goodPassword)).fresh(t)
			g.with(c.access).key(key).right(t, "me", "").fresh(t)
			g.key(key).wrong(t, "createAddress", homeAddress, 401, "UNAUTHENTICATED").fresh(t)
		}
	})
}

func TestIdempotencyMalformed(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			mine := d.with(d.register(t, d.cell(1)).access)
			for _, key := range []string{"", "a b", "a\tb", "é", strings.Repeat("a", 256)} {
				mine.key(key).wrong(t, "createAddress", homeAddress, 400, "VALIDATION_FAILED", "Idempotency-Key")
				mine.key(key).wrong(t, "createAddress", `{"province": "a", "address": "b"}`, 400, "VALIDATION_FAILED",
					"Idempotency-Key", "city")
			}
			mine.hasAddresses(t, 0)
			for i, key := range []string{"!", "~", `"a,b"`, strings.Repeat("~", 255)} {
				first := mine.key(key).right(t, "createAddress", homeAddress).fresh(t)
				mine.key(key).right(t, "createAddress", homeAddress).again(t, first)
				mine.hasAddresses(t, i+1)
			}
			twice := mine.twice(t, "a", homeAddress)
			if twice.code != "VALIDATION_FAILED" || !slices.Equal(twice.fields, []string{"Idempotency-Key"}) {
				t.Errorf("a key twice: %s", twice.body)
			}
		})
	})
}

// twice creates an address with the header Idempotency-Key sent twice.
func (d door) twice(t testing.TB, key, input string) reply {
	t.Helper()
	url, body := d.url+"/api/v1/auth/addresses", input
	if d.graphQL {
		url, body = d.url+"/graphql", asked(accountOperations["createAddress"].document, `{"input": `+input+`}`)
	}
	r, err := http.NewRequestWithContext(t.Context(), "POST", url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(d.headers); i += 2 {
		r.Header.Set(d.headers[i], d.headers[i+1])
	}
	r.Header["Idempotency-Key"] = []string{key, key}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	return d.read(t, received(t, response))
}
