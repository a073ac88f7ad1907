package document

import (
	"slices"
	"strings"
	"time"

	"storefront/internal/fault"
)

// The limits of keys and titles in characters.
const (
	KeyLimit   = 100
	TitleLimit = 200
)

// Rule returns the error of a text, worded to follow a member's name.
type Rule func(text string) error

// wrong is the error of a rule.
type wrong struct{ fault.Text }

func (w wrong) Error() string { return w.String() }

// Errorf returns the error of a rule, in both languages. format must be a constant, as for fault.Say.
func Errorf(format string, args ...any) error { return wrong{fault.Say(format, args...)} }

// OneOf returns the rule for a word that must be one of words.
func OneOf(words []string) Rule {
	return func(text string) error {
		if !slices.Contains(words, text) {
			return Errorf("must be one of %s", strings.Join(words, ", "))
		}
		return nil
	}
}

// ParseTime reads an RFC 3339 time, in the microseconds that databases store.
func ParseTime(text string) (time.Time, error) {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return at, Errorf("must be a time of RFC 3339, such as 2026-03-21T08:30:00Z")
	}
	at = at.UTC().Truncate(time.Microsecond)
	if at.Year() < 1000 || at.Year() > 9999 {
		return at, Errorf("must be a time of the years 1000 to 9999")
	}
	return at, nil
}
