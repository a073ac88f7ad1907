package document

import (
	"encoding/json"
	"net/mail"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"

	"storefront/internal/fault"
	"storefront/internal/locale/phone"
	"storefront/internal/locale/search"
	"storefront/internal/platform/convert"
)

// Text is a value from a path or a query string. It is read as its declared type.
type Text string

// readEnum reads a value of an enum, or adds its fault.
func readEnum(bad *fault.Fields, path string, value any, definition *ast.Definition) (any, bool) {
	text, ok := value.(string)
	if given, isText := value.(Text); isText {
		text, ok = string(given), true
	}
	if !ok || definition.EnumValues.ForName(text) == nil {
		names := convert.All(definition.EnumValues, func(v *ast.EnumValueDefinition) string { return v.Name })
		bad.Add(path, "must be one of %s", strings.Join(names, ", "))
		return nil, false
	}
	return text, true
}

// scalarForm is the form of a scalar's values.
type scalarForm string

// The forms of GraphQL's own scalars are named like the scalars; @reads names the form of a custom scalar.
// Other scalars are read as text.
const (
	asInt     scalarForm = "Int"
	asFloat   scalarForm = "Float"
	asBoolean scalarForm = "Boolean"
	asID      scalarForm = "ID"
	asDecimal scalarForm = "decimal"
	asTime    scalarForm = "time"
	asAny     scalarForm = "any"
)

// formOf returns the form of a scalar's values.
func formOf(scalar *ast.Definition) scalarForm {
	if scalar.BuiltIn {
		return scalarForm(scalar.Name)
	}
	if form := argumentOf(scalar.Directives.ForName("reads"), "as"); form != nil {
		return scalarForm(form.Raw)
	}
	return ""
}

// readScalar reads a value of a scalar type, or adds its fault.
func readScalar(bad *fault.Fields, path string, value any, scalar *ast.Definition) (any, bool) {
	text, isText := value.(Text)
	number, isNumeric := value.(json.Number)
	if isText {
		number, isNumeric = json.Number(text), isNumber(text)
	}
	form := formOf(scalar)
	switch form {
	case asInt:
		n, err := strconv.ParseInt(withoutZeros(string(number)), 10, 64)
		if !isNumeric || err != nil {
			bad.Add(path, "must be an integer")
			return nil, false
		}
		if n > 1<<31-1 || n < -1<<31 {
			bad.Add(path, "must fit 32 bits")
			return nil, false
		}
		return n, true
	case asDecimal, asFloat:
		if !isNumeric {
			bad.Add(path, "must be a number")
			return nil, false
		}
		return number, true
	case asBoolean:
		if isText {
			value = Text(strings.ToLower(string(text))) // Python's clients send True
		}
		switch value {
		case true, Text("true"), Text("1"):
			return true, true
		case false, Text("false"), Text("0"):
			return false, true
		}
		bad.Add(path, "must be true or false")
		return nil, false
	case asAny:
		if isText {
			value = string(text)
		}
		return value, true
	default: // texts, ids and times
		bare, ok := value.(string)
		if isText {
			bare, ok = string(text), true
		}
		if !ok {
			bad.Add(path, "must be a string")
			return nil, false
		}
		if !utf8.ValidString(bare) || strings.ContainsRune(bare, 0) {
			bad.Add(path, "must be UTF-8 without U+0000")
			return nil, false
		}
		if form == asID && bare == "" {
			bad.Add(path, "must not be empty")
			return nil, false
		}
		if form == asTime && !isTime(bad, path, bare) {
			return nil, false
		}
		return bare, true
	}
}

// isTime reports whether a text is a time, and adds its fault if it is not.
func isTime(bad *fault.Fields, path, text string) bool {
	t, err := time.Parse(time.RFC3339Nano, text)
	switch {
	case err != nil:
		bad.Add(path, "must be a time of RFC 3339, such as 2026-03-21T08:30:00Z")
	case t.UTC().Year() < 1000 || t.UTC().Year() > 9999:
		bad.Add(path, "must be a time of the years 1000 to 9999")
	default:
		return true
	}
	return false
}

// withoutZeros returns a number without a fraction of zeros: 5.0 is an integer, as in JSON Schema. Any other
// number is returned unchanged.
func withoutZeros(number string) string {
	whole, behind, _ := strings.Cut(number, ".")
	if strings.Trim(behind, "0") != "" {
		return number
	}
	return whole
}

// isNumber reports whether a text is a JSON number, without the white space that JSON allows around it.
func isNumber(text Text) bool {
	return text != "" && strings.IndexByte("-0123456789", text[0]) >= 0 &&
		strings.IndexByte("0123456789", text[len(text)-1]) >= 0 && json.Valid([]byte(text))
}

// maxMessage is the most code points that an SMS may have.
const maxMessage = 700

// codeLength is how many characters an SMS code has.
const codeLength = 6

// maxPassword is the most characters that a password may have.
const maxPassword = 256

// formats are the checks of the schema's enum Format. Each adds a fault if a text does not have the format.
var formats = map[string]func(bad *fault.Fields, path, text string){
	"email": func(bad *fault.Fields, path, text string) {
		text = strings.TrimSpace(text)
		address, err := mail.ParseAddress(text)
		if err != nil || address.Address != text || len(text) > 254 ||
			!strings.Contains(text[strings.LastIndex(text, "@"):], ".") {
			bad.Add(path, "must be an e-mail address")
		}
	},
	"cellNumber": func(bad *fault.Fields, path, text string) {
		if _, ok := phone.Normalize(strings.TrimSpace(text)); !ok {
			bad.Add(path, "must be a phone number such as +989121234567")
		}
	},
	"e164": func(bad *fault.Fields, path, text string) {
		if _, ok := phone.E164(strings.TrimSpace(text)); !ok {
			bad.Add(path, "must be a phone number with its country, such as +989121234567")
		}
	},
	"smsCode": func(bad *fault.Fields, path, text string) {
		switch n := utf8.RuneCountInString(phone.Bare(text)); {
		case utf8.RuneCountInString(strings.TrimSpace(text)) == codeLength: // as it is, it is compared
		case n < codeLength:
			bad.Add(path, "must have at least %d characters", codeLength)
		case n > codeLength:
			bad.Add(path, "must have at most %d characters", codeLength)
		}
	},
	"newPassword": func(bad *fault.Fields, path, text string) {
		if n := utf8.RuneCountInString(text); n < 8 || n > maxPassword {
			bad.Add(path, "must have 8 to %d characters", maxPassword)
		}
	},
	"iranianMobile": func(bad *fault.Fields, path, text string) {
		if _, ok := phone.IranianMobile(strings.TrimSpace(text)); !ok {
			bad.Add(path,
				"must be an Iranian mobile number: 09121234567, 9121234567, +989121234567 or 989121234567")
		}
	},
	"smsText": func(bad *fault.Fields, path, text string) {
		if search.IsBlank(text) {
			bad.Add(path, "must not be empty")
		} else if utf8.RuneCountInString(text) > maxMessage {
			bad.Add(path, "must have at most %d characters", maxMessage)
		}
	},
	"password": func(bad *fault.Fields, path, text string) {
		if n := utf8.RuneCountInString(text); n == 0 || n > maxPassword {
			bad.Add(path, "must have 1 to %d characters", maxPassword)
		}
	},
}
