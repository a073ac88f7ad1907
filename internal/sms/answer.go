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

// token is a whole number or a string of an answer, which providers use in turn for the same member. A number keeps all
// of its digits; null and what is absent are empty.
type token string

// UnmarshalJSON fails for everything else.
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

// id gives the token as the id of a message; zero, a negative number and what is long or unprintable are none.
func (t token) id() (string, bool) {
	unprintable := func(r rune) bool { return r <= ' ' || r > '~' }
	if strings.Trim(string(t), "0") == "" || t[0] == '-' || len(t) > maxID || strings.ContainsFunc(string(t), unprintable) {
		return "", false
	}
	return string(t), true
}

// only reads a list of one. Of anything else, which providers put in the place of a list they do not have, it is false.
func only[T any](list json.RawMessage) (one T, ok bool) {
	var all []T
	if err := json.Unmarshal(list, &all); err != nil || len(all) != 1 {
		return one, false
	}
	return all[0], true
}

// codes are what a provider's codes mean.
type codes map[token]Kind

// are adds codes of one kind.
func (c codes) are(kind Kind, list string) codes {
	for code := range strings.FieldsSeq(list) {
		c[token(code)] = kind
	}
	return c
}

// refused reads a code the provider gave, or only the HTTP status where there is none or an unknown one.
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

// httpKind says what a status means alone. A provider's failure may come after it took the message.
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
