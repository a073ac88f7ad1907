package account_test

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"storefront/ent/partnerkey"
	"storefront/ent/partnermessage"
	"storefront/internal/contract/shoptest"
)

// TestPartnerKeyStandsInTheHeader sends the key in every other place a client might use.
func TestPartnerKeyStandsInTheHeader(t *testing.T) {
	const mutation = `mutation($input: PartnerSmsInput!%s) { sendPartnerSms(input: $input%s)` + sendFields + ` }`
	eachGateway(t, func(t *testing.T, g *gateway) {
		input := encoded(t, message(apex, mobile, hello))
		for name, headers := range map[string][]string{
			"bearer": {"Authorization", "Bearer " + g.key}, "api key": {"Authorization", "ApiKey " + g.key},
			"cookie":         {"Cookie", "X-Api-Key=" + g.key},
			"another header": {"Api-Key", g.key}, "quoted": {"X-Api-Key", `"` + g.key + `"`},
			"with a scheme": {"X-Api-Key", "Bearer " + g.key},
		} {
			if got := g.raw(t, "", input, headers...); got != noCredentials {
				t.Errorf("%s: got %+v", name, got)
			}
			if got := g.byGraphQL(t, "", message(apex, mobile, hello), headers...); got != noCredentials {
				t.Errorf("%s, GraphQL: got %+v", name, got)
			}
		}
		for _, member := range []string{"apiKey", "X-Api-Key", "key"} {
			more := message(apex, mobile, hello)
			more[member] = g.key
			for _, api := range smsAPIs {
				if got := api.send(g, t, "", more); got != noCredentials {
					t.Errorf("%s in the body, %s: got %+v", member, api.name, got)
				}
			}
			variables := fmt.Sprintf(`{"input": %s, %q: %q}`, input, member, g.key)
			if got := g.graphQL(t, "", shoptest.GraphQLBody(fmt.Sprintf(mutation, "", ""), variables),
				"input."); got != noCredentials {
				t.Errorf("%s in the variables: got %+v", member, got)
			}
		}
		asArgument := shoptest.GraphQLBody(fmt.Sprintf(mutation, ", $apiKey: String!", ", apiKey: $apiKey"),
			fmt.Sprintf(`{"input": %s, "apiKey": %q}`, input, g.key))
		if got := g.graphQL(t, "", asArgument, "input."); got.code != "GRAPHQL_VALIDATION_FAILED" {
			t.Errorf("as an argument: got %+v", got)
		}
		if got := g.At(t, "POST", "/api/v1"+smsRoute+"?X-Api-Key="+g.key+"&apiKey="+g.key); got.Status != 401 {
			t.Errorf("in the query: got %d %s", got.Status, got.Body)
		}
		for _, keys := range [][]string{{g.key, g.key}, {g.key, "x"}, {"x", g.key}, {g.key + ", " + g.key},
			{g.key, ""}} {
			r, err := http.NewRequestWithContext(t.Context(), "POST", g.URL+"/api/v1"+smsRoute,
				strings.NewReader(encoded(t, message(apex, mobile, hello))))
			if err != nil {
				t.Fatal(err)
			}
			r.Header = http.Header{"X-Api-Key": keys, "Content-Type": {"application/json"}}
			response, err := http.DefaultTransport.RoundTrip(r)
			if err != nil {
				t.Fatal(err)
			}
			if got := shoptest.Receive(t, response); got.Status != 401 ||
				!strings.Contains(string(got.Body), "INVALID_CREDENTIALS") {
				t.Errorf("%d headers: %d %s", len(keys), got.Status, got.Body)
			}
		}
		if n := g.provider.Requests(); n != 0 {
			t.Errorf("%d messages", n)
		}
	})
}

// TestPartnerRouteIsForServers checks that no page of any origin may call the route or read its answer.
func TestPartnerRouteIsForServers(t *testing.T) {
	eachGateway(t, func(t *testing.T, g *gateway) {
		for _, origin := range []string{"https://" + apex, "http://localhost:3000", "null"} {
			sent := g.Send(t, "POST", smsRoute, encoded(t, message(apex, mobile, hello)), "X-Api-Key", g.key,
				"Origin", origin)
			if sent.Status != 200 || shoptest.SharesAnything(sent) || sent.Header.Get("Cache-Control") != "no-store" {
				t.Errorf("%s: %d %v", origin, sent.Status, sent.Header)
			}
			for _, path := range []string{"/api/v1" + smsRoute, "/graphql"} {
				asks := []string{"Origin", origin, "Access-Control-Request-Method", "POST",
					"Access-Control-Request-Headers", "content-type,x-api-key"}
				if got := g.At(t, "OPTIONS", path, asks...); shoptest.SharesAnything(got) {
					t.Errorf("%s may ask %s: got %v", origin, path, got.Header)
				}
			}
		}
	})
}

// TestPartnerSendsOnceADocument sends documents with two messages.
func TestPartnerSendsOnceADocument(t *testing.T) {
	const one = `sendPartnerSms(input: $input)` + sendFields
	eachGateway(t, func(t *testing.T, g *gateway) {
		variables := `{"input": ` + encoded(t, message(apex, mobile, hello)) + `}`
		for _, document := range []string{
			`mutation($input: PartnerSmsInput!) { a: ` + one + ` b: ` + one + ` }`,
			`mutation($input: PartnerSmsInput!) { ...f ...g } fragment f on Mutation { a: ` + one +
				` } fragment g on Mutation { b: ` + one + ` }`,
			`mutation($input: PartnerSmsInput!) { ` + one + ` ... { b: ` + one + ` } }`,
			`mutation($input: PartnerSmsInput!) { ` + one + ` login(input: {cellNumber: "+989121234567", password: ` +
				`"x"}) { accessToken } }`,
		} {
			if got := g.graphQL(t, g.key, shoptest.GraphQLBody(document, variables),
				"input."); got.code != "LIMIT_EXCEEDED" {
				t.Errorf("%s: got %+v", document, got)
			}
		}
		if n := g.provider.Requests(); n != 0 {
			t.Errorf("%d messages", n)
		}
	})
}

// TestPartnerRecords checks every member of a record, and that revoked keys keep theirs.
func TestPartnerRecords(t *testing.T) {
	eachGateway(t, func(t *testing.T, g *gateway) {
		sent := g.text(t, "9121234567")
		g.clock.move(time.Microsecond)
		if got := g.byGraphQL(t, g.key, message("www."+apex, "+989127650003",
			strings.Repeat("😀", 700))); got != notSent {
			t.Errorf("got %+v", got)
		}
		g.byREST(t, "wrong", message(apex, mobile, hello))
		g.byREST(t, g.key, message(apex, "0", hello))
		var got []string
		for _, m := range g.records(t) {
			got = append(got, fmt.Sprintf("%s %s %d %s %q %s %v", m.Edges.Partner.Domain, m.MaskedTo, m.Length,
				m.Provider, m.ServerID, m.Outcome, m.CreatedAt.Sub(shoptest.Today)))
		}
		want := []string{
			apex + ` +98912***0003 700 kavenegar "" credit 1µs`,
			apex + ` +98912***4567 14 kavenegar "` + sent.serverID + `" sent 0s`,
		}
		if !slices.Equal(got, want) {
			t.Errorf("records %q, want %q", got, want)
		}
	})
}

// TestPartnerSecrets looks for the key, the text and the number in all that was answered, logged and stored.
func TestPartnerSecrets(t *testing.T) {
	const secret, mobile = "The code is 48213777", "09351112233"
	eachGateway(t, func(t *testing.T, g *gateway) {
		var said bytes.Buffer
		tell := func(key, path, body string) {
			got := g.Send(t, "POST", path, body, "X-Api-Key", key)
			fmt.Fprintln(&said, got.Header, string(got.Body))
		}
		for _, key := range []string{g.key, g.key[1:]} {
			for _, body := range []map[string]any{
				message(apex, mobile, secret), message(apex, "+98"+mobile[1:], secret),
				message("other.example", mobile, secret),
				message(apex, mobile+"1", secret), message(apex, mobile, secret+strings.Repeat("x", 700)),
				{"domain": 7, "to": mobile, "message": secret},
				message(apex, "09121230004", secret), message(apex, "09121230008", secret), message(apex,
					"09121230011",
					secret), message(apex, "09121230012", secret),
			} {
				for range 3 {
					tell(key, smsRoute, encoded(t, body))
				}
				tell(key, "/graphql", shoptest.GraphQLBody(`mutation($input: PartnerSmsInput!) { `+
					`sendPartnerSms(input: $input)`+
					sendFields+` }`, `{"input": `+encoded(t, body)+`}`))
			}
			tell(key, smsRoute, `{"domain": "`+apex+`", "to": "`+mobile+`", "message": "`+secret+`"`)
			tell(key, smsRoute, `{"to": "`+mobile+`", "to": "`+mobile+`", "message": "`+secret+`"}`)
			tell(key, "/graphql", `{"query": "mutation { sendPartnerSms(input: {to: \"`+mobile+`\", message: \"`+
				secret+`\"}) `)
		}
		rows := shoptest.Rows(t, g.Store, partnermessage.Table) + "\n" + shoptest.Rows(t, g.Store, partnerkey.Table)
		g.end()
		if !strings.Contains(g.Log.String(), "+98912***0004") || !strings.Contains(said.String(), "RATE_LIMITED") ||
			!strings.Contains(rows, "+98912***0004") {
			t.Errorf("the log, the answers or the records lack what they should have: %s\n%s", g.Log, rows)
		}
		for place, text := range map[string]string{"an answer": said.String(), "the log": g.Log.String(),
			"a record": rows} {
			for _, hidden := range []string{g.key, g.key[1:20], "48213777", mobile[1:], "9121230004", "9121230012",
				"keY/of", "sms/send.json"} {
				if strings.Contains(text, hidden) {
					t.Errorf("%s holds %q", place, hidden)
				}
			}
		}
	})
}
