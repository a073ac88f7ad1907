package sms

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

const (
	maxID   = 128 // characters
	maxCode = 4   // digits of a code that no table names; more could be part of the message
)

// codeOf returns a string or a whole number, with all of its digits, of an answer that encoding/json decoded;
// providers use both for the same member. Null becomes "null", and anything else is empty.
func codeOf(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case string:
		return strings.TrimSpace(v)
	case json.Number:
		if strings.Trim(v.String(), "-0123456789") == "" {
			return v.String()
		}
	}
	return ""
}

// isID reports whether a code can be the id of a message: not null, zero or a negative number, nor a long or
// unprintable text.
func isID(code string) bool {
	unprintable := func(r rune) bool { return r <= ' ' || r > '~' }
	return strings.Trim(code, "0") != "" && code != "null" && code[0] != '-' && len(code) <= maxID &&
		!strings.ContainsFunc(code, unprintable)
}

// codes maps a provider's codes to kinds of failure.
type codes map[string]Kind

// with adds a list of codes of one kind, separated by spaces.
func (c codes) with(kind Kind, list string) codes {
	for code := range strings.FieldsSeq(list) {
		c[code] = kind
	}
	return c
}

// refused returns the refusal for a provider's code, or for the HTTP status if there is no code or an
// unknown one.
func (c codes) refused(status int, code string) refusal {
	if kind, known := c[code]; known {
		return refusal{kind, code}
	}
	said := httpCode(status)
	if n, err := strconv.ParseUint(code, 10, 32); err == nil && len(code) <= maxCode {
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

// isPointer reports whether s is a JSON pointer, RFC 6901. The empty one points to the whole. In addition to the
// RFC, "only" names the item of a list that has just one.
func isPointer(s string) bool {
	if s != "" && s[0] != '/' {
		return false
	}
	rest := strings.NewReplacer("~0", "", "~1", "").Replace(s)
	return !strings.Contains(rest, "~")
}

// missing is a member that an answer does not have; nil is null.
type missing struct{}

// lookUp returns what a pointer names within a value that encoding/json decoded.
func lookUp(value any, pointer string) any {
	if pointer == "" {
		return value
	}
	for part := range strings.SplitSeq(pointer[1:], "/") {
		part = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
		switch v := value.(type) {
		case map[string]any:
			member, ok := v[part]
			if !ok {
				return missing{}
			}
			value = member
		case []any:
			if part == "only" && len(v) == 1 {
				part = "0"
			}
			i, err := strconv.ParseUint(part, 10, 16)
			if err != nil || i >= uint64(len(v)) {
				return missing{}
			}
			value = v[i]
		default:
			return missing{}
		}
	}
	return value
}

// scalar returns a string, a number or a boolean as JSON, so that 1 and "1" differ; it is empty for
// everything else.
func scalar(value any) string {
	switch v := value.(type) {
	case string:
		return strconv.Quote(v)
	case bool:
		return strconv.FormatBool(v)
	case json.Number:
		return v.String()
	}
	return ""
}
