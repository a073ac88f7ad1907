package describe

import "strings"

// The patterns of texts. They use only syntax that ECMAScript, Go and Python share, and match nothing that
// the service refuses, except for invisible characters (contract 3.1), of which they only exclude white
// space.
const (
	notInLine = `\x00-\x1f\x7f-\x9f` + "\u2028\u2029"

	notBlank     = `\S`
	oneLine      = `^[^` + notInLine + `]*$`
	notBlankLine = `^[^` + notInLine + `]*[^\s` + notInLine + `][^` + notInLine + `]*$`

	inAddress    = `[^\s@.<>()\[\],;:\\"\x00-\x1f\x7f-\x9f]+`
	emailAddress = `^` + inAddress + `(\.` + inAddress + `)*@` + inAddress + `(\.` + inAddress + `)+$`
)

// Phone numbers, as package phone reads them.
var (
	e164 = `^\+(` + each("98") + one("1-9") + digit + `{9}|` +
		each("9") + one("0-79") + digit + `{6,13}|` + one("1-8") + digit + `{7,14})$`

	cellNumber = `^` + apart + `(` +
		`((\+|` + each("00") + `)` + each("98") + `(` + apart + each("0") + `)?|` + each("98") +
		`|` + each("0") + `)?` +
		apart + each("9") + digits("9") + `|` +
		`\+` + apart + each("98") + apart + one("1-9") + digits("9") + `|` +
		`\+` + apart + each("9") + apart + one("0-79") + digits("6,13") + `|` +
		`\+` + apart + one("1-8") + digits("7,14") + `)` + apart + `$`
)

const (
	digit = `[0-9۰-۹٠-٩]`
	apart = `[ ().-]*` // what may stand between the digits of a number
)

// digits is a pattern of so many digits, with separators allowed.
func digits(count string) string { return `(` + apart + digit + `){` + count + `}` }

// one is a pattern of one digit of a character class ("1-9"), which may also be Persian or Arabic.
func one(text string) string {
	class := text
	for _, zero := range "۰٠" {
		class += strings.Map(func(r rune) rune {
			if r == '-' {
				return r
			}
			return r - '0' + zero
		}, text)
	}
	return `[` + class + `]`
}

// each is a pattern of these digits in this order, each of which may be Persian or Arabic.
func each(text string) string {
	var all strings.Builder
	for _, d := range text {
		all.WriteString(one(string(d)))
	}
	return all.String()
}
