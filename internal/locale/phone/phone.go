// Package phone parses the phone numbers that people type. It uses no database; the engine checks inputs
// with it, and the resolvers of graph pass its E.164 form on.
package phone

import (
	"regexp"
	"strings"
	"unicode"
)

// Normalize returns a number in E.164 form ("+989121234567"). It accepts an Iranian mobile number in the
// usual forms (0912…, 912…, +98…, 98…, 0098…), every other number in E.164 form only. Digits may be Persian
// or Arabic; invisible signs such as direction marks, spaces, dashes, dots and brackets are ignored. ok is false for
// everything else.
func Normalize(typed string) (e164 string, ok bool) {
	bare := Bare(typed)
	if parts := iranian.FindStringSubmatch(bare); parts != nil {
		return "+98" + parts[1], true
	}
	if strings.HasPrefix(bare, "+98") {
		return bare, iranianLine.MatchString(bare)
	}
	return bare, international.MatchString(bare)
}

// Bare returns a number or a code as it was typed or copied, with its digits in ASCII, and without invisible signs such
// as direction marks, spaces, dashes, dots and brackets.
func Bare(typed string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("().", r) || unicode.In(r, unicode.Cf, unicode.Zs, unicode.Pd) {
			return -1
		}
		return asciiDigit(r)
	}, typed)
}

// asciiDigit returns 0 to 9 for a Persian, Arabic or full-width digit, and r itself for all else.
func asciiDigit(r rune) rune {
	switch {
	case r >= '۰' && r <= '۹':
		return '0' + r - '۰'
	case r >= '٠' && r <= '٩':
		return '0' + r - '٠'
	case r >= '０' && r <= '９':
		return '0' + r - '０'
	}
	return r
}

var (
	iranian       = regexp.MustCompile(`^(?:\+980?|00980?|98|0)?(9[0-9]{9})$`)
	iranianLine   = regexp.MustCompile(`^\+98[1-9][0-9]{9}$`)
	international = regexp.MustCompile(`^\+[1-9][0-9]{7,14}$`)
)

// IsIn reports whether a free text contains a number, which is given in E.164 form: among words ("tel:
// 0912-123-4567") or beside other numbers ("021-88776655 / 09121234567", "09121234567-09351234567").
func IsIn(text, e164 string) bool {
	const longest = 40 // of a number, with its separators
	isPartOfNumber := func(r rune) bool { return '0' <= r && r <= '9' || strings.ContainsRune("+().", r) }
	for _, part := range strings.FieldsFunc(strings.Map(asciiDigit, text), unicode.IsLetter) {
		fields := strings.FieldsFunc(part, func(r rune) bool { return !isPartOfNumber(r) })
		for from := range fields {
			if from > 0 && fields[from][0] != '+' && fields[from][0] != '0' {
				continue // "912 123 4567" after other digits may be the end of a foreign number
			}
			typed := ""
			for _, field := range fields[from:] {
				if typed += field; len(typed) > longest {
					break
				}
				if got, ok := Normalize(typed); ok && got == e164 {
					return true
				}
			}
		}
	}
	return false
}

// E164 returns a number that is already typed in E.164 form, with its digits in ASCII; ok is false for every
// other form. Invisible signs, which are copied with a number, are not part of it.
func E164(typed string) (e164 string, ok bool) {
	typed = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, typed)
	e164, ok = Normalize(typed)
	return e164, ok && strings.HasPrefix(typed, "+") && !strings.ContainsFunc(typed[1:], func(r rune) bool {
		return !unicode.IsDigit(r)
	})
}

// IranianMobile returns the E.164 form of a mobile number in one of the four forms of contract 3.4, exactly as
// written there; nothing is folded or ignored.
func IranianMobile(sent string) (e164 string, ok bool) {
	parts := partnerForm.FindStringSubmatch(sent)
	if parts == nil {
		return "", false
	}
	return "+98" + parts[1], true
}

var partnerForm = regexp.MustCompile(`^(?:\+98|98|0)?(9[0-9]{9})$`)
