package sms

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

const (
	maxID   = 128 // characters
	maxCode = 4   // digits of a code that no table names; more could be part of the message
)

// token is a whole number or a string in an answer; providers use both for the same member. A number keeps
// all of its digits; null and an absent member become empty.
type token string

// UnmarshalJSON fails for all other values.
func (t *token) UnmarshalJSON(data []byte) error {
	text := string(data)
	switch {
	case text == "null":
		*t = ""
		return nil
	case text[0] == '"':
		var s string
		if err := json.Unmarshal(data, &s); err != nil {
			return err
		}
		*t = token(strings.TrimSpace(s))
		return nil
	case strings.Trim(text, "-0123456789") == "":
		*t = token(text)
		return nil
	}
	return errors.New("neither a string nor a whole number")
}

// id returns the token as the id of a message; ok is false for zero, a negative number, and a long or
// unprintable text.
func (t token) id() (string, bool) {
	unprintable := func(r rune) bool { return r <= ' ' || r > '~' }
	if strings.Trim(string(t), "0") == "" || t[0] == '-' || len(t) > maxID ||
		strings.ContainsFunc(string(t), unprintable) {
		return "", false
	}
	return string(t), true
}

// onlyItem parses a list with one item. ok is false for anything else, which some providers send instead of
// an empty list.
func onlyItem[T any](list json.RawMessage) (one T, ok bool) {
	var all []T
	if err := json.Unmarshal(list, &all); err != nil || len(all) != 1 {
		return one, false
	}
	return all[0], true
}

// codes maps a provider's codes to kinds of failure.
type codes map[token]Kind

// with adds a list of codes of one kind, separated by spaces.
func (c codes) with(kind Kind, list string) codes {
	for code := range strings.FieldsSeq(list) {
		c[token(code)] = kind
	}
	return c
}

// refused returns the refusal for a provider's code, or for the HTTP status if there is no code or an
// unknown one.
func (c codes) refused(status int, code token) refusal {
	if kind, known := c[code]; known {
		return refusal{kind, string(code)}
	}
	said := httpCode(status)
	if n, err := strconv.ParseUint(string(code), 10, 32); err == nil && len(code) <= maxCode {
		said = strconv.FormatUint(n, 10)
	}
	return refusal{httpKind(status), said}
}

func httpCode(status int) string { return fmt.Sprintf("HTTP %d", status) }

// httpKind returns the kind of failure for a status without a code. A 5xx may come after the provider has
// accepted the message.
func httpKind(status int) Kind {
	switch {
	case status == http.StatusPaymentRequired:
		return Credit
	case status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable:
		return Busy
	case status >= 300 && status < 500: // a redirect too: the address is not the provider's
		return Config
	}
	return Unknown
}
