package account_test

import (
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

// TestAccountBodies sends unreadable bodies to each route that takes one, and calls each route by other
// methods.
func TestAccountBodies(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		c := a.REST().Register(t, a.REST().Cell(1))
		token := []string{"Authorization", "Bearer " + c.Access}
		for operation, o := range shoptest.AccountOperations {
			path := o.Path
			if path == "/graphql" { // tested in internal/contract/api
				continue
			}
			if strings.HasSuffix(path, "/") {
				path += "x"
			}
			for _, method := range []string{"PUT", "OPTIONS", map[string]string{"GET": "DELETE",
				"POST": "PATCH"}[o.Method]} {
				if method == "" {
					continue
				}
				got := a.Send(t, method, path, "", token...)
				if shoptest.WantFault(t, got, 405,
					"METHOD_NOT_ALLOWED"); !strings.Contains(got.Header.Get("Allow"), o.Method) {
					t.Errorf("%s %s: Allow %q", method, path, got.Header.Get("Allow"))
				}
			}
			if o.Method != "POST" && o.Method != "PATCH" {
				continue
			}
			for _, body := range []string{"", "{", "[]", "null", `"x"`, `{"cellNumber": 1,}`, `{"a": 1, "a": 2}`,
				`{} {}`, "\uFEFF{}", "{\"a\": \"\xff\"}", `{"a": "\u0000"}`} {
				if shoptest.WantFault(t, a.Send(t, o.Method, path, body,
					append(token, "Content-Type", "application/json")...),
					400, "BAD_REQUEST"); t.Failed() {
					t.Fatalf("that was %s with %q", operation, body)
				}
			}
			shoptest.WantFault(t, a.Send(t, o.Method, path, "a=b",
				append(token, "Content-Type", "application/x-www-form-urlencoded")...), 415, "UNSUPPORTED_MEDIA_TYPE")
			shoptest.WantFault(t, a.Send(t, o.Method, path, `{"a": "`+strings.Repeat("x", 256<<10)+`"}`,
				token...), 413,
				"PAYLOAD_TOO_LARGE")
		}
		a.REST().Lives(t, c.Access, true)
	})
}
