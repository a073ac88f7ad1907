package order

import (
	"regexp"
	"strings"

	"storefront/internal/search"
)

// cardNumber is what may be the number of a bank card: sixteen digits, in groups or not.
var cardNumber = regexp.MustCompile(`\p{Nd}(?:[ -]?\p{Nd}){15}`)

// withoutCards masks the numbers of bank cards in a text, which nobody should keep. Other long numbers stay.
func withoutCards(text *string) *string {
	if text == nil {
		return nil
	}
	masked := cardNumber.ReplaceAllStringFunc(*text, func(found string) string {
		digits := strings.NewReplacer(" ", "", "-", "").Replace(search.Fold(found))
		if !luhn(digits) {
			return found
		}
		return "****" + digits[len(digits)-4:]
	})
	return &masked
}

// luhn tells whether the last of some ASCII digits is the check digit of the others.
func luhn(digits string) bool {
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}
