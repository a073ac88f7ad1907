package contract_test

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// forCustomers are the operations that need a signed-in customer, each with a valid input.
var forCustomers = map[string]string{
	"me": "", "profile": `{}`, "changePassword": changing(goodPassword, otherPassword),
	"addresses": "", "createAddress": homeAddress, "updateAddress x": `{}`, "deleteAddress x": "",
}

// routeOf returns the REST route of an operation.
func routeOf(operation string) (method, path string) {
	name, id, _ := strings.Cut(operation, " ")
	return accountOperations[name].method, accountOperations[name].path + id
}

// worthless returns Authorization headers that must be refused.
func (a *accounts) worthless(t *testing.T) map[string]string {
	t.Helper()
	d := a.rest()
	expired := d.register(t, d.cell(1))
	a.clock.pass(time.Hour)
	good, ended := d.register(t, d.cell(2)), d.register(t, d.cell(3))
	wantGraphQL(t, a.send(t, "POST", "/graphql", asked(`mutation { logout { message } }`, ""), "Authorization",
		"Bearer "+ended.access), 200, "")
	elsewhere := &accounts{clock: a.clock, phones: a.phones, key: bytes.Repeat([]byte("x"), 32),
		database: a.database}
	foreign := elsewhere.instance(t).rest().login(t, d.cell(2), goodPassword)
	parts := strings.Split(good.access, ".")
	d.lives(t, good.access, true)
	return map[string]string{
		"missing": "", "garbage": "Bearer x", "a scheme alone": "Bearer", "nothing after the scheme": "Bearer ",
		"no scheme":      good.access,
		"another scheme": "Basic " + good.access, "a refresh token": "Bearer " + good.refresh, "twice": "Bearer " +
			good.access + " " + good.access,
		"expired": "Bearer " + expired.access, "ended": "Bearer " + ended.access, "of another key": "Bearer " +
			foreign.access,
		"unsigned":         "Bearer eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0." + parts[1] + ".",
		"signed otherwise": "Bearer " + parts[0] + "." + parts[1] + "." + strings.Split(ended.access, ".")[2],
		"of another body":  "Bearer " + parts[0] + "." + strings.Split(ended.access, ".")[1] + "." + parts[2],
	}
}

// TestAccountSignedIn checks that neither body nor record is looked at without a valid token.
func TestAccountSignedIn(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		for name, authorization := range a.worthless(t) {
			for operation, input := range forCustomers {
				method, path := routeOf(operation)
				got := a.send(t, method, path, `{"broken`, "Authorization", authorization, "Content-Type", "text/plain")
				if wantFault(t, got, 401, "UNAUTHENTICATED"); got.header.Get("WWW-Authenticate") != "Bearer" {
					t.Errorf("%s, %s: %v", operation, name, got.header)
				}
				d := a.graphQL()
				d.headers = []string{"Authorization", authorization}
				d.wrong(t, operation, input, 401, "UNAUTHENTICATED")
			}
		}
	})
}

// TestAccountSignedInBeforeBody checks that 401 is answered before the client is asked for a body.
func TestAccountSignedInBeforeBody(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		for operation := range forCustomers {
			method, path := routeOf(operation)
			connection, err := net.Dial("tcp", strings.TrimPrefix(a.url, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			defer connection.Close()
			fmt.Fprintf(connection, "%s /api/v1%s HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Type: "+
				"application/json\r\nContent-Length: 100\r\n\r\n", method, path)
			response, err := http.ReadResponse(bufio.NewReader(connection), nil)
			if err != nil {
				t.Fatal(err)
			}
			if response.Body.Close(); response.StatusCode != 401 {
				t.Errorf("%s: %s", operation, response.Status)
			}
		}
	})
}

// TestAccountSchemes checks that the scheme is read in any letter case.
func TestAccountSchemes(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		c := a.rest().register(t, a.rest().cell(1))
		for _, scheme := range []string{"Bearer ", "bearer ", "BEARER  "} {
			wantStatus(t, a.get(t, "/auth/me", "Authorization", scheme+c.access), 200)
			wantStatus(t, a.get(t, "/auth/me/", "Authorization", scheme+c.access), 200)
		}
		got := a.send(t, "HEAD", "/auth/me", "", "Authorization", "Bearer "+c.access)
		if got.status != 200 || len(got.body) > 0 || got.header.Get("Cache-Control") != "no-store" ||
			got.header.Get("ETag") != "" {
			t.Errorf("HEAD: %d %v", got.status, got.header)
		}
	})
}
