package openapitest

import (
	"encoding/json"
	"fmt"
	"net/mail"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"storefront/internal/locale/phone"
)

// jsonTypes are the types of JSON Schema.
var jsonTypes = []string{"null", "boolean", "string", "integer", "number", "array", "object"}

// formats report whether a text or the text of a number has a form.
var formats = map[string]func(string) bool{
	"date-time":  func(s string) bool { _, err := time.Parse(time.RFC3339Nano, s); return err == nil },
	"double":     func(s string) bool { _, err := strconv.ParseFloat(s, 64); return err == nil },
	"int32":      func(s string) bool { _, err := strconv.ParseInt(whole(s), 10, 32); return err == nil },
	"email":      func(s string) bool { a, err := mail.ParseAddress(s); return err == nil && a.Address == s },
	"cellNumber": func(s string) bool { _, ok := phone.Normalize(s); return ok },
	"e164":       func(s string) bool { _, ok := phone.E164(s); return ok },
	"password":   func(string) bool { return true },
}

// check collects the places where a value does not match its schema.
type check struct {
	schemas map[string]*schema // of the components
	faults  []string
}

func (c *check) fault(at, format string, args ...any) {
	c.faults = append(c.faults, strings.TrimPrefix(at+" ", " ")+fmt.Sprintf(format, args...))
}

// value checks that a value matches a schema, and that an object has only members that the schema mentions.
// The value is one of strictjson; at is its dotted path.
func (c *check) value(at string, value any, s *schema) {
	c.keywords(at, value, s)
	object, ok := value.(map[string]any)
	if described := c.described(value, s); ok && len(described) > 0 {
		for name := range object {
			if !slices.Contains(described, name) {
				c.fault(childPath(at, name), "is not documented")
			}
		}
	}
}

// described is the OpenAPI document that every answer must follow.
func (c *check) described(value any, s *schema) []string {
	s, _ = deref(s.Ref, "schemas", s, c.schemas)
	var names []string
	for name := range s.Properties {
		names = append(names, name)
	}
	for _, part := range slices.Concat(s.AllOf, s.AnyOf, c.fitting(value, s.OneOf)) {
		names = append(names, c.described(value, part)...)
	}
	return names
}

func (c *check) keywords(at string, value any, s *schema) {
	if target, err := deref(s.Ref, "schemas", s, c.schemas); err == nil && target != s {
		c.keywords(at, value, target)
	}
	for _, part := range s.AllOf {
		c.keywords(at, value, part)
	}
	c.any(at, value, s.AnyOf)
	c.any(at, value, s.OneOf)
	if fit := c.fitting(value, s.OneOf); len(fit) > 1 {
		c.fault(at, "is %d of the alternatives at once", len(fit))
	}
	if object, ok := value.(map[string]any); ok && s.Not != nil && s.Not.matches(object) {
		c.fault(at, "must not have %s", strings.Join(s.Not.Required, ", "))
	}
	if len(s.Type) > 0 && !slices.ContainsFunc(s.Type, func(name string) bool { return isType(value, name) }) {
		c.fault(at, "must be %s, is %s", strings.Join(s.Type, " or "), typeOf(value))
		return
	}
	switch value := value.(type) {
	case string:
		c.text(at, value, s)
	case json.Number:
		c.number(at, value, s)
	case []any:
		c.list(at, value, s)
	case map[string]any:
		c.object(at, value, s)
	}
}

// any checks that one of the schemas fits, and otherwise reports why the first does not.
func (c *check) any(at string, value any, schemas []*schema) {
	var first []string
	for i, s := range schemas {
		try := check{schemas: c.schemas}
		try.keywords(at, value, s)
		if len(try.faults) == 0 {
			return
		}
		if i == 0 {
			first = try.faults
		}
	}
	c.faults = append(c.faults, first...)
}

// fitting returns the schemas that a value fits.
func (c *check) fitting(value any, schemas []*schema) []*schema {
	var fit []*schema
	for _, s := range schemas {
		try := check{schemas: c.schemas}
		try.keywords("", value, s)
		if len(try.faults) == 0 {
			fit = append(fit, s)
		}
	}
	return fit
}

// matches reports whether an object has all the members.
func (h having) matches(object map[string]any) bool {
	return !slices.ContainsFunc(h.Required, func(name string) bool { _, given := object[name]; return !given })
}

func (c *check) text(at, value string, s *schema) {
	if s.Enum != nil && !slices.Contains(s.Enum, value) {
		c.fault(at, "must be one of %s, is %q", strings.Join(s.Enum, ", "), value)
	}
	length := utf8.RuneCountInString(value)
	if s.MinLength != nil && length < *s.MinLength || s.MaxLength != nil && length > *s.MaxLength {
		c.fault(at, "has %d characters", length)
	}
	if s.Pattern != nil && !s.Pattern.MatchString(value) {
		c.fault(at, "must match %s, is %q", s.Pattern, value)
	}
	if s.Format != "" && !formats[s.Format](value) {
		c.fault(at, "must be of form %s, is %q", s.Format, value)
	}
}

func (c *check) number(at string, value json.Number, s *schema) {
	n, err := value.Float64()
	if err != nil || s.Minimum != nil && n < *s.Minimum || s.Maximum != nil && n > *s.Maximum {
		c.fault(at, "is out of range: %s", value)
	}
	if s.Format != "" && !formats[s.Format](value.String()) {
		c.fault(at, "must be of form %s, is %s", s.Format, value)
	}
}

func (c *check) list(at string, value []any, s *schema) {
	if s.MaxItems != nil && len(value) > *s.MaxItems {
		c.fault(at, "has %d items", len(value))
	}
	if s.Items == nil {
		return
	}
	for i, item := range value {
		c.value(childPath(at, strconv.Itoa(i)), item, s.Items)
	}
}

func (c *check) object(at string, value map[string]any, s *schema) {
	for _, name := range s.Required {
		if _, given := value[name]; !given {
			c.fault(childPath(at, name), "is missing")
		}
	}
	for name, member := range s.Properties {
		if given, ok := value[name]; ok {
			c.value(childPath(at, name), given, member)
		}
	}
}

func childPath(at, name string) string { return strings.TrimPrefix(at+"."+name, ".") }

// isType reports whether a value is of a type.
func isType(value any, name string) bool {
	is := typeOf(value)
	return is == name || is == "integer" && name == "number"
}

// whole returns a number without zeros after the decimal point: 5.0 is an integer.
func whole(number string) string {
	before, behind, _ := strings.Cut(number, ".")
	if strings.Trim(behind, "0") != "" {
		return number
	}
	return before
}

func typeOf(value any) string {
	switch value := value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case json.Number:
		if strings.ContainsAny(whole(value.String()), ".eE") {
			return "number"
		}
		return "integer"
	case []any:
		return "array"
	default:
		return "object"
	}
}
