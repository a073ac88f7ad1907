package plan

import (
	"net/mail"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"storefront/internal/content/document"
	"storefront/internal/locale/calendar"
	"storefront/internal/locale/money"
)

// checkKey is the rule for keys of variations, fields, sliders and groups, and for SKUs.
func checkKey(key string) error {
	if strings.ContainsFunc(key, unicode.IsControl) {
		return document.Errorf("must not hold control characters")
	}
	return nil
}

// checkTitle is the rule for titles, which feeds and pages show on.
func checkTitle(title string) error {
	return checkKey(strings.ReplaceAll(title, "\n", " "))
}

func checkURL(text string) error {
	if strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) ||
			r == '\\'
	}) {
		return document.Errorf("must not hold spaces, control characters or backslashes")
	}
	parsed, err := url.Parse(text)
	if err == nil && parsed.Port() != "" { // browsers read no address with another one
		_, err = strconv.ParseUint(parsed.Port(), 10, 16)
	}
	switch {
	case err != nil:
		return document.Errorf("must be a URL")
	case strings.HasPrefix(text, "/") && parsed.Host == "" && !strings.HasPrefix(text, "//"):
		return nil
	case (parsed.Scheme == "http" || parsed.Scheme == "https") && parsed.Hostname() != "":
		return nil
	}
	return document.Errorf("must begin with http://, https:// or /")
}

func checkEmail(text string) error {
	if parsed, err := mail.ParseAddress(text); err != nil || parsed.Address != text || parsed.Name != "" {
		return document.Errorf("must be an e-mail address")
	}
	return nil
}

func checkColour(text string) error {
	if len(text) != len("#rrggbb") || text[0] != '#' || strings.Trim(text[1:], "0123456789abcdefABCDEF") != "" {
		return document.Errorf("must be a colour written as #rrggbb")
	}
	return nil
}

func checkDate(text string) error {
	if _, err := time.Parse(time.DateOnly, text); err != nil {
		return document.Errorf("must be a date written as YYYY-MM-DD")
	}
	return nil
}

func checkCurrency(code string) error {
	if _, ok := money.Exponent(code); !ok {
		return document.Errorf("must be the code of a currency: IRR, IRT, or one of ISO 4217")
	}
	return nil
}

// checkZone is the rule for names of time zones.
func checkZone(name string) error {
	if _, err := calendar.Zone(name); err != nil {
		return document.Errorf("must be the IANA name of a time zone, such as Asia/Tehran")
	}
	return nil
}
