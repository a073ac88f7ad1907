package document

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"

	"storefront/internal/locale/bilingual"
	"storefront/internal/locale/money"
)

// collectDirectives notes what the directives of the schema demand for a selection and all below it: who must
// have signed in, and which constraints hold for each variable. Literal values in the document are checked
// here, as strictly as variables. seen holds the fragments already visited: a document may spread them too
// often to follow each time.
func (op *Operation) collectDirectives(selections ast.SelectionSet, seen map[string]bool) {
	for _, selection := range selections {
		p := partOf(selection)
		if p.field != nil {
			op.collectField(p.field)
		}
		op.queryDirectives(p.directives)
		if p.spread == "" || !seen[p.spread] {
			seen[p.spread] = true
			op.collectDirectives(p.below, seen)
		}
	}
}

// collectField notes what the directives of a field and its arguments demand.
func (op *Operation) collectField(f *ast.Field) {
	for _, argument := range f.Arguments {
		declared := f.Definition.Arguments.ForName(argument.Name)
		rule := declared.Directives.ForName("constraint")
		op.constrain(argument.Name, argument.Value, rule)
		op.noteOrdered(f.Arguments, argument, rule)
		op.defaults.note(op.reader.Schema, declared, argument.Value)
		op.HasSecret = op.HasSecret || declared.Directives.ForName("secret") != nil
		if declared.Directives.ForName("uncached") != nil {
			op.noteUncached(argument.Value)
		}
		if declared.Directives.ForName("ofShop") != nil && argument.Value.Kind == ast.Variable {
			op.ShopDomain = argument.Value.Raw
		}
	}
	op.noteShop(f)
	op.noteLanguage(f)
	op.SignIn = max(op.SignIn, signInOf(f.Definition))
	op.Once.Private = op.Once.Private ||
		f.Definition.Directives.ForName("staff") != nil || f.Definition.Directives.ForName("secret") != nil
	op.NeedsKey = op.NeedsKey || f.Definition.Directives.ForName("apiKey") != nil
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

// noteOrdered notes that an argument must not be greater than another one.
func (op *Operation) noteOrdered(all ast.ArgumentList, lower *ast.Argument, rule *ast.Directive) {
	if rule == nil || rule.Arguments.ForName("notAbove") == nil {
		return
	}
	if upper := all.ForName(rule.Arguments.ForName("notAbove").Value.Raw); upper != nil {
		op.ordered = append(op.ordered, orderedPair{lower, upper})
	}
}

// underflows reports whether a value is a number other than 0 that a float64 would round to 0.
func underflows(value *ast.Value) bool {
	if value.Kind != ast.FloatValue {
		return false
	}
	read, _ := strconv.ParseFloat(value.Raw, 64)
	return read == 0 && money.Compare(value.Raw, "0") != 0
}
