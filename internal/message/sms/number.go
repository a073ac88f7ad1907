package sms

import (
	"regexp"
	"strings"
)

var (
	iranianMobile = regexp.MustCompile(`^\+989[0-9]{9}$`)
	international = regexp.MustCompile(`^\+[1-9][0-9]{7,14}$`)
)

// reachable reports whether an SMS can reach a number in E.164 form: in Iran mobile numbers only.
func reachable(e164 string) bool {
	return international.MatchString(e164) && (!strings.HasPrefix(e164, "+98") || iranianMobile.MatchString(e164))
}

// local returns an Iranian number in its national form: 09121234567.
func local(e164 string) string { return "0" + strings.TrimPrefix(e164, "+98") }

// digits returns a number with its country code and no plus: 989121234567.
func digits(e164 string) string { return strings.TrimPrefix(e164, "+") }

// Masked hides the middle of a number in E.164 form, for logs: +98912***4567. Of a short number it hides
// more, of what is no number everything.
func Masked(e164 string) string {
	switch {
	case !international.MatchString(e164):
		return "***"
	case len(e164) < 13:
		return e164[:4] + "***" + e164[len(e164)-2:]
	}
	return e164[:6] + "***" + e164[len(e164)-4:]
}
