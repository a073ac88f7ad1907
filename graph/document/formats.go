package document

import (
	"net/mail"
	"strings"
	"unicode/utf8"

	"storefront/internal/fault"
	"storefront/internal/locale/phone"
	"storefront/internal/locale/search"
)

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
