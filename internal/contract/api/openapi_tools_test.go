package api_test

import (
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/store/storetest"
	"storefront/internal/pages/openapi"
	"storefront/rest"
)

// TestOpenAPIToolsFindNothing checks the document by the rules of Spectral and Redocly.
func TestOpenAPIToolsFindNothing(t *testing.T) {
	t.Parallel()
	installAudit(t)
	file := filepath.Join(t.TempDir(), "openapi.json")
	if err := os.WriteFile(file, openapi.Document, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, line := range runAudit(t, "lint.mjs", file) {
		var problem struct{ Linter, Rule, Message, At string }
		if err := json.Unmarshal(line, &problem); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		t.Errorf("%s: %s at %s: %s", problem.Linter, problem.Rule, problem.At, problem.Message)
	}
}

// withSecrets are the operations whose examples have an invented code, token, password or key, and what they answer.
var withSecrets = map[string]int{
	"LoginOtp": 401, "ResetPassword": 400, "RefreshTokens": 401, "ChangePassword": 400, "SendPartnerSms": 401,
}

// TestOpenAPIToolsSendTheExamples sends the example of every operation, and requests that are refused, to the
// demo as its customer, with newman through Prism. All examples must work, and Prism must find no violation.
func TestOpenAPIToolsSendTheExamples(t *testing.T) {
	t.Parallel()
	installAudit(t)
	install(t, "tools")
	prism := startPrism(t)
	shoptest.DemoShops.Each(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url)
		in := shoptest.WithCustomers(t, s.Client)
		service, err := app.New(s, slog.New(slog.DiscardHandler), app.Options{})
		if err != nil {
			t.Fatal(err)
		}
		prism.serve(service)
		p := &shoptest.Place{URL: prism.url, Store: s}
		token := p.Ask(t, `POST /auth/login {"cellNumber":"`+in.Cell+`","password":"`+in.Password+`"}`).
			Text(t, "accessToken")

		sent := map[string]bool{}
		for _, line := range runAudit(t, "examples.mjs", prism.url, token) {
			var got struct {
				Method, Path, Body string
				Status             int
			}
			if err := json.Unmarshal(line, &got); err != nil {
				t.Fatalf("%v: %s", err, line)
			}
			at := slices.IndexFunc(rest.Routes, func(r rest.Route) bool {
				return r.Method == got.Method &&
					r.Path == got.Path
			})
			if at < 0 {
				t.Fatalf("there is no route %s %s", got.Method, got.Path)
			}
			route := rest.Routes[at]
			sent[route.Operation] = true
			want := route.Status
			if status, ok := withSecrets[route.Operation]; ok {
				want = status
			}
			if got.Status != want {
				t.Errorf("%s: %s %s answers %d, want %d: %s", route.Operation, got.Method, got.Path,
					got.Status, want, got.Body)
			}
		}
		if len(sent) != len(rest.Routes) {
			t.Errorf("%d operations were sent, want %d", len(sent), len(rest.Routes))
		}

		cart := "/businesses/" + p.Ask(t, "GET /tenants/"+shoptest.PaperShop).Text(t, "id") + "/cart"
		for request, status := range map[string]int{
			"GET /tenants/nowhere.example":                                                 404,
			"GET /tenants/" + shoptest.PaperShop + "/products/unknown":                     404,
			`POST /auth/login {"cellNumber":"` + in.Cell + `","password":"not this one"}`:  401,
			"POST " + cart + `/items {"storeItemVariantId":"unknown"}`:                     404,
			"DELETE " + cart + "/items/unknown":                                            404,
			"POST " + cart + `/checkout {"addressId":"unknown","payment":{"type":"cash"}}`: 404,
			"GET /businesses/unknown/orders":                                               404,
		} {
			method, rest, _ := strings.Cut(request, " ")
			path, body, _ := strings.Cut(rest, " ")
			got := p.Send(t, method, path, body, "Authorization", "Bearer "+token)
			shoptest.WantStatus(t, got, status)
		}
		for _, violation := range prism.found() {
			t.Errorf("Prism: %s", violation)
		}
	})
	t.Run("wrong answers are noticed", prism.noticesWrongAnswers)
}
