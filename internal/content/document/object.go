package document

import (
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"storefront/internal/fault"
	"storefront/internal/locale/money"
	"storefront/internal/locale/search"
)

// Object reads the members of a JSON object into a record. An absent member changes nothing. null clears a
// member that may be null and otherwise counts as absent; so does "" for a text that may be null. A member
// with a fault changes nothing.
type Object struct {
	*Node
	Faults  *Faults
	Strict  bool // of an edit: its author can correct what is tolerated in a file
	Changed bool // some field of the record has changed
}

// Of returns an object with one member, a text.
func Of(name, text string) *Object {
	member := &Node{Kind: jsontext.KindString, Text: text, Name: name, Index: -1}
	top := &Node{Index: -1, Children: []*Node{member}}
	member.Parent = top
	return &Object{Node: top, Faults: new(Faults), Strict: true}
}

// Put stores a value that may differ from the record's.
func Put[T comparable](o *Object, dst *T, value T) {
	if *dst != value {
		*dst, o.Changed = value, true
	}
}

// PutPointer is Put for a value that may be null.
func PutPointer[T comparable](o *Object, dst **T, value *T) {
	if (*dst == nil) != (value == nil) || value != nil && **dst != *value {
		*dst, o.Changed = value, true
	}
}

// PutDeep is Put for lists and structs.
func PutDeep[T any](o *Object, dst *T, value T) {
	if !reflect.DeepEqual(*dst, value) {
		*dst, o.Changed = value, true
	}
}

// Find returns a member, or nil if it is absent. Members that are never looked for are unknown (RefuseUnknown).
func (o *Object) Find(name string) *Node {
	m := o.Member(name)
	if m != nil {
		m.asked = true
	}
	return m
}

// Value is Find for a member that cannot be null.
func (o *Object) Value(name string) *Node {
	if m := o.Find(name); m != nil && m.Kind != 'n' {
		return m
	}
	return nil
}

// Require adds faults for absent members of a new record.
func (o *Object) Require(names ...string) {
	for _, name := range names {
		if m := o.Member(name); m == nil || m.Kind == 'n' {
			o.Faults.AddMissing(o.Node, name)
		}
	}
}

// RequireOr adds a fault if both a member and its substitute are absent.
func (o *Object) RequireOr(name, other string) {
	if m := o.Member(name); m == nil || m.Kind == 'n' {
		o.Faults.AddText(o.PositionInFile().member(name), "is missing, and "+other+" too",
			fault.Say("is required, if none is given of: %s", other))
	}
}

// RefuseUnknown adds faults for unknown members. It is called after all known members were looked for.
func (o *Object) RefuseUnknown() {
	for _, m := range o.Children {
		if !m.asked {
			o.Faults.Add(m, "is not known")
		}
	}
}

// checkKind adds a fault if a value is not of a kind.
func (o *Object) checkKind(n *Node, ok bool, kind fault.Text) bool {
	if !ok {
		o.Faults.Add(n, "must be %s", kind)
	}
	return ok
}

// IsEmpty reports whether a text has no characters but white space, or, in an edit, none that are visible. A file may
// hold invisible texts, which earlier versions stored.
func (o *Object) IsEmpty(text string) bool {
	return strings.TrimSpace(text) == "" || o.Strict && search.IsBlank(text)
}

// TextOf reads a text, trimmed. It must have low to high characters and pass the rules.
func (o *Object) TextOf(n *Node, low, high int, rules ...Rule) (string, bool) {
	if !o.checkKind(n, n.Kind == '"', aString) {
		return "", false
	}
	text := strings.TrimSpace(n.Text)
	length := utf8.RuneCountInString(text)
	switch {
	case HasNull(text):
		o.Faults.Add(n, "must not hold U+0000")
	case low > 0 && o.IsEmpty(text):
		o.Faults.Add(n, "must not be empty")
	case length > high:
		o.Faults.Add(n, "must have at most %d characters", high)
	default:
		for _, check := range rules {
			if err := check(text); err != nil {
				o.Faults.AddError(n, err)
				return "", false
			}
		}
		return text, true
	}
	return "", false
}

// Text reads a member that must not be empty.
func (o *Object) Text(name string, dst *string, limit int, rules ...Rule) {
	if m := o.Value(name); m != nil {
		if text, ok := o.TextOf(m, 1, limit, rules...); ok {
			Put(o, dst, text)
		}
	}
}

// OptionalText reads a member that may be null.
func (o *Object) OptionalText(name string, dst **string, limit int, rules ...Rule) {
	m := o.Find(name)
	switch {
	case m == nil:
	case m.Kind == 'n' || m.Kind == '"' && o.IsEmpty(m.Text):
		PutPointer(o, dst, nil)
	default:
		if text, ok := o.TextOf(m, 1, limit, rules...); ok {
			PutPointer(o, dst, &text)
		}
	}
}

// Bilingual reads a text in both languages; the name of the Farsi member ends with Fa.
func (o *Object) Bilingual(name string, dst, fa *string, limit int) {
	o.Text(name, dst, limit)
	o.Text(name+"Fa", fa, limit)
}

// OptionalBilingual is Bilingual for members that may be null.
func (o *Object) OptionalBilingual(name string, dst, fa **string, limit int) {
	o.OptionalText(name, dst, limit)
	o.OptionalText(name+"Fa", fa, limit)
}

// ReadOptional reads a member that may be null. read reports whether its value is valid, after adding a fault.
func ReadOptional[T comparable](o *Object, name string, dst **T, read func(m *Node) (T, bool)) {
	switch m := o.Find(name); {
	case m == nil:
	case m.Kind == 'n':
		PutPointer(o, dst, nil)
	default:
		if value, ok := read(m); ok {
			PutPointer(o, dst, &value)
		}
	}
}

// Choose reads a member that must be one of words.
func Choose[T ~string](o *Object, name string, dst *T, words []string) {
	if m := o.Value(name); m != nil {
		if text, ok := o.TextOf(m, 1, KeyLimit, OneOf(words)); ok {
			Put(o, dst, T(text))
		}
	}
}

// Integer reads a member that is a whole number from low to high.
func (o *Object) Integer(name string, dst *int, low, high int) {
	if m := o.Value(name); m != nil {
		if n, ok := o.Number(m, low, high); ok {
			Put(o, dst, n)
		}
	}
}

// OptionalInteger reads a member that may be null.
func (o *Object) OptionalInteger(name string, dst **int, low, high int) {
	ReadOptional(o, name, dst, func(m *Node) (int, bool) { return o.Number(m, low, high) })
}

// Number reads a whole number from low to high.
func (o *Object) Number(m *Node, low, high int) (int, bool) {
	n, err := strconv.Atoi(m.Text)
	if !o.checkKind(m, m.Kind == '0' && (err == nil || strings.Trim(m.Text, "-0123456789") == ""),
		aWholeNumber) {
		return 0, false
	}
	if err != nil || n < low || n > high {
		o.Faults.Add(m, "must be from %d to %d", low, high)
		return 0, false
	}
	return n, true
}

// Degrees reads a member that is a latitude or longitude and may be null.
func (o *Object) Degrees(name string, dst **float64, limit float64) {
	m := o.Value(name)
	if m == nil || !o.checkKind(m, m.Kind == '0', aNumber) {
		return
	}
	value, err := strconv.ParseFloat(m.Text, 64)
	if err != nil || value < -limit || value > limit {
		o.Faults.Add(m, "must be from %v to %v", -limit, limit)
		return
	}
	*dst = &value
}

// Boolean reads a member that is true or false.
func (o *Object) Boolean(name string, dst *bool) {
	if m := o.Value(name); m != nil && o.checkKind(m, m.Kind == 't' || m.Kind == 'f', trueOrFalse) {
		Put(o, dst, m.Kind == 't')
	}
}

// OptionalTime reads a member that is a time or null.
func (o *Object) OptionalTime(name string, dst **time.Time) {
	m := o.Find(name)
	switch {
	case m == nil:
	case m.Kind == 'n':
		PutPointer(o, dst, nil)
	default:
		if at, ok := o.Instant(m); ok && (*dst == nil || !(*dst).Equal(at)) {
			*dst, o.Changed = &at, true
		}
	}
}

// Instant reads a time.
func (o *Object) Instant(m *Node) (time.Time, bool) {
	if !o.checkKind(m, m.Kind == '"', aString) {
		return time.Time{}, false
	}
	at, err := ParseTime(m.Text)
	if err != nil {
		o.Faults.AddError(m, err)
	}
	return at, err == nil
}

// Price reads an amount in a currency; it may be null.
func (o *Object) Price(name string, dst **int64, currency string) {
	ReadOptional(o, name, dst, func(m *Node) (int64, bool) {
		if _, known := money.Exponent(currency); !o.checkKind(m, m.Kind == '0', aNumber) || !known {
			return 0, false
		}
		minor, err := money.Parse(m.Text, currency)
		if err != nil {
			o.Faults.AddText(m.PositionInFile(), err.Error(),
				fault.Say("must be an amount of %s: not negative, not too large, with no more decimals than it has",
					currency))
		}
		return minor, err == nil
	})
}

// Shapes names the kinds of JSON values.
var Shapes = map[jsontext.Kind]fault.Text{'{': anObject, '[': aList, '"': aString, '0': aNumber, 't': trueOrFalse}

var (
	anObject     = fault.Say("an object")
	aList        = fault.Say("a list")
	aString      = fault.Say("a string")
	aNumber      = fault.Say("a number")
	aWholeNumber = fault.Say("a whole number")
	trueOrFalse  = fault.Say("true or false")
)
