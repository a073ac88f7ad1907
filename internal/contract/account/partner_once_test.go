package account_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"storefront/internal/contract/shoptest"
	"storefront/internal/message/sms/smstest"
)

// once returns the header of an Idempotency-Key.
func once(key string) []string { return []string{"Idempotency-Key", key} }

// TestPartnerKeySendsOnce repeats requests with an Idempotency-Key: one message leaves for each key.
func TestPartnerKeySendsOnce(t *testing.T) {
	eachGateway(t, func(t *testing.T, g *gateway) {
		other := g.keyOf(t, "other.example")
		for n, api := range smsAPIs {
			key := fmt.Sprint("first ", n)
			key = strings.ReplaceAll(key, " ", "-")
			sent := g.provider.Requests()
			first := api.send(g, t, g.key, message(apex, number(n), hello), once(key)...)
			for range 3 {
				if got := api.send(g, t, g.key, message(apex, number(n), hello),
					once(key)...); got != first || !got.ok() {
					t.Errorf("%s: got %+v, want the first answer %+v", api.name, got, first)
				}
			}
			if got := g.provider.Requests() - sent; got != 1 {
				t.Errorf("%s: %d messages", api.name, got)
			}
			for _, body := range []map[string]any{message(apex, number(n), "another"),
				message(apex, number(n+9), hello)} {
				if got := api.send(g, t, g.key, body, once(key)...); got.code != "IDEMPOTENCY_KEY_REUSED" {
					t.Errorf("%s: another body: got %+v", api.name, got)
				}
			}
			if got := api.send(g, t, other, message("other.example", number(n), hello), once(key)...); !got.ok() ||
				got.serverID == first.serverID {
				t.Errorf("%s: another partner with the key: got %+v", api.name, got)
			}
		}
		wrong := g.byREST(t, g.key, message(apex, number(0), hello), once(strings.Repeat("k", 256))...)
		if wrong != wrongFields("Idempotency-Key") {
			t.Errorf("a long key: %+v", wrong)
		}
		replayed := g.Send(t, "POST", smsRoute, encoded(t, message(apex, number(0), hello)),
			append(once("first-0"), "X-Api-Key", g.key)...)
		if replayed.Status != 200 || replayed.Header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("%d %v", replayed.Status, replayed.Header)
		}
		if n := len(g.records(t)); n != 4 {
			t.Errorf("%d records of 4 messages", n)
		}
		before := g.provider.Requests()
		g.clock.move(24*time.Hour + time.Microsecond)
		for range 2 {
			if got := g.byREST(t, g.key, message(apex, number(0), hello), once("first-0")...); !got.ok() {
				t.Errorf("a day later: got %+v", got)
			}
		}
		if n := g.provider.Requests() - before; n != 1 {
			t.Errorf("a day later the key sent %d messages", n)
		}
	})
}

// TestPartnerKeyAfterFailures checks that a message is tried again if the provider has certainly refused
// it, and not if the provider may have accepted it.
func TestPartnerKeyAfterFailures(t *testing.T) {
	eachGateway(t, func(t *testing.T, g *gateway) {
		for ends, calls := range map[string]int{"0003": 3, "0006": 3, "0002": 3, "0004": 1, "0011": 1, "0016": 1} {
			g.provider.Reset()
			for range 3 {
				if got := g.byREST(t, g.key, message(apex, "0912765"+ends, hello),
					once("k"+ends)...); got != notSent {
					t.Errorf("%s: got %+v", ends, got)
				}
			}
			if n := g.provider.Requests(); n != calls {
				t.Errorf("%s: %d calls of the provider, want %d", ends, n, calls)
			}
			g.clock.move(time.Minute)
		}
		got := g.post(t, `mutation($in: PartnerSmsInput!, $d: String!) { sendPartnerSms(input: $in) { serverId }
			createComment(domain: $d,
			input: {entityType: product, entityId: "x", authorName: "a", text: "b"}) { message } }`,
			fmt.Sprintf(`{"in": %s, "d": "a.example"}`, encoded(t, message(apex, mobile, hello))),
			append(once("beside"), "X-Api-Key", g.key)...)
		if !strings.Contains(string(got.Body), "Idempotency-Key") {
			t.Errorf("beside another mutation: got %s", got.Body)
		}
	})
}

// post sends a document.
func (g *gateway) post(t testing.TB, document, variables string, headers ...string) shoptest.Answer {
	t.Helper()
	return g.Send(t, "POST", "/graphql", shoptest.GraphQLBody(document, variables), headers...)
}

// TestPartnerKeyHangsUp cancels a request while the provider works, and repeats it: the second gets the
// answer to the message that was sent.
func TestPartnerKeyHangsUp(t *testing.T) {
	eachGateway(t, func(t *testing.T, g *gateway) {
		for round := range 5 * *shoptest.Rounds {
			ctx, cancel := context.WithCancel(t.Context())
			g.provider.OnArrival(func(smstest.Message) { cancel() })
			key := fmt.Sprint("round-", round)
			body := message(apex, number(round), hello)
			request, err := http.NewRequestWithContext(ctx, "POST", g.URL+"/api/v1"+smsRoute,
				strings.NewReader(encoded(t, body)))
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("X-Api-Key", g.key)
			request.Header.Set("Idempotency-Key", key)
			before := g.provider.Requests()
			if response, err := http.DefaultTransport.RoundTrip(request); err == nil {
				response.Body.Close() // answered before it was canceled
			} else if !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			if got := g.byREST(t, g.key, body, once(key)...); !got.ok() {
				t.Errorf("again: got %+v", got)
			}
			if n := g.provider.Requests() - before; n != 1 {
				t.Errorf("round %d: %d messages", round, n)
			}
			cancel()
			g.clock.move(3 * time.Second)
		}
	})
}

// TestPartnerKeyRace sends one request many times at once, to two services: one message leaves, and all get its id.
func TestPartnerKeyRace(t *testing.T) {
	eachGateway(t, func(t *testing.T, g *gateway) {
		services := []*gateway{g, g.instance(t)}
		for round := range 5 * *shoptest.Rounds {
			before := g.provider.Requests()
			key := fmt.Sprint("race-", round)
			got := atOnce(8, func(n int) outcome {
				return smsAPIs[round%2].send(services[n%2], t, g.key, message(apex, number(round), hello),
					once(key)...)
			})
			if len(got) != 1 || got[outcome{status: 200}] != 8 {
				t.Errorf("round %d: got %v", round, got)
			}
			if n := g.provider.Requests() - before; n != 1 {
				t.Errorf("round %d: %d messages", round, n)
			}
			g.clock.move(3 * time.Second)
		}
	})
}

// TestMessagesHaveNumbers checks that the provider gets a number of its own with each message of a partner.
func TestMessagesHaveNumbers(t *testing.T) {
	eachGateway(t, func(t *testing.T, g *gateway) {
		known := map[string]bool{}
		for n := range 20 {
			g.text(t, number(n))
		}
		for _, m := range g.provider.Messages() {
			if m.Ref == "" || m.Ref == "0" || known[m.Ref] {
				t.Errorf("a message has the number %q", m.Ref)
			}
			known[m.Ref] = true
		}
	})
}
