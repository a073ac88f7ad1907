package notice

import "storefront/ent"

const longestName = 60 // characters of a shop's name in an SMS

// NameOf returns the name of a shop in its language, as it stands in an SMS.
func NameOf(shop *ent.Tenant) string {
	name := []rune(shop.NameFa)
	if IsEnglish(shop) {
		name = []rune(shop.Name)
	}
	if len(name) > longestName {
		name = append(name[:longestName-1], '…')
	}
	return string(name)
}

// IsEnglish reports whether a shop speaks English to its people, not Farsi.
func IsEnglish(shop *ent.Tenant) bool { return shop.DefaultLocale == "en" }
