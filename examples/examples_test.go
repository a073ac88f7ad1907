// Package examples_test runs the example clients as their readers would, against the demo shops on each
// database.
package examples_test

import (
	"bytes"
	"log/slog"
	"net/http/httptest"
	"os/exec"
	"regexp"
	"testing"

	"storefront/ent/order"
	"storefront/ent/tenant"
	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/store"
	"storefront/internal/database/store/storetest"
	"storefront/internal/database/tenancy"
)

// placed is what each program ends with: the number of the order it placed.
var placed = regexp.MustCompile(`(?m)^order ([0-9A-Z]{8}): pending, [0-9.]+ USD$`)

// built runs the programs without compiling them again: the service's documents, which their types are made
// from, are the same on both databases.
var built = map[string][]string{
	"rest-typescript":    {"node", "rest-typescript/dist/main.js"},
	"rest-go":            {"./rest-go/dist/main"},
	"graphql-typescript": {"node", "graphql-typescript/dist/main.js"},
}

func TestExamples(t *testing.T) {
	for _, name := range []string{"rest-typescript", "rest-go", "graphql-typescript", "graphql-go"} {
		compiled := false
		shoptest.DemoShops.Each(t, func(t *testing.T, url string) {
			s := storetest.Open(t, url)
			service, err := app.New(s, slog.New(slog.DiscardHandler), app.Options{})
			if err != nil {
				t.Fatal(err)
			}
			server := httptest.NewServer(service)
			defer server.Close()

			command := exec.CommandContext(t.Context(), "./"+name+"/run", server.URL)
			if program, ok := built[name]; ok && compiled {
				command = exec.CommandContext(t.Context(), program[0], append(program[1:], server.URL)...)
			}
			output, err := command.CombinedOutput()
			if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, output)
			}
			compiled = true
			hasPlaced(t, s, output)
			if name == "rest-go" {
				readsExactly(t, built[name][0], server.URL)
			}
		})
	}
}

// hasPlaced checks that the shop has the order that a program says it has placed.
func hasPlaced(t *testing.T, s *store.Store, output []byte) {
	t.Helper()
	number := placed.FindSubmatch(output)
	if number == nil {
		t.Fatalf("no order was placed:\n%s", output)
	}
	shop := s.Client.Tenant.Query().Where(tenant.Slug("paperlane")).OnlyX(t.Context())
	if !s.Client.Order.Query().Where(order.OrderNumber(string(number[1]))).
		ExistX(tenancy.In(t.Context(), shop.ID)) {
		t.Errorf("the shop has no order %s", number[1])
	}
}

// readsExactly checks that oapi-codegen's client reads an amount as it was sent, also where 32 bits would not hold it.
func readsExactly(t *testing.T, program, url string) {
	t.Helper()
	output, err := exec.CommandContext(t.Context(), program, url, "sanat-mashin.example",
		"12900000000").CombinedOutput()
	if err != nil || !bytes.Contains(output, []byte("\n  SM-1234  12900000000 IRT\n")) {
		t.Errorf("%v\n%s", err, output)
	}
}
