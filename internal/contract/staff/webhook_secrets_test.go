package staff_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/google/uuid"

	"storefront/ent/webhookendpoint"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
)

// TestSecretsAreRotatedAtOnce rotates the secret of a webhook while another request does the same. The later one
// takes the place of the other's secret, which its caller was shown: so that one signs as well.
func TestSecretsAreRotatedAtOnce(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := c.Staff(t, c.Tools, record.Owner)
		var made struct {
			AddWebhook struct{ Webhook struct{ ID string } }
		}
		owner.Do(t, addWebhook, map[string]any{"shop": c.Tools}, &made)
		hook := map[string]any{"shop": c.Tools, "id": made.AddWebhook.Webhook.ID}
		rotate := func(by shoptest.Worker) []byte {
			var got struct{ RotateWebhookSecret struct{ Secret string } }
			by.Do(t, `mutation($shop: ID!, $id: ID!) {
				rotateWebhookSecret(businessId: $shop, webhookId: $id) { secret } }`, hook, &got)
			secret, err := base64.StdEncoding.DecodeString(
				strings.TrimPrefix(got.RotateWebhookSecret.Secret, "whsec_"))
			if err != nil {
				t.Error(err)
			}
			return secret
		}
		var first []byte
		begins := "UPDATE webhook_endpoints"
		if c.Store.Dialect == "sqlite3" { // writers wait for each other from the beginning
			begins = "BEGIN"
		}
		watched := c.Watched(t, func(text string) {
			if first == nil && strings.HasPrefix(strings.ReplaceAll(text, `"`, ""), begins) {
				first = rotate(owner)
			}
		})
		second := rotate(shoptest.Worker{API: watched.GraphQL().With(owner.Access)})
		stored, err := c.Store.Client.WebhookEndpoint.Query().
			Where(webhookendpoint.ID(uuid.MustParse(made.AddWebhook.Webhook.ID))).
			Only(tenancy.In(t.Context(), uuid.MustParse(c.Tools)))
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			t.Fatalf("got no statement that begins with %s, want the other rotation before it", begins)
		}
		if string(stored.Secret) != string(second) || stored.PreviousSecret == nil ||
			string(*stored.PreviousSecret) != string(first) {
			t.Errorf("the secrets that sign are not the two that were shown")
		}
	})
}
