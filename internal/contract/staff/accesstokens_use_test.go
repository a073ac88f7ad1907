package staff_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/google/uuid"

	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// TestKeysOfPrograms checks that an Idempotency-Key is separate for each program, and that its mutation is
// done once.
func TestKeysOfPrograms(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := maker{c, c.Staff(t, c.Tools, record.Owner)}
		hooks := map[string]any{"permissions": []string{"manageWebhooks"}}
		shop := map[string]any{"shop": c.Tools}
		secret, made := owner.create(t, "a", hooks)
		other, _ := owner.create(t, "b", hooks)
		program, twin := shoptest.Worker{API: c.GraphQL().With(secret)}, shoptest.Worker{API: c.GraphQL().With(other)}
		there := shoptest.Worker{API: c.Instance(t).GraphQL().With(secret)}
		for _, who := range []shoptest.Worker{program, twin, owner.Worker} {
			if got := who.Keyed(t, "k", addWebhook, shop).Fresh(t); got.Code != "" {
				t.Errorf("got %s", got.Body)
			}
		}
		for _, who := range []shoptest.Worker{program, there} {
			got := who.Keyed(t, "k", addWebhook, shop)
			if got.Code != "CONFLICT" || got.Header.Get("Idempotent-Replayed") != "true" {
				t.Errorf("sent again: got %v %s", got.Header, got.Body)
			}
		}
		if n := c.Rows(t, "SELECT count(*) FROM webhook_endpoints"); n != 3 {
			t.Errorf("%d webhooks", n)
		}
		if n := c.Rows(t, "SELECT count(*) FROM idempotency_keys WHERE user_id IS NULL"); n != 2 {
			t.Errorf("%d keys of programs", n)
		}
		owner.Do(t, revokeToken, map[string]any{"shop": c.Tools, "id": made.ID}, nil)
		if got := there.Keyed(t, "k", addWebhook, shop); got.Code != "UNAUTHENTICATED" {
			t.Errorf("after it was revoked: got %s", got.Body)
		}
	})
}

// TestUseThatIsNotNoted uses a token while its row cannot be updated.
func TestUseThatIsNotNoted(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := maker{c, c.Staff(t, c.Tools, record.Owner)}
		secret, made := owner.create(t, "p", nil)
		tx, err := c.Store.Client.Tx(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer tx.Rollback()
		noted := change(tx.Client(), c, uuid.MustParse(made.ID)).SetLastUsedAt(c.Clock.Now())
		if err := noted.Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
		shoptest.Worker{API: c.GraphQL().With(secret)}.Do(t,
			`query($shop: ID!) { shopAccess(businessId: $shop) { domain } }`, map[string]any{"shop": c.Tools}, nil)
	})
}

// readOrder returns the order that an event names. token is an access token of the shop that may manageOrders.
func readOrder(ctx context.Context, service, token, businessID, orderID string) (json.RawMessage, error) {
	body, err := json.Marshal(map[string]any{
		"query": `query($shop: ID!, $order: ID!) { shopOrder(businessId: $shop, orderId: $order) {
			order { orderNumber status shippingAddress { province city address } items { sku quantity } }
		} }`,
		"variables": map[string]string{"shop": businessID, "order": orderID},
	})
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, service+"/graphql", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	var answer struct {
		Data   struct{ ShopOrder json.RawMessage }
		Errors []struct{ Message string }
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return nil, err
	}
	if len(answer.Errors) > 0 {
		return nil, errors.New(answer.Errors[0].Message)
	}
	return answer.Data.ShopOrder, nil
}

// TestReadOrder runs the code that docs/webhooks.md shows to receivers.
func TestReadOrder(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := maker{c, c.Staff(t, c.Tools, record.Owner)}
		made := c.GraphQL().Shopper(t, 1).Bought(t, "D-13", 2)
		may, _ := owner.create(t, "Warehouse", map[string]any{"permissions": []string{"manageOrders"}})
		mayNot, _ := owner.create(t, "Another", nil)
		order, err := readOrder(t.Context(), c.URL, may, c.Tools, made.ID)
		if err != nil || !bytes.Contains(order, []byte(`"items":[{"sku":"D-13","quantity":2}]`)) {
			t.Errorf("got %s, %v", order, err)
		}
		if order, err := readOrder(t.Context(), c.URL, mayNot, c.Tools, made.ID); err == nil {
			t.Errorf("without the permission: %s", order)
		}
	})
	source := shoptest.Must(os.ReadFile("accesstokens_use_test.go"))(t)
	text := shoptest.Must(os.ReadFile("../../../docs/webhooks.md"))(t)
	_, shown, _ := strings.Cut(string(source), "\n// readOrder returns")
	shown, _, _ = strings.Cut(shown, "\n}\n")
	if !strings.Contains(string(text), "// readOrder returns"+shown+"\n}\n") {
		t.Error("docs/webhooks.md shows other code")
	}
}
