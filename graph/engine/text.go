package engine

import (
	"strings"
	"unicode"
)

// isOneLine reports whether a text has neither a control character nor a line break.
func isOneLine(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsControl(r) || r == '\u2028' || r == '\u2029'
	})
}
