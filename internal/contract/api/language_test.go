package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
	"storefront/internal/fault"
)

// said is the text for people in an answer.
type said struct {
	Message string        `json:"message"`
	Errors  []fault.Field `json:"errors,omitempty"`
}

// saying holds the texts of one request in each language.
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
	shoptest.Compare(t, shoptest.Step{Name: name}, filepath.Join("testdata", test, name+".json"), written.Bytes())
}

// inLanguage checks that an answer names its language, and that this is the one its message is in.
func inLanguage(t *testing.T, what string, got shoptest.Answer, language, message string) {
	t.Helper()
	if is := got.Header.Get("Content-Language"); is != language || !varies(got, "Accept-Language") {
		t.Errorf("%s: Content-Language %q, want %q; Vary %q", what, is, language, got.Header["Vary"])
	}
	if farsi := strings.ContainsAny(message, "اید"); message == "" || farsi != (language == "fa") {
		t.Errorf("%s: the answer in %q says %q", what, language, message)
	}
}

// TestLanguageOfAccounts collects the messages to customers in English and in Farsi. Both interfaces use
// the same.
func TestLanguageOfAccounts(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		for _, d := range []shoptest.API{a.REST(), a.GraphQL()} {
			english, farsi := conversation(t, d, "", 0), conversation(t, d, "fa-IR, en;q=0.5", 10)
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
func conversation(t *testing.T, d shoptest.API, accepts string, n int) (turns []turn) {
	language := "en"
	if accepts != "" {
		d.Headers = append(d.Headers, "Accept-Language", accepts)
		language = "fa"
	}
	ask := func(d shoptest.API, operation, input string) {
		t.Helper()
		got := d.Ask(t, operation, input)
		heard := said{}
		if got.Code == "" {
			heard.Message = got.Member(t, "message")
		} else {
			heard = refusal(t, got)
		}
		inLanguage(t, operation, got.Answer, language, heard.Message)
		name, _, _ := strings.Cut(operation, " ")
		turns = append(turns, turn{name + " " + got.Code, heard})
	}
	mine, other := d.Cell(n), d.Cell(n+1)
	ask(d, "register", `{"cellNumber": "12", "password": "short", "firstName": " ", "domain": `+
		`"tools.example", "email": "x"}`)
	ask(d, "register", `{"cellNumber": "`+mine+`", "password": 5, "firstName": "`+strings.Repeat("x", 121)+
		`", "lastName": "y", "domain": "tools.example"}`)
	ask(d, "register", shoptest.Registering(mine, shoptest.GoodPassword, "nobody.example"))
	ask(d, "me", "")
	token := d.Register(t, mine).Access
	ask(d, "register", shoptest.Registering(mine, shoptest.GoodPassword, shoptest.ToolsShop))
	ask(d, "register", shoptest.Registering(mine, shoptest.OtherPassword, shoptest.MugsShop))
	ask(d, "register", shoptest.Acknowledging(mine, shoptest.OtherPassword, shoptest.MugsShop))
	ask(d, "login", shoptest.ByPassword(mine, "wrong horse"))
	ask(d, "loginOtp", shoptest.ByCode(mine, "000000"))
	ask(d, "refresh", shoptest.Refreshing("x"))
	ask(d.With(token), "profile", `{"cellNumber": "`+other+`"}`)
	ask(d.With(token), "profile", `{"firstName": "Sara"}`)
	ask(d.With(token), "deleteAddress 01a2001e-6a21-7946-918a-35622f61bf88", "")
	ask(d.With(token), "changePassword", shoptest.Changing("wrong horse", shoptest.OtherPassword))
	ask(d.With(token), "changePassword", shoptest.Changing(shoptest.GoodPassword, shoptest.OtherPassword))
	ask(d, "sendOtp", shoptest.ToCell(mine))
	ask(d, "sendOtp", shoptest.ToCell(mine))
	ask(d, "verifyOtp", shoptest.ByCode(mine, "not it"))
	ask(d, "verifyOtp", shoptest.ByCode(mine, d.Phones.Code(t, mine)))
	d.Phones.OutOfReach(other)
	ask(d, "sendOtp", shoptest.ToCell(other))
	return turns
}

// refusal returns an error's message and fields, with its members named as REST does.
func refusal(t *testing.T, r shoptest.Reply) (e said) {
	t.Helper()
	if !r.API.GraphQL {
		if err := json.Unmarshal(r.Body, &e); err != nil {
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
	if err := json.Unmarshal(bytes.ReplaceAll(r.Body, []byte("input."), nil), &got); err != nil {
		t.Fatal(err)
	}
	return said{got.Errors[0].Message, got.Errors[0].Extensions.Errors}
}

// messageIn finds the message of any answer, of a route or of GraphQL.
func messageIn(t *testing.T, got shoptest.Answer) said {
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
	if err := json.Unmarshal(got.Body, &read); err != nil {
		t.Fatalf("got %v: %s", err, got.Body)
	}
	if err := json.Unmarshal(got.Body, &refused); err == nil && len(refused.Errors) > 0 &&
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
			body: shoptest.GraphQLBody(`mutation($input: ExpertReviewInput!) {createExpertReview(domain: `+
				`"tools.example", input: `+
				`$input) {message}}`, `{`+review+`}`), status: 200},
		{method: "POST", path: "/graphql",
			body: shoptest.GraphQLBody(`mutation($input: ContactInput!) {submitContact(domain: `+
				`"tools.example", input: `+
				`$input) {message}}`, `{"input": {"title": "t", "name": "n", "text": "x", "more": 1}}`), status: 200},
	}
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		var all []saying
		for _, r := range requests {
			what := fmt.Sprintf("%d %s %s %.160s", r.status, r.method, r.path, r.body)
			one := saying{Request: what}
			for language, heard := range map[string]*said{"en": &one.English, "fa": &one.Farsi} {
				got := anywhere(t, p, r.method, r.path, p.Named(t, r.body),
					append([]string{"Accept-Language", language},
						r.headers...)...)
				if got.Status != r.status {
					t.Errorf("%s: got status %d: %s", what, got.Status, got.Body)
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
func anywhere(t *testing.T, p *shoptest.Place, method, path, body string, headers ...string) shoptest.Answer {
	t.Helper()
	if _, query, found := strings.Cut(path, "/graphql?"); found {
		return p.At(t, method, "/graphql?"+query, headers...)
	}
	return p.Send(t, method, path, body, headers...)
}

// TestLanguageOfParser checks that errors of the parser are not translated, and that their answers have no
// Content-Language.
func TestLanguageOfParser(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		for _, document := range []string{`{`, `{nothing}`} {
			inEnglish := p.Send(t, "POST", "/graphql", shoptest.GraphQLBody(document, ""))
			inFarsi := p.Send(t, "POST", "/graphql", shoptest.GraphQLBody(document, ""), "Accept-Language", "fa")
			if !bytes.Equal(inEnglish.Body, inFarsi.Body) || inFarsi.Header.Get("Content-Language") != "" {
				t.Errorf("%s: got in %q %s\nwant %s as in English", document,
					inFarsi.Header.Get("Content-Language"), inFarsi.Body, inEnglish.Body)
			}
		}
	})
}

// TestLanguageChoice checks that a request is answered in the language that its header prefers.
func TestLanguageChoice(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		for accepts, language := range map[string]string{
			"": "en", "en": "en", "fa": "fa", "FA-ir": "fa", "fa-AF": "fa", "prs": "fa", "de": "en", "ar": "en",
			"en-US,en;q=0.9,fa;q=0.8": "en", "fa,en-US;q=0.9,en;q=0.8": "fa", "de-DE, fa;q=0.3, en;q=0.2": "fa",
			"fa;q=0": "en", "en;q=0, *": "fa", ";;;q": "en", "fa" + strings.Repeat(", fa", 5000): "en",
		} {
			got := p.Send(t, "GET", "/nowhere", "", "Accept-Language", accepts)
			inLanguage(t, fmt.Sprintf("%.40s", accepts), got, language, messageIn(t, got).Message)
		}
		twice := http.Header{"Accept-Language": {"de", "fa;q=0.5"}}
		got := p.At(t, "GET", "/api/v1/nowhere", "Accept-Language", twice["Accept-Language"][0], "Accept-Language",
			twice["Accept-Language"][1])
		inLanguage(t, "two headers", got, "fa", messageIn(t, got).Message)
	})
}

// TestLanguageSplitsNoCache checks that answers without a message do not vary by language.
func TestLanguageSplitsNoCache(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		const path = "/tenants/tools.example"
		english, farsi := p.Get(t, path), p.Get(t, path, "Accept-Language", "fa")
		if !bytes.Equal(english.Body, farsi.Body) || english.Header.Get("ETag") == "" ||
			english.Header.Get("ETag") != farsi.Header.Get("ETag") {
			t.Errorf("in Farsi: got %s %s\nwant %s %s as in English", farsi.Header.Get("ETag"), farsi.Body,
				english.Header.Get("ETag"), english.Body)
		}
		unchanged := p.Get(t, path, "Accept-Language", "fa", "If-None-Match", english.Header.Get("ETag"))
		byGraphQL := p.Send(t, "POST", "/graphql", `{"query": "{__typename}"}`, "Accept-Language", "fa")
		for status, got := range map[int]shoptest.Answer{200: farsi, 304: unchanged, 0: byGraphQL} {
			if status > 0 && got.Status != status || varies(got, "Accept-Language") ||
				got.Header.Get("Content-Language") != "" {
				t.Errorf("%d: Vary %q, Content-Language %q", got.Status, got.Header["Vary"],
					got.Header.Get("Content-Language"))
			}
		}
	})
}
