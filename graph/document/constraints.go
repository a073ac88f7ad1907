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
	"storefront/internal/locale/bilingual"
	"storefront/internal/locale/money"
	"storefront/internal/locale/search"
)

// collectDirectives notes what the directives of the schema demand for a selection and all below it: who must
// have signed in, and which constraints hold for each variable. Literal values in the document are checked
// here, as strictly as variables. seen holds the fragments already visited: a document may spread them too
// often to follow each time.
func (op *Operation) collectDirectives(selections ast.SelectionSet, seen map[string]bool) {
	for _, selection := range selections {
		switch s := selection.(type) {
		case *ast.Field:
			for _, argument := range s.Arguments {
				declared := s.Definition.Arguments.ForName(argument.Name)
				rule := declared.Directives.ForName("constraint")
				op.constrain(argument.Name, argument.Value, rule)
				op.noteOrdered(s.Arguments, argument, rule)
				op.defaults.note(op.reader.Schema, declared, argument.Value)
				op.HasSecret = op.HasSecret || declared.Directives.ForName("secret") != nil
				if declared.Directives.ForName("uncached") != nil {
					op.noteUncached(argument.Value)
				}
				if declared.Directives.ForName("ofShop") != nil && argument.Value.Kind == ast.Variable {
					op.ShopDomain = argument.Value.Raw
				}
			}
			op.noteShop(s)
			op.noteLanguage(s)
			op.SignIn = max(op.SignIn, signInOf(s.Definition))
			op.Once.Private = op.Once.Private ||
				s.Definition.Directives.ForName("staff") != nil || s.Definition.Directives.ForName("secret") != nil
			op.NeedsKey = op.NeedsKey || s.Definition.Directives.ForName("apiKey") != nil
			op.queryDirectives(s.Directives)
			op.collectDirectives(s.SelectionSet, seen)
		case *ast.InlineFragment:
			op.queryDirectives(s.Directives)
			op.collectDirectives(s.SelectionSet, seen)
		case *ast.FragmentSpread:
			op.queryDirectives(s.Directives)
			if !seen[s.Name] {
				seen[s.Name] = true
				op.collectDirectives(s.Definition.SelectionSet, seen)
			}
		}
	}
}

// noteUncached notes the value of an argument with @uncached.
func (op *Operation) noteUncached(value *ast.Value) {
	switch value.Kind {
	case ast.Variable:
		op.uncachedBy[value.Raw] = true
		declared := op.Definition.VariableDefinitions.ForName(value.Raw)
		op.uncached = op.uncached || declared != nil && declared.DefaultValue != nil
	case ast.NullValue:
	default:
		op.uncached = true
	}
}

// noteLanguage notes whether a field shows its text in the language that the request asks for.
func (op *Operation) noteLanguage(f *ast.Field) {
	choice, ok := bilingual.ChoiceOf(f)
	_, fixed := choice.Fixed()
	switch {
	case !ok || fixed || op.inRequested:
	case choice.IsVariable() && !slices.Contains(op.inRequestedBy, choice):
		op.inRequestedBy = append(op.inRequestedBy, choice)
	case !choice.IsVariable():
		op.inRequested = true
	}
}

// queryDirectives notes the constraints on the values of @skip and @include.
func (op *Operation) queryDirectives(directives ast.DirectiveList) {
	for _, directive := range directives {
		for _, argument := range directive.Arguments {
			op.constrain(argument.Name, argument.Value, nil)
			if argument.Value.Kind == ast.Variable {
				op.inConditions[argument.Value.Raw] = true
			}
		}
	}
}

// constrain applies a constraint to a value in the document; path is the value's place.
func (op *Operation) constrain(path string, value *ast.Value, rule *ast.Directive) {
	switch value.Kind {
	case ast.Variable:
		op.uses[value.Raw]++
		op.notNull[value.Raw] = op.notNull[value.Raw] || value.ExpectedType.NonNull
		if rule != nil && !slices.Contains(op.constraints[value.Raw], rule) {
			op.constraints[value.Raw] = append(op.constraints[value.Raw], rule)
		}
	case ast.ListValue:
		checkConstraint(&op.faults, path, len(value.Children), rule)
		for i, child := range value.Children {
			op.constrain(path+"."+strconv.Itoa(i), child.Value, rule)
		}
	case ast.ObjectValue:
		if value.Definition.Kind != ast.InputObject {
			return // a Json
		}
		for _, child := range value.Children {
			field := value.Definition.Fields.ForName(child.Name)
			before := len(op.faults)
			op.constrain(path+"."+child.Name, child.Value, field.Directives.ForName("constraint"))
			if field.Directives.ForName("ofPartner") != nil && len(op.faults) == before {
				op.notePartnerDomain(child.Value)
			}
		}
		checkAnyOf(&op.faults, path+".", value.Definition, func(member *ast.FieldDefinition) bool {
			child := value.Children.ForName(member.Name)
			return child != nil && (child.Kind == ast.Variable || // resolvers check variables
				isGiven(jsonForm(child)) || clears(member, jsonForm(child)))
		})
	case ast.NullValue, ast.EnumValue: // checked by validation
	default:
		given := jsonForm(value)
		if op.numbers[value] {
			given = json.Number(value.Raw)
		}
		if given == "" && !value.ExpectedType.NonNull {
			value.Kind, value.Raw = ast.NullValue, "null" // absent, as in a variable
			return
		}
		read, ok := readScalar(&op.faults, path, given, op.reader.Schema.Types[value.ExpectedType.Name()])
		if !ok {
			return
		}
		if _, err := value.Value(nil); err != nil || !op.numbers[value] && underflows(value) {
			op.faults.Add(path, "is out of range")
			return
		}
		checkConstraint(&op.faults, path, read, rule)
	}
}

// checkAnyOf checks that an input has at least one of the members that its @anyOf names. Names in faults
// begin with prefix.
func checkAnyOf(
	bad *fault.Fields, prefix string, definition *ast.Definition, given func(member *ast.FieldDefinition) bool,
) {
	rule := definition.Directives.ForName("anyOf")
	if rule == nil {
		return
	}
	var names []string
	for _, child := range rule.Arguments.ForName("members").Value.Children {
		names = append(names, child.Value.Raw)
	}
	isHere := func(name string) bool { return given(definition.Fields.ForName(name)) }
	if !slices.ContainsFunc(names, isHere) {
		bad.Add(prefix+names[0], "is required, if none is given of: %s", strings.Join(names[1:], ", "))
	}
}

// isGiven reports whether an optional member has a value: null and the empty text count as absent.
func isGiven(value any) bool { return value != nil && value != "" && value != Text("") }

// notePartnerDomain notes a domain, or the variable with it, that must be the calling partner's.
func (op *Operation) notePartnerDomain(value *ast.Value) {
	switch value.Kind {
	case ast.NullValue:
	case ast.Variable:
		op.partnerDomainIn[value.Raw] = true
	default:
		op.partnerDomains = append(op.partnerDomains, value.Raw)
	}
}

// orderedPair is a pair of arguments of a field; the first must not be greater than the second.
type orderedPair struct {
	lower, upper *ast.Argument
}

// noteOrdered notes that an argument must not be greater than another one.
func (op *Operation) noteOrdered(all ast.ArgumentList, lower *ast.Argument, rule *ast.Directive) {
	if rule == nil || rule.Arguments.ForName("notAbove") == nil {
		return
	}
	if upper := all.ForName(rule.Arguments.ForName("notAbove").Value.Raw); upper != nil {
		op.ordered = append(op.ordered, orderedPair{lower, upper})
	}
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
func numberOf(value *ast.Value, variables map[string]any) (text string, given bool) {
	switch value.Kind {
	case ast.Variable:
		number, ok := variables[value.Raw].(json.Number)
		return string(number), ok
	case ast.NullValue:
		return "", false
	}
	return value.Raw, true
}

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

// underflows reports whether a value is a number other than 0 that a float64 would round to 0.
func underflows(value *ast.Value) bool {
	if value.Kind != ast.FloatValue {
		return false
	}
	read, _ := strconv.ParseFloat(value.Raw, 64)
	return read == 0 && money.Compare(value.Raw, "0") != 0
}
