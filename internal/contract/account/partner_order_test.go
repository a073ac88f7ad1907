package account_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"storefront/ent/partnerkey"
	"storefront/internal/app"
	"storefront/internal/message/partner"
	"storefront/internal/message/sms"
)

// Answers that are always the same.
var (
	noCredentials = outcome{status: 401, code: "INVALID_CREDENTIALS"}
	notSent       = outcome{status: 503, code: "SMS_UNAVAILABLE"}
)

// wrongFields returns the answer that names members.
func wrongFields(names ...string) outcome {
	return outcome{status: 400, code: "VALIDATION_FAILED", fields: strings.Join(names, " ")}
}

// absent is a member that is not sent.
const absent = "(absent)"

// keysOf returns keys of every kind; only the first is valid for apex.
func (g *gateway) keysOf(t testing.TB) map[string]string {
	revoked := g.keyOf(t, "was.example")
	all, err := g.Store.Client.PartnerKey.Query().Order(partnerkey.ByID()).All(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := partner.Revoke(t.Context(), g.Store.Client, all[len(all)-1].ID.String()); err != nil {
		t.Fatal(err)
	}
	return map[string]string{
		"right": g.key, "missing": "", "revoked": revoked, "cut": g.key[1:],
		"in another case": strings.ToLower(g.key) + "A",
		"unknown":         strings.Repeat("A", len(g.key)), "long": strings.Repeat(g.key, 20), "persian": "کلید",
	}
}

// TestPartnerOrderOfChecks sends every combination of mistakes: the first check that fails answers, and
// nothing is counted or sent.
func TestPartnerOrderOfChecks(t *testing.T) {
	domains := map[any]bool{ // true: the key's own shop; false: another shop's, or nobody's
		apex: true, "www." + apex: true, "PARTNER.Example.": true,
		"other.example": false, "nobody.example": false, "www.www." + apex: false, "a." + apex: false, "https://" +
			apex: false, "%": false,
	}
	noDomain := []any{absent, nil, "", " ", 7, true}
	tos := map[any]bool{mobile: true, "0912": false, "": false, absent: false, 9121234567: false}
	texts := map[any]bool{hello: true, "": false, " \n ": false, nil: false, 7: false}
	eachGateway(t, func(t *testing.T, g *gateway) {
		g.keyOf(t, "other.example")
		for _, api := range smsAPIs {
			for kind, key := range g.keysOf(t) {
				for _, domain := range append(noDomain, keysIn(domains)...) {
					for to, toRight := range tos {
						for text, textRight := range texts {
							if kind != "right" && toRight != textRight {
								continue // wrong keys need fewer combinations
							}
							want := orderWanted(kind == "right", domain, domains, noDomain, toRight, textRight)
							got := api.send(g, t, key,
								without(map[string]any{"domain": domain, "to": to, "message": text}))
							if got.ok() {
								got.serverID = ""
								g.clock.move(time.Minute) // keeps below the limits
							}
							if got != want {
								t.Errorf("%s, %s key, %v, %v, %v: %+v, want %+v", api.name, kind, domain, to,
									text, got, want)
							}
						}
					}
				}
			}
		}
		right := 2 * 3 // of the APIs, with the three names of the domain
		if sent, booked := g.provider.Requests(), g.booked(t); sent != right || booked != 2*right ||
			len(g.records(t)) != right {
			t.Errorf("got %d sent, %d events, %d records; want %d, %d, %d", sent, booked, len(g.records(t)),
				right, 2*right, right)
		}
	})
}

func keysIn(m map[any]bool) (keys []any) {
	for key := range m {
		keys = append(keys, key)
	}
	return keys
}

// without removes members whose value is absent.
func without(body map[string]any) map[string]any {
	for name, value := range body {
		if value == absent {
			delete(body, name)
		}
	}
	return body
}

func orderWanted(key bool, domain any, own map[any]bool, noDomain []any, to, text bool) outcome {
	var wrong []string
	there := !slices.Contains(noDomain, domain)
	if !there {
		wrong = append(wrong, "domain")
	}
	if !text {
		wrong = append(wrong, "message")
	}
	if !to {
		wrong = append(wrong, "to")
	}
	switch {
	case !key, there && !own[domain]:
		return noCredentials
	case len(wrong) > 0:
		return wrongFields(wrong...)
	}
	return outcome{status: 200}
}

// TestPartnerOrderInDocuments checks the order of checks for other forms of the GraphQL input.
func TestPartnerOrderInDocuments(t *testing.T) {
	eachGateway(t, func(t *testing.T, g *gateway) {
		for _, api := range writtenForms {
			for _, c := range []struct {
				key, domain, to, text string
				want                  outcome
			}{
				{"", apex, mobile, hello, noCredentials},
				{"wrong", "nobody.example", "", "", noCredentials},
				{g.key, "nobody.example", mobile, hello, noCredentials},
				{g.key, "nobody.example", "0912", "", noCredentials},
				{g.key, "", "0912", "", wrongFields("domain", "message", "to")},
				{g.key, apex, "0912", "", wrongFields("message", "to")},
				{g.key, apex, "0912", hello, wrongFields("to")},
				{g.key, "www." + apex, mobile, hello, outcome{status: 200}},
			} {
				got := api.send(g, t, c.key, message(c.domain, c.to, c.text))
				got.serverID = ""
				if got != c.want {
					t.Errorf("%s: %+v: got %+v", api.name, c, got)
				}
			}
		}
		if g.provider.Requests() != len(writtenForms) {
			t.Errorf("%d messages", g.provider.Requests())
		}
	})
}

// TestPartnerBodies sends invalid bodies; with a wrong key they are not read.
func TestPartnerBodies(t *testing.T) {
	right := `{"domain": "` + apex + `", "to": "` + mobile + `", "message": "hi"`
	badRequest := outcome{status: 400, code: "BAD_REQUEST"}
	eachGateway(t, func(t *testing.T, g *gateway) {
		for name, c := range map[string]struct {
			body string
			want outcome
		}{
			"cut":               {`{"domain"`, badRequest},
			"empty":             {``, badRequest},
			"a list":            {`[` + right + `}]`, badRequest},
			"null":              {`null`, badRequest},
			"more behind":       {right + `} 1`, badRequest},
			"a key twice":       {right + `, "to": "` + mobile + `"}`, badRequest},
			"invalid UTF-8":     {right + `, "a": "` + "\xff" + `"}`, badRequest},
			"a lone surrogate":  {right + `, "a": "\ud800"}`, badRequest},
			"U+0000":            {right + `, "a": "\u0000"}`, badRequest},
			"a byte order mark": {"\ufeff" + right + `}`, badRequest},
			"deep": {right + `, "a": ` + strings.Repeat("[", 40) + strings.Repeat("]", 40) +
				`}`, badRequest},
			"an empty object": {`{}`, wrongFields("domain", "message", "to")},
			"keys in capitals": {`{"Domain": "` + apex + `", "To": "", "Message": ""}`,
				wrongFields("domain", "message", "to")},
			"long": {right + `, "a": "` + strings.Repeat("x", 256<<10) + `"}`,
				outcome{status: 413, code: "PAYLOAD_TOO_LARGE"}},
		} {
			if got := g.raw(t, g.key, c.body); got != c.want {
				t.Errorf("%s: %+v, want %+v", name, got, c.want)
			}
			for _, key := range []string{"", "wrong"} {
				if got := g.raw(t, key, c.body); got != noCredentials {
					t.Errorf("%s, key %q: got %+v", name, key, got)
				}
			}
		}
		media := outcome{status: 415, code: "UNSUPPORTED_MEDIA_TYPE"}
		if got := g.raw(t, g.key, right+`}`, "Content-Type", "text/plain"); got != media {
			t.Errorf("another media type: got %+v", got)
		}
		if got := g.raw(t, "wrong", right+`}`, "Content-Type", "text/plain"); got != noCredentials {
			t.Errorf("another media type and a wrong key: got %+v", got)
		}
		if got := g.raw(t, g.key, right+`, "sender": "30009999", "serverId": "1"}`); !got.ok() {
			t.Errorf("more members: got %+v", got)
		}
		if n := g.provider.Requests(); n != 1 {
			t.Errorf("%d messages", n)
		}
	})
}

// TestPartnerLastChecks checks that limits come before the provider, and validation before both.
func TestPartnerLastChecks(t *testing.T) {
	none, err := sms.New(sms.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	withoutProvider := func(o *app.Options) { o.Sender, o.Provider = none, "none" }
	eachGateway(t, func(t *testing.T, g *gateway) {
		for i, api := range smsAPIs {
			to := fmt.Sprintf("0912000%04d", 1000+i)
			for range 5 {
				if got := api.send(g, t, g.key, message(apex, to, hello)); got != notSent {
					t.Fatalf("%s: got %+v", api.name, got)
				}
			}
			full := outcome{status: 429, code: "RATE_LIMITED", wait: 60}
			if got := api.send(g, t, g.key, message(apex, to, hello)); got != full {
				t.Errorf("%s: %+v, want %+v", api.name, got, full)
			}
			if got := api.send(g, t, g.key, message(apex, to, "")); got != wrongFields("message") {
				t.Errorf("%s: got %+v", api.name, got)
			}
			if got := api.send(g, t, g.key, message("other.example", to, hello)); got != noCredentials {
				t.Errorf("%s: got %+v", api.name, got)
			}
		}
		if g.provider.Requests() != 0 || len(g.records(t)) != 0 {
			t.Error("something was sent without a provider")
		}
	}, withoutProvider)
}
