package sheet

import (
	"strings"
	"unicode/utf8"
)

const (
	// signs are the letters with which a spreadsheet takes a cell for a formula.
	signs = "=+-@＝＋－＠"

	// separators are where a program may begin another cell: a comma stands for none within a quoted cell, but where
	// the comma is no separator, neither do quotes hold a cell together that began before them.
	separators = ";؛\t|\r\n"

	// passed are what may stand between the beginning of a cell and its sign.
	passed = "\" "
)

// safe returns a text as one that no spreadsheet takes for a formula, wherever it begins a cell: with an apostrophe in
// front of the sign, as people write it. shown takes it off again.
func safe(text string) string { return marked(text, 1) }

// shown returns the text of a cell.
func shown(cell string) string {
	if !strings.Contains(cell, "'") {
		return cell
	}
	return marked(cell, -1)
}

// marked adds an apostrophe, or takes one off, where a cell may begin with apostrophes, if any, and a sign.
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
