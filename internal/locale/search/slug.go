package search

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

const slugLimit = 100 // code points; a Persian letter takes 6 characters of a URL

// Slug returns the words of s for a URL (contract 5.3): letters in lower case and digits, joined by '-', at
// most 100 code points. Arabic ye and kaf become Persian ones, and the digits of all scripts ASCII ones; alef
// keeps its madda, because people read slugs. Invisible letters are left out. It takes any text, so a slug in
// an old link finds its record; Slug(Slug(s)) is Slug(s). For a text without letters and digits it returns "".
func Slug(s string) string {
	for {
		slug := hyphenate(s)
		if slug == s {
			return slug
		}
		s = slug // twice, since characters may compose after a mark between them was deleted
	}
}

// hyphenate applies the rules of Slug once.
func hyphenate(s string) string {
	var out strings.Builder
	out.Grow(len(s))
	length, gap := 0, false
	for _, r := range norm.NFC.String(strings.ToValidUTF8(s, "")) {
		switch r = slugRune(r); r {
		case deleted:
			continue
		case '-':
			gap = out.Len() > 0
			continue
		}
		if gap {
			length++
		}
		if length++; length > slugLimit {
			break
		}
		if gap {
			out.WriteByte('-')
		}
		out.WriteRune(r)
		gap = false
	}
	return out.String()
}

// slugRune returns the letter or digit that stands for r in a slug, '-' for what separates words, or deleted.
func slugRune(r rune) rune {
	switch r {
	case 'ي', 'ى':
		return 'ی'
	case 'ك':
		return 'ک'
	case zwnj:
		return '-'
	case tatweel:
		return deleted
	}
	switch {
	case unicode.IsDigit(r):
		return '0' + valueOf(r)
	case unicode.In(r, unicode.M, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point):
		return deleted // some of the last are letters: the fillers of Hangul
	case unicode.IsLetter(r):
		return unicode.ToLower(r)
	}
	return '-'
}

// Digits returns s with the decimal digits of all scripts as ASCII ones.
func Digits(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return '0' + valueOf(r)
		}
		return r
	}, s)
}

// valueOf returns the value of a decimal digit. The ten digits of a script are consecutive in Unicode.
func valueOf(digit rune) rune {
	if isDigit(digit) {
		return digit - '0'
	}
	for _, some := range unicode.Nd.R16 {
		if rune(some.Lo) <= digit && digit <= rune(some.Hi) {
			return (digit - rune(some.Lo)) % 10
		}
	}
	for _, some := range unicode.Nd.R32 {
		if rune(some.Lo) <= digit && digit <= rune(some.Hi) {
			return (digit - rune(some.Lo)) % 10
		}
	}
	return 0
}

const zwnj = '\u200C'
