package document

import (
	"strings"
	"unicode/utf8"

	"storefront/internal/locale/search"
)

// Slug reads the slug of a record. It returns "" if there is none or it is faulty. A slug must have the form
// of search.Slug. Surplus hyphens are removed from slugs in a file. In an edit they are a fault, so that
// staff see the real slug.
func (o *Object) Slug() string {
	o.Require("slug")
	m := o.Value("slug")
	if m == nil {
		return ""
	}
	text, ok := o.TextOf(m, 1, TitleLimit)
	made, clean := search.Slug(text), TrimSlug(text)
	switch {
	case !ok:
		return ""
	case made == "":
		o.Faults.Add(m, "must have letters or digits")
	case utf8.RuneCountInString(clean) > KeyLimit:
		o.Faults.Add(m, "must have at most %d characters", KeyLimit)
	case made != clean || o.Strict && clean != strings.TrimSpace(text):
		o.Faults.Add(m, "must be written as a slug: %s", made)
	default:
		return clean
	}
	return ""
}

// TrimSlug returns a slug without surplus hyphens: at its ends, and after another hyphen. Exports of other
// systems have them where they cut titles.
func TrimSlug(text string) string {
	text = strings.Trim(strings.TrimSpace(text), "-")
	if !strings.Contains(text, "--") {
		return text
	}
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '-' }), "-")
}

// SlugsOf is TextsOf for members that are slugs.
func SlugsOf(batch []*Object, name string) []string {
	texts := TextsOf(batch, name)
	for i := range texts {
		texts[i] = TrimSlug(texts[i])
	}
	return texts
}
