package staff_test

import (
	"testing"

	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// TestTitlesAreSeen writes titles and names in which nothing can be seen.
func TestTitlesAreSeen(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, seller := c.Staff(t, c.Tools, record.Owner), c.Customer(t)
		const rename = `mutation($shop: ID!, $name: String!) {
			updateBrand(businessId: $shop, slug: "acme", input: {name: $name}) { id } }`
		for _, text := range []string{"\u200c\u2060", "\u202e", "\u2800"} {
			named := map[string]any{"shop": c.Tools, "name": text}
			wish := map[string]any{"shop": c.Tools, "in": listingOf(text)}
			for _, bad := range []shoptest.Answered{owner.Refused(t, "VALIDATION_FAILED", rename, named),
				seller.Refused(t, "VALIDATION_FAILED", submitListing, wish)} {
				if got := bad.Errors[0].Extensions.Errors; len(got) != 1 || got[0].Message != "must not be empty" {
					t.Errorf("%q: got %+v", text, got)
				}
			}
		}
		owner.Do(t, rename, map[string]any{"shop": c.Tools, "name": "Acme\u200cX "}, nil)
	})
}
