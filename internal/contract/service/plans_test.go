package service_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
	"github.com/vektah/gqlparser/v2/parser"

	"storefront"
	"storefront/internal/app"
	"storefront/internal/contract/randomquery"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/store"
	"storefront/internal/database/store/storetest"
	"storefront/internal/demo"
	"storefront/internal/pages"
	"storefront/rest"
)

// ways sends documents in two ways: as they are, for plans, and with directives that leave them to gqlgen.
type ways struct {
	service http.Handler
	store   *store.Store
	log     *bytes.Buffer  // for those who debug
	routes  *http.ServeMux // tells the route of a path
	token   string         // of a customer with a cart, orders, favorites and addresses
}

// TestPlansAnswerAsGqlgen sends every request for content of the demo shops, and random documents, in both ways: the
// answers must have the same bytes, and a plan must not be given up for an answer without errors. It relies on
// TestWhatIsLeft of package plan: a field below which a directive stands has no plan.
func TestPlansAnswerAsGqlgen(t *testing.T) {
	t.Parallel()
	shoptest.DemoShops.Each(t, func(t *testing.T, url string) {
		w := bothWays(t, url)
		ids := w.values(t)
		w.customer(t, ids)
		t.Run("REST", func(t *testing.T) { w.rest(t, ids) })
		t.Run("examples", w.examples)
		t.Run("pages", func(t *testing.T) { w.pages(t, ids) })
		t.Run("random", func(t *testing.T) { w.random(t, ids) })
	})
}

func bothWays(t *testing.T, url string) *ways {
	w := &ways{store: storetest.Open(t, url), log: new(bytes.Buffer), routes: http.NewServeMux()}
	service, err := app.New(w.store, slog.New(slog.NewTextHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		app.Options{Clock: shoptest.Noon, PasswordCost: shoptest.CheapPasswords, Key: bytes.Repeat([]byte("k"), 32)})
	if err != nil {
		t.Fatal(err)
	}
	w.service = service
	for _, route := range rest.Routes {
		w.routes.HandleFunc(route.Method+" "+rest.Prefix+route.Path, func(answer http.ResponseWriter, r *http.Request) {
			values := map[string]string{}
			for name, given := range r.URL.Query() {
				values[name] = given[0]
			}
			for segment := range strings.SplitSeq(route.Path, "/") {
				if name := strings.Trim(segment, "{}"); name != segment {
					values[name] = r.PathValue(name)
				}
			}
			text := shoptest.GraphQLBody(byGqlgen(t, shoptest.DocumentOf(t, route.Operation)),
				shoptest.VariablesOf(t, route.Operation, "", values))
			_, _ = answer.Write([]byte(text))
		})
	}
	return w
}

// byGqlgen returns a document whose fields gqlgen writes: each selection begins with a directive.
func byGqlgen(t *testing.T, source string) string {
	document, err := parser.ParseQuery(&ast.Source{Input: source})
	if err != nil {
		t.Fatal(err)
	}
	for _, operation := range document.Operations {
		addDirective(operation.SelectionSet)
	}
	for _, fragment := range document.Fragments {
		addDirective(fragment.SelectionSet)
	}
	var text strings.Builder
	formatter.NewFormatter(&text).FormatQueryDocument(document)
	return text.String()
}

func addDirective(selections ast.SelectionSet) {
	always := ast.DirectiveList{{Name: "include", Arguments: ast.ArgumentList{
		{Name: "if", Value: &ast.Value{Kind: ast.BooleanValue, Raw: "true"}}}}}
	for i, selection := range selections {
		var directives *ast.DirectiveList
		switch s := selection.(type) {
		case *ast.Field:
			directives = &s.Directives
			addDirective(s.SelectionSet)
		case *ast.InlineFragment:
			directives = &s.Directives
			addDirective(s.SelectionSet)
		case *ast.FragmentSpread:
			directives = &s.Directives
		}
		if i == 0 && len(*directives) == 0 {
			*directives = always
		}
	}
}

// ask sends a request.
func (w *ways) ask(t *testing.T, method, target, body string) shoptest.Answer {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, target, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	r.Header.Set("Accept-Language", "fa") // not the default
	if w.token != "" {
		r.Header.Set("Authorization", "Bearer "+w.token)
	}
	recorder := httptest.NewRecorder()
	w.service.ServeHTTP(recorder, r)
	return shoptest.AnswerOf(recorder)
}

// planned sends a request as it is. It reports whether the answer is free of errors.
func (w *ways) planned(t *testing.T, method, target, body string) (got shoptest.Answer, right bool) {
	t.Helper()
	w.log.Reset()
	got = w.ask(t, method, target, body)
	right = got.Status == http.StatusOK && !bytes.HasPrefix(got.Body, []byte(`{"errors"`))
	if right && strings.Contains(w.log.String(), "left to gqlgen") {
		t.Errorf("%s %s %s: %s", method, target, body, w.log)
	}
	return got, right
}

// alike sends a document in both ways and compares the answers. It reports whether they are free of errors.
func (w *ways) alike(t *testing.T, query, operation string, variables any) (right bool) {
	t.Helper()
	send := func(query string) string {
		return string(shoptest.Must(json.Marshal(
			map[string]any{"query": query, "operationName": operation, "variables": variables}))(t))
	}
	planned, right := w.planned(t, http.MethodPost, "/graphql", send(query))
	plain := w.ask(t, http.MethodPost, "/graphql", send(byGqlgen(t, query)))
	same := bytes.Equal(planned.Body, plain.Body)
	if !right {
		same = slices.Equal(unordered(t, planned.Body), unordered(t, plain.Body))
	}
	if planned.Status != plain.Status || planned.Header.Get("ETag") != plain.Header.Get("ETag") || !same {
		differ(t, query, planned.Body, plain.Body)
	}
	return right
}

// alikeInREST compares the answer of a route with that to its operation, by gqlgen. It reports whether they are free
// of errors.
func (w *ways) alikeInREST(t *testing.T, path string) (right bool) {
	t.Helper()
	planned, right := w.planned(t, http.MethodGet, path, "")
	document := httptest.NewRecorder()
	w.routes.ServeHTTP(document, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
	plain := w.ask(t, http.MethodPost, "/graphql", document.Body.String())
	result := shoptest.ResultOf(t, plain)
	switch {
	case right != (len(result.Errors) == 0):
		t.Errorf("%s: got %d %.300s, want %.300s", path, planned.Status, planned.Body, plain.Body)
	case right && !bytes.Equal(planned.Body, bodyOf(t, result.Data)):
		differ(t, path, planned.Body, bodyOf(t, result.Data))
	}
	return right
}

func differ(t *testing.T, what string, planned, plain []byte) {
	t.Helper()
	at := shoptest.FirstDifference(planned, plain)
	t.Errorf("%s: got\n…%.300s\nwith plans, want\n…%.300s", what, planned[at:], plain[at:])
}

// unordered returns the parts of an answer with errors: the errors, sorted because concurrent fields report
// them in any order, and the data.
func unordered(t *testing.T, body []byte) (parts []string) {
	t.Helper()
	var read struct {
		Errors []json.RawMessage
		Data   json.RawMessage
	}
	if err := json.Unmarshal(body, &read); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	for _, e := range read.Errors {
		parts = append(parts, string(e))
	}
	slices.Sort(parts)
	return append(parts, string(read.Data))
}

func (w *ways) rest(t *testing.T, ids randomquery.Values) {
	p := &shoptest.Place{Store: w.store}
	asked := 0
	try := func(path string) {
		if w.alikeInREST(t, rest.Prefix+shoptest.Ascii(p.Named(t, path))) {
			asked++
		}
	}
	for _, request := range demoRequests {
		if path, ok := strings.CutPrefix(request, "GET "); ok {
			try(path)
		}
	}
	for _, d := range demo.Bundles() {
		for _, path := range d.Paths {
			try("/tenants/" + d.Domain + path)
		}
	}
	own := "/businesses/" + ids[shoptest.PaperShop]["businessId"][0]
	for _, path := range []string{"/auth/me", "/auth/addresses", own + "/cart", own + "/orders", own + "/favorites"} {
		try(path)
	}
	if asked < 40 {
		t.Errorf("only %d requests were answered", asked)
	}
}

func (w *ways) examples(t *testing.T) {
	examples, err := pages.Examples()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range examples[:4] { // the examples without mutations
		for _, operation := range e.Operations {
			if !w.alike(t, e.Query, operation, json.RawMessage(e.Variables)) {
				t.Errorf("%s, %s has errors", e.Title, operation)
			}
		}
	}
}

// pages reads the pages that cmd/bench measures.
func (w *ways) pages(t *testing.T, ids randomquery.Values) {
	text, err := os.ReadFile("../../../cmd/bench/pages.graphql")
	if err != nil {
		t.Fatal(err)
	}
	for domain, known := range ids {
		for operation, slugs := range map[string][]string{"HomePage": {""}, "ProductPage": known["product.slug"]} {
			for _, slug := range slugs {
				query := withFragments(t, string(text)+rest.Operations(), operation)
				if !w.alike(t, query, operation, map[string]string{"domain": domain, "slug": slug}) {
					t.Errorf("%s of %s %s has errors", operation, domain, slug)
				}
			}
		}
	}
}

// withFragments returns one operation of a text with the fragments it needs.
func withFragments(t *testing.T, text, operation string) string {
	all, err := parser.ParseQuery(&ast.Source{Input: text})
	if err != nil {
		t.Fatal(err)
	}
	one := &ast.QueryDocument{Operations: ast.OperationList{all.Operations.ForName(operation)}}
	shoptest.AddFragments(one, all, one.Operations[0].SelectionSet)
	var needed strings.Builder
	formatter.NewFormatter(&needed).FormatQueryDocument(one)
	return needed.String()
}

func (w *ways) random(t *testing.T, ids randomquery.Values) {
	documents := 1500 * *shoptest.Rounds
	if testing.Short() {
		documents = 500
	}
	schema := gqlparser.MustLoadSchema(&ast.Source{Name: "schema.graphql", Input: storefront.PublicSchema()})
	right := 0
	for seed := range documents {
		r := rand.New(rand.NewPCG(uint64(seed), 12))
		text := randomquery.Writer{Rand: r, Schema: schema, Values: ids, Shop: shoptest.PaperShop, Fields: 44, Depth: 8,
			Skip: func(f *ast.FieldDefinition) bool { // refused fields and long lists
				return f.Directives.ForName("staff") != nil || f.Name == "cities" && r.IntN(4) > 0
			}}.Document(ast.Query)
		if w.alike(t, text, "", nil) {
			right++
		}
		if t.Failed() {
			t.Fatalf("document %d", seed)
		}
	}
	t.Logf("%d of %d documents have no errors", right, documents)
	if right < documents/2 {
		t.Error("most documents have errors, which plans do not write")
	}
}

// customer creates the customer who sends all requests.
func (w *ways) customer(t *testing.T, ids randomquery.Values) {
	known := ids[shoptest.PaperShop]
	business := known["businessId"][0]
	post := func(path, body string) []byte {
		got := w.ask(t, http.MethodPost, rest.Prefix+path, body)
		if got.Status/100 != 2 {
			t.Fatalf("%s %s: got %d %s", path, body, got.Status, got.Body)
		}
		return got.Body
	}
	var session struct{ AccessToken string }
	err := json.Unmarshal(post("/auth/register", shoptest.Registering("+989121234567", shoptest.GoodPassword,
		shoptest.PaperShop)), &session)
	if err != nil {
		t.Fatal(err)
	}
	w.token = session.AccessToken
	post("/auth/addresses",
		`{"province": "البرز", "city": "کرج", "address": "میدان توحید، پلاک ۵"}`)
	for i, variant := range known["storeVariant.id"][:3] {
		post("/businesses/"+business+"/cart/items", fmt.Sprintf(`{"storeItemVariantId": %q, "quantity": %d}`,
			variant, 1))
		if i < 2 {
			post("/businesses/"+business+"/cart/checkout", shoptest.ToHome)
		}
		post("/businesses/"+business+"/favorites", fmt.Sprintf(`{"productId": %q}`, known["productId"][i]))
	}
	var orders struct{ Items []struct{ ID string } }
	got := w.ask(t, http.MethodGet, rest.Prefix+"/businesses/"+business+"/orders", "")
	if err := json.Unmarshal(got.Body, &orders); err != nil || len(orders.Items) != 2 {
		t.Fatalf("got %v: %s", err, got.Body)
	}
	known["orderId"] = []string{orders.Items[0].ID, orders.Items[1].ID}
}
