package api_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

// hashOf returns the hash that names a persisted document.
func hashOf(query string) string {
	sum := sha256.Sum256([]byte(query))
	return hex.EncodeToString(sum[:])
}

// extending returns the extensions of a request for a persisted document.
func extending(hash string) string {
	return `{"persistedQuery": {"version": 1, "sha256Hash": "` + hash + `"}}`
}

// byHash returns the body that names a document by its hash alone; withHash includes the document.
func byHash(hash, variables string) string {
	return `{"extensions": ` + extending(hash) + `, "variables": ` + variables + `}`
}

func withHash(query, hash, variables string) string {
	return `{"extensions": ` + extending(hash) + `, ` + shoptest.GraphQLBody(query, variables)[1:]
}

// hashed returns the path of a GET for a persisted document; query may be empty.
func hashed(query, hash, variables string) string {
	values := url.Values{"extensions": {extending(hash)}, "variables": {variables}}
	if query != "" {
		values.Set("query", query)
	}
	return "/graphql?" + values.Encode()
}

// wantUnknown checks for the exact error that makes clients send the whole document.
func wantUnknown(t testing.TB, got shoptest.Answer) {
	t.Helper()
	shoptest.WantGraphQL(t, got, 200, "PERSISTED_QUERY_NOT_FOUND")
	if r := shoptest.ResultOf(t, got); len(r.Errors) != 1 || r.Errors[0].Message != "PersistedQueryNotFound" ||
		r.Data != nil {
		t.Errorf("got %s", got.Body)
	}
}

// TestPersistedQueries follows the protocol of clients: send the hash, send the document if it is unknown,
// and send the hash again.
func TestPersistedQueries(t *testing.T) {
	const right, variables = `{"data":{"tenant":{"domain":"shop.example"}}}`, `{"d": "shop.example"}`
	answered := func(t testing.TB, got shoptest.Answer) {
		t.Helper()
		if shoptest.WantGraphQL(t, got, 200, ""); string(got.Body) != right {
			t.Errorf("got %s", got.Body)
		}
	}
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		for _, accept := range []string{"application/json", "application/graphql-response+json",
			"application/graphql-response+json, application/json;q=0.9"} {
			query := shoptest.DomainQuery + " # by POST, for " + accept
			hash := hashOf(query)
			post := func(body string) shoptest.Answer { return p.Send(t, "POST", "/graphql", body, "Accept", accept) }
			wantUnknown(t, post(byHash(hash, variables)))
			answered(t, post(withHash(query, hash, variables)))
			answered(t, post(byHash(hash, variables)))
			answered(t, post(`{"query": null, `+byHash(hash, variables)[1:]))
			answered(t, post(`{"query": "", `+byHash(hash, variables)[1:]))
			answered(t, post(byHash(strings.ToUpper(hash), variables)))
			answered(t, p.At(t, "GET", hashed("", hash, variables), "Accept", accept))
			shoptest.WantGraphQL(t, post(byHash(hash, `{"d": 5}`)),
				map[bool]int{true: 200, false: 400}[accept == "application/json"], "VALIDATION_FAILED", "d")

			query = shoptest.DomainQuery + " # by GET, for " + accept
			hash = hashOf(query)
			get := func(query string) shoptest.Answer {
				return p.At(t, "GET", hashed(query, hash, variables), "Accept", accept)
			}
			wantUnknown(t, get(""))
			answered(t, get(query))
			answered(t, get(""))
			if head := p.At(t, "HEAD", hashed("", hash, variables), "Accept", accept); head.Status != 200 ||
				head.Header.Get("ETag") == "" {
				t.Errorf("%d %v", head.Status, head.Header)
			}
		}
		// A mutation is remembered too, but never runs by GET.
		const mutation = `mutation($in: ContactInput!) { submitContact(domain: "shop.example", input: $in) { ` +
			`message } }`
		hash := hashOf(mutation)
		wantUnknown(t, p.At(t, "GET", hashed("", hash, `{"in": `+shoptest.ContactForm+`}`)))
		shoptest.WantGraphQL(t, p.At(t, "GET", hashed(mutation, hash, `{"in": `+shoptest.ContactForm+`}`)),
			405, "METHOD_NOT_ALLOWED")
		shoptest.WantGraphQL(t, p.At(t, "GET", hashed("", hash, `{"in": `+shoptest.ContactForm+`}`)), 405,
			"METHOD_NOT_ALLOWED")
		shoptest.WantGraphQL(t, p.Send(t, "POST", "/graphql", byHash(hash,
			`{"in": `+shoptest.ContactForm+`}`)), 200, "")
		// A document with several operations has one hash.
		const two = `query A { a: __typename } query B { b: __typename }`
		shoptest.WantGraphQL(t, p.Send(t, "POST", "/graphql", withHash(two, hashOf(two), "{}")), 200, "BAD_REQUEST")
		got := p.Send(t, "POST", "/graphql", `{"operationName": "B", `+byHash(hashOf(two), "null")[1:])
		if shoptest.WantGraphQL(t, got, 200, ""); string(got.Body) != `{"data":{"b":"Query"}}` {
			t.Errorf("got %s", got.Body)
		}
	})
}

// TestPersistedQueriesAtTwoInstances checks that a client recovers if another instance does not know its
// document.
func TestPersistedQueriesAtTwoInstances(t *testing.T) {
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		other := shoptest.Start(t, p.Store, shoptest.Noon)
		hash := hashOf(shoptest.DomainQuery)
		shoptest.WantGraphQL(t, p.Send(t, "POST", "/graphql", withHash(shoptest.DomainQuery, hash,
			`{"d": "shop.example"}`)), 200, "")
		wantUnknown(t, other.Send(t, "POST", "/graphql", byHash(hash, `{"d": "shop.example"}`)))
		shoptest.WantGraphQL(t, other.Send(t, "POST", "/graphql", withHash(shoptest.DomainQuery, hash,
			`{"d": "shop.example"}`)), 200,
			"")
		shoptest.WantGraphQL(t, other.Send(t, "POST", "/graphql", byHash(hash, `{"d": "shop.example"}`)), 200, "")
	})
}

// TestPersistedQueriesRefused sends invalid extensions. No answer repeats what was sent.
func TestPersistedQueriesRefused(t *testing.T) {
	const secret = "hunter2"
	right := hashOf(shoptest.DomainQuery)
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		for persisted, fields := range map[string]string{
			`{"version": 2, "sha256Hash": "` + right + `"}`: ".version", `{"version": "1", "sha256Hash": "` + right +
				`"}`: ".version",
			`{"version": 1.0, "sha256Hash": "` + right + `"}`: ".version", `{"sha256Hash": "` + right +
				`"}`: ".version", `{"version": 1}`: ".sha256Hash",
			`{"version": 1, "sha256Hash": "` + secret + `"}`: ".sha256Hash", `{"version": 1, "sha256Hash": "` +
				right[1:] + `"}`: ".sha256Hash",
			`{"version": 1, "sha256Hash": "` + right + `00"}`: ".sha256Hash", `{"version": 1, "sha256Hash": "` +
				strings.Repeat("g", 64) + `"}`: ".sha256Hash",
			`{"version": 1, "sha256Hash": 5}`: ".sha256Hash", `{"version": 1, "sha256Hash": ["` + right +
				`"]}`: ".sha256Hash", `{}`: ".version .sha256Hash",
			`{"version": 1, "sha256Hash": "` + strings.Repeat(secret, 10_000) + `"}`: ".sha256Hash",
			`[]`: " ", `"` + secret + `"`: " ", `5`: " ", `true`: " ",
		} {
			var named []string
			for suffix := range strings.SplitSeq(fields, " ") {
				if suffix != "" || fields == " " && len(named) == 0 {
					named = append(named, "extensions.persistedQuery"+suffix)
				}
			}
			for _, got := range []shoptest.Answer{
				p.Send(t, "POST", "/graphql", `{"extensions": {"persistedQuery": `+persisted+`}}`),
				p.Send(t, "POST", "/graphql", `{"extensions": {"persistedQuery": `+persisted+`}, `+
					shoptest.GraphQLBody(shoptest.DomainQuery, "")[1:]),
			} {
				if shoptest.WantGraphQL(t, got, 400, "VALIDATION_FAILED",
					named...); strings.Contains(string(got.Body), secret) {
					t.Errorf("%.200s is answered by %.300s", persisted, got.Body)
				}
			}
		}
		// Another document under the hash, which would be returned to other clients.
		for _, other := range []string{shoptest.DomainQuery + " ", `{ __typename }`, secret} {
			got := p.Send(t, "POST", "/graphql", withHash(other, right, "{}"))
			if shoptest.WantGraphQL(t, got, 400, "VALIDATION_FAILED",
				"extensions.persistedQuery.sha256Hash"); strings.Contains(
				string(got.Body), secret) {
				t.Errorf("got %s", got.Body)
			}
		}
		wantUnknown(t, p.Send(t, "POST", "/graphql", byHash(right, "{}")))
		// Invalid documents are not cached.
		for document, code := range map[string]string{
			`{`: "GRAPHQL_PARSE_FAILED", `{ nothing }`: "GRAPHQL_VALIDATION_FAILED",
			`{` + strings.Repeat(" __typename", 2000) + `}`: "LIMIT_EXCEEDED",
			`{ a: __typename a: me { id } }`:                "GRAPHQL_VALIDATION_FAILED",
		} {
			shoptest.WantGraphQL(t, p.Send(t, "POST", "/graphql", withHash(document, hashOf(document), "{}")),
				200, code)
			wantUnknown(t, p.Send(t, "POST", "/graphql", byHash(hashOf(document), "{}")))
		}
		// No persisted query at all.
		shoptest.WantGraphQL(t, p.Send(t, "POST", "/graphql", `{"extensions": {"persistedQuery": null}}`), 400,
			"VALIDATION_FAILED", "query")
		shoptest.WantGraphQL(t, p.Send(t, "POST", "/graphql", `{"extensions": {"persistedQuery": null}, `+
			shoptest.GraphQLBody(`{ __typename }`, "")[1:]), 200, "")
		// The body is read by the same rules.
		shoptest.WantGraphQL(t, p.Send(t, "POST", "/graphql",
			`{"extensions": {"persistedQuery": {"version": 1, "version": 1}}}`), 400, "BAD_REQUEST")
		shoptest.WantGraphQL(t, p.At(t, "GET", "/graphql?extensions="+
			url.QueryEscape(`{"persistedQuery": {"version": 1, "sha256Hash": "`+secret)), 400, "BAD_REQUEST")
	})
}

// TestGraphQLShowsNoValues checks that no error shows a value that was sent.
func TestGraphQLShowsNoValues(t *testing.T) {
	const secret = "hunter2"
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		const two = `query A { __typename } query B { __typename }`
		for _, body := range []string{
			`{"operationName": "` + secret + `", ` + shoptest.GraphQLBody(two, "")[1:],
			`{"operationName": ["` + secret + `"], ` + shoptest.GraphQLBody(two, "")[1:],
			shoptest.GraphQLBody(`{ tenant(domain: "`+secret+`", slug: "`+secret+`") { id } }`, ""),
			shoptest.GraphQLBody(`{ cities(level: "`+secret+`") { id } }`, ""),
			shoptest.GraphQLBody(`{ a: city(id: "`+secret+`") { id } a: city(id: "`+secret+`2") { id } }`, ""),
			shoptest.GraphQLBody(`{ city(id: "`+secret+`) { id } }`, ""),
			shoptest.GraphQLBody(`query($l: LocationLevel) { cities(level: $l) { id } }`, `{"l": "`+secret+`"}`),
			shoptest.GraphQLBody(`query($l: LocationLevel) { cities(level: $l) { id } }`, `{"l": ["`+secret+`"]}`),
			shoptest.GraphQLBody(`query($p: Int! = 1) { tenant(domain: "shop.example") { `+
				`products(page: $p) { total } } }`,
				`{"p": "`+secret+`"}`),
			shoptest.GraphQLBody(`mutation { login(input: {cellNumber: "`+secret+`", password: "`+
				secret+`", code: "`+secret+
				`"}) { accessToken } }`, ""),
			shoptest.GraphQLBody(`mutation { login(input: {cellNumber: "`+secret+`", password: 7654321}) { `+
				`accessToken } }`, ""),
			shoptest.GraphQLBody(`mutation($in: LoginInput!) { login(input: $in) { accessToken } }`,
				`{"in": {"cellNumber": "`+secret+
					`", "password": {"x": "`+secret+`"}}}`),
		} {
			for _, got := range []shoptest.Answer{p.Send(t, "POST", "/graphql", body),
				p.Send(t, "POST", "/graphql", body,
					"Accept", "application/graphql-response+json")} {
				if r := shoptest.ResultOf(t, got); len(r.Errors) == 0 || strings.Contains(string(got.Body), secret) ||
					strings.Contains(string(got.Body), "7654321") {
					t.Errorf("%s is answered by %s", body, got.Body)
				}
			}
		}
	})
}

// TestGraphQLEntityTags checks that answers to GET may be cached and revalidated if they are public data,
// and no others.
func TestGraphQLEntityTags(t *testing.T) {
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		hash := hashOf(shoptest.DomainQuery)
		const variables = `{"d": "shop.example"}`
		shoptest.WantGraphQL(t, p.At(t, "GET", hashed(shoptest.DomainQuery, hash, variables)), 200, "")
		for _, path := range []string{hashed("", hash, variables), hashed(shoptest.DomainQuery, hash, variables),
			"/graphql?query=" + url.QueryEscape(`{ cities(level: country) { slug } }`)} {
			plain := p.At(t, "GET", path)
			tag := plain.Header.Get("ETag")
			if shoptest.WantGraphQL(t, plain, 200, ""); tag == "" {
				t.Fatalf("%s: %v", path, plain.Header)
			}
			for _, method := range []string{"GET", "HEAD"} {
				for _, encoding := range []string{"identity", "gzip"} {
					got := p.At(t, method, path, "If-None-Match", "W/"+tag, "Accept-Encoding", encoding)
					if got.Status != 304 || len(got.Body) > 0 || got.Header.Get("ETag") != tag ||
						!varies(got, "Accept") ||
						!varies(got, "Accept-Encoding") || !varies(got, "Origin") {
						t.Errorf("%s %s: got %d %v", method, path, got.Status, got.Header)
					}
				}
			}
			if got := p.At(t, "GET", path, "If-None-Match", `"other"`, "Authorization",
				"Bearer x"); got.Status != 200 || got.Header.Get("ETag") != tag {
				t.Errorf("%s: got %d %v", path, got.Status, got.Header)
			}
			// The same data of the other media type is another representation.
			if got := p.At(t, "GET", path, "If-None-Match", tag, "Accept",
				"application/graphql-response+json"); got.Status != 200 || got.Header.Get("ETag") == tag {
				t.Errorf("%s: got %d %v", path, got.Status, got.Header)
			}
		}
		never := []shoptest.Answer{
			p.Send(t, "POST", "/graphql", shoptest.GraphQLBody(shoptest.DomainQuery, variables),
				"If-None-Match", "*"),
			p.Send(t, "POST", "/graphql", byHash(hash, variables), "If-None-Match", "*"),
			p.At(t, "GET", hashed("", hash, `{"d": "nobody.example"}`), "If-None-Match", "*"),
			p.At(t, "GET", hashed("", hash, `{"d": 5}`), "If-None-Match", "*"),
			p.At(t, "GET", hashed("", hashOf("other"), variables), "If-None-Match", "*"),
			p.At(t, "GET", "/graphql?query="+url.QueryEscape(`{ me { id } }`), "If-None-Match", "*"),
			p.At(t, "GET", "/graphql?query="+url.QueryEscape(`{ __typename me @include(if: false) { id } }`),
				"If-None-Match", "*"),
		}
		for i, got := range never {
			if got.Status == 304 || got.Header.Get("ETag") != "" || got.Header.Get("Cache-Control") != "no-store" ||
				!json.Valid(got.Body) {
				t.Errorf("%d: %d %v %s", i, got.Status, got.Header, got.Body)
			}
		}
	})
}
