package graph

import (
	"encoding/json"
	"fmt"
	"net/mail"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"

	"storefront/internal/fault"
	"storefront/internal/phone"
)

// constraint is the directive that says what the service demands of a value.
const constraint = "constraint"

// ofPartner is the directive of a domain that must be the calling partner's.
const ofPartner = "ofPartner"

// findRules walks a selection, notes the constraints that hold for each variable, and reads the values that are written
// in the document itself as strictly as variables.
func (op *Operation) findRules(selections ast.SelectionSet) {
	for _, selection := range selections {
		switch s := selection.(type) {
		case *ast.Field:
			for _, argument := range s.Arguments {
				declared := s.Definition.Arguments.ForName(argument.Name)
				rule := declared.Directives.ForName(constraint)
				op.rule(argument.Name, argument.Value, rule)
				op.pair(s.Arguments, argument, rule)
			}
			op.signIn = max(op.signIn, asks(s.Definition.Directives.ForName("signedIn")))
			op.partner = op.partner || s.Definition.Directives.ForName("apiKey") != nil
			op.directives(s.Directives)
			op.findRules(s.SelectionSet)
		case *ast.InlineFragment:
			op.directives(s.Directives)
			op.findRules(s.SelectionSet)
		case *ast.FragmentSpread:
			op.directives(s.Directives)
			if !op.seen[s.Name] { // once is enough, and a document may spread fragments more often than we could walk
				op.seen[s.Name] = true
				op.findRules(s.Definition.SelectionSet)
			}
		}
	}
}

// directives notes what holds for the values that directives are given.
func (op *Operation) directives(directives ast.DirectiveList) {
	for _, directive := range directives {
		for _, argument := range directive.Arguments {
			op.rule(argument.Name, argument.Value, nil)
		}
	}
}

// rule applies a constraint to a value in the document; path is where it stands.
func (op *Operation) rule(path string, value *ast.Value, rule *ast.Directive) {
	switch value.Kind {
	case ast.Variable:
		op.notNull[value.Raw] = op.notNull[value.Raw] || value.ExpectedType.NonNull
		if rule != nil && !slices.Contains(op.rules[value.Raw], rule) {
			op.rules[value.Raw] = append(op.rules[value.Raw], rule)
		}
	case ast.ListValue:
		obey(&op.bad, path, len(value.Children), rule)
		for i, child := range value.Children {
			op.rule(path+"."+strconv.Itoa(i), child.Value, rule)
		}
	case ast.ObjectValue:
		for _, child := range value.Children {
			field := value.Definition.Fields.ForName(child.Name)
			before := len(op.bad)
			op.rule(path+"."+child.Name, child.Value, field.Directives.ForName(constraint))
			if field.Directives.ForName(ofPartner) != nil && len(op.bad) == before {
				op.noteDomain(child.Value)
			}
		}
	case ast.NullValue, ast.EnumValue: // valid since validation
	default:
		given := literal(value)
		if given == "" && !value.ExpectedType.NonNull {
			return // absent
		}
		read, ok := readScalar(&op.bad, path, given, value.ExpectedType.Name())
		if !ok {
			return
		}
		if _, err := value.Value(nil); err != nil {
			op.bad.Add(path, "is out of range")
			return
		}
		obey(&op.bad, path, read, rule)
	}
}

// noteDomain notes where a domain stands that must be the calling partner's.
func (op *Operation) noteDomain(value *ast.Value) {
	if value.Kind == ast.Variable {
		op.domainIn[value.Raw] = true
	} else {
		op.domains = append(op.domains, value.Raw)
	}
}

// pair is two arguments of a field of which the first must not be above the second.
type pair struct {
	lower, upper *ast.Argument
}

// pair notes that an argument must not be above another one.
func (op *Operation) pair(all ast.ArgumentList, lower *ast.Argument, rule *ast.Directive) {
	if rule == nil || rule.Arguments.ForName("notAbove") == nil {
		return
	}
	if upper := all.ForName(rule.Arguments.ForName("notAbove").Value.Raw); upper != nil {
		op.pairs = append(op.pairs, pair{lower, upper})
	}
}

// obeyed notes where the first is above the second; variables are read, and what is absent is not above anything.
func (p pair) obeyed(bad *fault.Fields, variables map[string]any) {
	lower, given := p.lower.Value.Value(variables)
	upper, alsoGiven := p.upper.Value.Value(variables)
	if given != nil || alsoGiven != nil || lower == nil || upper == nil {
		return
	}
	if number(lower) > number(upper) {
		bad.Add(nameOf(p.lower), "must not be above %s", nameOf(p.upper))
	}
}

// nameOf is what the client calls an argument's value.
func nameOf(argument *ast.Argument) string {
	if argument.Value.Kind == ast.Variable {
		return argument.Value.Raw
	}
	return argument.Name
}

// number is the size of a number that has been read, exact enough to compare.
func number(value any) float64 {
	n, _ := strconv.ParseFloat(fmt.Sprint(value), 64) // beyond its range it is infinite
	return n
}

// obey notes how a value breaks a constraint. Texts and numbers are checked, and the length of a list, given as an int.
func obey(bad *fault.Fields, path string, value any, rule *ast.Directive) {
	if rule == nil {
		return
	}
	if why := rule.Arguments.ForName("refused"); why != nil {
		bad.AddText(path, fault.Words(why.Value.Raw))
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
		if least, ok := limit("min"); ok && number(value) < float64(least) {
			bad.Add(path, "must be at least %d", least)
		}
	case int64:
		if least, ok := limit("min"); ok && value < least {
			bad.Add(path, "must be at least %d", least)
		} else if most, ok := limit("max"); ok && value > most {
			bad.Add(path, "must be at most %d", most)
		}
	case string:
		obeyText(bad, path, value, limit, rule)
	}
}

func obeyText(bad *fault.Fields, path, text string, limit func(string) (int64, bool), rule *ast.Directive) {
	length := int64(utf8.RuneCountInString(strings.TrimSpace(text)))
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
	if format := rule.Arguments.ForName("format"); format != nil {
		formats[format.Value.Raw](bad, path, text)
	}
}

// maxMessage is the most code points of an SMS.
const maxMessage = 700

// maxPassword is the most characters a password has.
const maxPassword = 256

// formats are the forms of the schema's enum Format: each notes what is wrong with a text.
var formats = map[string]func(bad *fault.Fields, path, text string){
	"email": func(bad *fault.Fields, path, text string) {
		text = strings.TrimSpace(text)
		address, err := mail.ParseAddress(text)
		if err != nil || address.Address != text || len(text) > 254 || !strings.Contains(text[strings.LastIndex(text, "@"):], ".") {
			bad.Add(path, "must be an e-mail address")
		}
	},
	"cellNumber": func(bad *fault.Fields, path, text string) {
		if _, ok := phone.Normalize(strings.TrimSpace(text)); !ok {
			bad.Add(path, "must be a phone number such as +989121234567")
		}
	},
	"e164": func(bad *fault.Fields, path, text string) {
		if _, ok := phone.E164(strings.TrimSpace(text)); !ok {
			bad.Add(path, "must be a phone number with its country, such as +989121234567")
		}
	},
	"newPassword": func(bad *fault.Fields, path, text string) {
		if n := utf8.RuneCountInString(text); n < 8 || n > maxPassword {
			bad.Add(path, "must have 8 to %d characters", maxPassword)
		}
	},
	"iranianMobile": func(bad *fault.Fields, path, text string) {
		if _, ok := phone.IranianMobile(strings.TrimSpace(text)); !ok {
			bad.Add(path, "must be an Iranian mobile number: 09121234567, 9121234567, +989121234567 or 989121234567")
		}
	},
	"smsText": func(bad *fault.Fields, path, text string) {
		if strings.TrimSpace(text) == "" {
			bad.Add(path, "must not be empty")
		} else if utf8.RuneCountInString(text) > maxMessage {
			bad.Add(path, "must have at most %d characters", maxMessage)
		}
	},
	"password": func(bad *fault.Fields, path, text string) {
		if n := utf8.RuneCountInString(text); n == 0 || n > maxPassword {
			bad.Add(path, "must have 1 to %d characters", maxPassword)
		}
	},
}
