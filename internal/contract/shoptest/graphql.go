package shoptest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"storefront/internal/content/bundle"
)

// About returns a GraphQL request that asks for fields of a shop.
func About(domain, query string) string {
	var body bytes.Buffer
	write := json.NewEncoder(&body)
	write.SetEscapeHTML(false) // placeholders have angle brackets
	_ = write.Encode(map[string]string{"query": fmt.Sprintf(`{ tenant(domain: %q) { %s } }`, domain, query)})
	return "POST /graphql " + strings.TrimSpace(body.String())
}

// Graph sends a GraphQL request that must have no errors, and decodes its data.
func (p *Place) Graph(t testing.TB, request string, into any) {
	t.Helper()
	got := p.Ask(t, request)
	if strings.Contains(string(got.Body), `"errors"`) || json.Unmarshal(got.Body, into) != nil {
		t.Fatalf("%s: got %d %s", request, got.Status, got.Body)
	}
}

// The domains of the first two demo shops.
const MachineShop, PaperShop = "sanat-mashin.example", "paperlane.example"

// Changed imports products into the first demo shop.
func (p *Place) Changed(t testing.TB, products string) {
	t.Helper()
	text := `{"format": "storefront-bundle/1", "tenant": {"domain": "` + MachineShop + `"}, "products": [` +
		products + `]}`
	if _, err := bundle.Import(t.Context(), p.Store, bundle.Bytes([]byte(text)), nil); err != nil {
		t.Fatal(err)
	}
}

// Decode decodes the answer to a GET of a path, which must succeed.
func (p *Place) Decode(t testing.TB, path string, into any) {
	t.Helper()
	got := p.Ask(t, "GET "+path)
	if err := json.Unmarshal(got.Body, into); err != nil || got.Status != 200 {
		t.Fatalf("%s: got %d %s", path, got.Status, got.Body)
	}
}

// AboutTools returns a document about the first shop.
func AboutTools(query string) string {
	body, _ := json.Marshal(map[string]string{"query": `{ tenant(domain: "tools.example") { ` + query + ` } }`})
	return "POST /graphql " + string(body)
}

// GraphQLBody returns the body of a GraphQL request; variables are JSON, or empty.
func GraphQLBody(query, variables string) string {
	text, err := json.Marshal(query)
	if err != nil {
		panic(err) // a mistake in the test
	}
	if variables == "" {
		return `{"query": ` + string(text) + `}`
	}
	return `{"query": ` + string(text) + `, "variables": ` + variables + `}`
}

// GraphQLResult is a GraphQL answer.
type GraphQLResult struct {
	Data   json.RawMessage
	Errors []struct {
		Message    string
		Path       []any
		Extensions struct {
			Code   string
			Errors []struct{ Field, Message string }
		}
	}
}

// ResultOf reads a GraphQL answer.
func ResultOf(t testing.TB, got Answer) GraphQLResult {
	t.Helper()
	var r GraphQLResult
	if err := json.Unmarshal(got.Body, &r); err != nil {
		t.Errorf("%.300q: got %v", got.Body, err)
	}
	return r
}

// WantGraphQL checks that a GraphQL answer has a status and one error of a code, or none for "", which names
// the fields. It may be cached only if it has an entity tag.
func WantGraphQL(t testing.TB, got Answer, status int, code string, fields ...string) {
	t.Helper()
	r := ResultOf(t, got)
	if got.Status != status || !strings.HasSuffix(got.Header.Get("Content-Type"), "json; charset=utf-8") ||
		!keepsRightly(got, len(r.Errors) > 0) {
		t.Errorf("status %d with %v, want %d: %.300s", got.Status, got.Header, status, got.Body)
	}
	var codes, named []string
	for _, e := range r.Errors {
		codes = append(codes, e.Extensions.Code)
		for _, field := range e.Extensions.Errors {
			named = append(named, field.Field)
		}
		if e.Message == "" {
			t.Errorf("an error says nothing: got %s", got.Body)
		}
	}
	slices.Sort(named)
	slices.Sort(fields)
	switch {
	case code == "" && len(codes) > 0, code != "" && !slices.Equal(codes, []string{code}),
		!slices.Equal(named, fields):
		t.Errorf("codes %q of fields %q, want %q of %q: %.300s", codes, named, code, fields, got.Body)
	}
}

// keepsRightly reports whether the cache headers are right: caching is forbidden, or public data must be
// revalidated.
func keepsRightly(got Answer, failed bool) bool {
	if got.Header.Get("ETag") == "" {
		return got.Header.Get("Cache-Control") == "no-store"
	}
	return !failed && got.Header.Get("Cache-Control") == "public, no-cache"
}

// DomainQuery is a query with a variable, a domain.
const DomainQuery = `query Q($d: String!) { tenant(domain: $d) { domain } }`
