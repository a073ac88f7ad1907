package sms

import (
	"encoding/json"
	"strconv"
	"strings"
)

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
