package sheet

import (
	"regexp"
	"strings"
	"unicode"
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

// likeNumber matches texts that spreadsheets may take for a number or a date, if they have a digit, or for a truth
// value: 0017 would become 17, 1-2 a day in January.
var likeNumber = regexp.MustCompile(`(?i)^(true|false|(\p{Nd}( ?(e|t|z|[ap]m?))?|[ .,:/%$€£¥()+'٫٬_-]|` +
	`jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?|nov(ember)?|` +
	`dec(ember)?)*)$`)

// mostOfText is the number of letters up to which a text is kept: spreadsheets allow 255 in a formula.
const mostOfText = 200

// kept makes a text safe, and keeps spreadsheets from changing it: ="0017" is the text 0017 for them. No other cell
// begins with =.
func kept(text string) string {
	as := safe(text)
	isLogical := strings.EqualFold(text, "true") || strings.EqualFold(text, "false")
	if as == text && len(text) <= mostOfText && (isLogical || strings.ContainsFunc(text, unicode.IsDigit)) &&
		likeNumber.MatchString(text) {
		return `="` + text + `"`
	}
	return as
}

// safe makes a text safe to open in spreadsheets: wherever it could begin a formula, it adds an apostrophe
// in front of the sign, as people do. shown removes it again, and what kept adds.
func safe(text string) string { return marked(text, 1) }

// shown returns the text of a cell.
func shown(cell string) string {
	if text, ok := strings.CutPrefix(strings.TrimSpace(cell), `="`); ok {
		if text, ok = strings.CutSuffix(text, `"`); ok && !strings.Contains(text, `"`) {
			return text
		}
	}
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
