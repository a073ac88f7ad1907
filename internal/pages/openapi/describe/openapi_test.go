package describe_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"storefront/graph"
	"storefront/graph/document"
	"storefront/graph/engine"
	"storefront/graph/exec"
	"storefront/internal/fault"
	"storefront/internal/pages/openapi"
	"storefront/internal/pages/openapi/describe"
	"storefront/internal/pages/openapi/openapitest"
	"storefront/internal/platform/strictjson"
	"storefront/internal/platform/wire"
	"storefront/rest"
)

func load(t testing.TB) *openapitest.Document {
	t.Helper()
	text, err := describe.Document()
	if err != nil {
		t.Fatal(err)
	}
	d, err := openapitest.Load(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestRoutesAreDescribedOnce(t *testing.T) {
	var want []string
	for _, route := range rest.Routes {
		want = append(want, route.Method+" "+route.Path)
	}
	got := load(t).Operations()
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("got the routes %v described, want %v", got, want)
	}
}

// TestPartsAreNamedAndDescribed checks that each answer has a name for client generators, and that each
// route and named component has a description for readers.
func TestPartsAreNamedAndDescribed(t *testing.T) {
	text, err := describe.Document()
	if err != nil {
		t.Fatal(err)
	}
	type described struct {
		Description string
		Ref         string `json:"$ref"`
	}
	var document struct {
		Paths map[string]map[string]struct {
			OperationID, Summary, Description string
			Responses                         map[string]struct {
				Ref     string                                `json:"$ref"`
				Content map[string]struct{ Schema described } `json:"content"`
			}
		}
		Components struct{ Schemas map[string]described }
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	for path, methods := range document.Paths {
		for method, operation := range methods {
			if operation.Summary == "" || !strings.HasPrefix(operation.Description, operation.Summary) {
				t.Errorf("%s %s: got the summary %q and the description %q, want one that begins with the other",
					method, path, operation.Summary, operation.Description)
			}
			for status, response := range operation.Responses {
				if of, has := response.Content["application/json"]; response.Ref == "" && has && of.Schema.Ref == "" {
					t.Errorf("%s %s: the answer of status %s has no name", method, path, status)
				}
			}
		}
	}
	for name, schema := range document.Components.Schemas {
		if schema.Description == "" && schema.Ref == "" {
			t.Errorf("%s has no description", name)
		}
		of, answers := strings.CutSuffix(name, "Answer")
		if want := "The answer of " + of + "."; answers && schema.Description != want {
			t.Errorf("%s, which need not be all of a type, is described as %q, want %q", name, schema.Description, want)
		}
	}
}

// TestDocumentIsWritten checks that the committed document is current, and that generating it is deterministic.
func TestDocumentIsWritten(t *testing.T) {
	for range 5 {
		if made, err := describe.Document(); err != nil || !bytes.Equal(made, openapi.Document) {
			t.Fatalf("openapi.json is another document (%v): run make generate", err)
		}
	}
}

// TestErrors checks every error that rest can write against the schema Error.
func TestErrors(t *testing.T) {
	d := load(t)
	for code := range wire.Statuses() {
		e := fault.New(code, "no")
		e.RetryAfter = time.Second
		switch code {
		// GraphQL only
		case fault.ParseFailed, fault.DocumentInvalid, fault.LimitExceeded, fault.PersistedQueryNotFound,
			fault.SecondFactorRequired:
			continue
		case fault.ValidationFailed:
			e.Fields = fault.Fields{{Field: "positivePoints.0", Message: "must not be empty"}}
		case fault.Conflict:
			e.Details = []map[string]any{{"storeItemVariantId": "7", "requested": 2, "available": 1}}
		}
		w := httptest.NewRecorder()
		w.Header().Set("X-Request-Id", "abc")
		wire.WriteError(w, httptest.NewRequest("GET", "/", nil), e)
		if err := d.Answer("GET", "/api/v1/nowhere", http.StatusNotFound, w.Header(), w.Body.Bytes()); err != nil {
			t.Errorf("%s: %v", code, err)
		}
	}
}

// service returns a handler of the routes without a store; it answers requests that fail before a record is
// read.
func service(t testing.TB) http.Handler {
	t.Helper()
	routes, err := rest.New(graph.NewEngine(graph.Services{}, engine.Options{
		Clock: time.Now, Log: slog.New(slog.DiscardHandler),
	}), nil)
	if err != nil {
		t.Fatal(err)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-Id", "abc") // as the server does
		routes.ServeHTTP(w, r)
	})
}

func TestRefusalsAreDescribed(t *testing.T) {
	d, routes := load(t), service(t)
	const blog = "/api/v1/tenants/shop.ir/blogs/7/comments"
	for _, c := range []struct {
		name, method, target, media, body string
		want                              int
	}{
		{"no route", "GET", "/api/v1/nowhere", "", "", 404},
		{"other method", "DELETE", "/api/v1/cities", "", "", 405},
		{"parameter out of range", "GET", "/api/v1/tenants/shop.ir/products?page=0", "", "", 400},
		{"parameter twice", "GET", "/api/v1/cities/?level=city&level=city", "", "", 400},
		{"query that cannot be read", "GET", "/api/v1/cities?level=%zz", "", "", 400},
		{"media type", "POST", blog, "text/plain", "{}", 415},
		{"body too large", "POST", blog, "", `{"text":"` + strings.Repeat("x", 300<<10) + `"}`, 413},
		{"body that cannot be read", "POST", blog, "", "{", 400},
		{"members missing", "POST", blog, "", "{}", 400},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := httptest.NewRequest(c.method, c.target, strings.NewReader(c.body))
			r.Header.Set("Content-Type", c.media)
			w := httptest.NewRecorder()
			routes.ServeHTTP(w, r)
			if w.Code != c.want {
				t.Errorf("answered %d, want %d: %s", w.Code, c.want, w.Body)
			}
			if err := d.Answer(c.method, c.target, w.Code, w.Header(), w.Body.Bytes()); err != nil {
				t.Error(err)
			}
		})
	}
}

// body is a request body for an operation.
type body struct {
	method, target, operation, text string
	right                           bool
}

// partnerDomain is the domain of the partner that sends the bodies.
const partnerDomain = "partner.ir"

// hold checks that the document allows exactly the bodies that the engine accepts.
func hold(t *testing.T, bodies []body) {
	t.Helper()
	d, reader := load(t), document.NewReader(document.Options{Schema: exec.PublicSchema()})
	documents, errs := reader.Parse(rest.Operations())
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	for _, c := range bodies {
		operation, err := documents.Operation(c.operation)
		if err != nil {
			t.Fatal(err)
		}
		sent, err := strictjson.Object([]byte(c.text), 32)
		if err != nil {
			t.Fatal(err)
		}
		values := map[string]any{"domain": "shop.ir", "addressId": "7", rest.BodyVariable: sent}
		_, _, faults := operation.Read(values, document.Dialect{IgnoreUnknown: true, Body: rest.BodyVariable}, nil)
		refused := faults.All.Err()
		wrong := d.Request(c.method, c.target, []byte(c.text))
		if (wrong == nil) != c.right || (refused == nil) != c.right {
			t.Errorf("%s: document says %v, engine says %v, want right: %t", c.text, wrong, refused, c.right)
		}
	}
}

func TestBodies(t *testing.T) {
	review := func(rate, points, rest string) string {
		return `{"productId":"7","authorName":"Sara","rate":` + rate + `,"positivePoints":[` + points +
			`],"negativePoints":[],"text":"good"` + rest + `}`
	}
	const reviews, contact = "/api/v1/tenants/shop.ir/expert-reviews", "/api/v1/tenants/shop.ir/contact-submissions"
	hold(t, []body{
		{"POST", reviews, "CreateExpertReview", review("1", `"light"`, ""), true},
		{"POST", reviews, "CreateExpertReview", review("10", "", `,"authorEmail":null`), true},
		{"POST", reviews, "CreateExpertReview", review("0", "", ""), false},
		{"POST", reviews, "CreateExpertReview", review("11", "", ""), false},
		{"POST", reviews, "CreateExpertReview", review("5.0", "", ""), true},
		{"POST", reviews, "CreateExpertReview", review("5.1", "", ""), false},
		{"POST", reviews, "CreateExpertReview", review("5e400", "", ""), false},
		{"POST", reviews, "CreateExpertReview", review(`"5"`, "", ""), false},
		{"POST", reviews, "CreateExpertReview", review("5", `""`, ""), false},
		{"POST", reviews, "CreateExpertReview", review("5", "null", ""), false},
		{"POST", reviews, "CreateExpertReview", review("5", strings.Repeat(`"a",`, 19)+`"a"`, ""), true},
		{"POST", reviews, "CreateExpertReview", review("5", strings.Repeat(`"a",`, 20)+`"a"`, ""), false},
		{"POST", reviews, "CreateExpertReview", review("5", `"`+strings.Repeat("ی", 200)+`"`, ""), true},
		{"POST", reviews, "CreateExpertReview", review("5", `"`+strings.Repeat("ی", 201)+`"`, ""), false},
		{"POST", reviews, "CreateExpertReview", review("5", "", `,"authorEmail":"nobody"`), false},
		{"POST", reviews, "CreateExpertReview", `{"productId":"7"}`, false},
		{"POST", contact, "SubmitContact", `{"title":"a","name":"b","text":"c","cellNumber":"09121234567"}`, true},
		{"POST", contact, "SubmitContact", `{"title":"a","name":"b","text":"c","cellNumber":"021-88776655"}`, true},
		{"POST", contact, "SubmitContact", `{"title":"a","name":"b","text":"c","email":"reza at mail"}`, true},
		{"POST", contact, "SubmitContact", `{"title":"a","name":"b","text":"c","cellNumber":"0912\n0913"}`, false},
		{"POST", contact, "SubmitContact", `{"title":" ","name":"b","text":"c"}`, false},
		{"POST", contact, "SubmitContact", `{"title":"a\tb","name":"b","text":"c"}`, false},
		{"POST", contact, "SubmitContact", `{"title":"a\u2028b","name":"b","text":"c"}`, false},
		{"POST", contact, "SubmitContact", `{"title":"a b","name":"!","text":"c\n d"}`, true},
		{"POST", "/api/v1/tenants/shop.ir/comments", "CreateComment",
			`{"entityType":"blog","entityId":"7","authorName":"a","text":"b"}`, true},
		{"POST", "/api/v1/tenants/shop.ir/comments", "CreateComment",
			`{"entityType":"brand","entityId":"7","authorName":"a","text":"b"}`, false},
	})
}
