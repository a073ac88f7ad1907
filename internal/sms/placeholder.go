package sms

import (
	"encoding/base64"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var placeholder = regexp.MustCompile(`\{\{([^{}]*)\}\}`)

var placeholders = []string{"to.local", "to.e164", "to.digits", "text", "sender", "ref", "key", "key.base64"}

// filler returns the values of one message.
type filler struct {
	m           Message
	sender, key string
}

func (f filler) value(name string) string {
	switch name {
	case "to.local":
		return local(f.m.To)
	case "to.e164":
		return f.m.To
	case "to.digits":
		return digits(f.m.To)
	case "text":
		return f.m.Text
	case "sender":
		return f.sender
	case "key":
		return f.key
	case "key.base64":
		return base64.StdEncoding.EncodeToString([]byte(f.key))
	case "ref":
		if f.m.Ref != 0 {
			return strconv.FormatInt(f.m.Ref, 10)
		}
	}
	return ""
}

// fill replaces placeholders by their values, in one pass: a value that looks like a placeholder is not
// replaced again.
func (f filler) fill(s string, encode func(string) string) string {
	return placeholder.ReplaceAllStringFunc(s, func(found string) string {
		return encode(f.value(strings.Trim(found, "{} ")))
	})
}

func plain(s string) string { return s }

// fillJSON returns a copy of a value that encoding/json decoded, with every string in it filled.
func (f filler) fillJSON(value any) any {
	switch v := value.(type) {
	case string:
		return f.fill(v, plain)
	case []any:
		filled := make([]any, len(v))
		for i, one := range v {
			filled[i] = f.fillJSON(one)
		}
		return filled
	case map[string]any:
		filled := make(map[string]any, len(v))
		for name, one := range v {
			filled[name] = f.fillJSON(one)
		}
		return filled
	}
	return value
}

// names collects the placeholders of a template.
type names struct {
	used  map[string]bool
	wrong []string
}

func (n *names) has(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return n.used[name] })
}

// addFrom collects the placeholders of s, which stands in a member of the template.
func (n *names) addFrom(member, s string) {
	if n.used == nil {
		n.used = map[string]bool{}
	}
	for _, found := range placeholder.FindAllStringSubmatch(s, -1) {
		name := strings.Trim(found[1], " ")
		if !slices.Contains(placeholders, name) {
			n.wrong = append(n.wrong, fmt.Sprintf("%s has {{%s}}; the placeholders are %s",
				member, name, strings.Join(placeholders, ", ")))
		}
		n.used[name] = true
	}
	if rest := placeholder.ReplaceAllString(s, ""); strings.Contains(rest, "{{") || strings.Contains(rest, "}}") {
		n.wrong = append(n.wrong, member+" has {{ or }} that is no placeholder")
	}
}

func (n *names) addFromJSON(value any) {
	switch v := value.(type) {
	case string:
		n.addFrom("json", v)
	case []any:
		for _, one := range v {
			n.addFromJSON(one)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if strings.Contains(name, "{{") {
				n.wrong = append(n.wrong, fmt.Sprintf(
					"json has a placeholder in the name %q; it may stand in values alone", name))
			}
			n.addFromJSON(v[name])
		}
	}
}
