package bundle

import (
	"net/mail"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"storefront/internal/fault"
	"storefront/internal/locale/calendar"
	"storefront/internal/locale/money"
	"storefront/internal/record"
)

// Limits of texts in characters, of lists in items. Those of contract 9 are for names, titles and opinions;
// the others are our choice, far above what shops need.
const (
	personLimit  = 100
	titleLimit   = 200
	keyLimit     = 100
	tagLimit     = 100
	urlLimit     = 2_000
	emailLimit   = 254
	noteLimit    = 1_000
	replyLimit   = 2_000
	summaryLimit = 5_000
	opinionLimit = 5_000
	bodyLimit    = 100_000

	mostTags       = 100
	mostImages     = 200
	mostVariations = 20
	mostChoices    = 500 // values of a variation, options of a form's field
	mostVariants   = 2_000
	mostFields     = 200
	mostSlides     = 100
	mostPixels     = 100_000
	mostInGroup    = 1_000
	mostContacts   = 50 // phones, e-mails, addresses, links
	mostPoints     = 20
	mostLevels     = 10 // of categories

	mostStock    = record.MostStock
	mostPosition = 1_000_000_000 // the same below zero
)

// rule returns the error of a text, worded to follow a member's name.
type rule func(text string) error

// wrong is the error of a rule, in both languages.
type wrong struct{ fault.Text }

func (w wrong) Error() string { return w.String() }

// wrongly returns the error of a rule. format must be a constant, as for fault.Say.
func wrongly(format string, args ...any) error { return wrong{fault.Say(format, args...)} }

// checkKey is the rule for keys of variations, fields, sliders and groups, and for SKUs.
func checkKey(key string) error {
	if strings.ContainsFunc(key, unicode.IsControl) {
		return wrongly("must not hold control characters")
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
		return wrongly("must not hold spaces, control characters or backslashes")
	}
	parsed, err := url.Parse(text)
	if err == nil && parsed.Port() != "" { // browsers read no address with another one
		_, err = strconv.ParseUint(parsed.Port(), 10, 16)
	}
	switch {
	case err != nil:
		return wrongly("must be a URL")
	case strings.HasPrefix(text, "/") && parsed.Host == "" && !strings.HasPrefix(text, "//"):
		return nil
	case (parsed.Scheme == "http" || parsed.Scheme == "https") && parsed.Hostname() != "":
		return nil
	}
	return wrongly("must begin with http://, https:// or /")
}

func checkEmail(text string) error {
	if parsed, err := mail.ParseAddress(text); err != nil || parsed.Address != text || parsed.Name != "" {
		return wrongly("must be an e-mail address")
	}
	return nil
}

func checkColour(text string) error {
	if len(text) != len("#rrggbb") || text[0] != '#' || strings.Trim(text[1:], "0123456789abcdefABCDEF") != "" {
		return wrongly("must be a colour written as #rrggbb")
	}
	return nil
}

func checkDate(text string) error {
	if _, err := time.Parse(time.DateOnly, text); err != nil {
		return wrongly("must be a date written as YYYY-MM-DD")
	}
	return nil
}

func checkCurrency(code string) error {
	if _, ok := money.Exponent(code); !ok {
		return wrongly("must be the code of a currency: IRR, IRT, or one of ISO 4217")
	}
	return nil
}

// checkZone is the rule for names of time zones.
func checkZone(name string) error {
	if _, err := calendar.Zone(name); err != nil {
		return wrongly("must be the IANA name of a time zone, such as Asia/Tehran")
	}
	return nil
}

// oneOf returns the rule for a word that must be one of words.
func oneOf(words []string) rule {
	return func(text string) error {
		if !slices.Contains(words, text) {
			return wrongly("must be one of %s", strings.Join(words, ", "))
		}
		return nil
	}
}

// parseTime reads an RFC 3339 time, in the microseconds that databases store.
func parseTime(text string) (time.Time, error) {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return at, wrongly("must be a time of RFC 3339, such as 2026-03-21T08:30:00Z")
	}
	at = at.UTC().Truncate(time.Microsecond)
	if at.Year() < 1000 || at.Year() > 9999 {
		return at, wrongly("must be a time of the years 1000 to 9999")
	}
	return at, nil
}
