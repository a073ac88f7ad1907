package derive

import (
	"storefront/internal/search"
)

// SearchText makes the search_text of a record from its searched texts: titleFa and titleEn, for user
// products the descriptions too. They stand with a space between them, which no compact text holds, so that
// nothing is found across two, and each has a beginning. Empty texts count as absent.
func SearchText(texts ...string) string { return search.CompactAll(texts...) }

// SKUText makes the sku_text of a variant.
func SKUText(sku string) string { return search.Compact(sku) }

// VariantText makes the search_text of a variant from its product's and its sku_text, as one more text. Where the
// product's is not known yet, Records fills it in.
func VariantText(product, sku string) string { return product + " " + sku }

// TagKeys makes the tag_keys of a product from its tags: search.Tag of each, once, without those that are nothing.
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
