package bundle

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

// object reads the members of a JSON object into a record. An absent member changes nothing. null clears a
// member that may be null and otherwise counts as absent; so does "" for a text that may be null. A member
// with a fault changes nothing.
type object struct {
	*node
	faults  *Faults
	strict  bool // of an edit: its author can correct what is tolerated in a file
	changed bool // some field of the record has changed
}

// put stores a value that may differ from the record's.
func put[T comparable](o *object, dst *T, value T) {
	if *dst != value {
		*dst, o.changed = value, true
	}
}

// putPointer is put for a value that may be null.
func putPointer[T comparable](o *object, dst **T, value *T) {
	if (*dst == nil) != (value == nil) || value != nil && **dst != *value {
		*dst, o.changed = value, true
	}
}

// putDeep is put for lists and structs.
func putDeep[T any](o *object, dst *T, value T) {
	if !reflect.DeepEqual(*dst, value) {
		*dst, o.changed = value, true
	}
}

// find returns a member, or nil if it is absent. Members that are never looked for are unknown: see
// refuseUnknown.
func (o *object) find(name string) *node {
	m := o.member(name)
	if m != nil {
		m.asked = true
	}
	return m
}

// given is find for a member that cannot be null.
func (o *object) given(name string) *node {
	if m := o.find(name); m != nil && m.kind != 'n' {
		return m
	}
	return nil
}

// require adds faults for absent members of a new record.
func (o *object) require(names ...string) {
	for _, name := range names {
		if m := o.member(name); m == nil || m.kind == 'n' {
			o.faults.addMissing(o.node, name)
		}
	}
}

// requireOr adds a fault if both a member and its substitute are absent.
func (o *object) requireOr(name, other string) {
	if m := o.member(name); m == nil || m.kind == 'n' {
		at := o.node.positionInFile()
		at.path = strings.TrimPrefix(at.path+"."+name, ".")
		o.faults.addText(at, "is missing, and "+other+" too", fault.Say("is required, if none is given of: %s", other))
	}
}

// refuseUnknown adds faults for unknown members. It is called after all known members were looked for.
func (o *object) refuseUnknown() {
	for _, m := range o.children {
		if !m.asked {
			o.faults.add(m, "is not known")
		}
	}
}

// checkKind adds a fault if a value is not of a kind.
func (o *object) checkKind(n *node, ok bool, kind fault.Text) bool {
	if !ok {
		o.faults.add(n, "must be %s", kind)
	}
	return ok
}

// isEmpty reports whether a text has no characters but white space, or, in an edit, none that are visible. A file may
// hold invisible texts, which earlier versions stored.
func (o *object) isEmpty(text string) bool {
	return strings.TrimSpace(text) == "" || o.strict && search.IsBlank(text)
}

// string reads a text, trimmed. It must have low to high characters and pass the rules.
func (o *object) string(n *node, low, high int, rules ...rule) (string, bool) {
	if !o.checkKind(n, n.kind == '"', aString) {
		return "", false
	}
	text := strings.TrimSpace(n.text)
	length := utf8.RuneCountInString(text)
	switch {
	case hasNull(text):
		o.faults.add(n, "must not hold U+0000")
	case low > 0 && o.isEmpty(text):
		o.faults.add(n, "must not be empty")
	case length > high:
		o.faults.add(n, "must have at most %d characters", high)
	default:
		for _, check := range rules {
			if err := check(text); err != nil {
				o.faults.addError(n, err)
				return "", false
			}
		}
		return text, true
	}
	return "", false
}

// text reads a member that must not be empty.
func (o *object) text(name string, dst *string, limit int, rules ...rule) {
	if m := o.given(name); m != nil {
		if text, ok := o.string(m, 1, limit, rules...); ok {
			put(o, dst, text)
		}
	}
}

// optionalText reads a member that may be null.
func (o *object) optionalText(name string, dst **string, limit int, rules ...rule) {
	m := o.find(name)
	switch {
	case m == nil:
	case m.kind == 'n' || m.kind == '"' && o.isEmpty(m.text):
		putPointer(o, dst, nil)
	default:
		if text, ok := o.string(m, 1, limit, rules...); ok {
			putPointer(o, dst, &text)
		}
	}
}

// bilingual reads a text in both languages; the name of the Farsi member ends with Fa.
func (o *object) bilingual(name string, dst, fa *string, limit int) {
	o.text(name, dst, limit)
	o.text(name+"Fa", fa, limit)
}

// optionalBilingual is bilingual for members that may be null.
func (o *object) optionalBilingual(name string, dst, fa **string, limit int) {
	o.optionalText(name, dst, limit)
	o.optionalText(name+"Fa", fa, limit)
}

// choose reads a member that must be one of words.
func choose[T ~string](o *object, name string, dst *T, words []string) {
	if m := o.given(name); m != nil {
		if text, ok := o.string(m, 1, keyLimit, oneOf(words)); ok {
			put(o, dst, T(text))
		}
	}
}

// integer reads a member that is a whole number from low to high.
func (o *object) integer(name string, dst *int, low, high int) {
	if m := o.given(name); m != nil {
		if n, ok := o.number(m, low, high); ok {
			put(o, dst, n)
		}
	}
}

// optionalInteger reads a member that may be null.
func (o *object) optionalInteger(name string, dst **int, low, high int) {
	m := o.find(name)
	switch {
	case m == nil:
	case m.kind == 'n':
		putPointer(o, dst, nil)
	default:
		if n, ok := o.number(m, low, high); ok {
			putPointer(o, dst, &n)
		}
	}
}

func (o *object) number(m *node, low, high int) (int, bool) {
	n, err := strconv.Atoi(m.text)
	if !o.checkKind(m, m.kind == '0' && (err == nil || strings.Trim(m.text, "-0123456789") == ""),
		aWholeNumber) {
		return 0, false
	}
	if err != nil || n < low || n > high {
		o.faults.add(m, "must be from %d to %d", low, high)
		return 0, false
	}
	return n, true
}

// degrees reads a member that is a latitude or longitude and may be null.
func (o *object) degrees(name string, dst **float64, limit float64) {
	m := o.given(name)
	if m == nil || !o.checkKind(m, m.kind == '0', aNumber) {
		return
	}
	value, err := strconv.ParseFloat(m.text, 64)
	if err != nil || value < -limit || value > limit {
		o.faults.add(m, "must be from %v to %v", -limit, limit)
		return
	}
	*dst = &value
}

// boolean reads a member that is true or false.
func (o *object) boolean(name string, dst *bool) {
	if m := o.given(name); m != nil && o.checkKind(m, m.kind == 't' || m.kind == 'f', trueOrFalse) {
		put(o, dst, m.kind == 't')
	}
}

// optionalTime reads a member that is a time or null.
func (o *object) optionalTime(name string, dst **time.Time) {
	m := o.find(name)
	switch {
	case m == nil:
	case m.kind == 'n':
		putPointer(o, dst, nil)
	default:
		if at, ok := o.instant(m); ok && (*dst == nil || !(*dst).Equal(at)) {
			*dst, o.changed = &at, true
		}
	}
}

func (o *object) instant(m *node) (time.Time, bool) {
	if !o.checkKind(m, m.kind == '"', aString) {
		return time.Time{}, false
	}
	at, err := parseTime(m.text)
	if err != nil {
		o.faults.addError(m, err)
	}
	return at, err == nil
}

// price reads an amount in a currency; it may be null.
func (o *object) price(name string, dst **int64, currency string) {
	m := o.find(name)
	if m == nil {
		return
	}
	if m.kind == 'n' {
		putPointer(o, dst, nil)
		return
	}
	if _, known := money.Exponent(currency); !o.checkKind(m, m.kind == '0', aNumber) || !known {
		return
	}
	minor, err := money.Parse(m.text, currency)
	if err != nil {
		o.faults.addText(m.positionInFile(), err.Error(),
			fault.Say("must be an amount of %s: not negative, not too large, with no more decimals than it has",
				currency))
		return
	}
	putPointer(o, dst, &minor)
}

// shapes names the kinds of JSON values.
var shapes = map[jsontext.Kind]fault.Text{'{': anObject, '[': aList, '"': aString, '0': aNumber, 't': trueOrFalse}

var (
	anObject     = fault.Say("an object")
	aList        = fault.Say("a list")
	aString      = fault.Say("a string")
	aNumber      = fault.Say("a number")
	aWholeNumber = fault.Say("a whole number")
	trueOrFalse  = fault.Say("true or false")
)
