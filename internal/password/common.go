package password

import (
	_ "embed"
	"slices"
	"strings"
)

// common.txt has the passwords of at least 8 characters among the 10,000 most used ones, in lower case,
// sorted. SOURCES.md says where they come from.
//
//go:embed common.txt
var commonLines string

var common = strings.Fields(commonLines)

// IsCommon reports whether a password is one of the most used ones. Letter case does not count. Passwords of
// less than 8 characters are not in the list: they are too short anyway.
func IsCommon(password string) bool {
	_, found := slices.BinarySearch(common, strings.ToLower(password))
	return found
}
