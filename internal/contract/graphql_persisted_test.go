package contract_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"strings"
	"testing"
)

// hashOf is the hash that names a persisted document.
func hashOf(query string) string {
	sum := sha256.Sum256([]byte(query))
	return hex.EncodeToString(sum[:])
}

// extending is the extensions of a request for a persisted document.
func extending(hash string) string {
	return `{"persistedQuery": {"version": 1, "sha256Hash": "` + hash + `"}}`
}

// byHash is the body that names a document by its hash alone; withHash includes the document.
func byHash(hash, variables string) string {
	return `{"extensions": ` + extending(hash) + `, "variables": ` + variables + `}`
}

func withHash(query, hash, variables string) string {
	return `{"extensions": ` + extending(hash) + `, ` + asked(query, variables)[1:]
}

// hashed is the path of a GET for a persisted document; query may be empty.
func hashed(query, hash, variables string) string {
	values := url.Values{"extensions": {extending(hash)}, "variables": {variables}}
	if query != "" {
		values.Set("query", query)
	}
	return "/graphql?" + values.Encode()
}

// wantUnknown checks for the exact error that makes clients send the whole document.
func wantUnknown(t testing.TB, got answer) {
	t.Helper()
	wantGraphQL(t, got, 200, "PERSISTED_QUERY_NOT_FOUND")
	if r := resultOf(t, got); len(r.Errors) != 1 || r.Errors[0].Message != "PersistedQueryNotFound" ||
		r.Data != nil {
		t.Errorf("%s", got.body)
	}
}

// TestPersistedQueries does what clients do: name a document, send it where it is unknown, and name it
// again.
func TestPersistedQueries(t *testing.T) {
	const right, variables = `{"data":{"tenant":{"domain":"shop.example"}}}`, `{"d": "shop.example"}`
	answered := func(t testing.TB, got answer) {
		t.Helper()
		if wantGraphQL(t, got, 200, ""); string(got.body) != right {
			t.Errorf("%s", got.body)
		}
	}
	eachWire(t, func(t *testing.T, p *place) {
		for _, accept := range []string{"application/json", "application/graphql-response+json",
			"application/graphql-response+json, application/json;q=0.9"} {
			query := domainQuery + " # by POST, for " + accept
			hash := hashOf(query)
			post := func(body string) answer { return p.send(t, "POST", "/graphql", body, "Accept", accept) }
			wantUnknown(t, post(byHash(hash, variables)))
			answered(t, post(withHash(query, hash, variables)))
			answered(t, post(byHash(hash, variables)))
			answered(t, post(`{"query": null, `+byHash(hash, variables)[1:]))
			answered(t, post(`{"query": "", `+byHash(hash, variables)[1:]))
			answered(t, post(byHash(strings.ToUpper(hash), variables)))
			answered(t, p.at(t, "GET", hashed("", hash, variables), "Accept", accept))
			wantGraphQL(t, post(byHash(hash, `{"d": 5}`)),
				map[bool]int{true: 200, false: 400}[accept == "application/json"], "VALIDATION_FAILED", "d")

			query = domainQuery + " # by GET, for " + accept
			hash = hashOf(query)
			get := func(query string) answer {
				return p.at(t, "GET", hashed(query, hash, variables), "Accept", accept)
			}
			wantUnknown(t, get(""))
			answered(t, get(query))
			answered(t, get(""))
			if head := p.at(t, "HEAD", hashed("", hash, variables), "Accept", accept); head.status != 200 ||
				head.header.Get("ETag") == "" {
				t.Errorf("%d %v", head.status, head.header)
			}
		}
		// A mutation is remembered too, but never runs by GET.
		const mutation = `mutation($in: ContactInput!) { submitContact(domain: "shop.example", input: $in) { ` +
			`message } }`
		hash := hashOf(mutation)
		wantUnknown(t, p.at(t, "GET", hashed("", hash, `{"in": `+contact+`}`)))
		wantGraphQL(t, p.at(t, "GET", hashed(mutation, hash, `{"in": `+contact+`}`)), 405, "METHOD_NOT_ALLOWED")
		wantGraphQL(t, p.at(t, "GET", hashed("", hash, `{"in": `+contact+`}`)), 405, "METHOD_NOT_ALLOWED")
		wantGraphQL(t, p.send(t, "POST", "/graphql", byHash(hash, `{"in": `+contact+`}`)), 200, "")
		// One document of many operations is one hash.
		const two = `query A { a: __typename } query B { b: __typename }`
		wantGraphQL(t, p.send(t, "POST", "/graphql", withHash(two, hashOf(two), "{}")), 200, "BAD_REQUEST")
		got := p.send(t, "POST", "/graphql", `{"operationName": "B", `+byHash(hashOf(two), "null")[1:])
		if wantGraphQL(t, got, 200, ""); string(got.body) != `{"data":{"b":"Query"}}` {
			t.Errorf("%s", got.body)
		}
	})
}

// TestPersistedQueriesAtTwoInstances checks that a client recovers where another instance does not know its
// document.
func TestPersistedQueriesAtTwoInstances(t *testing.T) {
	eachWire(t, func(t *testing.T, p *place) {
		other := start(t, p.store, noon)
		hash := hashOf(domainQuery)
		wantGraphQL(t, p.send(t, "POST", "/graphql", withHash(domainQuery, hash, `{"d": "shop.example"}`)), 200, "")
		wantUnknown(t, other.send(t, "POST", "/graphql", byHash(hash, `{"d": "shop.example"}`)))
		wantGraphQL(t, other.send(t, "POST", "/graphql", withHash(domainQuery, hash, `{"d": "shop.example"}`)), 200,
			"")
		wantGraphQL(t, other.send(t, "POST", "/graphql", byHash(hash, `{"d": "shop.example"}`)), 200, "")
	})
}

// TestPersistedQueriesRefused sends invalid extensions. No answer repeats what was sent.
func TestPersistedQueriesRefused(t *testing.T) {
	const secret = "hunter2"
	right := hashOf(domainQuery)
	eachWire(t, func(t *testing.T, p *place) {
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
			for _, got := range []answer{
				p.send(t, "POST", "/graphql", `{"extensions": {"persistedQuery": `+persisted+`}}`),
				p.send(t, "POST", "/graphql", `{"extensions": {"persistedQuery": `+persisted+`}, `+
					asked(domainQuery, "")[1:]),
			} {
				if wantGraphQL(t, got, 400, "VALIDATION_FAILED", named...); strings.Contains(string(got.body), secret) {
					t.Errorf("%.200s is answered by %.300s", persisted, got.body)
				}
			}
		}
		// Another document under the hash, which would poison what others ask for.
		for _, other := range []string{domainQuery + " ", `{ __typename }`, secret} {
			got := p.send(t, "POST", "/graphql", withHash(other, right, "{}"))
			if wantGraphQL(t, got, 400, "VALIDATION_FAILED", "extensions.persistedQuery.sha256Hash"); strings.Contains(
				string(got.body), secret) {
				t.Errorf("%s", got.body)
			}
		}
		wantUnknown(t, p.send(t, "POST", "/graphql", byHash(right, "{}")))
		// What cannot be run is not remembered.
		for document, code := range map[string]string{
			`{`: "GRAPHQL_PARSE_FAILED", `{ nothing }`: "GRAPHQL_VALIDATION_FAILED",
			`{` + strings.Repeat(" __typename", 2000) + `}`: "LIMIT_EXCEEDED",
			`{ a: __typename a: me { id } }`:                "GRAPHQL_VALIDATION_FAILED",
		} {
			wantGraphQL(t, p.send(t, "POST", "/graphql", withHash(document, hashOf(document), "{}")), 200, code)
			wantUnknown(t, p.send(t, "POST", "/graphql", byHash(hashOf(document), "{}")))
		}
		// No persisted query at all.
		wantGraphQL(t, p.send(t, "POST", "/graphql", `{"extensions": {"persistedQuery": null}}`), 400,
			"VALIDATION_FAILED", "query")
		wantGraphQL(t, p.send(t, "POST", "/graphql", `{"extensions": {"persistedQuery": null}, `+
			asked(`{ __typename }`, "")[1:]), 200, "")
		// The body is read by the same rules.
		wantGraphQL(t, p.send(t, "POST", "/graphql",
			`{"extensions": {"persistedQuery": {"version": 1, "version": 1}}}`), 400, "BAD_REQUEST")
		wantGraphQL(t, p.at(t, "GET", "/graphql?extensions="+
			url.QueryEscape(`{"persistedQuery": {"version": 1, "sha256Hash": "`+secret)), 400, "BAD_REQUEST")
	})
}

// TestGraphQLShowsNoValues checks that no error shows a value that was sent.
func TestGraphQLShowsNoValues(t *testing.T) {
	const secret = "hunter2"
	eachWire(t, func(t *testing.T, p *place) {
		const two = `query A { __typename } query B { __typename }`
		for _, body := range []string{
			`{"operationName": "` + secret + `", ` + asked(two, "")[1:],
			`{"operationName": ["` + secret + `"], ` + asked(two, "")[1:],
			asked(`{ tenant(domain: "`+secret+`", slug: "`+secret+`") { id } }`, ""),
			asked(`{ cities(level: "`+secret+`") { id } }`, ""),
			asked(`{ a: city(id: "`+secret+`") { id } a: city(id: "`+secret+`2") { id } }`, ""),
			asked(`{ city(id: "`+secret+`) { id } }`, ""),
			asked(`query($l: LocationLevel) { cities(level: $l) { id } }`, `{"l": "`+secret+`"}`),
			asked(`query($l: LocationLevel) { cities(level: $l) { id } }`, `{"l": ["`+secret+`"]}`),
			asked(`query($p: Int! = 1) { tenant(domain: "shop.example") { products(page: $p) { total } } }`,
				`{"p": "`+secret+`"}`),
			asked(`mutation { login(input: {cellNumber: "`+secret+`", password: "`+secret+`", code: "`+secret+
				`"}) { accessToken } }`, ""),
			asked(`mutation { login(input: {cellNumber: "`+secret+`", password: 7654321}) { accessToken } }`, ""),
			asked(`mutation($in: LoginInput!) { login(input: $in) { accessToken } }`, `{"in": {"cellNumber": "`+secret+
				`", "password": {"x": "`+secret+`"}}}`),
		} {
			for _, got := range []answer{p.send(t, "POST", "/graphql", body), p.send(t, "POST", "/graphql", body,
				"Accept", "application/graphql-response+json")} {
				if r := resultOf(t, got); len(r.Errors) == 0 || strings.Contains(string(got.body), secret) ||
					strings.Contains(string(got.body), "7654321") {
					t.Errorf("%s is answered by %s", body, got.body)
				}
			}
		}
	})
}

// TestGraphQLEntityTags checks that answers to GET may be cached and revalidated if they are public data,
// and no others.
func TestGraphQLEntityTags(t *testing.T) {
	eachWire(t, func(t *testing.T, p *place) {
		hash := hashOf(domainQuery)
		const variables = `{"d": "shop.example"}`
		wantGraphQL(t, p.at(t, "GET", hashed(domainQuery, hash, variables)), 200, "")
		for _, path := range []string{hashed("", hash, variables), hashed(domainQuery, hash, variables),
			"/graphql?query=" + url.QueryEscape(`{ cities(level: country) { slug } }`)} {
			plain := p.at(t, "GET", path)
			tag := plain.header.Get("ETag")
			if wantGraphQL(t, plain, 200, ""); tag == "" {
				t.Fatalf("%s: %v", path, plain.header)
			}
			for _, method := range []string{"GET", "HEAD"} {
				for _, encoding := range []string{"identity", "gzip"} {
					got := p.at(t, method, path, "If-None-Match", "W/"+tag, "Accept-Encoding", encoding)
					if got.status != 304 || len(got.body) > 0 || got.header.Get("ETag") != tag || !varies(got, "Accept") ||
						!varies(got, "Accept-Encoding") || !varies(got, "Origin") {
						t.Errorf("%s %s: %d %v", method, path, got.status, got.header)
					}
				}
			}
			if got := p.at(t, "GET", path, "If-None-Match", `"other"`, "Authorization",
				"Bearer x"); got.status != 200 || got.header.Get("ETag") != tag {
				t.Errorf("%s: %d %v", path, got.status, got.header)
			}
			// The same data of the other media type is another representation.
			if got := p.at(t, "GET", path, "If-None-Match", tag, "Accept",
				"application/graphql-response+json"); got.status != 200 || got.header.Get("ETag") == tag {
				t.Errorf("%s: %d %v", path, got.status, got.header)
			}
		}
		never := []answer{
			p.send(t, "POST", "/graphql", asked(domainQuery, variables), "If-None-Match", "*"),
			p.send(t, "POST", "/graphql", byHash(hash, variables), "If-None-Match", "*"),
			p.at(t, "GET", hashed("", hash, `{"d": "nobody.example"}`), "If-None-Match", "*"),
			p.at(t, "GET", hashed("", hash, `{"d": 5}`), "If-None-Match", "*"),
			p.at(t, "GET", hashed("", hashOf("other"), variables), "If-None-Match", "*"),
			p.at(t, "GET", "/graphql?query="+url.QueryEscape(`{ me { id } }`), "If-None-Match", "*"),
			p.at(t, "GET", "/graphql?query="+url.QueryEscape(`{ __typename me @include(if: false) { id } }`),
				"If-None-Match", "*"),
		}
		for i, got := range never {
			if got.status == 304 || got.header.Get("ETag") != "" || got.header.Get("Cache-Control") != "no-store" ||
				!json.Valid(got.body) {
				t.Errorf("%d: %d %v %s", i, got.status, got.header, got.body)
			}
		}
	})
}
