package cart_test

import (
	"slices"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// TestInLanguageAgain sends a mutation again in another language, with its Idempotency-Key: it gets the first answer,
// which is not labelled with the other language.
func TestInLanguageAgain(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		s := a.GraphQL().Shopper(t, 1)
		document := s.Named(t, `mutation { addToCart(domain: "tools.example", items: [
			{storeItemVariantId: "<tools:variant:D-10>"}]) { cart { items { title } } } }`)
		send := func(language string) shoptest.Reply {
			headers := append(s.Key("in-language").Headers, "Accept-Language", language)
			return s.Read(t, s.Send(t, "POST", "/graphql", shoptest.GraphQLBody(document, ""), headers...))
		}
		first := send("en").Fresh(t)
		if got := first.Header.Get("Content-Language"); got != "en" || !strings.Contains(first.Said, "Hammer Drill") {
			t.Errorf("got %q in %q", first.Said, got)
		}
		second := send("fa")
		second.Again(t, first)
		if got := second.Header.Get("Content-Language"); got != "" {
			t.Errorf("the stored answer is said to be in %q", got)
		}
	})
}

// TestInLanguageOfUpdates subscribes in Farsi.
func TestInLanguageOfUpdates(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		s := a.GraphQL().Shopper(t, 1)
		order := s.Bought(t, "D-10", 1)
		updates := subscribe(t, s.API, `subscription($shop: ID!, $order: ID!) {
			orderUpdates(businessId: $shop, orderId: $order) { id order { items { title } } } }`,
			shoptest.Members{"shop": s.Business, "order": order.ID}, "Accept-Language", "fa")
		if got := updates.Header.Get("Content-Language"); got != "fa" {
			t.Errorf("the updates are said to be in %q", got)
		}
		inFarsi := func() {
			t.Helper()
			event := updates.next(t)
			if got := string(event.Data["orderUpdates"]); !strings.Contains(got, order.Items[0].TitleFa) {
				t.Errorf("got %s %+v, want %s", got, event.Errors, order.Items[0].TitleFa)
			}
		}
		inFarsi()
		moves(t, s, order.ID, record.OrderConfirmed)
		inFarsi()
	})
}

// TestRefusedMovesInFarsi checks that a refusal names statuses in the language of its sentence.
func TestRefusedMovesInFarsi(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		manager := c.Staff(t, c.Tools, record.Manager)
		s := c.GraphQL().Shopper(t, 1)
		order := s.Bought(t, "D-10", 1).ID
		refused := func(who shoptest.API, document, want string) {
			t.Helper()
			headers := append(slices.Clone(who.Headers), "Accept-Language", "fa")
			got := who.Read(t, who.Send(t, "POST", "/graphql", shoptest.GraphQLBody(document, ""), headers...))
			if got.Code != "CONFLICT" || !strings.Contains(string(got.Body), want) {
				t.Errorf("got %s, want %q", got.Body, want)
			}
		}
		of := `(domain: "tools.example", orderId: "` + order + `"`
		refused(manager.API, `mutation { moveOrder`+of+`, status: delivered) { message } }`,
			"سفارشی با وضعیت «در انتظار» "+
				"نمی‌تواند به وضعیت «تحویل‌شده» برود")
		refused(manager.API, `mutation { markPayment`+of+`, input: {status: refunded}) { message } }`,
			"پرداختی با وضعیت «در انتظار» "+
				"نمی‌تواند به وضعیت «بازپرداخت‌شده» برود")
		if got := s.Cancel(t, order); got.Code != "" {
			t.Fatalf("got %s", got.Body)
		}
		refused(s.API, `mutation { cancelOrder`+of+`) { message } }`,
			"سفارشی با وضعیت «لغوشده» نمی‌تواند به وضعیت «لغوشده» برود")
	})
}
