// Package search folds the many ways of typing a Persian word into one form. Both stored texts and queries
// are folded, so that every database can compare them with a plain LIKE.
package search

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Fold returns s as words in lower case with one space between them (contract 5.1). Variants of Arabic and
// Persian letters and digits become the same, and marks, invisible characters and separators of thousands
// are dropped. It accepts any text, drops invalid UTF-8, and returns only letters, numbers and spaces, and
// '.' between two digits. Fold(Fold(s)) is Fold(s).
func Fold(s string) string { return fold(s, false) }

// Tag is Fold that keeps signs, because "C#" is not "C++": all signs except those that separate words
// (dashes, underscores, brackets, quotation marks, commas and semicolons). It returns "" for a text without
// letters, numbers and signs.
func Tag(s string) string { return fold(s, true) }

// fold is Fold, with the signs that Tag keeps.
func fold(s string, signs bool) string {
	var out strings.Builder
	out.Grow(len(s))
	var last rune // the letter or number written last
	// gap is what was read since last: 0 nothing, '.' or ',' one such sign directly after a digit, ' '
	// anything else
	var gap rune
	for _, r := range norm.NFKD.String(strings.ToValidUTF8(s, "")) {
		r = foldRune(r)
		switch {
		case r == deleted:
		case !(signs && isSign(r)) && !unicode.IsLetter(r) && !unicode.IsNumber(r):
			if gap == 0 && isDigit(last) && (r == '.' || r == ',') {
				gap = r
			} else {
				gap = ' '
			}
		default:
			switch {
			case gap == ',' && isDigit(r):
			case gap == '.' && isDigit(r):
				out.WriteByte('.')
			case gap != 0 && out.Len() > 0:
				out.WriteByte(' ')
			}
			if r == 'ß' || r == 'ẞ' { // "STRASSE" is "Straße"
				out.WriteByte('s')
				r = 's'
			}
			last, gap = unicode.ToLower(r), 0
			out.WriteRune(last)
		}
	}
	return out.String()
}

// Compact returns Fold(s) without its spaces: the form that is stored and searched, because compounds are
// written apart, together or with a ZWNJ. It never holds '%', '_' or U+0000, so it is safe inside a LIKE
// pattern.
func Compact(s string) string {
	return strings.ReplaceAll(Fold(s), " ", "")
}

// Pieces returns the words of Fold(query). A search finds a text if its Compact form holds every one of them.
// For a query without letters and numbers Pieces returns nil, and the caller decides whether that finds
// everything or nothing.
func Pieces(query string) []string {
	folded := Fold(query)
	if folded == "" {
		return nil
	}
	return strings.Split(folded, " ")
}

const deleted rune = -1

// foldRune returns the one letter, digit or sign that stands for r, a character of an NFKD text, or deleted.
func foldRune(r rune) rune {
	if r <= unicode.MaxASCII {
		return r
	}
	switch r {
	case 'ي', 'ى', '\u06D0', '\u06D2', '\u06CD', '\u06CE':
		return 'ی'
	case 'ك', '\u06AA', '\u06AB':
		return 'ک'
	case '\u0629', '\u06BE', '\u06C1', '\u06C3', '\u06D5':
		return 'ه'
	case '\u0671', '\u0672', '\u0673':
		return 'ا'
	case 'ς':
		return 'σ' // its capital letter is that of σ
	case '\u066A':
		return '%'
	case '\u066B': // decimal separator
		return '.'
	case '\u066C', '\u060C': // separator of thousands, comma
		return ','
	case tatweel, '\u0621', '\u0674': // lone hamza; high hamza, which NFKD leaves of U+0675
		return deleted
	}
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return deleted
	}
	return asciiDigit(r)
}

const tatweel = '\u0640'

// asciiDigit returns 0 to 9 for an Arabic or Persian digit, and r itself for any other rune.
func asciiDigit(r rune) rune {
	switch {
	case '\u0660' <= r && r <= '\u0669':
		return '0' + r - '\u0660'
	case '\u06F0' <= r && r <= '\u06F9':
		return '0' + r - '\u06F0'
	}
	return r
}

// isSign reports whether r is a sign that is part of a tag.
func isSign(r rune) bool {
	return unicode.In(r, unicode.S, unicode.Po) && !strings.ContainsRune(`"',;؛`, r)
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

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
