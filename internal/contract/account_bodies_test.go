package contract_test

import (
	"strings"
	"testing"
)

// TestAccountBodies sends unreadable bodies to each route that takes one, and calls each route by other
// methods.
func TestAccountBodies(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		c := a.rest().register(t, a.rest().cell(1))
		token := []string{"Authorization", "Bearer " + c.access}
		for operation, o := range accountOperations {
			path := o.path
			if strings.HasSuffix(path, "/") {
				path += "x"
			}
			for _, method := range []string{"PUT", "OPTIONS", map[string]string{"GET": "DELETE",
				"POST": "PATCH"}[o.method]} {
				if method == "" {
					continue
				}
				got := a.send(t, method, path, "", token...)
				if wantFault(t, got, 405, "METHOD_NOT_ALLOWED"); !strings.Contains(got.header.Get("Allow"), o.method) {
					t.Errorf("%s %s: Allow %q", method, path, got.header.Get("Allow"))
				}
			}
			if o.method != "POST" && o.method != "PATCH" {
				continue
			}
			for _, body := range []string{"", "{", "[]", "null", `"x"`, `{"cellNumber": 1,}`, `{"a": 1, "a": 2}`,
				`{} {}`, "\uFEFF{}", "{\"a\": \"\xff\"}", `{"a": "\u0000"}`} {
				if wantFault(t, a.send(t, o.method, path, body, append(token, "Content-Type", "application/json")...),
					400, "BAD_REQUEST"); t.Failed() {
					t.Fatalf("that was %s with %q", operation, body)
				}
			}
			wantFault(t, a.send(t, o.method, path, "a=b",
				append(token, "Content-Type", "application/x-www-form-urlencoded")...), 415, "UNSUPPORTED_MEDIA_TYPE")
			wantFault(t, a.send(t, o.method, path, `{"a": "`+strings.Repeat("x", 256<<10)+`"}`, token...), 413,
				"PAYLOAD_TOO_LARGE")
		}
		a.rest().lives(t, c.access, true)
	})
}
