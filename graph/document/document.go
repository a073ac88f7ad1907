// Package document reads GraphQL documents, and says what is known of one before it runs. It knows no request, no
// caller and no database.
//
// A Reader parses a document, validates and measures it (document.go, validationcost.go, fieldmerging.go); a Cache
// keeps those of clients. An Operation of a document says who may call it, what an Idempotency-Key means for it and
// which shops it names, by the directives of the schema (declared.go, signin.go, shops.go). It reads the values of its
// variables by their declared types and constraints (variables.go, scalars.go, constraints.go), and says what it costs
// with them (limits.go).
package document

import (
	"errors"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/lexer"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/core"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"storefront/graph/plan"
	"storefront/internal/catalog/selection"
	"storefront/internal/fault"
)

// Document holds the operations of one source text, parsed and valid.
type Document struct {
	Source     string
	AST        *ast.QueryDocument
	FromClient bool              // it is a client's, not one of the service
	Plans      *plan.Plans       // they write the values of fields
	Selections *selection.Memory // the selections below fields; nil if they differ between requests

	reader     *Reader
	words      int                 // tokens of a client document, not counting punctuation
	operations sync.Map            // *ast.OperationDefinition to *Operation
	numbers    map[*ast.Value]bool // decimals that are written in it, see keepDecimal
}

// Parse reads and validates a document of the service itself, of any length. Its errors have the codes
// GRAPHQL_PARSE_FAILED and GRAPHQL_VALIDATION_FAILED.
func (r *Reader) Parse(source string) (*Document, gqlerror.List) {
	document, errs := r.parse(source, nil)
	if len(errs) == 0 {
		document.Plans = plan.New(r.Planned, math.MaxInt, r.Log)
		document.Selections = selection.MemoryFor(document.AST, math.MaxInt)
	}
	return document, errs
}

func (r *Reader) parse(source string, chosen *rules.Rules) (*Document, gqlerror.List) {
	tree, err := parser.ParseQuery(&ast.Source{Input: source})
	if err != nil {
		syntax, _ := errors.AsType[*gqlerror.Error](err)
		return nil, withCode(fault.ParseFailed, gqlerror.List{syntax})
	}
	if chosen != nil && validationCost(tree) > maxValidationCost {
		return nil, refusedFor(fault.New(fault.LimitExceeded,
			"fragments are spread in too many places; send fewer operations and fragments in one document"))
	}
	if errs := validator.ValidateWithRules(r.Schema, tree, chosen); len(errs) > 0 {
		return nil, withCode(fault.DocumentInvalid, errs)
	}
	document := &Document{reader: r, Source: source, AST: tree, numbers: map[*ast.Value]bool{}}
	for field := range eachField(tree) {
		for _, argument := range field.Arguments {
			document.keepDecimal(argument.Value)
		}
	}
	return document, nil
}

// keepDecimal turns a literal decimal into a string and notes it; in lists and objects, too. As a number it would
// reach resolvers as float64 or int64, rounded or refused as too large. As a string it arrives exactly as written,
// like decimals in variables.
func (d *Document) keepDecimal(value *ast.Value) {
	isNumber := value.Kind == ast.IntValue || value.Kind == ast.FloatValue
	if isNumber && value.Definition != nil && formOf(value.Definition) == asDecimal {
		value.Kind = ast.StringValue
		d.numbers[value] = true
	}
	for _, child := range value.Children {
		d.keepDecimal(child.Value)
	}
}

// clientRules returns the validation rules for client documents. They are those of the specification, except
// that mergeable replaces the rule that compares fields in pairs. Suggestions are left out, which cost more
// than all the rest.
func clientRules() *rules.Rules {
	chosen := rules.NewDefaultRules()
	chosen.RemoveRule(rules.OverlappingFieldsCanBeMergedRule.Name)
	chosen.ReplaceRule(rules.FieldsOnCorrectTypeRule.Name, rules.FieldsOnCorrectTypeRuleWithoutSuggestions.RuleFunc)
	chosen.ReplaceRule(rules.KnownArgumentNamesRule.Name, rules.KnownArgumentNamesRuleWithoutSuggestions.RuleFunc)
	chosen.ReplaceRule(rules.KnownTypeNamesRule.Name, rules.KnownTypeNamesRuleWithoutSuggestions.RuleFunc)
	chosen.ReplaceRule(rules.ScalarLeafsRule.Name, rules.ScalarLeafsRuleWithoutSuggestions.RuleFunc)
	chosen.ReplaceRule(rules.ValuesOfCorrectTypeRule.Name, rules.ValuesOfCorrectTypeRuleWithoutSuggestions.RuleFunc)
	chosen.AddRule("ScalarsAreScalars", refuseNoScalars)
	return chosen
}

// refuseNoScalars refuses an object where a scalar or an enum is expected, and for custom scalars also a
// list, a name and the empty text. The library's rule checks only an object's members, and values of custom
// scalars not at all, so that these would reach the resolvers.
func refuseNoScalars(observers *core.Events, addError core.AddErrFunc) {
	observers.OnValue(func(_ *core.Walker, value *ast.Value) {
		if value.Definition == nil || value.ExpectedType == nil || value.Definition.Kind == ast.InputObject {
			return
		}
		refused := value.Kind == ast.ObjectValue
		if value.Definition.Kind == ast.Scalar && !value.Definition.BuiltIn {
			form := formOf(value.Definition)
			refused = refused || value.Kind == ast.EnumValue ||
				value.Kind == ast.ListValue && value.ExpectedType.Elem == nil ||
				value.Kind == ast.StringValue && value.Raw == "" && (form == asDecimal || form == asTime)
		}
		if refused {
			addError(core.Message(`Expected value of type "%s", found %s.`, value.ExpectedType, value),
				core.At(value.Position))
		}
	})
}

// isConditional reports whether a field of a selection, or of a fragment in it, has @skip or @include.
func isConditional(selections ast.SelectionSet) bool {
	return slices.ContainsFunc(selections, func(selection ast.Selection) bool {
		p := partOf(selection)
		return p.directives.ForName("skip") != nil || p.directives.ForName("include") != nil ||
			p.field == nil && isConditional(p.below)
	})
}

// shownErrors is the most errors shown for a document. An invalid one can have thousands, many of them alike.
const shownErrors = 20

// ParseClient reads and validates a client document. It fails as Parse does, and with LIMIT_EXCEEDED for a document
// that is too long or would take long to validate. Errors do not quote values in the document, which may be passwords
// and codes.
func (r *Reader) ParseClient(source string) (*Document, gqlerror.List) {
	tokens := lexer.New(&ast.Source{Input: source})
	var values []string
	words := 0
	for n := 0; ; n++ {
		token, err := tokens.ReadToken()
		if err != nil || token.Kind == lexer.EOF {
			break
		}
		if n == maxTokens {
			return nil, refusedFor(fault.New(fault.LimitExceeded,
				"a document must have at most %d tokens", maxTokens))
		}
		switch token.Kind {
		case lexer.Name, lexer.Int, lexer.Float, lexer.String, lexer.BlockString, lexer.Spread:
			words++
		}
		if token.Kind == lexer.Name && len(token.Value) > maxName {
			return nil, refusedFor(fault.New(fault.LimitExceeded, "a name must have at most %d letters", maxName))
		}
		if token.Kind == lexer.String && strings.ContainsRune(token.Value, utf8.RuneError) &&
			surrogate.MatchString(source) { // else it was written so
			return nil, refusedFor(fault.New(fault.ParseFailed, "a text has half of a surrogate pair"))
		}
		values = append(values, shownValues(token)...)
	}
	document, errs := r.parse(source, clientRules())
	if len(errs) > 0 {
		return nil, withoutValues(values, firstDistinct(errs, shownErrors))
	}
	if r.NoIntrospection && asksForSchema(document.AST) {
		return nil, refusedFor(fault.New(fault.DocumentInvalid,
			"introspection is switched off here: __schema and __type cannot be asked for"))
	}
	for _, o := range document.AST.Operations { // as the newest edition of the specification has it
		if o.Operation == ast.Subscription && isConditional(o.SelectionSet) {
			return nil, refusedFor(fault.New(fault.DocumentInvalid,
				"a subscription must not have @skip or @include at its root"))
		}
	}
	document.FromClient, document.words = true, words
	document.Plans = plan.New(r.Planned, plannedOfWord*words, r.Log)
	document.Selections = selection.MemoryFor(document.AST, selectedOfWord*words)
	if err := mergeable(r.Schema, document.AST); err != nil {
		return nil, withoutValues(values, gqlerror.List{err})
	}
	return document, nil
}

// surrogate matches an escaped half of a surrogate pair. The lexer reads one alone as U+FFFD.
var surrogate = regexp.MustCompile(`\\u[dD][89a-fA-F]`)
