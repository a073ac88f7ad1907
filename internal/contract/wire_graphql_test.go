package contract_test

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// asked is the body of a GraphQL request; variables are JSON, or empty.
func asked(query, variables string) string {
	text, err := json.Marshal(query)
	if err != nil {
		panic(err) // a mistake in the test
	}
	if variables == "" {
		return `{"query": ` + string(text) + `}`
	}
	return `{"query": ` + string(text) + `, "variables": ` + variables + `}`
}

// result is a GraphQL answer.
type result struct {
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

func resultOf(t testing.TB, got answer) result {
	t.Helper()
	var r result
	if err := json.Unmarshal(got.body, &r); err != nil {
		t.Errorf("%.300q: %v", got.body, err)
	}
	return r
}

// wantGraphQL checks that a GraphQL answer has a status and one error of a code, or none for "", which
// names the fields. It may be cached only where it has an entity tag.
func wantGraphQL(t testing.TB, got answer, status int, code string, fields ...string) {
	t.Helper()
	r := resultOf(t, got)
	if got.status != status || !strings.HasSuffix(got.header.Get("Content-Type"), "json; charset=utf-8") ||
		!keepsRightly(got, len(r.Errors) > 0) {
		t.Errorf("status %d with %v, want %d: %.300s", got.status, got.header, status, got.body)
	}
	var codes, named []string
	for _, e := range r.Errors {
		codes = append(codes, e.Extensions.Code)
		for _, field := range e.Extensions.Errors {
			named = append(named, field.Field)
		}
		if e.Message == "" {
			t.Errorf("an error says nothing: %s", got.body)
		}
	}
	slices.Sort(named)
	slices.Sort(fields)
	switch {
	case code == "" && len(codes) > 0, code != "" && !slices.Equal(codes, []string{code}),
		!slices.Equal(named, fields):
		t.Errorf("codes %q of fields %q, want %q of %q: %.300s", codes, named, code, fields, got.body)
	}
}

// keepsRightly reports whether an answer forbids caching, or demands revalidation if it is public data.
func keepsRightly(got answer, failed bool) bool {
	if got.header.Get("ETag") == "" {
		return got.header.Get("Cache-Control") == "no-store"
	}
	return !failed && got.header.Get("Cache-Control") == "public, no-cache"
}

const domainQuery = `query Q($d: String!) { tenant(domain: $d) { domain } }`

func TestGraphQLOverHTTP(t *testing.T) {
	const right = `{"data":{"tenant":{"domain":"shop.example"}}}`
	const variables = `{"d": "shop.example"}`
	eachWire(t, func(t *testing.T, p *place) {
		get := "/graphql?query=" + url.QueryEscape(domainQuery) + "&variables=" + url.QueryEscape(variables)
		for name, got := range map[string]answer{
			"POST": p.send(t, "POST", "/graphql", asked(domainQuery, variables)),
			"POST with a charset": p.as(t, "application/json; charset=utf-8", "POST", "/graphql",
				asked(domainQuery, variables)),
			"POST with a slash": p.as(t, "application/json", "POST", "/graphql/",
				asked(domainQuery, variables)),
			"POST naming the operation": p.send(t, "POST", "/graphql", `{"operationName": "Q", `+
				asked(domainQuery, variables)[1:]),
			"POST with extensions": p.send(t, "POST", "/graphql", `{"extensions": {"a": [1]}, "other": 1, `+
				asked(domainQuery, variables)[1:]),
			"POST with nulls": p.send(t, "POST", "/graphql",
				`{"extensions": null, "operationName": null, `+asked(domainQuery, variables)[1:]),
			"GET":                          p.at(t, "GET", get),
			"GET naming the operation":     p.at(t, "GET", get+"&operationName=Q"),
			"GET with an empty operation":  p.at(t, "GET", get+"&operationName="),
			"GET with unknown parameters":  p.at(t, "GET", get+"&a=1&a=2"),
			"GET with a broken credential": p.at(t, "GET", get, "Authorization", "Bearer x"),
		} {
			if wantGraphQL(t, got, 200, ""); string(got.body) != right {
				t.Errorf("%s: %s", name, got.body)
			}
		}
		head := p.at(t, "HEAD", get)
		if head.status != 200 || len(head.body) > 0 {
			t.Errorf("HEAD: %d %s", head.status, head.body)
		}
		if got := p.at(t, "GET", get, "Accept-Encoding", "gzip"); !varies(got, "Accept-Encoding") ||
			!varies(got, "Accept") || !varies(got, "Origin") {
			t.Errorf("Vary %q", got.header["Vary"])
		}
	})
}

func TestGraphQLMediaTypes(t *testing.T) {
	const plain, own = "application/json; charset=utf-8", "application/graphql-response+json; charset=utf-8"
	eachWire(t, func(t *testing.T, p *place) {
		for accept, media := range map[string]string{
			"": plain, "*/*": plain, "application/*": plain, "application/json": plain,
			"application/json; charset=utf-8": plain, "text/html, */*;q=0.1": plain,
			"application/graphql-response+json": own, "application/graphql-response+json, application/json;q=0.9": own,
			"application/json;q=0.5, application/graphql-response+json":       own,
			"application/json;q=0.9, application/graphql-response+json;q=0.8": plain,
			"application/json, application/graphql-response+json":             own,
			"application/graphql-response+json;q=0.5, */*":                    plain,
			"application/graphql-response+json;q=0, */*":                      plain, "application/json;q=0, */*": own,
			"application/json;q=0, application/*;q=0.1":                               own,
			"application/graphql-response+json;q=0, application/json;q=0.001":         plain,
			"application/*;q=0.1, application/graphql-response+json;q=0.2, text/html": own,
			"APPLICATION/JSON": plain, "application/graphql-response+json; charset=utf-8;q=1.0": own,
			"nonsense, application/json":                                    plain,
			"application/graphql-response+json;q=2, application/json;q=0.1": plain,
			"application/graphql-response+json;q=x, */*;q=0.1":              plain,
		} {
			got := p.send(t, "POST", "/graphql", asked(`{ __typename }`, ""), "Accept", accept)
			if wantGraphQL(t, got, 200, ""); got.header.Get("Content-Type") != media {
				t.Errorf("Accept %s: %s", accept, got.header.Get("Content-Type"))
			}
			broken := p.send(t, "POST", "/graphql", asked(`{`, ""), "Accept", accept)
			status := 200
			if media == own {
				status = 400
			}
			wantGraphQL(t, broken, status, "GRAPHQL_PARSE_FAILED")
			if resultOf(t, broken).Data != nil || broken.header.Get("Content-Type") != media {
				t.Errorf("Accept %s: %s %s", accept, broken.header.Get("Content-Type"), broken.body)
			}
		}
		for _, accept := range []string{
			"text/html", "application/json;q=0", "*/*;q=0",
			"application/graphql-response+json;q=0, application/json;q=0, */*", "application/*;q=0, */*", "nonsense",
			"application/json;q=NaN",
		} {
			wantGraphQL(t, p.send(t, "POST", "/graphql", asked(`{ __typename }`, ""), "Accept", accept), 406,
				"BAD_REQUEST")
		}
		for _, media := range []string{"", "text/plain", "application/graphql", "application/x-www-form-urlencoded",
			"multipart/form-data; boundary=x"} {
			wantGraphQL(t, p.as(t, media, "POST", "/graphql", asked(`{ __typename }`, "")), 415,
				"UNSUPPORTED_MEDIA_TYPE")
		}
	})
}

func TestGraphQLRefusesMutationsByGET(t *testing.T) {
	const mutation = `mutation { submitContact(domain: "shop.example", input: {title: "a", name: "b", text: ` +
		`"c"}) { message } }`
	eachWire(t, func(t *testing.T, p *place) {
		for _, method := range []string{"GET", "HEAD"} {
			got := p.at(t, method, "/graphql?query="+url.QueryEscape(mutation))
			if got.status != 405 || got.header.Get("Allow") != "POST" {
				t.Errorf("%s: %d %v %s", method, got.status, got.header, got.body)
			}
		}
		wantGraphQL(t, p.at(t, "GET", "/graphql?query="+url.QueryEscape(mutation)), 405, "METHOD_NOT_ALLOWED")
		both := mutation[:8] + " M " + mutation[8:] + ` query Q { __typename }`
		wantGraphQL(t, p.at(t, "GET", "/graphql?operationName=M&query="+url.QueryEscape(both)), 405,
			"METHOD_NOT_ALLOWED")
		wantGraphQL(t, p.at(t, "GET", "/graphql?operationName=Q&query="+url.QueryEscape(both)), 200, "")
		wantGraphQL(t, p.send(t, "POST", "/graphql", asked(mutation, "")), 200, "")
		for _, method := range []string{"PUT", "PATCH", "DELETE", "OPTIONS"} {
			got := p.at(t, method, "/graphql")
			if wantGraphQL(t, got, 405, "METHOD_NOT_ALLOWED"); got.header.Get("Allow") != "GET, HEAD, POST" {
				t.Errorf("%s: Allow %q", method, got.header.Get("Allow"))
			}
		}
	})
}

// TestGraphQLBodies sends unreadable bodies. No answer repeats what was sent, as it may hold a password.
func TestGraphQLBodies(t *testing.T) {
	const secret = "hunter2"
	eachWire(t, func(t *testing.T, p *place) {
		for _, body := range []string{
			``, secret, `{"query": "` + secret, `{"query": "` + secret + `",}`, `["` + secret + `"]`,
			`[{"query": "{ __typename }"}]`, `"` + secret + `"`,
			"\uFEFF" + asked(domainQuery, ""), asked(domainQuery, "") + secret,
			`{"query": "{ __typename }", "query": "` + secret + `"}`,
			asked(domainQuery, `{"d": "`+secret+`", "d": "x"}`), asked(domainQuery, "{\"d\": \"\xff\"}"),
			asked(domainQuery, `{"d": "\ud800"}`),
			asked(domainQuery, `{"d": "\u0000"}`), asked(domainQuery, `{"d": `+strings.Repeat("[", 40)+
				strings.Repeat("]", 40)+`}`),
		} {
			got := p.send(t, "POST", "/graphql", body, "Content-Type", "application/json")
			if wantGraphQL(t, got, 400, "BAD_REQUEST"); strings.Contains(string(got.body), secret) {
				t.Errorf("%s is answered by %s", body, got.body)
			}
		}
		long := asked("{ __typename } #"+strings.Repeat("x", 256<<10), "")
		wantGraphQL(t, p.send(t, "POST", "/graphql", long), 413, "PAYLOAD_TOO_LARGE")
		for body, fields := range map[string]string{
			`{}`: "query", `{"query": ""}`: "query", `{"query": null}`: "query", `{"query": 5}`: "query",
			`{"query": {}}`: "query",
			`{"query": "{ __typename }", "variables": []}`:    "variables",
			`{"query": "{ __typename }", "variables": "{}"}`:  "variables",
			`{"query": "{ __typename }", "operationName": 5}`: "operationName",
			`{"query": "{ __typename }", "extensions": []}`:   "extensions",
			`{"query": [], "variables": 1, "operationName": {}, "extensions": "` + secret +
				`"}`: "query variables operationName extensions",
		} {
			wantGraphQL(t, p.send(t, "POST", "/graphql", body), 400, "VALIDATION_FAILED", strings.Fields(fields)...)
		}
		query := "/graphql?query=" + url.QueryEscape(domainQuery)
		for _, wrong := range []string{
			query + "&variables=" + secret, query + "&variables=" + url.QueryEscape(`{"d": "`+secret+`"`), query +
				"&variables=[]", query + "&variables=%zz",
			query + "&variables=" + url.QueryEscape(`{"d":1,"d":1}`), query + ";a=b",
		} {
			got := p.at(t, "GET", wrong)
			if wantGraphQL(t, got, 400, "BAD_REQUEST"); strings.Contains(string(got.body), secret) {
				t.Errorf("%s is answered by %s", wrong, got.body)
			}
		}
		wantGraphQL(t, p.at(t, "GET", "/graphql"), 400, "VALIDATION_FAILED", "query")
		wantGraphQL(t, p.at(t, "GET", query+"&variables=%FF&operationName=%00"), 400, "VALIDATION_FAILED",
			"variables", "operationName")
		wantGraphQL(t, p.at(t, "GET", query+"&query=x"), 400, "VALIDATION_FAILED", "query")
		wantGraphQL(t, p.at(t, "GET", query+"&variables={}&variables={}"), 400, "VALIDATION_FAILED", "variables")
	})
}
