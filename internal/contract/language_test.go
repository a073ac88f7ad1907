package contract_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"storefront/internal/fault"
)

// said is the text of an answer that people read.
type said struct {
	Message string        `json:"message"`
	Errors  []fault.Field `json:"errors,omitempty"`
}

// saying are those texts of one request, in each language.
type saying struct {
	Request string `json:"request"`
	English said   `json:"en"`
	Farsi   said   `json:"fa"`
}

// compareSayings compares them with testdata/<test>/<name>.json.
func compareSayings(t *testing.T, name string, all []saying) {
	t.Helper()
	var written bytes.Buffer
	encoder := json.NewEncoder(&written)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(all)
	test, _, _ := strings.Cut(t.Name(), "/")
	compare(t, step{name: name}, filepath.Join("testdata", test, name+".json"), written.Bytes())
}

// inLanguage checks that an answer names its language, and that this is the one its message is in.
func inLanguage(t *testing.T, what string, got answer, language, message string) {
	t.Helper()
	if is := got.header.Get("Content-Language"); is != language || !varies(got, "Accept-Language") {
		t.Errorf("%s: Content-Language %q, want %q; Vary %q", what, is, language, got.header["Vary"])
	}
	if farsi := strings.ContainsAny(message, "اید"); message == "" || farsi != (language == "fa") {
		t.Errorf("%s: the answer in %q says %q", what, language, message)
	}
}

// TestLanguageOfAccounts collects the messages to customers in English and in Farsi. Both interfaces use
// the same.
func TestLanguageOfAccounts(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		for _, d := range []door{a.rest(), a.graphQL()} {
			english, farsi := d.conversation(t, "", 0), d.conversation(t, "fa-IR, en;q=0.5", 10)
			all := make([]saying, len(english))
			for i := range english {
				all[i] = saying{english[i].request, english[i].said, farsi[i].said}
			}
			compareSayings(t, "accounts", all)
		}
	})
}

type turn struct {
	request string
	said    said
}

// conversation causes every message to customers, with an Accept-Language and the cells from n on.
func (d door) conversation(t *testing.T, accepts string, n int) (turns []turn) {
	language := "en"
	if accepts != "" {
		d.headers = append(d.headers, "Accept-Language", accepts)
		language = "fa"
	}
	ask := func(d door, operation, input string) {
		t.Helper()
		got := d.ask(t, operation, input)
		heard := said{}
		if got.code == "" {
			heard.Message = got.member(t, "message")
		} else {
			heard = got.refusal(t)
		}
		inLanguage(t, operation, got.answer, language, heard.Message)
		name, _, _ := strings.Cut(operation, " ")
		turns = append(turns, turn{name + " " + got.code, heard})
	}
	mine, other := d.cell(n), d.cell(n+1)
	ask(d, "register", `{"cellNumber": "12", "password": "short", "firstName": " ", "domain": `+
		`"tools.example", "email": "x"}`)
	ask(d, "register", `{"cellNumber": "`+mine+`", "password": 5, "firstName": "`+strings.Repeat("x", 121)+
		`", "lastName": "y", "domain": "tools.example"}`)
	ask(d, "register", registering(mine, goodPassword, "nobody.example"))
	ask(d, "me", "")
	token := d.register(t, mine).access
	ask(d, "register", registering(mine, goodPassword, toolsShop))
	ask(d, "register", registering(mine, otherPassword, mugsShop))
	ask(d, "register", acknowledging(mine, otherPassword, mugsShop))
	ask(d, "login", byPassword(mine, "wrong horse"))
	ask(d, "loginOtp", byCode(mine, "000000"))
	ask(d, "refresh", refreshing("x"))
	ask(d.with(token), "profile", `{"cellNumber": "`+other+`"}`)
	ask(d.with(token), "profile", `{"firstName": "Sara"}`)
	ask(d.with(token), "deleteAddress 01a2001e-6a21-7946-918a-35622f61bf88", "")
	ask(d.with(token), "changePassword", changing("wrong horse", otherPassword))
	ask(d.with(token), "changePassword", changing(goodPassword, otherPassword))
	ask(d, "sendOtp", toCell(mine))
	ask(d, "sendOtp", toCell(mine))
	ask(d, "verifyOtp", byCode(mine, "not it"))
	ask(d, "verifyOtp", byCode(mine, d.phones.code(t, mine)))
	d.phones.outOfReach(other)
	ask(d, "sendOtp", toCell(other))
	return turns
}

// refusal is an error's message and fields, with its members named as REST does.
func (r reply) refusal(t *testing.T) (e said) {
	t.Helper()
	if !r.door.graphQL {
		if err := json.Unmarshal(r.body, &e); err != nil {
			t.Fatal(err)
		}
		return e
	}
	var got struct {
		Errors []struct {
			Message    string
			Extensions struct{ Errors []fault.Field }
		}
	}
	if err := json.Unmarshal(bytes.ReplaceAll(r.body, []byte("input."), nil), &got); err != nil {
		t.Fatal(err)
	}
	return said{got.Errors[0].Message, got.Errors[0].Extensions.Errors}
}

// messageIn finds the message of any answer, of a route or of GraphQL.
func messageIn(t *testing.T, got answer) said {
	t.Helper()
	var read struct {
		said
		Data map[string]said
	}
	var refused struct {
		Errors []struct {
			Message    string
			Extensions *struct{ Errors []fault.Field }
		}
	}
	if err := json.Unmarshal(got.body, &read); err != nil {
		t.Fatalf("%v: %s", err, got.body)
	}
	if err := json.Unmarshal(got.body, &refused); err == nil && len(refused.Errors) > 0 &&
		refused.Errors[0].Extensions != nil {
		return said{refused.Errors[0].Message, refused.Errors[0].Extensions.Errors}
	}
	for _, one := range read.Data {
		return one
	}
	return read.said
}

// TestLanguageOfRequests collects the messages about requests themselves, and those to visitors.
func TestLanguageOfRequests(t *testing.T) {
	const review = `"input": {"productId": "<tools:product:drill>", "authorName": "Sara", "rate": 7, ` +
		`"positivePoints": [], "negativePoints": [], "text": "ok"}`
	requests := []struct {
		method, path, body string
		status             int
		headers            []string
	}{
		{method: "GET", path: "/nowhere", status: 404},
		{method: "PUT", path: "/cities", status: 405},
		{method: "GET", path: "/tenants/nobody.example", status: 404},
		{method: "GET", path: "/tenants/tools.example/products?page=0&pageSize=x&minPrice=5&maxPrice=4&tag=a&tag=b",
			status: 400},
		{method: "GET", path: "/tenants/tools.example/comments?entityType=shop", status: 400},
		{method: "GET", path: "/cities?parentSlug=%zz", status: 400},
		{method: "POST", path: "/tenants/tools.example/contact-submissions",
			body: `{"title": "t", "name": "n", "text": "x", "text": "y"}`, status: 400},
		{method: "POST", path: "/tenants/tools.example/contact-submissions", body: `{"title": "t", "name": {"a": [`,
			status: 400},
		{method: "POST", path: "/tenants/tools.example/contact-submissions", body: `[]`, status: 400},
		{method: "POST", path: "/tenants/tools.example/contact-submissions", body: `{"text": "` +
			strings.Repeat("x", 256<<10) + `"}`, status: 413},
		{method: "POST", path: "/tenants/tools.example/contact-submissions", body: `{}`, status: 415,
			headers: []string{"Content-Type", "text/plain"}},
		{method: "POST", path: "/tenants/tools.example/contact-submissions",
			body: `{"title": "t", "name": "n", "text": "x", "email": "a@b.example"}`, status: 201},
		{method: "POST", path: "/public/sms/send", body: `{"domain": "a.example"}`, status: 401},
		{method: "GET", path: "/graphql", status: 400},
		{method: "PUT", path: "/graphql", status: 405},
		{method: "GET", path: "/graphql?query=mutation{logout{message}}", status: 405},
		{method: "POST", path: "/graphql", body: `{"query": "{me{id}}"}`, status: 406,
			headers: []string{"Accept", "text/html"}},
		{method: "POST", path: "/graphql", body: `{"query": "{me{id}}", "operationName": "Other"}`, status: 200},
		{method: "POST", path: "/graphql", body: `{"query": "{me{id}}", "variables": []}`, status: 400},
		{method: "POST", path: "/graphql",
			body: `{"query": "{tenant(domain: ` +
				`\"tools.example\") {products{items{related{related{related{related{id}}}}}}}}"}`, status: 200},
		{method: "POST", path: "/graphql", body: `{"query": "{tenant(domain: \"nobody.example\") {id}}"}`,
			status: 200},
		{method: "POST", path: "/graphql", body: `{"query": "{tenant(domain: \"tools.example\") {products(page: ` +
			`0, pageSize: 0) {total}}}"}`, status: 200},
		{method: "POST", path: "/graphql",
			body: asked(`mutation($input: ExpertReviewInput!) {createExpertReview(domain: "tools.example", input: `+
				`$input) {message}}`, `{`+review+`}`), status: 200},
		{method: "POST", path: "/graphql",
			body: asked(`mutation($input: ContactInput!) {submitContact(domain: "tools.example", input: `+
				`$input) {message}}`, `{"input": {"title": "t", "name": "n", "text": "x", "more": 1}}`), status: 200},
	}
	eachDatabase(t, func(t *testing.T, p *place) {
		var all []saying
		for _, r := range requests {
			what := fmt.Sprintf("%d %s %s %.160s", r.status, r.method, r.path, r.body)
			one := saying{Request: what}
			for language, heard := range map[string]*said{"en": &one.English, "fa": &one.Farsi} {
				got := p.anywhere(t, r.method, r.path, p.named(t, r.body), append([]string{"Accept-Language", language},
					r.headers...)...)
				if got.status != r.status {
					t.Errorf("%s: status %d: %s", what, got.status, got.body)
				}
				*heard = messageIn(t, got)
				inLanguage(t, what, got, language, heard.Message)
			}
			all = append(all, one)
		}
		compareSayings(t, "requests", all)
	})
}

// anywhere sends a request; /graphql may have a query string.
func (p *place) anywhere(t *testing.T, method, path, body string, headers ...string) answer {
	t.Helper()
	if _, query, found := strings.Cut(path, "/graphql?"); found {
		return p.at(t, method, "/graphql?"+query, headers...)
	}
	return p.send(t, method, path, body, headers...)
}

// TestLanguageOfParser checks that what the parser says of a document stays as it is, and claims no language.
func TestLanguageOfParser(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *place) {
		for _, document := range []string{`{`, `{nothing}`} {
			inEnglish := p.send(t, "POST", "/graphql", asked(document, ""))
			inFarsi := p.send(t, "POST", "/graphql", asked(document, ""), "Accept-Language", "fa")
			if !bytes.Equal(inEnglish.body, inFarsi.body) || inFarsi.header.Get("Content-Language") != "" {
				t.Errorf("%s: %s, in %q %s", document, inEnglish.body, inFarsi.header.Get("Content-Language"),
					inFarsi.body)
			}
		}
	})
}

// TestLanguageChoice checks that a request is answered in the language that its header likes best.
func TestLanguageChoice(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *place) {
		for accepts, language := range map[string]string{
			"": "en", "en": "en", "fa": "fa", "FA-ir": "fa", "fa-AF": "fa", "prs": "fa", "de": "en", "ar": "en",
			"en-US,en;q=0.9,fa;q=0.8": "en", "fa,en-US;q=0.9,en;q=0.8": "fa", "de-DE, fa;q=0.3, en;q=0.2": "fa",
			"fa;q=0": "en", "en;q=0, *": "fa", ";;;q": "en", "fa" + strings.Repeat(", fa", 5000): "en",
		} {
			got := p.send(t, "GET", "/nowhere", "", "Accept-Language", accepts)
			inLanguage(t, fmt.Sprintf("%.40s", accepts), got, language, messageIn(t, got).Message)
		}
		twice := http.Header{"Accept-Language": {"de", "fa;q=0.5"}}
		got := p.at(t, "GET", "/api/v1/nowhere", "Accept-Language", twice["Accept-Language"][0], "Accept-Language",
			twice["Accept-Language"][1])
		inLanguage(t, "two headers", got, "fa", messageIn(t, got).Message)
	})
}

// TestLanguageSplitsNoCache checks that answers without a message do not know of languages.
func TestLanguageSplitsNoCache(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *place) {
		const path = "/tenants/tools.example"
		english, farsi := p.get(t, path), p.get(t, path, "Accept-Language", "fa")
		if !bytes.Equal(english.body, farsi.body) || english.header.Get("ETag") == "" ||
			english.header.Get("ETag") != farsi.header.Get("ETag") {
			t.Errorf("%s %s, in Farsi %s %s", english.header.Get("ETag"), english.body, farsi.header.Get("ETag"),
				farsi.body)
		}
		unchanged := p.get(t, path, "Accept-Language", "fa", "If-None-Match", english.header.Get("ETag"))
		byGraphQL := p.send(t, "POST", "/graphql", `{"query": "{__typename}"}`, "Accept-Language", "fa")
		for status, got := range map[int]answer{200: farsi, 304: unchanged, 0: byGraphQL} {
			if status > 0 && got.status != status || varies(got, "Accept-Language") ||
				got.header.Get("Content-Language") != "" {
				t.Errorf("%d: Vary %q, Content-Language %q", got.status, got.header["Vary"],
					got.header.Get("Content-Language"))
			}
		}
	})
}
