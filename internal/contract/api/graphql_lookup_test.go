package api_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"storefront"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront/internal/contract/shoptest"
)

// TestLookupsThatFail checks that a failed look-up of one record is null, with an error at its path, and that
// the other fields still have data (contract 3.5).
func TestLookupsThatFail(t *testing.T) {
	const nobody = `"018f0000-0000-7000-8000-000000000000"`
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		var registered struct{ AccessToken string }
		body := shoptest.Registering("+989120000001", shoptest.GoodPassword, shoptest.ToolsShop)
		if err := json.Unmarshal(p.Send(t, "POST", "/auth/register", body).Body, &registered); err != nil {
			t.Fatal(err)
		}
		var shop struct {
			Data struct{ Tenant struct{ ID string } }
		}
		p.Graph(t, shoptest.AboutTools("id"), &shop)
		about := func(lookup string) string {
			return `{ tenant(domain: "tools.example") { ` + lookup + ` name sliders { key } } }`
		}
		mine := func(lookup string) string {
			return `{ me { ` + lookup + ` firstName } tenant(domain: "tools.example") { name } }`
		}
		for _, c := range []struct{ document, token, path, code string }{
			{`{ tenant(domain: "no.example") { name } cities(level: country) { slug } }`, "", "tenant", "NOT_FOUND"},
			{`{ city(id: ` + nobody + `) { name } cities(level: country) { slug } }`, "", "city", "NOT_FOUND"},
			{mine("id"), "", "me", "UNAUTHENTICATED"},
			{mine("id"), "stale", "me", "UNAUTHENTICATED"},
			{about(`product(slug: "no") { id }`), "", "tenant.product", "NOT_FOUND"},
			{about(`userProduct(slug: "no") { id }`), "", "tenant.userProduct", "NOT_FOUND"},
			{about(`storeItem(productId: ` + nobody + `) { productId }`), "", "tenant.storeItem", "NOT_FOUND"},
			{about(`storeVariant(id: ` + nobody + `) { id }`), "", "tenant.storeVariant", "NOT_FOUND"},
			{about(`blog(slug: "no") { id }`), "", "tenant.blog", "NOT_FOUND"},
			{about(`blogComments(blogId: ` + nobody + `) { id }`), "", "tenant.blogComments", "NOT_FOUND"},
			{about(`portfolio(slug: "no") { id }`), "", "tenant.portfolio", "NOT_FOUND"},
			{about(`portfolioComments(portfolioId: ` + nobody + `) { id }`), "", "tenant.portfolioComments",
				"NOT_FOUND"},
			{mine(`orders(businessId: ` + nobody + `) { total }`), registered.AccessToken, "me.orders", "NOT_FOUND"},
			{mine(`ordersConnection(businessId: ` + nobody + `) { totalCount }`), registered.AccessToken,
				"me.ordersConnection", "NOT_FOUND"},
			{mine(`order(businessId: "` + shop.Data.Tenant.ID + `", orderId: ` + nobody + `) { id }`),
				registered.AccessToken, "me.order", "NOT_FOUND"},
			{mine(`favorites(businessId: ` + nobody + `) { total }`), registered.AccessToken, "me.favorites",
				"NOT_FOUND"},
		} {
			body, _ := json.Marshal(map[string]string{"query": p.Named(t, c.document)})
			var headers []string
			if c.token != "" {
				headers = []string{"Authorization", "Bearer " + c.token}
			}
			got := p.Send(t, "POST", "/graphql", string(body), headers...)
			var shown struct {
				Data   map[string]any
				Errors []struct {
					Path       []string
					Extensions struct{ Code string }
				}
			}
			if err := json.Unmarshal(got.Body, &shown); err != nil || got.Status != 200 {
				t.Fatalf("%s: got %d %s", c.document, got.Status, got.Body)
			}
			if len(shown.Errors) != 1 || strings.Join(shown.Errors[0].Path, ".") != c.path ||
				shown.Errors[0].Extensions.Code != c.code {
				t.Errorf("%s: %s, want %s at %s", c.document, got.Body, c.code, c.path)
			}
			if nulls := nullsIn("", shown.Data); !slices.Equal(nulls, []string{c.path}) {
				t.Errorf("%s: null are %q in %s, want %s alone", c.document, nulls, got.Body, c.path)
			}
		}
	})
}

// nullsIn returns the paths of the members that are null.
func nullsIn(path string, value any) (nulls []string) {
	switch value := value.(type) {
	case nil:
		return []string{path}
	case map[string]any:
		for name, member := range value {
			nulls = append(nulls, nullsIn(strings.TrimPrefix(path+"."+name, "."), member)...)
		}
	}
	return nulls
}

// TestFieldsThatMayFailAreNullable checks that every field with documented errors is nullable, and that the
// description of every other nullable field says what null means. Mutations return all data or none.
func TestFieldsThatMayFailAreNullable(t *testing.T) {
	t.Parallel()
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: storefront.Schema})
	checked := 0
	for _, definition := range schema.Types {
		if definition.Kind != ast.Object || definition == schema.Mutation {
			continue
		}
		for _, field := range definition.Fields {
			fails := strings.Contains(field.Description, "`NOT_FOUND`") ||
				field.Directives.ForName("signedIn") != nil ||
				field.Directives.ForName("staff") != nil
			if !fails {
				continue
			}
			checked++
			meant := field.Directives.ForName("semanticNonNull") != nil ||
				strings.Contains(strings.ToLower(field.Description), "null:")
			if field.Type.NonNull || !meant {
				t.Errorf("%s.%s may fail: it must be nullable, and have @semanticNonNull or a description of null",
					definition.Name, field.Name)
			}
		}
	}
	if checked < 16 {
		t.Errorf("only %d fields were checked", checked)
	}
}

// TestDirectivesForClients checks that clients see only the directives that are meant for them.
func TestDirectivesForClients(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		var shown struct {
			Data struct {
				Schema struct{ Directives []struct{ Name string } } `json:"__schema"`
			}
		}
		p.Graph(t, `POST /graphql {"query": "{ __schema { directives { name } } }"}`, &shown)
		var names []string
		for _, d := range shown.Data.Schema.Directives {
			names = append(names, d.Name)
		}
		want := []string{"anyOf", "apiKey", "constraint", "deprecated", "inLanguage", "include", "ofPartner", "oneOf",
			"orDomain", "secret", "semanticNonNull",
			"signedIn", "skip", "specifiedBy", "staff"}
		if slices.Sort(names); !slices.Equal(names, want) {
			t.Errorf("clients see %q, want %q", names, want)
		}
		// @defer was announced, and data was left out without an error.
		document := fmt.Sprintf("{ tenant(domain: %q) { name ... @defer { products { total } } } }",
			shoptest.ToolsShop)
		body, _ := json.Marshal(map[string]string{"query": document})
		got := p.Send(t, "POST", "/graphql", string(body))
		if !strings.Contains(string(got.Body), "GRAPHQL_VALIDATION_FAILED") ||
			strings.Contains(string(got.Body), `"data"`) {
			t.Errorf("@defer: got %d %s", got.Status, got.Body)
		}
	})
}
