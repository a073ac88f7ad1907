package order

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"storefront/internal/locale/search"
)

// cardDigits is how many digits the number of a bank card has.
const cardDigits = 16

var digits = regexp.MustCompile(`\p{Nd}+`)

// betweenGroups matches what may be between groups of digits: spaces, dashes, the minus sign, the tatweel, which is
// typed for a dash on Persian keyboards, and invisible characters, such as direction marks.
var betweenGroups = regexp.MustCompile(`^[\p{Zs}\t\p{Pd}\x{2212}\x{0640}\p{Cf}]+$`)

// iban matches an Iranian IBAN, by which refunds are made: 24 digits after IR, which is not the end of a domain, or
// after the Persian name of such numbers.
var iban = regexp.MustCompile(`(?i)(?:(?:^|[^a-z0-9.@_-])ir|شبا|sheba)` + ibanDigits + `{24}`)

// ibanDigits matches a digit after what may be between groups of digits, or behind a name.
const ibanDigits = `(?:[\p{Zs}\t\p{Pd}\x{2212}\x{0640}\p{Cf}:]*\p{Nd})`

// withoutCards masks the numbers of bank cards in a text, which nobody should store: sixteen digits in
// groups of any size, of which the first is 2 to 6, with the right check digit. Other numbers are unchanged, and so are
// IBANs.
func withoutCards(text *string) *string {
	if text == nil {
		return nil
	}
	var masked strings.Builder
	groups, kept := digits.FindAllStringIndex(*text, -1), 0 // kept: the part of text before this index is in masked
	ibans := iban.FindAllStringIndex(*text, -1)
	for i := 0; i < len(groups); i++ {
		if slices.ContainsFunc(ibans, func(at []int) bool { return at[0] <= groups[i][0] && groups[i][0] < at[1] }) {
			continue
		}
		last := sixteenDigits(*text, groups[i:])
		if last < 0 {
			continue
		}
		from, to := groups[i][0], groups[i+last][1]
		var number string
		for _, group := range groups[i : i+last+1] {
			number += search.Fold((*text)[group[0]:group[1]])
		}
		if number[0] < '2' || number[0] > '6' || !luhn(number) {
			continue
		}
		masked.WriteString((*text)[kept:from] + "****" + number[len(number)-4:])
		kept, i = to, i+last
	}
	masked.WriteString((*text)[kept:])
	all := masked.String()
	return &all
}

// sixteenDigits returns the index of the group that completes sixteen digits from the first group on; less than 0
// if none does.
func sixteenDigits(text string, groups [][]int) (last int) {
	count := 0
	for i, group := range groups {
		if i > 0 {
			if !betweenGroups.MatchString(text[groups[i-1][1]:group[0]]) {
				return -1
			}
		}
		if count += utf8.RuneCountInString(text[group[0]:group[1]]); count >= cardDigits {
			if count > cardDigits {
				return -1
			}
			return i
		}
	}
	return -1
}

// luhn reports whether a text consists of ASCII digits and its last digit is the check digit of the others.
func luhn(text string) bool {
	sum := 0
	for i := range len(text) {
		d := int(text[len(text)-1-i]) - '0'
		if d < 0 || d > 9 { // a digit that search.Fold does not convert
			return false
		}
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}
