package shoptest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
)

// Graph sends a document to /graphql.
func (d API) Graph(t testing.TB, document string) Reply {
	t.Helper()
	return d.Read(t, d.Send(t, "POST", "/graphql", GraphQLBody(document, ""), d.Headers...))
}

// AddingAddress returns a mutation that creates an address.
func AddingAddress(alias, city string) string {
	return fmt.Sprintf(`%s: createAddress(input: {province: "a", city: %q, address: "c"}) { address { `+
		`id city } } `, alias, city)
}

// Key returns the API for a client that sends an Idempotency-Key.
func (d API) Key(key string) API {
	d.Headers = append(slices.Clone(d.Headers), "Idempotency-Key", key)
	return d
}

// Fresh checks that an answer is not a stored one.
func (r Reply) Fresh(t testing.TB) Reply {
	t.Helper()
	if r.Header.Values("Idempotent-Replayed") != nil {
		t.Errorf("replayed: %s", r.Body)
	}
	return r
}

// Again checks that an answer repeats an earlier one, byte for byte.
func (r Reply) Again(t testing.TB, first Reply) {
	t.Helper()
	if r.Status != first.Status || !bytes.Equal(r.Body, first.Body) ||
		r.Header.Get("Content-Type") != first.Header.Get("Content-Type") {
		t.Errorf("got %d %s, want %d %s as the first time", r.Status, r.Body, first.Status, first.Body)
	}
	if got := r.Header.Values("Idempotent-Replayed"); !slices.Equal(got, []string{"true"}) {
		t.Errorf("Idempotent-Replayed: got %q", got)
	}
}

// addresses returns how many addresses the customer has.
func (d API) addresses(t testing.TB) int {
	t.Helper()
	var list struct{ Items []json.RawMessage }
	if err := json.Unmarshal([]byte(d.Right(t, "addresses", "").Said), &list); err != nil {
		t.Fatal(err)
	}
	return len(list.Items)
}

// HasAddresses checks how many addresses the customer has.
func (d API) HasAddresses(t testing.TB, want int) {
	t.Helper()
	if n := d.addresses(t); n != want {
		t.Errorf("%d addresses, want %d", n, want)
	}
}
