// Package phone reads the cell numbers that people type.
package phone

import (
	"regexp"
	"strings"
	"unicode"
)

// Normalize gives a number in E.164 form ("+989121234567"). Of an Iranian mobile number it takes the usual forms
// (0912…, 912…, +98…, 98…, 0098…); of another country's only E.164. Digits may be Persian or Arabic; direction marks,
// spaces, dashes, dots and brackets are passed over. It is false for what is no number.
func Normalize(typed string) (e164 string, ok bool) {
	bare := strings.Map(func(r rune) rune {
		switch {
		case r >= '۰' && r <= '۹':
			return '0' + r - '۰'
		case r >= '٠' && r <= '٩':
			return '0' + r - '٠'
		case strings.ContainsRune(" -().\u00a0\u200c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069", r):
			return -1
		}
		return r
	}, typed)
	if parts := iranian.FindStringSubmatch(bare); parts != nil {
		return "+98" + parts[1], true
	}
	if strings.HasPrefix(bare, "+98") {
		return bare, iranianLine.MatchString(bare)
	}
	return bare, international.MatchString(bare)
}

var (
	iranian       = regexp.MustCompile(`^(?:\+980?|00980?|98|0)?(9[0-9]{9})$`)
	iranianLine   = regexp.MustCompile(`^\+98[1-9][0-9]{9}$`)
	international = regexp.MustCompile(`^\+[1-9][0-9]{7,14}$`)
)

// E164 gives a number that is typed in E.164 form already, its digits folded; it is false for every other form.
func E164(typed string) (e164 string, ok bool) {
	e164, ok = Normalize(typed)
	return e164, ok && strings.HasPrefix(typed, "+") && !strings.ContainsFunc(typed[1:], func(r rune) bool {
		return !unicode.IsDigit(r)
	})
}

// IranianMobile gives the E.164 form of a mobile number in exactly one of the four forms of spec 4.8; nothing is folded.
func IranianMobile(sent string) (e164 string, ok bool) {
	parts := partnerForm.FindStringSubmatch(sent)
	if parts == nil {
		return "", false
	}
	return "+98" + parts[1], true
}

var partnerForm = regexp.MustCompile(`^(?:\+98|98|0)?(9[0-9]{9})$`)
