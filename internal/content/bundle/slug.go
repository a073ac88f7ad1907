package bundle

import (
	"strings"
	"unicode/utf8"

	"storefront/internal/locale/search"
)

// slug reads the slug of a record. It returns "" if there is none or it is faulty. A slug must have the form
// of search.Slug. Surplus hyphens are removed from slugs in a file. In an edit they are a fault, so that
// staff see the real slug.
func (o *object) slug() string {
	o.require("slug")
	m := o.given("slug")
	if m == nil {
		return ""
	}
	text, ok := o.string(m, 1, titleLimit)
	made, clean := search.Slug(text), trimSlug(text)
	switch {
	case !ok:
		return ""
	case made == "":
		o.faults.add(m, "must have letters or digits")
	case utf8.RuneCountInString(clean) > keyLimit:
		o.faults.add(m, "must have at most %d characters", keyLimit)
	case made != clean || o.strict && clean != strings.TrimSpace(text):
		o.faults.add(m, "must be written as a slug: %s", made)
	default:
		return clean
	}
	return ""
}

// trimSlug returns a slug without surplus hyphens: at its ends, and after another hyphen. Exports of other
// systems have them where they cut titles.
func trimSlug(text string) string {
	text = strings.Trim(strings.TrimSpace(text), "-")
	if !strings.Contains(text, "--") {
		return text
	}
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '-' }), "-")
}

// slugsOf is textsOf for members that are slugs.
func slugsOf(batch []*object, name string) []string {
	texts := textsOf(batch, name)
	for i := range texts {
		texts[i] = trimSlug(texts[i])
	}
	return texts
}
