package graph

import (
	"errors"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/lexer"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"storefront/internal/fault"
)

// Documents are the operations of one source text, parsed and valid.
type Documents struct {
	source   string
	document *ast.QueryDocument
	words    int // tokens of a document of others, without punctuation
}

// Parse reads and validates a document of ours, of any length.
func (e *Engine) Parse(source string) (*Documents, gqlerror.List) {
	return e.parse(source, nil)
}

func (e *Engine) parse(source string, chosen *rules.Rules) (*Documents, gqlerror.List) {
	document, err := parser.ParseQuery(&ast.Source{Input: source})
	if err != nil {
		syntax, _ := errors.AsType[*gqlerror.Error](err)
		return nil, coded(fault.ParseFailed, gqlerror.List{syntax})
	}
	if chosen != nil && reach(document) > maxReach {
		return nil, limited(fault.New(fault.LimitExceeded, "fragments are spread in too many places; send fewer operations and fragments in one document"))
	}
	if errs := validator.ValidateWithRules(e.Schema(), document, chosen); len(errs) > 0 {
		return nil, coded(fault.DocumentInvalid, errs)
	}
	return &Documents{source: source, document: document}, nil
}

// forOthers are the rules for documents of others: those of the specification without the one that compares fields in
// pairs, for which merging stands, and without suggestions, which cost more than all else together.
func forOthers() *rules.Rules {
	chosen := rules.NewDefaultRules()
	chosen.RemoveRule(rules.OverlappingFieldsCanBeMergedRule.Name)
	chosen.ReplaceRule(rules.FieldsOnCorrectTypeRule.Name, rules.FieldsOnCorrectTypeRuleWithoutSuggestions.RuleFunc)
	chosen.ReplaceRule(rules.KnownArgumentNamesRule.Name, rules.KnownArgumentNamesRuleWithoutSuggestions.RuleFunc)
	chosen.ReplaceRule(rules.KnownTypeNamesRule.Name, rules.KnownTypeNamesRuleWithoutSuggestions.RuleFunc)
	chosen.ReplaceRule(rules.ScalarLeafsRule.Name, rules.ScalarLeafsRuleWithoutSuggestions.RuleFunc)
	chosen.ReplaceRule(rules.ValuesOfCorrectTypeRule.Name, rules.ValuesOfCorrectTypeRuleWithoutSuggestions.RuleFunc)
	return chosen
}

// shownErrors is how many errors of a document are shown; a wrong one can have thousands, many of them alike.
const shownErrors = 20

// ParseForeign reads and validates a document of others. One that would take long to read is refused before, and what is
// wrong with one is said without the values in it: they may be passwords and codes.
func (e *Engine) ParseForeign(source string) (*Documents, gqlerror.List) {
	tokens := lexer.New(&ast.Source{Input: source})
	var values []string
	words := 0
	for n := 0; ; n++ {
		token, err := tokens.ReadToken()
		if err != nil || token.Kind == lexer.EOF {
			break
		}
		if n == maxTokens {
			return nil, limited(fault.New(fault.LimitExceeded, "a document must have at most %d tokens", maxTokens))
		}
		switch token.Kind {
		case lexer.Name, lexer.Int, lexer.Float, lexer.String, lexer.BlockString, lexer.Spread:
			words++
		}
		if token.Kind == lexer.Name && len(token.Value) > maxName {
			return nil, limited(fault.New(fault.LimitExceeded, "a name must have at most %d letters", maxName))
		}
		values = append(values, spellings(token)...)
	}
	documents, errs := e.parse(source, forOthers())
	if len(errs) > 0 {
		return nil, without(values, different(errs, shownErrors))
	}
	if e.closed {
		if errs := refuseIntrospection(documents.document); errs != nil {
			return nil, errs
		}
	}
	documents.words = words
	if err := mergeable(e.Schema(), documents.document); err != nil {
		return nil, without(values, gqlerror.List{err})
	}
	return documents, nil
}

// different gives the first errors of a list, at most so many, each once.
func different(errs gqlerror.List, most int) (some gqlerror.List) {
	type place struct {
		message      string
		line, column int
	}
	seen := map[place]bool{}
	for _, err := range errs {
		at := place{message: err.Message}
		if len(err.Locations) > 0 {
			at.line, at.column = err.Locations[0].Line, err.Locations[0].Column
		}
		if !seen[at] && len(some) < most {
			seen[at] = true
			some = append(some, err)
		}
	}
	return some
}

// limited is the answer to a document that is refused for its size.
func limited(why *fault.Error) gqlerror.List { return gqlerror.List{asGraphQL(why, nil)} }

// Operation gives the operation of a name; the name may be empty when there is only one.
func (d *Documents) Operation(name string) (*Operation, error) {
	definition := d.document.Operations.ForName(name)
	if definition == nil {
		return nil, fault.New(fault.BadRequest, "say in operationName which of the document's operations to run")
	}
	op := &Operation{
		source: d.source, document: d.document, Definition: definition,
		rules: map[string][]*ast.Directive{}, notNull: map[string]bool{}, seen: map[string]bool{}, domainIn: map[string]bool{},
	}
	op.findRules(definition.SelectionSet)
	if definition.Operation == ast.Mutation {
		op.noteOnce(definition.SelectionSet, map[string]bool{})
	}
	return op, nil
}
