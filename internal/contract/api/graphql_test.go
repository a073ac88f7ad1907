package api_test

import (
	"net/url"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

func TestGraphQLOverHTTP(t *testing.T) {
	const right = `{"data":{"tenant":{"domain":"shop.example"}}}`
	const variables = `{"d": "shop.example"}`
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		get := "/graphql?query=" + url.QueryEscape(shoptest.DomainQuery) + "&variables=" + url.QueryEscape(variables)
		for name, got := range map[string]shoptest.Answer{
			"POST": p.Send(t, "POST", "/graphql", shoptest.GraphQLBody(shoptest.DomainQuery, variables)),
			"POST with a charset": as(t, p, "application/json; charset=utf-8", "POST", "/graphql",
				shoptest.GraphQLBody(shoptest.DomainQuery, variables)),
			"POST with a slash": as(t, p, "application/json", "POST", "/graphql/",
				shoptest.GraphQLBody(shoptest.DomainQuery, variables)),
			"POST naming the operation": p.Send(t, "POST", "/graphql", `{"operationName": "Q", `+
				shoptest.GraphQLBody(shoptest.DomainQuery, variables)[1:]),
			"POST with extensions": p.Send(t, "POST", "/graphql", `{"extensions": {"a": [1]}, "other": 1, `+
				shoptest.GraphQLBody(shoptest.DomainQuery, variables)[1:]),
			"POST with nulls": p.Send(t, "POST", "/graphql",
				`{"extensions": null, "operationName": null, `+shoptest.GraphQLBody(shoptest.DomainQuery,
					variables)[1:]),
			"GET":                          p.At(t, "GET", get),
			"GET naming the operation":     p.At(t, "GET", get+"&operationName=Q"),
			"GET with an empty operation":  p.At(t, "GET", get+"&operationName="),
			"GET with unknown parameters":  p.At(t, "GET", get+"&a=1&a=2"),
			"GET with a broken credential": p.At(t, "GET", get, "Authorization", "Bearer x"),
		} {
			if shoptest.WantGraphQL(t, got, 200, ""); string(got.Body) != right {
				t.Errorf("%s: got %s", name, got.Body)
			}
		}
		head := p.At(t, "HEAD", get)
		if head.Status != 200 || len(head.Body) > 0 {
			t.Errorf("HEAD: %d %s", head.Status, head.Body)
		}
		if got := p.At(t, "GET", get, "Accept-Encoding", "gzip"); !varies(got, "Accept-Encoding") ||
			!varies(got, "Accept") || !varies(got, "Origin") {
			t.Errorf("Vary %q", got.Header["Vary"])
		}
	})
}

func TestGraphQLMediaTypes(t *testing.T) {
	const plain, own = "application/json; charset=utf-8", "application/graphql-response+json; charset=utf-8"
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
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
			got := p.Send(t, "POST", "/graphql", shoptest.GraphQLBody(`{ __typename }`, ""), "Accept", accept)
			if shoptest.WantGraphQL(t, got, 200, ""); got.Header.Get("Content-Type") != media {
				t.Errorf("Accept %s: %s", accept, got.Header.Get("Content-Type"))
			}
			broken := p.Send(t, "POST", "/graphql", shoptest.GraphQLBody(`{`, ""), "Accept", accept)
			status := 200
			if media == own {
				status = 400
			}
			shoptest.WantGraphQL(t, broken, status, "GRAPHQL_PARSE_FAILED")
			if shoptest.ResultOf(t, broken).Data != nil || broken.Header.Get("Content-Type") != media {
				t.Errorf("Accept %s: %s %s", accept, broken.Header.Get("Content-Type"), broken.Body)
			}
		}
		for _, accept := range []string{
			"text/html", "application/json;q=0", "*/*;q=0",
			"application/graphql-response+json;q=0, application/json;q=0, */*", "application/*;q=0, */*", "nonsense",
			"application/json;q=NaN",
		} {
			shoptest.WantGraphQL(t, p.Send(t, "POST", "/graphql", shoptest.GraphQLBody(`{ __typename }`, ""),
				"Accept", accept), 406,
				"BAD_REQUEST")
		}
		for _, media := range []string{"", "text/plain", "application/graphql", "application/x-www-form-urlencoded",
			"multipart/form-data; boundary=x"} {
			shoptest.WantGraphQL(t, as(t, p, media, "POST", "/graphql",
				shoptest.GraphQLBody(`{ __typename }`, "")), 415,
				"UNSUPPORTED_MEDIA_TYPE")
		}
	})
}

func TestGraphQLRefusesMutationsByGET(t *testing.T) {
	const mutation = `mutation { submitContact(domain: "shop.example", input: {title: "a", name: "b", text: ` +
		`"c"}) { message } }`
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		for _, method := range []string{"GET", "HEAD"} {
			got := p.At(t, method, "/graphql?query="+url.QueryEscape(mutation))
			if got.Status != 405 || got.Header.Get("Allow") != "POST" {
				t.Errorf("%s: %d %v %s", method, got.Status, got.Header, got.Body)
			}
		}
		shoptest.WantGraphQL(t, p.At(t, "GET", "/graphql?query="+url.QueryEscape(mutation)), 405,
			"METHOD_NOT_ALLOWED")
		both := mutation[:8] + " M " + mutation[8:] + ` query Q { __typename }`
		shoptest.WantGraphQL(t, p.At(t, "GET", "/graphql?operationName=M&query="+url.QueryEscape(both)), 405,
			"METHOD_NOT_ALLOWED")
		shoptest.WantGraphQL(t, p.At(t, "GET", "/graphql?operationName=Q&query="+url.QueryEscape(both)), 200, "")
		shoptest.WantGraphQL(t, p.Send(t, "POST", "/graphql", shoptest.GraphQLBody(mutation, "")), 200, "")
		for _, method := range []string{"PUT", "PATCH", "DELETE", "OPTIONS"} {
			got := p.At(t, method, "/graphql")
			if shoptest.WantGraphQL(t, got, 405, "METHOD_NOT_ALLOWED"); got.Header.Get("Allow") != "GET, HEAD, POST" {
				t.Errorf("%s: Allow %q", method, got.Header.Get("Allow"))
			}
		}
	})
}

// TestGraphQLBodies sends unreadable bodies. No answer repeats what was sent, as it may hold a password.
func TestGraphQLBodies(t *testing.T) {
	const secret = "hunter2"
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		for _, body := range []string{
			``, secret, `{"query": "` + secret, `{"query": "` + secret + `",}`, `["` + secret + `"]`,
			`[{"query": "{ __typename }"}]`, `"` + secret + `"`,
			"\uFEFF" + shoptest.GraphQLBody(shoptest.DomainQuery,
				""), shoptest.GraphQLBody(shoptest.DomainQuery, "") + secret,
			`{"query": "{ __typename }", "query": "` + secret + `"}`,
			shoptest.GraphQLBody(shoptest.DomainQuery,
				`{"d": "`+secret+`", "d": "x"}`), shoptest.GraphQLBody(shoptest.DomainQuery, "{\"d\": \"\xff\"}"),
			shoptest.GraphQLBody(shoptest.DomainQuery, `{"d": "\ud800"}`),
			shoptest.GraphQLBody(shoptest.DomainQuery,
				`{"d": "\u0000"}`), shoptest.GraphQLBody(shoptest.DomainQuery, `{"d": `+strings.Repeat("[",
				40)+
				strings.Repeat("]", 40)+`}`),
		} {
			got := p.Send(t, "POST", "/graphql", body, "Content-Type", "application/json")
			if shoptest.WantGraphQL(t, got, 400, "BAD_REQUEST"); strings.Contains(string(got.Body), secret) {
				t.Errorf("%s is answered by %s", body, got.Body)
			}
		}
		long := shoptest.GraphQLBody("{ __typename } #"+strings.Repeat("x", 256<<10), "")
		shoptest.WantGraphQL(t, p.Send(t, "POST", "/graphql", long), 413, "PAYLOAD_TOO_LARGE")
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
			shoptest.WantGraphQL(t, p.Send(t, "POST", "/graphql", body), 400, "VALIDATION_FAILED",
				strings.Fields(fields)...)
		}
		query := "/graphql?query=" + url.QueryEscape(shoptest.DomainQuery)
		for _, wrong := range []string{
			query + "&variables=" + secret, query + "&variables=" + url.QueryEscape(`{"d": "`+secret+`"`), query +
				"&variables=[]", query + "&variables=%zz",
			query + "&variables=" + url.QueryEscape(`{"d":1,"d":1}`), query + ";a=b",
		} {
			got := p.At(t, "GET", wrong)
			if shoptest.WantGraphQL(t, got, 400, "BAD_REQUEST"); strings.Contains(string(got.Body), secret) {
				t.Errorf("%s is answered by %s", wrong, got.Body)
			}
		}
		shoptest.WantGraphQL(t, p.At(t, "GET", "/graphql"), 400, "VALIDATION_FAILED", "query")
		shoptest.WantGraphQL(t, p.At(t, "GET", query+"&variables=%FF&operationName=%00"), 400, "VALIDATION_FAILED",
			"variables", "operationName")
		shoptest.WantGraphQL(t, p.At(t, "GET", query+"&query=x"), 400, "VALIDATION_FAILED", "query")
		shoptest.WantGraphQL(t, p.At(t, "GET", query+"&variables={}&variables={}"), 400, "VALIDATION_FAILED",
			"variables")
	})
}
