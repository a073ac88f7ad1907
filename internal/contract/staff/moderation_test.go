package staff_test

import (
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

func TestModeration(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		moderator, support := c.Staff(t, c.Tools, record.Moderator), c.Staff(t, c.Tools, record.Support)
		other := c.Staff(t, c.Mugs, record.Owner)
		for _, post := range []string{
			`/tenants/tools.example/comments {"entityType": "product", "entityId": "<tools:product:drill>",` +
				` "authorName": "A", "text": "new here"}`,
			`/tenants/tools.example/expert-reviews {"productId": "<tools:product:drill>", ` +
				`"authorName": "A", "rate": 1,` +
				` "positivePoints": [], "negativePoints": [], "text": "new here"}`,
			`/tenants/tools.example/contact-submissions {"title": "T", "name": "N", "text": "new here"}`,
		} {
			if got := c.Ask(t, "POST "+post); got.Status != 201 {
				t.Fatalf("%d %s", got.Status, got.Body)
			}
		}
		shop := map[string]any{"shop": c.Tools}
		type list struct {
			Nodes []struct{ ID, Text string }
		}
		var queue struct {
			ModerationCounts                                        struct{ Comments, Reviews int }
			ModeratedCommentsConnection, ModeratedReviewsConnection list
		}
		moderator.Do(t, `query($shop: ID!) { moderationCounts(businessId: $shop) { comments reviews }
			moderatedCommentsConnection(businessId: $shop) { nodes { id text } }
			moderatedReviewsConnection(businessId: $shop) { nodes { id text } } }`,
			shop, &queue)
		comments, reviews := queue.ModeratedCommentsConnection.Nodes, queue.ModeratedReviewsConnection.Nodes
		if queue.ModerationCounts.Comments != len(comments) || queue.ModerationCounts.Reviews != len(reviews) {
			t.Errorf("got %+v", queue)
		}
		comment, review := comments[len(comments)-1], reviews[len(reviews)-1]
		if comment.Text != "new here" || review.Text != "new here" {
			t.Fatalf("got %+v", queue)
		}
		product := "/tenants/tools.example/products/drill"
		before := string(c.Send(t, "GET", product, "").Body)
		const decide = `mutation($shop: ID!, $comment: [ID!]!, $review: [ID!]!, $to: Moderation!) {
			changeComments(businessId: $shop, select: {ids: $comment}, change: {status: $to}) { changed }
			changeReviews(businessId: $shop, select: {ids: $review}, change: {status: $to}) { changed } }`
		ids := map[string]any{"shop": c.Tools, "comment": []string{comment.ID}, "review": []string{review.ID},
			"to": "approved"}
		support.Refused(t, "FORBIDDEN", decide, ids)
		var changed struct{ ChangeComments, ChangeReviews struct{ Changed int } }
		ids["shop"] = c.Mugs
		other.Do(t, decide, ids, &changed)
		ids["shop"] = c.Tools
		if changed.ChangeComments.Changed+changed.ChangeReviews.Changed != 0 {
			t.Error("another shop's staff has decided")
		}
		moderator.Do(t, decide, ids, &changed)
		if changed.ChangeComments.Changed != 1 || changed.ChangeReviews.Changed != 1 {
			t.Errorf("got %+v", changed)
		}
		shown := string(c.Ask(t, "GET /tenants/tools.example/comments?entityType=product&"+
			"entityId=<tools:product:drill>").Body)
		if !strings.Contains(shown, "new here") {
			t.Error("an approved comment is not shown")
		}
		if after := string(c.Send(t, "GET", product, "").Body); after == before {
			t.Error("the rating is as before")
		}
		ids["to"] = "rejected"
		moderator.Do(t, decide, ids, &changed)
		if after := string(c.Send(t, "GET", product, "").Body); after != before {
			t.Errorf("after the rejection: got\n%s\nwant\n%s", after, before)
		}

		const contacts = `query($shop: ID!, $handled: Boolean) {
			contactSubmissionsConnection(businessId: $shop, handled: $handled) {
			totalCount nodes { id text handledAt } } }`
		var inbox struct {
			ContactSubmissionsConnection struct {
				TotalCount int
				Nodes      []struct{ ID, Text string }
			}
		}
		moderator.Refused(t, "FORBIDDEN", contacts, shop)
		support.Do(t, contacts, map[string]any{"shop": c.Tools, "handled": false}, &inbox)
		waiting := inbox.ContactSubmissionsConnection.TotalCount
		last := inbox.ContactSubmissionsConnection.Nodes[waiting-1]
		if last.Text != "new here" {
			t.Fatalf("got %+v", inbox)
		}
		support.Do(t, `mutation($shop: ID!, $ids: [ID!]!) {
			markContacts(businessId: $shop, submissionIds: $ids, handled: true) { changed } }`,
			map[string]any{"shop": c.Tools, "ids": []string{last.ID}}, nil)
		support.Do(t, contacts, map[string]any{"shop": c.Tools, "handled": false}, &inbox)
		if inbox.ContactSubmissionsConnection.TotalCount != waiting-1 {
			t.Errorf("got %d waiting, want %d", inbox.ContactSubmissionsConnection.TotalCount, waiting-1)
		}
	})
}

func TestWebhooksOfStaff(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, other := c.Staff(t, c.Tools, record.Owner), c.Staff(t, c.Mugs, record.Owner)
		operator := c.Staff(t, "", record.Operator)
		const add = `mutation($shop: ID!, $in: WebhookInput!) {
			addWebhook(businessId: $shop, input: $in) { secret webhook { id active } } }`
		in := func(url string, events ...string) map[string]any {
			return map[string]any{"shop": c.Tools, "in": map[string]any{"url": url,
				"events": append([]string{}, events...)}}
		}
		owner.Refused(t, "VALIDATION_FAILED", add, in("https://10.0.0.1/", "order_placed"))
		owner.Refused(t, "VALIDATION_FAILED", add, in("https://a.example/"))
		var made struct {
			AddWebhook struct {
				Secret  string
				Webhook struct{ ID string }
			}
		}
		owner.Do(t, add, in("https://a.example/hook", "order_placed"), &made)
		if !strings.HasPrefix(made.AddWebhook.Secret, "whsec_") {
			t.Errorf("got %+v", made)
		}
		c.StockedUp(t, "D-13", 11)
		c.REST().Shopper(t, 1).Bought(t, "D-13", 1)
		c.NumberEvents(t)
		id := map[string]any{"shop": c.Tools, "id": made.AddWebhook.Webhook.ID}
		theirs := map[string]any{"shop": c.Mugs, "id": made.AddWebhook.Webhook.ID}
		const deliveries = `query($shop: ID!, $id: ID!) {
			webhookDeliveriesConnection(businessId: $shop, webhookId: $id) {
			totalCount nodes { eventId type state payload attempts } } }`
		var sent struct {
			WebhookDeliveriesConnection struct {
				Nodes []struct{ EventID, State, Type string }
			}
		}
		owner.Do(t, deliveries, id, &sent)
		if all := sent.WebhookDeliveriesConnection.Nodes; len(all) != 1 || all[0].State != "waiting" ||
			all[0].Type != "order_placed" {
			t.Fatalf("got %+v", sent)
		}
		again := map[string]any{"shop": c.Tools, "id": id["id"],
			"event": sent.WebhookDeliveriesConnection.Nodes[0].EventID}
		const redeliver = `mutation($shop: ID!, $id: ID!, $event: ID!) {
			redeliverWebhook(businessId: $shop, webhookId: $id, eventId: $event) { delivery { state } } }`
		owner.Do(t, redeliver, again, nil)
		const try = `mutation($shop: ID!, $id: ID!) {
			sendTestEvent(businessId: $shop, webhookId: $id) { delivery { type state payload } } }`
		owner.Do(t, try, id, nil)
		owner.Do(t, deliveries, id, &sent)
		if first := sent.WebhookDeliveriesConnection.Nodes[0]; len(sent.WebhookDeliveriesConnection.Nodes) != 2 ||
			first.State != "waiting" || first.Type != "test" {
			t.Errorf("got %+v, want a test event", sent)
		}
		owner.Refused(t, "VALIDATION_FAILED", add, in("https://a.example/", "order_placed", "test"))
		const update = `mutation($shop: ID!, $id: ID!) {
			updateWebhook(businessId: $shop, webhookId: $id, input: {active: false}) { webhook { active events } } }`
		const rotate = `mutation($shop: ID!, $id: ID!) {
			rotateWebhookSecret(businessId: $shop, webhookId: $id) { secret } }`
		const remove = `mutation($shop: ID!, $id: ID!) { removeWebhook(businessId: $shop, webhookId: $id) { message } }`
		for _, document := range []string{deliveries, try, update, rotate, remove} {
			other.Refused(t, "NOT_FOUND", document, theirs)
			other.Refused(t, "FORBIDDEN", document, id)
			owner.Do(t, document, id, nil)
		}
		owner.Refused(t, "NOT_FOUND", deliveries, id)

		const key = `mutation { addPartnerKey(domain: "partner.example") { key partnerKey { id domain } } }`
		owner.Refused(t, "FORBIDDEN", key, nil)
		var got struct {
			AddPartnerKey struct {
				Key        string
				PartnerKey struct{ ID, Domain string }
			}
		}
		operator.Do(t, key, nil, &got)
		const revoke = `mutation($id: ID!) { revokePartnerKey(keyId: $id) { message } }`
		operator.Do(t, revoke, map[string]any{"id": got.AddPartnerKey.PartnerKey.ID}, nil)
		operator.Refused(t, "NOT_FOUND", revoke, map[string]any{"id": got.AddPartnerKey.PartnerKey.ID})
		var customers struct{ ShopCustomersConnection struct{ TotalCount int } }
		owner.Do(t, `query($shop: ID!) { shopCustomersConnection(businessId: $shop) { totalCount } }`,
			map[string]any{"shop": c.Tools}, &customers)
		if customers.ShopCustomersConnection.TotalCount == 0 {
			t.Error("the shop has no customers")
		}
	})
}
