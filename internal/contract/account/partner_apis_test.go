package account_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
	"storefront/internal/fault"
	"storefront/internal/platform/wire"
)

// smsRoute is the REST route.
const smsRoute = "/public/sms/send"

// outcome is the answer to a partner, the same for both interfaces.
type outcome struct {
	status   int    // HTTP status; for GraphQL, the status that REST has for the code
	code     string // empty: sent
	fields   string // names of invalid members, sorted, separated by spaces
	wait     int    // Retry-After in seconds; 0: there is none
	serverID string
}

// ok reports whether the message was sent.
func (r outcome) ok() bool { return r.status == 200 && r.serverID != "" }

// smsAPI is a way to send a partner's message.
type smsAPI struct {
	name string
	send func(g *gateway, t testing.TB, key string, body map[string]any, headers ...string) outcome
}

// smsAPIs are REST, and GraphQL with the whole input in a variable.
var smsAPIs = []smsAPI{{"REST", (*gateway).byREST}, {"GraphQL", (*gateway).byGraphQL}}

// writtenForms are the other ways to write the input in GraphQL: a variable for each member, and no variables.
var writtenForms = []smsAPI{{"variables", (*gateway).byVariables}, {"literals", (*gateway).byLiterals}}

// message returns the body of a right message of a domain.
func message(domain, to, text string) map[string]any {
	return map[string]any{"domain": domain, "to": to, "message": text}
}

// text sends a message of apex by REST.
func (g *gateway) text(t testing.TB, to string) outcome {
	t.Helper()
	return g.byREST(t, g.key, message(apex, to, hello))
}

func encoded(t testing.TB, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// keyed adds an API key to headers, unless it is empty.
func keyed(key string, headers []string) []string {
	if key == "" {
		return headers
	}
	return append(slices.Clone(headers), "X-Api-Key", key)
}

func (g *gateway) byREST(t testing.TB, key string, body map[string]any, headers ...string) outcome {
	t.Helper()
	return g.raw(t, key, encoded(t, body), headers...)
}

// raw sends a body as it is by REST.
func (g *gateway) raw(t testing.TB, key, body string, headers ...string) outcome {
	t.Helper()
	got := g.Send(t, "POST", smsRoute, body, keyed(key, headers)...)
	var read struct {
		Code, ServerID string
		Success        bool
		Errors         []fault.Field
	}
	if err := json.Unmarshal(got.Body, &read); err != nil {
		t.Fatalf("got %v: %s", err, got.Body)
	}
	if read.Success != (got.Status == 200) {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	return outcome{status: got.Status, code: read.Code, fields: offending(read.Errors), wait: waitOf(t, got),
		serverID: read.ServerID}
}

func offending(wrong []fault.Field) string {
	var names []string
	for _, f := range wrong {
		names = append(names, f.Field)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

func waitOf(t testing.TB, got shoptest.Answer) int {
	t.Helper()
	text := got.Header.Get("Retry-After")
	if text == "" {
		return 0
	}
	seconds, err := strconv.Atoi(text)
	if err != nil || seconds <= 0 {
		t.Errorf("Retry-After %q", text)
	}
	return seconds
}

const sendFields = ` { success serverId }`

func (g *gateway) byGraphQL(t testing.TB, key string, body map[string]any, headers ...string) outcome {
	t.Helper()
	return g.graphQL(t, key, shoptest.GraphQLBody(`mutation($input: PartnerSmsInput!) { `+
		`body: sendPartnerSms(input: $input)`+
		sendFields+` }`,
		`{"input": `+encoded(t, body)+`}`), "input.", headers...)
}

func (g *gateway) byVariables(t testing.TB, key string, body map[string]any, headers ...string) outcome {
	t.Helper()
	return g.graphQL(t, key, shoptest.GraphQLBody(`mutation($domain: String!, $to: String!, $message: String!) {
		body: sendPartnerSms(input: {domain: $domain, to: $to, message: $message})`+sendFields+` }`,
		encoded(t, body)), "", headers...)
}

func (g *gateway) byLiterals(t testing.TB, key string, body map[string]any, headers ...string) outcome {
	t.Helper()
	return g.graphQL(t, key, shoptest.GraphQLBody(`mutation { body: sendPartnerSms(input: {domain: `+
		encoded(t, body["domain"])+
		`, to: `+encoded(t, body["to"])+
		`, message: `+encoded(t, body["message"])+`})`+sendFields+` }`, ""), "input.", headers...)
}

// graphQL sends a request and returns its outcome. prefix is removed from the names of invalid members.
func (g *gateway) graphQL(t testing.TB, key, request, prefix string, headers ...string) outcome {
	t.Helper()
	got := g.Send(t, "POST", "/graphql", request, keyed(key, headers)...)
	var read struct {
		Data   struct{ Body struct{ ServerID string } }
		Errors []struct {
			Extensions struct {
				Code   string
				Errors []fault.Field
			}
		}
	}
	if err := json.Unmarshal(got.Body, &read); err != nil || got.Status != 200 || len(read.Errors) > 1 {
		t.Fatalf("got %v: %d %s", err, got.Status, got.Body)
	}
	if len(read.Errors) == 0 {
		return outcome{status: 200, serverID: read.Data.Body.ServerID}
	}
	said := read.Errors[0].Extensions
	for i, f := range said.Errors {
		name, ok := strings.CutPrefix(f.Field, prefix)
		if !ok {
			t.Errorf("%s stands for no member", f.Field)
		}
		said.Errors[i].Field = name
	}
	return outcome{status: wire.Status(fault.Code(said.Code)), code: said.Code, fields: offending(said.Errors),
		wait: waitOf(t, got)}
}
