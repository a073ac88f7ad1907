package demo_test

import (
	"strings"
	"unicode"
)

// slugOf makes a slug of a title in NFC: small letters and ASCII digits with single hyphens between, Persian
// letters kept, at most 100 characters (domain 2.3).
func slugOf(title string) string {
	var b strings.Builder
	gap := false
	n := 0
	for _, r := range title {
		switch {
		case unicode.Is(unicode.Mn, r) || r == 'ـ':
			continue // a mark or tatweel belongs to the letter before it
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			gap = n > 0
			continue
		}
		if gap && n < 99 {
			b.WriteByte('-')
			n++
		}
		gap = false
		if n == 100 {
			break
		}
		b.WriteRune(plain(r))
		n++
	}
	return strings.Trim(b.String(), "-")
}

// plain returns r in lower case, without Arabic keyboard forms, digits in ASCII.
func plain(r rune) rune {
	switch {
	case r == 'ي' || r == 'ى':
		return 'ی'
	case r == 'ك':
		return 'ک'
	case r >= '۰' && r <= '۹':
		return r - '۰' + '0'
	case r >= '٠' && r <= '٩':
		return r - '٠' + '0'
	}
	return unicode.ToLower(r)
}
