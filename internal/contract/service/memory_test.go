package service_test

import (
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"storefront/internal/contract/shoptest"
)

// clientsOf returns the addresses of two clients that other tests, and the other database, do not have: the memory is
// that of the process.
func clientsOf(t *testing.T) (client, other string) {
	return fmt.Sprintf("203.0.113.%d", 2*len(t.Name())), fmt.Sprintf("203.0.113.%d", 2*len(t.Name())+1)
}

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

// await sends bodies until an answer holds a text, and returns it.
func await(t *testing.T, a *shoptest.Accounts, from string, body func() string, text string) (got shoptest.Answer) {
	t.Helper()
	for began := time.Now(); time.Since(began) < 10*time.Second; {
		got = a.Send(t, "POST", "/graphql", body(), "X-Forwarded-For", from)
		if strings.Contains(string(got.Body), text) {
			return got
		}
	}
	t.Fatalf("got %d %.200s, want %s", got.Status, got.Body, text)
	return got
}

// TestBodiesThatStop begins many large bodies and stops. The client's next large body is refused; its small ones, and
// other clients, are served.
func TestBodiesThatStop(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		client, other := clientsOf(t)
		small := shoptest.GraphQLBody("{ __typename }", "{}")
		large := func() string { return small + strings.Repeat(" ", 20<<10) }
		var open []net.Conn
		for range 64 {
			open = append(open, holding(t, a, client, 200_000, large()))
		}
		refused := await(t, a, client, large, "UNAVAILABLE")
		if refused.Header.Get("Retry-After") == "" {
			t.Errorf("got %v %s", refused.Header, refused.Body)
		}
		shoptest.WantGraphQL(t, a.Send(t, "POST", "/graphql", small, "X-Forwarded-For", client), 200, "")
		shoptest.WantGraphQL(t, a.Send(t, "POST", "/graphql", large(), "X-Forwarded-For", other), 200, "")
		for _, conn := range open {
			conn.Close()
		}
		await(t, a, client, large, `"data":{`)
	})
}
