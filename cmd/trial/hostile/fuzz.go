package hostile

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront"
	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/internal/contract/randomquery"
	"storefront/internal/pages/openapi"
	"storefront/rest"
)

// fuzzer makes random requests for every route and random documents of the schema.
type fuzzer struct {
	shops  *shops
	routes []fuzzedRoute
	schema *ast.Schema
	token  string // of a customer whose data may be lost
}

// fuzzedRoute is a route with the parameters and the body of its requests.
type fuzzedRoute struct {
	rest.Route
	query []string       // names of parameters
	body  map[string]any // an example; nil: the route takes none
}

func newFuzzer(s *shops) *fuzzer {
	type parameter struct {
		Ref      string `json:"$ref"`
		Name, In string
	}
	var document struct {
		Paths map[string]map[string]struct {
			Parameters  []parameter
			RequestBody struct {
				Content map[string]struct{ Example map[string]any }
			}
		}
		Components struct{ Parameters map[string]parameter }
	}
	must.Do(json.Unmarshal(openapi.Document, &document))
	f := &fuzzer{shops: s, schema: must.Get(gqlparser.LoadSchema(&ast.Source{Input: storefront.Schema}))}
	for _, route := range rest.Routes {
		described := document.Paths[route.Path][strings.ToLower(route.Method)]
		one := fuzzedRoute{Route: route, body: described.RequestBody.Content["application/json"].Example}
		for _, p := range described.Parameters {
			if p.Ref != "" {
				p = document.Components.Parameters[p.Ref[strings.LastIndexByte(p.Ref, '/')+1:]]
			}
			if p.In == "query" {
				one.query = append(one.query, p.Name)
			}
		}
		f.routes = append(f.routes, one)
	}
	return f
}

// fuzzRoutes sends a random request to a random route, with or without a token, and sometimes with another
// method.
func fuzzRoutes(ctx context.Context, w *attacker, _ int) {
	c, f := w.elsewhere(), w.trial.shops.fuzzer
	c.Token = pick(w.random, []string{"", f.token, f.token, "x.y.z"})
	route := pick(w.random, f.routes)
	method := route.Method
	if w.random.IntN(20) == 0 {
		method = pick(w.random, []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"})
	}
	var headers []string
	for name, values := range oddHeaders {
		if w.random.IntN(15) == 0 {
			headers = append(headers, name, pick(w.random, values))
		}
	}
	c.Send(ctx, method, f.target(w.random, route), f.body(w.random, route), headers...)
}

var oddHeaders = map[string][]string{
	"Accept":          {"text/html", "*/*", "application/json;q=0", "x"},
	"Accept-Encoding": {"gzip", "identity;q=0", "*;q=0"},
	"Accept-Language": {"fa", "en", "fa-IR,en;q=0.5", "*", "xx-yy-zz;q=9"},
	"Content-Type":    {"text/plain", "application/json; charset=latin1", "multipart/form-data", "x"},
	"Idempotency-Key": {"a", "b", "", "\u00e9"},
	"If-None-Match":   {"*", `"x"`, `W/"x"`, "x"},
	"Origin":          {"null", "https://" + market, "http://[::1"},
	"X-Api-Key":       {"x"},
	"X-Forwarded-For": {"127.1.0.1", "::1", "x"},
	"X-Request-Id":    {"mine", "\u00e9"},
}

// fuzzDocuments sends a random document of the schema, sometimes damaged.
func fuzzDocuments(ctx context.Context, w *attacker, _ int) {
	c, f := w.elsewhere(), w.trial.shops.fuzzer
	c.Token = pick(w.random, []string{"", f.token})
	text := f.document(w.random)
	if w.random.IntN(8) == 0 {
		at := w.random.IntN(len(text))
		text = text[:at] + pick(w.random, []string{"", "{", "}", "$", "...", "@skip(if: true)", "\"", "#", "\x00"}) +
			text[at:]
	}
	c.Ask(ctx, text, body{"a": f.value(w.random)})
}

// document returns a random operation of the schema, more often a query than a mutation, and sometimes nested
// deeper than the service allows.
func (f *fuzzer) document(r *rand.Rand) string {
	known := randomquery.Values{market: {"businessId": {f.shops.business}, "product.slug": f.shops.products,
		"productId": f.shops.ids, "entityId": f.shops.ids, "categoryId": f.shops.ids}}
	w := randomquery.Writer{Rand: r, Schema: f.schema, Values: known, Shop: market, Fields: 60, Depth: 16,
		Odd:  func() string { return f.odd(r) },
		Skip: func(field *ast.FieldDefinition) bool { return field.Name == "logout" }}
	return w.Document(pick(r, []ast.Operation{ast.Query, ast.Query, ast.Query, ast.Mutation}))
}

// oddities are texts that are known to break services.
var oddities = []string{
	"", " ", "0", "-1", "1", "2147483648", "9223372036854775808", "1e400", "5.0", "NaN", "true",
	"null", "[]", "{}",
	"'", "\"", "';--", "%", "_", "\\", "%00", "\u0000", "\u200c", "\ufeff", "\ufffd", "\xff\xfe",
	"ي", "ك", "۱۲۳",
	"e\u0301", "😀", "../../etc/passwd", "<script>", "{{7*7}}", "${jndi:x}", "xn--", "www.", "a.b.c",
	"00000000-0000-0000-0000-000000000000", "00000000-0000-7000-8000-00000000000g",
	strings.Repeat("a", 300), strings.Repeat("ی ", 600), strings.Repeat("%", 100), strings.Repeat("🔑", 1200),
}

// odd returns a text that may have an effect: an oddity, a known id or slug, or random bytes.
func (f *fuzzer) odd(r *rand.Rand) string {
	switch r.IntN(5) {
	case 0:
		return pick(r, f.shops.ids)
	case 1:
		return pick(r, f.shops.products)
	case 2:
		some := make([]byte, r.IntN(20))
		for i := range some {
			some[i] = byte(r.Uint32())
		}
		return string(some)
	}
	return pick(r, oddities)
}

// segment returns a text as a part of a path, sometimes escaped wrongly.
func segment(r *rand.Rand, text string) string {
	if r.IntN(20) == 0 {
		return pick(r, []string{"%2F", "%zz", "%", "%2e%2e", "%00", "%C0%AF", "%ff", ".", "..", "%252F",
			"a%2Fb", ";", "&"})
	}
	return url.PathEscape(text)
}

// target returns the path and query string of a request to a route.
func (f *fuzzer) target(r *rand.Rand, route fuzzedRoute) string {
	parts := strings.Split(rest.Prefix+route.Path, "/")
	for i, part := range parts {
		switch {
		case part == "{domain}" && r.IntN(4) > 0:
			parts[i] = pick(r, []string{market, market, longTexts, "sanat-mashin.example", "nobody.example"})
		case part == "{businessId}" && r.IntN(4) > 0:
			parts[i] = f.shops.business
		case strings.HasPrefix(part, "{"):
			parts[i] = segment(r, f.odd(r))
		}
	}
	var query []string
	for _, name := range route.query {
		if r.IntN(3) == 0 {
			query = append(query, name+"="+url.QueryEscape(f.odd(r)))
		}
	}
	if r.IntN(5) == 0 {
		query = append(query, pick(r, []string{"a=%zz", "&&", "=", "page=1&page=2", "utm=%ff",
			strings.Repeat("a&", 500),
			"name=" + url.QueryEscape(repeated(300, "w%d ")) + "&q=" + url.QueryEscape(repeated(300, "v%d "))}))
	}
	target := strings.Join(parts, "/")
	if len(query) > 0 {
		target += "?" + strings.Join(query, "&")
	}
	return target
}

// change replaces, removes or adds values somewhere in an example of a body.
func (f *fuzzer) change(r *rand.Rand, value any) any {
	if r.IntN(6) == 0 {
		return f.value(r)
	}
	switch v := value.(type) {
	case map[string]any:
		changed := map[string]any{}
		for name, member := range v {
			if r.IntN(10) > 0 {
				changed[name] = f.change(r, member)
			}
		}
		if r.IntN(4) == 0 {
			changed[f.odd(r)] = f.value(r)
		}
		return changed
	case []any:
		changed := []any{}
		for _, item := range v {
			changed = append(changed, f.change(r, item))
		}
		for range r.IntN(30) / 10 {
			changed = append(changed, f.value(r))
		}
		return changed
	}
	return value
}

// value returns a random JSON value.
func (f *fuzzer) value(r *rand.Rand) any {
	return pick(r, []any{nil, true, false, 0, 1, -1, 5.5, 1e300, json.Number("99999999999999999999"),
		f.odd(r), f.odd(r),
		[]any{}, []any{nil}, map[string]any{}, map[string]any{"a": f.odd(r)}, []any{f.odd(r), 1}})
}

// body returns a changed example of a route's body, sometimes broken; nil where the route takes none.
func (f *fuzzer) body(r *rand.Rand, route fuzzedRoute) []byte {
	if route.body == nil {
		return nil
	}
	text := customer.JSON(f.change(r, route.body))
	if text == nil {
		return []byte("null")
	}
	switch r.IntN(12) {
	case 0:
		return text[:r.IntN(len(text)+1)]
	case 1:
		text[r.IntN(len(text))] = byte(r.Uint32())
	case 2:
		return fmt.Appendf(text, "%s", text)
	}
	return text
}
