package derive

import (
	"storefront/internal/locale/search"
)

// SearchText makes the search_text of a record from its searched texts: titleFa and titleEn, and for user
// products also the descriptions. They are separated by a space, which no compact text contains, so that no
// match spans two of them and the beginning of each can be found. Empty texts are left out.
func SearchText(texts ...string) string { return search.CompactAll(texts...) }

// SKUText makes the sku_text of a variant.
func SKUText(sku string) string { return search.Compact(sku) }

// VariantText makes the search_text of a variant from its product's and its own sku_text. If the product's
// is not known yet, Records fills it in later.
func VariantText(product, sku string) string { return product + " " + sku }

// TagKeys makes the tag_keys of a product from its tags: search.Tag of each, without duplicates and empty
// ones.
func TagKeys(tags []string) []string {
	keys := make([]string, 0, len(tags))
	seen := map[string]bool{"": true}
	for _, tag := range tags {
		if key := search.Tag(tag); !seen[key] {
			seen[key] = true
			keys = append(keys, key)
		}
	}
	return keys
}
