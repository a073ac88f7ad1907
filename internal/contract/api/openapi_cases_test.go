package api_test

import (
	"encoding/json"
	"log/slog"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/store/storetest"
	"storefront/internal/message/partner"
	"storefront/internal/pages/openapi"
)

// generated is a request generated from the OpenAPI document.
type generated struct {
	Method, Path string
	Valid        bool   // according to the document
	Why          string // what it breaks
	Parameters   map[string]string
	Body         json.RawMessage
}

// TestOpenAPIToolsMakeCases sends requests that json-schema-faker generates from the document, with a seed
// for each round, as the demo's customer and as a partner. A request that the document allows must never be
// called invalid, though it may be unknown or forbidden; any other must be.
func TestOpenAPIToolsMakeCases(t *testing.T) {
	t.Parallel()
	installAudit(t)
	file := filepath.Join(t.TempDir(), "openapi.json")
	if err := os.WriteFile(file, openapi.Document, 0o600); err != nil {
		t.Fatal(err)
	}
	var cases []generated
	for round := range *shoptest.Rounds {
		for _, line := range runAudit(t, "cases.mjs", file, strconv.Itoa(1+1_000_000*round)) {
			var c generated
			if err := json.Unmarshal(line, &c); err != nil {
				t.Fatalf("%v: %s", err, line)
			}
			cases = append(cases, c)
		}
	}
	shoptest.DemoShops.Each(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url)
		in := shoptest.WithCustomers(t, s.Client)
		key, _, err := partner.Add(t.Context(), s.Client, "paperlane.example")
		if err != nil {
			t.Fatal(err)
		}
		service, err := app.New(s, slog.New(slog.DiscardHandler), app.Options{})
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(service)
		defer server.Close()
		p := &shoptest.Place{URL: server.URL, Store: s}
		token := p.Ask(t, `POST /auth/login {"cellNumber":"`+in.Cell+`","password":"`+in.Password+`"}`).
			Text(t, "accessToken")
		business := p.Ask(t, "GET /tenants/paperlane.example").Text(t, "id")
		valid, invalid := 0, 0
		for _, c := range cases {
			c.fit(t, in.Cell)
			got := p.Send(t, c.Method, c.target(business), string(c.Body), "Authorization", "Bearer "+token,
				"X-Api-Key", key)
			var refused struct{ Code string }
			_ = json.Unmarshal(got.Body, &refused)
			refusal := refused.Code == "VALIDATION_FAILED" || refused.Code == "BAD_REQUEST"
			if got.Status >= 500 && got.Status != 503 || refusal == c.Valid {
				t.Errorf("%s %s %v %.300s, %s: %d %.300s", c.Method, c.Path, c.Parameters, c.Body, c.Why,
					got.Status, got.Body)
			}
			if c.Valid {
				valid++
			} else {
				invalid++
			}
		}
		if valid < 170 || invalid < 800 {
			t.Errorf("only %d valid and %d invalid cases were sent", valid, invalid)
		}
	})
}

// fit sets values that a schema cannot express: the customer's own number and the partner's own domain.
func (c *generated) fit(t *testing.T, cell string) {
	t.Helper()
	own := map[string]string{"/auth/profile": "cellNumber", "/public/sms/send": "domain"}[c.Path]
	var members map[string]any
	if own == "" || json.Unmarshal(c.Body, &members) != nil {
		return
	}
	if _, text := members[own].(string); !text || strings.HasPrefix(c.Why, own) {
		return
	}
	members[own] = map[string]string{"cellNumber": cell, "domain": "paperlane.example"}[own]
	body, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	c.Body = body
}

// target returns the path of a case, at the demo's shop, with its parameters.
func (c *generated) target(business string) string {
	segments := strings.Split(c.Path, "/")
	for i, segment := range segments {
		switch segment {
		case "{domain}":
			segments[i] = "paperlane.example"
		case "{businessId}":
			segments[i] = business
		default:
			if strings.HasPrefix(segment, "{") {
				segments[i] = "unknown"
			}
		}
	}
	query := url.Values{}
	for name, value := range c.Parameters {
		query.Set(name, value)
	}
	return strings.Join(segments, "/") + "?" + query.Encode()
}
