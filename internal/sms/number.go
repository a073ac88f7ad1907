package sms

import (
	"regexp"
	"strings"
)

var (
	iranian       = regexp.MustCompile(`^\+98[1-9][0-9]{9}$`)
	international = regexp.MustCompile(`^\+[1-9][0-9]{7,14}$`)
)

// local writes an Iranian number as its country does: 09121234567.
func local(e164 string) string { return "0" + strings.TrimPrefix(e164, "+98") }

// digits writes a number with its country and no plus: 989121234567.
func digits(e164 string) string { return strings.TrimPrefix(e164, "+") }

// Masked hides the middle of a number in E.164 form, for logs: +98912***4567. Short ones lose more, and what is no
// number all.
func Masked(e164 string) string {
	switch {
	case !international.MatchString(e164):
		return "***"
	case len(e164) < 13:
		return e164[:4] + "***" + e164[len(e164)-2:]
	}
	return e164[:6] + "***" + e164[len(e164)-4:]
}
