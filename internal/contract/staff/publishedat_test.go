package staff_test

import (
	"cmp"
	"testing"
	"time"

	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// TestPublishedAt publishes drafts and a listing, one by one and in bulk: a record without a given publishedAt gets
// that moment, and is first in lists. A given time stays, and so does that of an archived record.
func TestPublishedAt(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, seller := c.Staff(t, c.Tools, record.Owner), c.Customer(t)
		in := func(slug string, input map[string]any) map[string]any {
			return map[string]any{"shop": c.Tools, "slug": slug, "in": input}
		}
		mutate := func(name, kind, slug string, input map[string]any) {
			t.Helper()
			owner.Do(t, `mutation($shop: ID!, $slug: String!, $in: `+kind+`Input!) {
				`+name+kind+`(businessId: $shop, slug: $slug, input: $in) { id } }`, in(slug, input), nil)
		}
		many := func(name, types, id string, change map[string]any) {
			t.Helper()
			owner.Do(t, changeMany(name, types), map[string]any{"shop": c.Tools,
				"select": map[string]any{"ids": []string{id}}, "change": change}, nil)
		}
		type seen struct {
			ID          string
			PublishedAt time.Time
		}
		look := func(query, slug string) seen {
			t.Helper()
			members := "id publishedAt"
			if query == "staffProduct" || query == "staffListing" {
				members = "content { " + members + " }"
			}
			var got struct {
				Record struct {
					seen
					Content seen
				}
			}
			owner.Do(t, `query($shop: ID!, $slug: String!) {
				record: `+query+`(businessId: $shop, slug: $slug) { `+members+` } }`, in(slug, nil), &got)
			return cmp.Or(got.Record.seen, got.Record.Content)
		}
		want := func(query, slug string, at time.Time) {
			t.Helper()
			if got := look(query, slug).PublishedAt; !got.Equal(at.Truncate(time.Microsecond)) {
				t.Errorf("%s %s: got publishedAt %v, want %v", query, slug, got, at)
			}
		}
		chosen := c.Clock.Now().Add(-1000 * time.Hour).UTC().Truncate(time.Second)
		begun := c.Clock.Now()
		draft := func(more map[string]any) map[string]any {
			input := map[string]any{"titleFa": "نو", "status": "draft"}
			for name, value := range more {
				input[name] = value
			}
			return input
		}
		mutate("create", "Product", "new-saw", draft(nil))
		mutate("create", "Product", "old-saw", draft(map[string]any{"publishedAt": chosen}))
		mutate("create", "Blog", "new-post", draft(map[string]any{"type": "news", "body": "b"}))
		mutate("create", "Portfolio", "new-work", draft(map[string]any{"body": "b"}))
		var made struct{ SubmitListing struct{ Listing listingSeen } }
		seller.Do(t, submitListing, map[string]any{"shop": c.Tools, "in": listingOf("دستگاه")}, &made)
		offer := made.SubmitListing.Listing.Listing.Slug
		want("staffProduct", "new-saw", begun)

		c.Clock.Pass(5 * time.Minute)
		published, publish := c.Clock.Now(), map[string]any{"status": "published"}
		mutate("update", "Product", "new-saw", publish)
		mutate("update", "Product", "old-saw", publish)
		mutate("update", "Portfolio", "new-work",
			map[string]any{"status": "published", "publishedAt": begun}) // as it was read
		many("changeBlogs", "RecordSelection ContentChange", look("staffBlog", "new-post").ID, publish)
		many("changeUserProducts", "RecordSelection ListingChange", look("staffListing", offer).ID, publish)
		want("staffProduct", "new-saw", published)
		want("staffProduct", "old-saw", chosen)
		want("staffPortfolio", "new-work", published)
		want("staffBlog", "new-post", published)
		want("staffListing", offer, published)
		var list struct {
			Tenant struct {
				Products struct{ Items []struct{ Slug string } }
			}
		}
		shoptest.Worker{API: c.GraphQL()}.Do(t,
			`{ tenant(domain: "tools.example") { products { items { slug } } } }`, nil, &list)
		if first := list.Tenant.Products.Items[0].Slug; first != "new-saw" {
			t.Errorf("got the product %s first, want the one that was published last", first)
		}

		c.Clock.Pass(2 * time.Minute)
		mutate("update", "Portfolio", "new-work", map[string]any{"publishedAt": begun}) // it is chosen now
		want("staffPortfolio", "new-work", begun)
		c.Clock.Pass(3 * time.Minute)
		mutate("update", "Product", "new-saw", map[string]any{"status": "archived"})
		mutate("update", "Product", "new-saw", publish)
		want("staffProduct", "new-saw", published)
	})
}
