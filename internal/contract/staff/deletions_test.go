package staff_test

import (
	"encoding/json"
	"testing"

	"storefront/ent/auditentry"
	"storefront/ent/migrate"
	"storefront/internal/content/edit"
	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// afterDeletion says of each foreign key what happens to the rows that refer to a deleted one. Shops and persons are
// deleted with all that is theirs.
var afterDeletion = map[string]string{
	"cart_items.variant_id": "stay in the cart: TestDeletedVariantStaysInCarts", "cart_items.cart_id": "a cart's own",
	"favorites.product_id": "counted", "variants.product_id": "counted",
	"expert_reviews.product_id": "counted, and those of customers refuse the deletion",
	"products.category_id":      "refuse the deletion", "products.brand_id": "refuse the deletion",
	"user_products.category_id": "refuse the deletion", "blogs.category_id": "refuse the deletion",
	"portfolios.category_id": "refuse the deletion", "categories.parent_id": "refuse the deletion",
	"user_products.city_id": "no location is deleted", "user_products.province_id": "no location is deleted",
	"user_products.country_id": "no location is deleted", "locations.parent_id": "no location is deleted",
	"order_items.order_id": "no order is deleted", "order_events.order_id": "no order is deleted",
	"order_charges.order_id": "no order is deleted", "order_charges.item_id": "no order is deleted",
	"refunds.order_id": "no order is deleted", "refunds.payment_id": "no order is deleted",
	"payments.order_id": "no order is deleted", "receipts.order_id": "no order is deleted",
	"partner_keys.partner_id": "a partner's own", "partner_messages.partner_id": "a partner's own",
	"webhook_deliveries.endpoint_id": "a webhook's own",
}

// TestDeletionsOfTheSchema asks of a new foreign key what happens to its rows.
func TestDeletionsOfTheSchema(t *testing.T) {
	known := 0
	for _, table := range migrate.Tables {
		for _, key := range table.ForeignKeys {
			if key.RefTable.Name == "users" || key.RefTable.Name == "tenants" {
				continue
			}
			known++
			if name := table.Name + "." + key.Columns[0].Name; afterDeletion[name] == "" {
				t.Errorf("%s: say what becomes of the rows when what they refer to is deleted", name)
			}
		}
	}
	if known != len(afterDeletion) {
		t.Errorf("got %d foreign keys, want %d", known, len(afterDeletion))
	}
}

// TestDeletionCounts deletes a product with all that a deletion takes with it: the answer counts it, before the
// deletion too, and so does the audit log. What a customer has written refuses the deletion.
func TestDeletionCounts(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, customer, visitor := c.Staff(t, c.Tools, record.Owner), c.Customer(t), shoptest.Worker{API: c.GraphQL()}
		shop := map[string]any{"shop": c.Tools}
		const create = `mutation($shop: ID!) { createProduct(businessId: $shop, slug: "bow-saw", input: {titleFa: "اره",
			status: published, publishedAt: "2026-11-01T00:00:00Z",
			variants: [{sku: "SAW-1", priceCurrency: "IRT", price: 1},
			{sku: "SAW-2", priceCurrency: "IRT", price: 1}]}) { id } }`
		var made struct{ CreateProduct struct{ ID string } }
		owner.Do(t, create, shop, &made)
		id := made.CreateProduct.ID
		comment := `mutation { createComment(domain: "tools.example", input: {entityType: product, entityId: "` + id +
			`", authorName: "A", text: "B"}) { message } }`
		review := `mutation { createExpertReview(domain: "tools.example", input: {productId: "` + id +
			`", authorName: "A", rate: 5, positivePoints: [], negativePoints: [], text: "B"}) { message } }`
		for _, said := range []string{comment, comment, review} {
			visitor.Do(t, said, nil, nil)
		}
		customer.Do(t, `mutation { addFavorite(domain: "tools.example", input: {productId: "`+id+`"}) { message } }`,
			nil, nil)

		const remove = `mutation($shop: ID!, $countOnly: Boolean! = false) {
			deleteProduct(businessId: $shop, slug: "bow-saw", countOnly: $countOnly) {
				deletedWith { variants favorites comments expertReviews } } }`
		counting := map[string]any{"shop": c.Tools, "countOnly": true}
		for kind, said := range map[string]string{"comments": comment, "expert_reviews": review} {
			customer.Do(t, said, nil, nil)
			owner.Refused(t, "CONFLICT", remove, counting)
			owner.Refused(t, "CONFLICT", remove, shop)
			shoptest.Must(c.Store.Client.ExecContext(t.Context(), "DELETE FROM "+kind+" WHERE user_id IS NOT NULL"))(t)
		}
		want := edit.DeletedWith{Variants: 2, Favorites: 1, Comments: 2, ExpertReviews: 1}
		for _, asked := range []map[string]any{counting, counting, shop} {
			var got struct {
				DeleteProduct struct{ DeletedWith edit.DeletedWith }
			}
			owner.Do(t, remove, asked, &got)
			if is := got.DeleteProduct.DeletedWith; is != want {
				t.Errorf("got %+v, want %+v", is, want)
			}
		}
		owner.Refused(t, "NOT_FOUND", remove, shop)
		entry := c.Store.Client.AuditEntry.Query().
			Where(auditentry.Action("deleteProduct"), auditentry.Kind("product")).OnlyX(t.Context())
		var logged struct{ DeletedWith edit.DeletedWith }
		if err := json.Unmarshal(entry.Before, &logged); err != nil || logged.DeletedWith != want {
			t.Errorf("%v: the log has %s", err, entry.Before)
		}
		for _, table := range []string{"favorites", "comments", "expert_reviews"} {
			column := map[bool]string{true: "entity_id", false: "product_id"}[table == "comments"]
			if n := c.Rows(t, "SELECT count(*) FROM "+table+" WHERE "+column+" = $1", id); n != 0 {
				t.Errorf("%d %s are left", n, table)
			}
		}
	})
}
