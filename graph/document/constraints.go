package document

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"

	"storefront/internal/fault"
	"storefront/internal/locale/money"
	"storefront/internal/locale/search"
)

// checkAnyOf checks that an input has at least one of the members that its @anyOf names. Names in faults
// begin with prefix.
func checkAnyOf(
	bad *fault.Fields, prefix string, definition *ast.Definition, has func(member *ast.FieldDefinition) bool,
) {
	rule := definition.Directives.ForName("anyOf")
	if rule == nil {
		return
	}
	var names []string
	for _, child := range rule.Arguments.ForName("members").Value.Children {
		names = append(names, child.Value.Raw)
	}
	isHere := func(name string) bool { return has(definition.Fields.ForName(name)) }
	if !slices.ContainsFunc(names, isHere) {
		bad.Add(prefix+names[0], "is required, if none is given of: %s", strings.Join(names[1:], ", "))
	}
}

// isGiven reports whether an optional member has a value: null and the empty text count as absent.
func isGiven(value any) bool { return value != nil && value != "" && value != Text("") }

// checkConstraint adds a fault for each way in which a value breaks a constraint. The value is a text, a
// number or, for a list, its length as an int.
func checkConstraint(bad *fault.Fields, path string, value any, rule *ast.Directive) {
	if rule == nil {
		return
	}
	limit := func(name string) (int64, bool) {
		argument := rule.Arguments.ForName(name)
		if argument == nil {
			return 0, false
		}
		n, err := strconv.ParseInt(argument.Value.Raw, 10, 64)
		return n, err == nil
	}
	switch value := value.(type) {
	case int:
		if most, ok := limit("maxItems"); ok && int64(value) > most {
			bad.Add(path, "must have at most %d items", most)
		}
	case json.Number:
		if least, ok := limit("min"); ok && money.Compare(string(value), strconv.FormatInt(least, 10)) < 0 {
			bad.Add(path, "must be at least %d", least)
		} else if most, ok := limit("max"); ok && money.Compare(string(value), strconv.FormatInt(most, 10)) > 0 {
			bad.Add(path, "must be at most %d", most)
		}
	case int64:
		checkConstraint(bad, path, json.Number(strconv.FormatInt(value, 10)), rule)
	case string:
		checkText(bad, path, value, limit, rule)
	}
}

func checkText(bad *fault.Fields, path, text string, limit func(string) (int64, bool), rule *ast.Directive) {
	bare := strings.TrimSpace(text)
	length := int64(utf8.RuneCountInString(bare))
	if search.IsBlank(bare) {
		length = 0
	}
	if least, ok := limit("minLength"); ok && length < least {
		if length == 0 {
			bad.Add(path, "must not be empty")
			return
		}
		bad.Add(path, "must have at least %d characters", least)
		return
	}
	if most, ok := limit("maxLength"); ok && length > most {
		bad.Add(path, "must have at most %d characters", most)
		return
	}
	if isSet(rule, "oneLine") && !isOneLine(bare) {
		bad.Add(path, "must be one line without control characters")
		return
	}
	if format := rule.Arguments.ForName("format"); format != nil {
		formats[format.Value.Raw](bad, path, text)
	}
}

// isOneLine reports whether a text has neither a control character nor a line break.
func isOneLine(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsControl(r) || r == '\u2028' || r == '\u2029'
	})
}

// orderedPair is a pair of arguments of a field; the first must not be greater than the second.
type orderedPair struct {
	lower, upper *ast.Argument
}

// check adds a fault if the first argument is greater than the second. variables are those that were read. It
// adds none if one of them is absent or has a fault already.
func (p orderedPair) check(bad *fault.Fields, variables map[string]any) {
	isNamed := func(f fault.Field) bool { return f.Field == nameOf(p.lower) || f.Field == nameOf(p.upper) }
	if slices.ContainsFunc(*bad, isNamed) {
		return
	}
	lower, given := numberOf(p.lower.Value, variables)
	upper, alsoGiven := numberOf(p.upper.Value, variables)
	if given && alsoGiven && money.Compare(lower, upper) > 0 {
		bad.Add(nameOf(p.lower), "must not be above %s", nameOf(p.upper))
	}
}

// nameOf returns the name by which the client knows an argument's value.
func nameOf(argument *ast.Argument) string {
	if argument.Value.Kind == ast.Variable {
		return argument.Value.Raw
	}
	return argument.Name
}

// numberOf returns the number given for an argument, as it was written, and whether there is one.
func numberOf(value *ast.Value, variables map[string]any) (text string, ok bool) {
	switch value.Kind {
	case ast.Variable:
		number, ok := variables[value.Raw].(json.Number)
		return string(number), ok
	case ast.NullValue:
		return "", false
	}
	return value.Raw, true
}
