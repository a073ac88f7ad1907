package service_test

import (
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"storefront/internal/bundle"
	"storefront/internal/contract/shoptest"
)

// holding sends the beginning of a request from a client's address on a connection of its own, and reads nothing.
func holding(t *testing.T, a *shoptest.Accounts, from string, length int, body string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(a.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	_ = conn.(*net.TCPConn).SetReadBuffer(4 << 10)
	fmt.Fprintf(conn, "POST /graphql HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: %s\r\n"+
		"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", from, length, body)
	return conn
}

// await sends bodies until an answer has a status, and returns it.
func await(t *testing.T, a *shoptest.Accounts, from string, body func() string, status int) (got shoptest.Answer) {
	t.Helper()
	for began := time.Now(); time.Since(began) < 10*time.Second; {
		if got = a.Send(t, "POST", "/graphql", body(), "X-Forwarded-For", from); got.Status == status {
			return got
		}
	}
	t.Fatalf("got %d %.200s, want %d", got.Status, got.Body, status)
	return got
}

// TestBodiesThatStop begins many large bodies and stops. The client's next large body is refused; its small ones, and
// other clients, are served.
func TestBodiesThatStop(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		const client, other = "203.0.113.64", "203.0.113.65"
		small := shoptest.GraphQLBody("{ __typename }", "{}")
		large := func() string { return small + strings.Repeat(" ", 20<<10) }
		var open []net.Conn
		for range 64 {
			open = append(open, holding(t, a, client, 200_000, large()))
		}
		refused := await(t, a, client, large, 503)
		if refused.Header.Get("Retry-After") == "" || !strings.Contains(string(refused.Body), "UNAVAILABLE") {
			t.Errorf("got %v %s", refused.Header, refused.Body)
		}
		shoptest.WantGraphQL(t, a.Send(t, "POST", "/graphql", small, "X-Forwarded-For", client), 200, "")
		shoptest.WantGraphQL(t, a.Send(t, "POST", "/graphql", large(), "X-Forwarded-For", other), 200, "")
		for _, conn := range open {
			conn.Close()
		}
		await(t, a, client, large, 200)
	})
}

// TestLargeAnswersThatNobodyReads asks for large answers and reads none. The client's next large answer is refused; its
// small ones, and other clients, are served.
func TestLargeAnswersThatNobodyReads(t *testing.T) {
	products := make([]string, 100)
	for i := range products {
		products[i] = fmt.Sprintf(`{"slug": "long-%d", "titleFa": "L", "description": %q}`, i, strings.Repeat("x", 99_000))
	}
	file := fmt.Sprintf(`{"format": "storefront-bundle/1", "tenant": {"domain": "shop.example"}, "products": [%s]}`,
		strings.Join(products, ","))
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		if _, err := bundle.Import(t.Context(), a.Store, bundle.Bytes([]byte(file)), nil); err != nil {
			t.Fatal(err)
		}
		const client, other = "203.0.113.66", "203.0.113.67"
		asked := 0
		large := func() string {
			asked++ // so that no answer is kept
			return shoptest.GraphQLBody(fmt.Sprintf(`{ a%d: tenant(domain: "shop.example") {
				products(pageSize: 100, name: "L") { items { description } } } }`, asked), "{}")
		}
		var open []net.Conn
		for range 2 {
			body := large()
			open = append(open, holding(t, a, client, len(body), body))
		}
		refused := await(t, a, client, large, 503)
		if refused.Header.Get("Retry-After") == "" || !strings.Contains(string(refused.Body), "UNAVAILABLE") {
			t.Errorf("got %v %s", refused.Header, refused.Body)
		}
		shoptest.WantGraphQL(t, a.Send(t, "POST", "/graphql", shoptest.GraphQLBody("{ __typename }", "{}"),
			"X-Forwarded-For", client), 200, "")
		shoptest.WantGraphQL(t, a.Send(t, "POST", "/graphql", large(), "X-Forwarded-For", other), 200, "")
		for _, conn := range open {
			conn.Close()
		}
		await(t, a, client, large, 200)
	})
}
