package sms

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
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

// inJSON encodes s for a string within JSON.
func inJSON(s string) string {
	text, _ := json.Marshal(s) // never fails
	return string(text[1 : len(text)-1])
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
	rest := placeholder.ReplaceAllString(s, "")
	if strings.Contains(rest, "{{") || member != "json" && strings.Contains(rest, "}}") { // which JSON may end with
		n.wrong = append(n.wrong, member+" has {{ or }} that is no placeholder")
	}
}
