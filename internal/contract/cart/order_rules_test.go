package cart_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

const setOrderRules = `mutation($shop: ID!, $rules: OrderRulesInput) {
	updateShop(businessId: $shop, input: {orderRules: $rules}) { id } }`

// TestOrderRules has a shop say how long orders wait for payment, how many of a customer may, and that only proven
// numbers order.
func TestOrderRules(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := c.Staff(t, c.Tools, record.Owner)
		c.StockedUp(t, "D-13", 20)
		set := func(rules any) { owner.Do(t, setOrderRules, map[string]any{"shop": c.Tools, "rules": rules}, nil) }
		s := c.REST().Shopper(t, 1)
		byGraphQL := s
		byGraphQL.API = c.GraphQL().With(s.Access)
		due := func(paid record.PaymentType, want time.Duration) {
			t.Helper()
			placed := s.Pays(t, "D-13", paid).ID
			var seen struct {
				Me struct {
					Order struct {
						CreatedAt time.Time
						Payment   struct{ DueAt *time.Time }
					}
				}
			}
			got := byGraphQL.Graph(t, fmt.Sprintf(
				"{ me { order(businessId: %q, orderId: %q) { createdAt payment { dueAt } } } }", c.Tools, placed))
			if err := json.Unmarshal([]byte(got.Said), &seen); err != nil || seen.Me.Order.CreatedAt.IsZero() {
				t.Fatalf("%s: %v", got.Body, err)
			}
			if at := seen.Me.Order.Payment.DueAt; (at == nil) != (want == 0) ||
				at != nil && at.Sub(seen.Me.Order.CreatedAt) != want {
				t.Errorf("%s: due at %v, placed at %v", paid, at, seen.Me.Order.CreatedAt)
			}
		}
		due(record.PayByTransfer, 72*time.Hour)
		due(record.PayAtGateway, 72*time.Hour)
		due("cash", 0)
		set(map[string]any{"transferHours": 0, "gatewayHours": 5})
		due(record.PayByTransfer, 0)
		due(record.PayAtGateway, 5*time.Hour)

		set(map[string]any{"mostUnpaid": 6})
		due(record.PayAtGateway, 72*time.Hour)
		s.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
		for _, door := range []shoptest.Shopper{s, byGraphQL} {
			door.Wrong(t, "Checkout", shoptest.ToHome, "CONFLICT")
		}
		set(nil)
		set(map[string]any{"provenNumber": true})
		s.Wrong(t, "Checkout", shoptest.ToHome, "CONFLICT")
		c.Store.Client.User.UpdateOneID(uuid.MustParse(s.ID)).SetVouched(true).ExecX(t.Context())
		s.Right(t, "Checkout", shoptest.ToHome)

		for member, value := range map[string]any{"transferHours": -1, "gatewayHours": 8761, "mostUnpaid": 0} {
			got := owner.Ask(t, setOrderRules, map[string]any{"shop": c.Tools, "rules": map[string]any{member: value}})
			if got.Code() != "VALIDATION_FAILED" {
				t.Errorf("%s: %v: %s", member, value, got.Code())
			}
		}
	})
}
