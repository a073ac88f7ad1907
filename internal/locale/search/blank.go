package search

import (
	"strings"
	"unicode"
)

// IsBlank reports whether nothing of a text is visible: it is empty, or has only spaces, control, format and
// other invisible characters. Such a text counts as empty.
func IsBlank(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !isInvisible(r) })
}

// blankBraille is drawn as a space, though Unicode calls it a symbol.
const blankBraille = '\u2800'

func isInvisible(r rune) bool {
	return r == blankBraille || unicode.IsControl(r) ||
		unicode.In(r, unicode.White_Space, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point,
			unicode.Variation_Selector)
}

// IsDirection reports whether a character is invisible but changes the direction of the text around it: with
// one of these a name can look like another.
func IsDirection(r rune) bool { return unicode.Is(unicode.Bidi_Control, r) }

// Trimmed returns an optional text without surrounding space, or nil if nothing visible is left.
func Trimmed(text *string) *string {
	if text == nil || IsBlank(*text) {
		return nil
	}
	bare := strings.TrimSpace(*text)
	return &bare
}
