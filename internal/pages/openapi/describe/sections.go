package describe

import (
	"slices"
	"strings"

	"storefront/rest"
)

// sections are those of contract 7, in its order. The last word of a route's path that occurs in some
// section decides; a shop's route without such a word belongs to the catalog.
var sections = []struct {
	tag
	words []string
}{
	{tag{"Tenant and homepage", "The shop behind a domain, and what its first page shows."},
		[]string{"tenants", "website", "store-specials"}},
	{
		tag{"Catalog",
			"What a shop shows: products, customers' listings, variants on sale, blogs and portfolios."},
		nil, // the routes of a shop that belong to no other section
	},
	{tag{"Comments, reviews, contact", "What visitors say. It is shown once the shop approves it."},
		[]string{"comments", "expert-reviews", "contact-submissions"}},
	{
		tag{"Auth",
			"Customers' accounts, one for all shops: registration, sign-in, SMS codes, profile and password."},
		[]string{"auth"},
	},
	{tag{"Addresses", "Where a signed-in customer has things sent."}, []string{"addresses"}},
	{tag{"Locations", "Countries, provinces and cities, the same for all shops."}, []string{"cities"}},
	{
		tag{"Cart, checkout, orders, favorites",
			"What a signed-in customer buys and keeps at a business, which stands by its tenant's id."},
		[]string{"businesses", "cart", "orders", "favorites"},
	},
	{tag{"Partner SMS", "Messages that partners' servers send through the service's own line."},
		[]string{"sms"}},
}

// sectionOf returns the index of a route's section, or -1 when no section has a word of its path.
func sectionOf(route rest.Route) int {
	words := strings.Split(route.Path, "/")
	ofShop := len(words) > 3 && words[1] == "tenants"
	if ofShop {
		words = words[3:]
	}
	for _, word := range slices.Backward(words) {
		for i, section := range sections {
			if slices.Contains(section.words, word) {
				return i
			}
		}
	}
	for i, section := range sections {
		if ofShop && section.words == nil {
			return i
		}
	}
	return -1
}

// tagsOf returns the tags of the sections that the routes belong to.
func tagsOf(routes []rest.Route) []tag {
	var tags []tag
	for i, section := range sections {
		if slices.ContainsFunc(routes, func(r rest.Route) bool { return sectionOf(r) == i }) {
			tags = append(tags, section.tag)
		}
	}
	return tags
}
