package account

import (
	"strings"

	"storefront/internal/fault"
	"storefront/internal/password"
	"storefront/internal/phone"
)

// refuseCommonPassword fails with VALIDATION_FAILED for a new password that is common or the cell number
// itself, if the settings ask for that. field is the member with the password.
func (s *Service) refuseCommonPassword(field, newPassword, cell string) error {
	var bad fault.Fields
	if s.RefuseCommonPasswords {
		switch {
		case password.IsCommon(newPassword):
			bad.Add(field, "is one of the most used passwords; choose another one")
		case isNumber(newPassword, cell):
			bad.Add(field, "must not be the cell number")
		}
	}
	return bad.Err()
}

// isNumber reports whether a password is a cell number, in E.164 form or as dialled within the country.
func isNumber(newPassword, cell string) bool {
	typed, ok := phone.Normalize(newPassword)
	if ok && typed == cell {
		return true
	}
	digits := strings.TrimPrefix(strings.TrimPrefix(newPassword, "+"), "00")
	return digits == strings.TrimPrefix(cell, "+")
}
