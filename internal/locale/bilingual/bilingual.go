// Package bilingual chooses between the English and the Farsi text of a record, for the fields of the schema that have
// the argument language. The directive @inLanguage names the fields that hold the two texts.
package bilingual

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront/internal/locale/language"
	"storefront/internal/request"
)

// The schema's names.
const (
	directive = "inLanguage"
	argument  = "language"
	requested = "requested" // of the enum Language: what Accept-Language asks for; the others are languages
)

// Texts returns the English and the Farsi text of a record; nil where it has none.
type Texts func(record any) (en, fa *string)

// In returns the text in a language, or else, if it is missing or empty, the text in the other one. It is nil
// if the record has neither.
func (t Texts) In(l language.Language, record any) *string {
	preferred, other := t(record)
	if l == language.Farsi {
		preferred, other = other, preferred
	}
	if other != nil && (preferred == nil || *preferred == "") {
		return other
	}
	return preferred
}

// Pair returns the names of the fields that hold the English and the Farsi text of a field. ok is false for a field
// that has no such pair.
func Pair(field *ast.FieldDefinition) (en, fa string, ok bool) {
	if field == nil {
		return "", "", false
	}
	named := field.Directives.ForName(directive)
	if named == nil {
		return "", "", false
	}
	name := func(argument string) string {
		if given := named.Arguments.ForName(argument); given != nil {
			return given.Value.Raw
		}
		return field.Name
	}
	return name("en"), name("fa"), true
}

// Choice is the language that a selected field asks for.
type Choice struct {
	written  string // in the document, or as the argument's default; empty: none
	variable string // a variable that takes precedence over written; empty: none
}

// ChoiceOf returns the language that a selected field asks for. It reports false for a field that never asks
// for one, whatever the variables are, and so shows its own text.
func ChoiceOf(f *ast.Field) (c Choice, ok bool) {
	if _, _, ok := Pair(f.Definition); !ok {
		return c, false
	}
	if declared := f.Definition.Arguments.ForName(argument); declared != nil && declared.DefaultValue != nil {
		c.written = declared.DefaultValue.Raw
	}
	if given := f.Arguments.ForName(argument); given != nil {
		switch given.Value.Kind {
		case ast.Variable:
			c.variable = given.Value.Raw
		case ast.NullValue:
			c.written = ""
		default:
			c.written = given.Value.Raw
		}
	}
	return c, c != Choice{}
}

// named returns the value of the enum Language for the given variables, or "" if there is none.
func (c Choice) named(variables map[string]any) string {
	if value, given := variables[c.variable]; given {
		text, _ := value.(string)
		return text
	}
	return c.written
}

// IsVariable reports whether the language comes from a variable.
func (c Choice) IsVariable() bool { return c.variable != "" }

// IsRequested reports whether the choice depends on the Accept-Language of the request.
func (c Choice) IsRequested(variables map[string]any) bool { return c.named(variables) == requested }

// Fixed returns the language if it is the same for every request.
func (c Choice) Fixed() (l language.Language, ok bool) {
	return language.Language(c.written), c.variable == "" && c.written != requested
}

// In returns the language for the current request. It reports false if the field asks for none.
func (c Choice) In(ctx context.Context) (l language.Language, ok bool) {
	switch named := c.named(graphql.GetOperationContext(ctx).Variables); named {
	case "":
		return "", false
	case requested:
		return request.Language(ctx).Language(), true
	default:
		return language.Language(named), true
	}
}

// Reads returns the names of the fields of a record that must be read for a selected field.
func Reads(f *ast.Field) []string {
	if _, ok := ChoiceOf(f); ok {
		en, fa, _ := Pair(f.Definition)
		return []string{en, fa}
	}
	return []string{f.Name}
}
