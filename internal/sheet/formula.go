package sheet

import (
	"strings"
	"unicode/utf8"
)

const (
	// signs are the characters that mark a cell as a formula in spreadsheets.
	signs = "=+-@＝＋－＠"

	// separators are where a program may begin a new cell. A comma in a quoted cell does not, but a program
	// with another separator also ignores quotes that began before it.
	separators = ";؛\t|\r\n"

	// passed are the characters that may precede the sign in a cell.
	passed = "\" "
)

// safe makes a text safe to open in spreadsheets: wherever it could begin a formula, it adds an apostrophe
// in front of the sign, as people do. shown removes it again.
func safe(text string) string { return marked(text, 1) }

// shown returns the text of a cell.
func shown(cell string) string {
	if !strings.Contains(cell, "'") {
		return cell
	}
	return marked(cell, -1)
}

// marked adds an apostrophe, or removes one, wherever a cell may begin with a sign, after any apostrophes.
func marked(text string, by int) string {
	if !strings.ContainsAny(text, signs) {
		return text
	}
	var out strings.Builder
	for start := true; text != ""; {
		if start {
			n := len(text) - len(strings.TrimLeft(text, "'"))
			if next, _ := utf8.DecodeRuneInString(text[n:]); text[n:] != "" && strings.ContainsRune(signs, next) {
				out.WriteString(strings.Repeat("'", max(n+by, 0)))
				text, start = text[n:], false
			}
		}
		next, size := utf8.DecodeRuneInString(text)
		out.WriteString(text[:size])
		text = text[size:]
		start = strings.ContainsRune(separators, next) || start && strings.ContainsRune(passed, next)
	}
	return out.String()
}
