package api_test

import (
	"encoding/json"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

// review returns a valid body of POST expert-reviews with some members changed: name and JSON in pairs; ""
// omits one.
func review(product string, changes ...string) string {
	members := map[string]json.RawMessage{
		"productId": json.RawMessage(`"` + product + `"`), "authorName": json.RawMessage(`"Sara"`),
		"rate":           json.RawMessage(`7`),
		"positivePoints": json.RawMessage(`["fast"]`), "negativePoints": json.RawMessage(`[]`),
		"text": json.RawMessage(`"Good"`),
	}
	for i := 0; i < len(changes); i += 2 {
		members[changes[i]] = json.RawMessage(changes[i+1])
		if changes[i+1] == "" {
			delete(members, changes[i])
		}
	}
	body, err := json.Marshal(members)
	if err != nil {
		panic(err) // a mistake in the test
	}
	return string(body)
}

func TestValuesAreReadStrictly(t *testing.T) {
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		product := idOf(t, p, shoptest.ShopPath+"/products/drill", "product")
		post := func(changes ...string) shoptest.Answer {
			return p.Send(t, "POST", shoptest.ShopPath+"/expert-reviews", review(product, changes...))
		}
		shoptest.WantStatus(t, post(), 201)
		for _, right := range [][]string{
			{"authorEmail", "null"}, {"authorEmail", `""`}, {"authorEmail", `"sara@mail.example"`}, {"rate", "1"},
			{"rate", "10"}, {"rate", "5.0"}, {"rate", "10.000"},
			{"positivePoints", "[]"}, {"text", `"  x  "`}, {"authorName", `"` + strings.Repeat("ک", 100) + `"`},
		} {
			if got := post(right...); got.Status != 201 {
				t.Errorf("%s: got %d %s", right, got.Status, got.Body)
			}
		}
		for _, wrong := range [][]string{
			{"rate", "5.1"}, {"rate", `"5"`}, {"rate", `"5.0"`}, {"rate", "5e0"}, {"rate", "0.0"}, {"rate", "5.0e1"},
			{"rate", "0"}, {"rate", "11"}, {"rate", "-1"},
			{"rate", "null"}, {"rate", ""},
			{"rate", "true"}, {"rate", "[5]"}, {"rate", "4294967301"}, {"rate", "18446744073709551621"},
			{"rate", "1e400"}, {"rate", "5.00000000000000000000000000001"}, {"rate", "4294967301.0"}, {"rate", `""`},
			{"text", "null"}, {"text", ""}, {"text", `""`}, {"text", `" \n\t "`}, {"text", "5"}, {"text", `["Good"]`},
			{"text", "{}"},
			{"text", `"` + strings.Repeat("x", 5001) + `"`}, {"authorName", `"` + strings.Repeat("ک", 101) + `"`},
			{"productId", "5"}, {"productId", "null"}, {"productId", ""},
			{"positivePoints", "null"}, {"positivePoints", `"fast"`}, {"positivePoints", "{}"},
			{"positivePoints", "[" + strings.Repeat(`"x",`, 20) + `"x"]`},
			{"authorEmail", "5"}, {"authorEmail", `"sara"`}, {"authorEmail", `"Sara <sara@mail.example>"`},
		} {
			if shoptest.WantFault(t, post(wrong...), 400, "VALIDATION_FAILED", wrong[0]); t.Failed() {
				t.Fatalf("that was %.80s", wrong)
			}
		}
		for wrong, field := range map[string]string{
			`["a", ""]`: "positivePoints.1", `[5]`: "positivePoints.0", `["a", "b", null]`: "positivePoints.2",
			`["` + strings.Repeat("x", 201) + `"]`: "positivePoints.0", `[["a"]]`: "positivePoints.0",
		} {
			shoptest.WantFault(t, post("positivePoints", wrong), 400, "VALIDATION_FAILED", field)
		}
		shoptest.WantFault(t, p.Send(t, "POST", shoptest.ShopPath+"/expert-reviews", `{}`), 400, "VALIDATION_FAILED",
			"productId", "authorName", "rate", "positivePoints", "negativePoints", "text")
		shoptest.WantFault(t, post("rate", "0", "text", `""`, "negativePoints", `["", "", "a"]`,
			"authorEmail", "true"), 400,
			"VALIDATION_FAILED",
			"rate", "text", "negativePoints.0", "negativePoints.1", "authorEmail")
		for _, id := range []string{"none", strings.ToUpper(product), product + " ", "{" + product + "}",
			"00000000-0000-0000-0000-000000000000"} {
			shoptest.WantFault(t, p.Send(t, "POST", shoptest.ShopPath+"/expert-reviews", review(id)), 404,
				"NOT_FOUND", "productId")
		}
		shoptest.WantFault(t, p.Send(t, "POST", shoptest.ShopPath+"/expert-reviews", review("")), 400,
			"VALIDATION_FAILED", "productId")
	})
}

// TestIgnoredMembersHaveNoEffect sends members that only the shop may set.
func TestIgnoredMembersHaveNoEffect(t *testing.T) {
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		product := idOf(t, p, shoptest.ShopPath+"/products/drill", "product")
		before := p.Get(t, shoptest.ShopPath+"/expert-reviews?productId="+product)
		got := p.Send(t, "POST", shoptest.ShopPath+"/expert-reviews", review(product, "status", `"approved"`, "id",
			`"`+product+`"`,
			"userId", `"x"`, "price", "1", "createdAt", `"2020-01-01T00:00:00Z"`, "tenantId", `"x"`, "Rate", "1"))
		shoptest.WantStatus(t, got, 201)
		var stored struct {
			Review struct {
				ID, Status, CreatedAt string
				Rate                  int
			}
		}
		if err := json.Unmarshal(got.Body, &stored); err != nil {
			t.Fatal(err)
		}
		if r := stored.Review; r.Status != "pending" || r.ID == product || r.Rate != 7 ||
			strings.HasPrefix(r.CreatedAt, "2020") {
			t.Errorf("stored %s", got.Body)
		}
		if after := p.Get(t, shoptest.ShopPath+"/expert-reviews?productId="+product); string(after.Body) != string(
			before.Body) {
			t.Errorf("listed at once: %s", after.Body)
		}
	})
}

// TestBodyIsNotReadFromTheQuery checks that a route with a body takes nothing from the query string.
func TestBodyIsNotReadFromTheQuery(t *testing.T) {
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		shoptest.WantFault(t, p.Send(t, "POST", shoptest.ShopPath+"/contact-submissions?text=x",
			`{"title": "a", "name": "b"}`), 400,
			"VALIDATION_FAILED", "text")
		shoptest.WantStatus(t, p.Send(t, "POST",
			shoptest.ShopPath+"/contact-submissions?domain=no.example&text=&text=", shoptest.ContactForm),
			201)
	})
}
