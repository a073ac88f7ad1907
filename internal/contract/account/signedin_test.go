package account_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

// forCustomers are the operations that need a signed-in customer, each with a valid input.
var forCustomers = map[string]string{
	"me": "", "profile": `{}`, "changePassword": shoptest.Changing(shoptest.GoodPassword, shoptest.OtherPassword),
	"addresses": "", "createAddress": shoptest.HomeAddress, "updateAddress x": `{}`, "deleteAddress x": "",
}

// routeOf returns the REST route of an operation.
func routeOf(operation string) (method, path string) {
	name, id, _ := strings.Cut(operation, " ")
	return shoptest.AccountOperations[name].Method, shoptest.AccountOperations[name].Path + id
}

// TestAccountSignedIn checks that without a valid token neither the body nor any record is read.
func TestAccountSignedIn(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		for name, authorization := range a.Worthless(t) {
			for operation, input := range forCustomers {
				method, path := routeOf(operation)
				got := a.Send(t, method, path, `{"broken`, "Authorization", authorization, "Content-Type",
					"text/plain")
				if shoptest.WantFault(t, got, 401,
					"UNAUTHENTICATED"); got.Header.Get("WWW-Authenticate") != "Bearer" {
					t.Errorf("%s, %s: got %v", operation, name, got.Header)
				}
				d := a.GraphQL()
				d.Headers = []string{"Authorization", authorization}
				d.Wrong(t, operation, input, 401, "UNAUTHENTICATED")
			}
		}
	})
}

// TestAccountSignedInBeforeBody checks that 401 is answered before the client is asked for a body.
func TestAccountSignedInBeforeBody(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		for operation := range forCustomers {
			method, path := routeOf(operation)
			connection, err := net.Dial("tcp", strings.TrimPrefix(a.URL, "http://"))
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
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		c := a.REST().Register(t, a.REST().Cell(1))
		for _, scheme := range []string{"Bearer ", "bearer ", "BEARER  "} {
			shoptest.WantStatus(t, a.Get(t, "/auth/me", "Authorization", scheme+c.Access), 200)
			shoptest.WantStatus(t, a.Get(t, "/auth/me/", "Authorization", scheme+c.Access), 200)
		}
		got := a.Send(t, "HEAD", "/auth/me", "", "Authorization", "Bearer "+c.Access)
		if got.Status != 200 || len(got.Body) > 0 || got.Header.Get("Cache-Control") != "no-store" ||
			got.Header.Get("ETag") != "" {
			t.Errorf("HEAD: got %d %v", got.Status, got.Header)
		}
	})
}
