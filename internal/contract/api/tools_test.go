package api_test

import (
	"encoding/json"
	"log/slog"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"storefront"
	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/store/storetest"
)

// TestOpenAPIToolsMakeAClient generates a client from the document with orval, compiles it with TypeScript's
// strict rules, and visits a shop with it.
func TestOpenAPIToolsMakeAClient(t *testing.T) {
	t.Parallel()
	install(t, "tools")
	s := storetest.Open(t, shoptest.DemoShops.SQLite(t)) // the kind of database makes no difference to a client
	in := shoptest.WithCustomers(t, s.Client)
	service, err := app.New(s, slog.New(slog.DiscardHandler), app.Options{})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(service)
	defer server.Close()
	lines := runNode(t, "tools", "orval.mjs", server.URL, t.TempDir(), shoptest.PaperShop, in.Cell, in.Password)
	const want = `[{"items":3,"inCart":true,"refused":"NOT_FOUND","anonymous":401}]`
	if got, err := json.Marshal(lines); err != nil || string(got) != want {
		t.Errorf("the visit saw %s, want %s", got, want)
	}
}

// TestGraphQLToolsReadTheDocuments checks all documents of the project against the public schema with GraphQL
// Inspector. They must be valid and use nothing deprecated.
func TestGraphQLToolsReadTheDocuments(t *testing.T) {
	t.Parallel()
	install(t, "tools")
	const root = "../../../../"
	wrong := filepath.Join(t.TempDir(), "wrong.graphql") // checks that the tool finds faults
	writeFile(t, wrong, `query Wrong { cart(domain: "a") { id noSuchField } }`)
	schema := filepath.Join(t.TempDir(), "schema.graphql")
	writeFile(t, schema, storefront.PublicSchema())
	want := map[string][]string{ // each is one set of documents
		root + "{rest,cmd/bench}/*.graphql":              nil,
		root + "internal/pages/examples/*.graphql":       nil,
		root + "internal/pages/staff/src/**/*.graphql":   nil,
		root + "examples/graphql-go/*.graphql":           nil,
		root + "examples/graphql-typescript/src/**/*.ts": nil,
		root + "examples/storefront/src/**/*.{ts,tsx}":   nil,
		wrong: {"Cannot query field \"noSuchField\" on type \"Cart\"."},
	}
	globs := slices.Sorted(maps.Keys(want))
	found, read := map[string][]string{}, map[string]int{}
	for _, line := range runNode(t, "tools", append([]string{"inspect.mjs", schema}, globs...)...) {
		var got struct {
			Glob, Problem string
			Documents     int
		}
		if err := json.Unmarshal(line, &got); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		read[got.Glob] += got.Documents
		if got.Problem != "" {
			found[got.Glob] = append(found[got.Glob], got.Problem)
		}
	}
	for _, glob := range globs {
		if !slices.Equal(found[glob], want[glob]) || read[glob] == 0 {
			t.Errorf("%s: GraphQL Inspector finds %q in %d files, want %q", glob, found[glob], read[glob], want[glob])
		}
	}
}

func writeFile(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
